// SPDX-License-Identifier: GPL-3.0-or-later
#include "results.h"

#include "fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

#define EVERY_FILE ((1u << RESULT_FILES) - 1)

static const struct meta_row fact = {"kernel", "6.18"};

static bool there(const char *path)
{
	return access(path, F_OK) == 0;
}

static void opened(struct results *results, struct fixture *fixture, const char *name)
{
	struct complaint c = {0};

	if (results_open(results, fixture_path(fixture, name), EVERY_FILE, &c))
		fail_msg("refused: %s", c.text);
}

static void assert_refused(struct fixture *fixture, const char *name, enum exit_status status,
                           const char *says)
{
	struct results results;
	struct complaint c = {0};

	if (!results_open(&results, fixture_path(fixture, name), EVERY_FILE, &c))
		fail_msg("'%s' was accepted", name);
	assert_int_equal(c.status, status);
	assert_false(results.on);
	if (!strstr(c.text, says))
		fail_msg("'%s' lacks '%s'", c.text, says);
}

/* The number of entries in the fixture. */
static unsigned entries(struct fixture *fixture)
{
	DIR *directory = opendir(fixture->root);
	struct dirent *entry;
	unsigned count = 0;

	assert_non_null(directory);
	while ((entry = readdir(directory)))
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(directory);
	return count;
}

static void without_a_directory_every_call_does_nothing(void **state)
{
	struct results results;
	struct complaint c;

	(void)state;
	assert_int_equal(results_open(&results, "", EVERY_FILE, &c), 0);
	assert_false(results.on);
	results_row(&results, RESULT_META, &fact);
	assert_int_equal(results_flush(&results, &c), 0);
	assert_false(results_written(&results));
	assert_int_equal(results_commit(&results, &c), 0);
	results_abandon(&results, false);
}

static void results_have_their_name_when_they_are_whole(void **state)
{
	struct fixture *fixture = *state;
	struct results results;
	struct complaint c;
	char partial[PATH_MAX];

	opened(&results, fixture, "out");
	strcpy(partial, results.partial);
	assert_true(there(partial));
	assert_false(there(fixture_path(fixture, "out")));
	results_row(&results, RESULT_META, &fact);
	assert_int_equal(results_commit(&results, &c), 0);
	assert_false(there(partial));
	for (int i = 0; i < RESULT_FILES; i++) {
		char name[64];

		snprintf(name, sizeof(name), "out/%s", result_tables[i].file);
		assert_true(there(fixture_path(fixture, name)));
	}
}

static void slashes_at_the_end_do_not_matter(void **state)
{
	struct fixture *fixture = *state;
	struct results results;
	struct complaint c;

	opened(&results, fixture, "out//");
	assert_int_equal(results_commit(&results, &c), 0);
	assert_true(there(fixture_path(fixture, "out/points.csv")));
	assert_int_equal(entries(fixture), 1);
}

static void headers_are_there_from_the_start(void **state)
{
	struct fixture *fixture = *state;
	struct results results;
	struct complaint c;

	opened(&results, fixture, "out");
	assert_false(results_written(&results));
	for (int i = 0; i < RESULT_FILES; i++) {
		char path[PATH_MAX + 64];
		struct stat status;

		snprintf(path, sizeof(path), "%s/%s", results.partial, result_tables[i].file);
		assert_int_equal(stat(path, &status), 0);
		assert_int_equal(status.st_size, results.header[i]);
		assert_true(status.st_size > 0);
	}
	assert_int_equal(results_commit(&results, &c), 0);
}

static void whatever_exists_is_refused(void **state)
{
	struct fixture *fixture = *state;

	fixture_write(fixture, "full/x", "");
	assert_refused(fixture, "full", EXIT_USAGE, "full' exists");
	assert_refused(fixture, "full/x", EXIT_USAGE, "exists");
	assert_int_equal(mkdir(fixture_path(fixture, "empty"), 0700), 0);
	assert_refused(fixture, "empty", EXIT_USAGE, "exists");
	assert_int_equal(symlink("nowhere", fixture_path(fixture, "link")), 0);
	assert_refused(fixture, "link", EXIT_USAGE, "exists");
	assert_int_equal(entries(fixture), 3);
}

static void places_that_cannot_be_written_are_named(void **state)
{
	struct fixture *fixture = *state;
	static char deep[PATH_MAX + 64];

	assert_refused(fixture, "no/such/place", EXIT_FAILED, "No such file or directory");
	fixture_write(fixture, "file", "");
	assert_refused(fixture, "file/out", EXIT_FAILED, "Not a directory");
	memset(deep, 'x', 300);
	assert_refused(fixture, deep, EXIT_FAILED, "File name too long");
	{
		struct results results;
		struct complaint c = {0};

		memset(deep, 'x', sizeof(deep) - 1);
		assert_int_equal(results_open(&results, deep, EVERY_FILE, &c), -1);
		assert_int_equal(c.status, EXIT_USAGE);
		assert_non_null(strstr(c.text, "the path is longer than"));
	}
}

static void a_directory_made_meanwhile_is_not_overwritten(void **state)
{
	struct fixture *fixture = *state;
	struct results results;
	struct complaint c = {0};

	opened(&results, fixture, "out");
	fixture_write(fixture, "out/points.csv", "mine");
	assert_int_equal(results_commit(&results, &c), -1);
	assert_int_equal(c.status, EXIT_FAILED);
	assert_non_null(strstr(c.text, "the results are whole, under the first name"));
	assert_true(there(results.partial));
}

static void abandoned_results_are_kept_or_removed(void **state)
{
	struct fixture *fixture = *state;
	struct results results;
	struct complaint c;

	opened(&results, fixture, "gone");
	results_row(&results, RESULT_META, &fact);
	results_abandon(&results, false);
	assert_int_equal(entries(fixture), 0);
	opened(&results, fixture, "kept");
	results_row(&results, RESULT_STEPS, &(struct step_row){.step = "fault"});
	assert_int_equal(results_flush(&results, &c), 0);
	assert_true(results_written(&results));
	results_abandon(&results, true);
	assert_true(there(results.partial));
	assert_false(there(results.path));
}

static void facts_alone_are_no_results(void **state)
{
	struct results results;
	struct complaint c;

	opened(&results, *state, "out");
	results_row(&results, RESULT_META, &fact);
	assert_int_equal(results_flush(&results, &c), 0);
	assert_false(results_written(&results));
	results_abandon(&results, false);
}

/* Files may have no more than 1500 bytes: points.csv has its header and no row that is torn. */
static void a_full_disk_is_said_and_leaves_whole_rows(void **state)
{
	struct fixture *fixture = *state;
	struct results results;
	struct complaint c = {0};
	struct rlimit before, small;
	struct stat status;
	char path[PATH_MAX + 64];

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	opened(&results, fixture, "out");
	small = before;
	small.rlim_cur = 1500;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	for (int i = 0; i < 500; i++)
		results_row(&results, RESULT_SAMPLES, &(struct sample_row){.step = "fault"});
	assert_int_equal(results_flush(&results, &c), -1);
	assert_non_null(strstr(c.text, "samples.csv: File too large"));
	assert_int_equal(results_commit(&results, &c), -1);
	setrlimit(RLIMIT_FSIZE, &before);
	snprintf(path, sizeof(path), "%s/samples.csv", results.partial);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_size, results.header[RESULT_SAMPLES]);
	assert_false(there(results.path));
}

static void only_the_files_wanted_are_there(void **state)
{
	struct fixture *fixture = *state;
	struct results results;
	struct complaint c;

	assert_int_equal(results_open(&results, fixture_path(fixture, "out"),
	                              1u << RESULT_POINTS | 1u << RESULT_META, &c),
	                 0);
	assert_int_equal(results_commit(&results, &c), 0);
	assert_true(there(fixture_path(fixture, "out/points.csv")));
	assert_true(there(fixture_path(fixture, "out/meta.csv")));
	assert_false(there(fixture_path(fixture, "out/samples.csv")));
	assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
}

/* Column names are what people's scripts depend on. */
static void columns_are_words_with_their_units(void **state)
{
	(void)state;
	for (int i = 0; i < RESULT_FILES; i++) {
		const struct column *columns = result_tables[i].columns;

		for (const struct column *at = columns; at->name; at++) {
			assert_int_equal(strspn(at->name, "abcdefghijklmnopqrstuvwxyz0123456789_"),
			                 strlen(at->name));
			assert_true(*at->meaning != '\0');
			if (at->kind == COLUMN_SECONDS)
				assert_string_equal(at->name + strlen(at->name) - 2, "_s");
			for (const struct column *other = columns; other != at; other++)
				assert_string_not_equal(at->name, other->name);
		}
		if (i != RESULT_META) {
			assert_string_equal(columns[0].name, "host");
			assert_string_equal(columns[1].name, "key");
			assert_string_equal(columns[2].name, "repeat");
		}
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(without_a_directory_every_call_does_nothing),
	        TEST(results_have_their_name_when_they_are_whole),
	        TEST(slashes_at_the_end_do_not_matter),
	        TEST(headers_are_there_from_the_start),
	        TEST(whatever_exists_is_refused),
	        TEST(places_that_cannot_be_written_are_named),
	        TEST(a_directory_made_meanwhile_is_not_overwritten),
	        TEST(abandoned_results_are_kept_or_removed),
	        TEST(facts_alone_are_no_results),
	        TEST(a_full_disk_is_said_and_leaves_whole_rows),
	        TEST(only_the_files_wanted_are_there),
	        TEST(columns_are_words_with_their_units),
	};

	return cmocka_run_group_tests_name("results", tests, NULL, NULL);
}
