// SPDX-License-Identifier: GPL-3.0-or-later
#include "study.h"

#include "fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define HEADER                                                                                   \
	"host,key,repeat,status,workload,preset,mode,per_process,workers,bytes,total_bytes,thp," \
	"pages_per_s,laps_per_s\n"
#define ROW(key, repeat, status, mode, threads, workers, bytes, total, rate)                 \
	"h," key "," repeat "," status ",map: fault dontneed,," mode "," threads "," workers \
	"," bytes "," total ",never," rate "\n"
#define SIMPLE(key, repeat, mode, workers, rate) \
	ROW(key, repeat, "valid", mode, workers, workers, "4096", "", rate)

/* Loads one directory whose points.csv has these rows. */
static void loaded_with(struct study *study, struct fixture *fixture, enum study_rows which,
                        const char *rows)
{
	const char *paths[] = {fixture->root};
	struct complaint c = {0};
	char *text = NULL;

	assert_true(asprintf(&text, "%s%s", HEADER, rows) > 0);
	fixture_write(fixture, "points.csv", text);
	free(text);
	if (study_load(study, paths, 1, which, &c))
		fail_msg("refused: %s", c.text);
}

static void loaded(struct study *study, struct fixture *fixture, const char *rows)
{
	loaded_with(study, fixture, STUDY_VALID, rows);
}

static void test_repeats_make_a_group_and_counts_a_curve(void **state)
{
	struct study study;

	loaded(&study, *state,
	       SIMPLE("b", "1", "process", "2", "30,") SIMPLE("a", "2", "process", "1", "12,")
	               SIMPLE("a", "1", "process", "1", "10,")
	                       SIMPLE("c", "1", "thread", "2", "20,"));
	assert_int_equal(study.curve_count, 2);
	assert_int_equal(study.group_count, 3);
	assert_int_equal(study.groups[0].workers, 1);
	assert_int_equal(study.groups[0].count, 2);
	assert_true(study.groups[0].mean == 11);
	assert_true(study.groups[0].low == 10);
	assert_true(study.groups[0].high == 12);
	assert_true(fabs(study.groups[0].deviation - sqrt(2)) < 1e-12);
	assert_true(isnan(study.groups[1].deviation));
	assert_false(study.rows[0].widest);
	assert_true(study.rows[2].widest);
	assert_string_equal(study.curves[0].label, "process");
	assert_string_equal(study.curves[1].label, "thread");
	study_free(&study);
}

static void test_divided_memory_is_one_curve(void **state)
{
	struct study study;

	loaded(&study, *state,
	       ROW("a", "1", "valid", "process", "1", "1", "8192", "8192", "1,")
	               ROW("b", "1", "valid", "process", "1", "2", "4096", "8192", "1,")
	                       ROW("c", "1", "valid", "process", "1", "2", "8192", "", "1,"));
	assert_int_equal(study.curve_count, 2);
	assert_int_equal(study.groups[1].workers, 2);
	assert_int_equal(study.groups[1].curve, 0);
	assert_string_equal(study.curves[0].label, "process, in all 8K");
	assert_string_equal(study.curves[1].label, "process, 8K");
	study_free(&study);
}

static void test_threads_in_a_process_tell_only_hybrids_apart(void **state)
{
	struct study study;

	loaded(&study, *state,
	       SIMPLE("a", "1", "thread", "2", "1,") SIMPLE("b", "1", "thread", "4", "1,")
	               ROW("c", "1", "valid", "hybrid", "2", "4", "4096", "", "1,")
	                       ROW("d", "1", "valid", "hybrid", "3", "6", "4096", "", "1,"));
	assert_int_equal(study.curve_count, 3);
	study_free(&study);
}

static void test_laps_are_not_pages(void **state)
{
	struct study study;

	loaded(&study, *state,
	       SIMPLE("a", "1", "process", "1", "5,50") SIMPLE("b", "1", "process", "2", ",70"));
	assert_int_equal(study.curve_count, 2);
	assert_string_equal(study_unit(&study.curves[0]), "pages/s");
	assert_string_equal(study_unit(&study.curves[1]), "laps/s");
	assert_true(study.groups[1].mean == 70);
	study_free(&study);
}

static void test_what_is_not_valid_is_counted(void **state)
{
	const char *rows = "h,a,1,invalid,w,,process,1,1,4096,,never,5,\n"
	                   "h,b,1,interrupted,w,,process,1,1,4096,,never,5,\n"
	                   "h,c,1,valid,w,,process,1,1,4096,,never,,\n"
	                   "h,d,1,valid,w,,process,1,1,4096,,never,-nan,\n"
	                   "h,e,1,valid,w,,process,1,1,4096,,never,0,\n"
	                   "h,f,x,valid,w,,process,1,1,4096,,never,5,\n"
	                   "h,g,1,valid,w,,process,1,,4096,,never,5,\n"
	                   "h,h,1,valid,w,,process,1,1,4096,,never,5,\n";
	struct study study;

	loaded(&study, *state, rows);
	assert_int_equal(study.directories[0].rows, 8);
	assert_int_equal(study.directories[0].left_out, 7);
	assert_int_equal(study.row_count, 1);
	study_free(&study);
}

static void test_what_is_not_valid_is_kept_apart_if_it_is_asked_for(void **state)
{
	const char *rows = "h,d,1,unsupported,w,,process,1,2,4096,,never,,\n"
	                   "h,a,1,invalid,w,,process,1,1,4096,,never,900,\n"
	                   "h,b,1,valid,w,,process,1,1,4096,,never,100,\n"
	                   "h,c,1,valid,w,,process,1,1,4096,,never,300,\n"
	                   "h,e,1,failed,w,,thread,1,,4096,,never,,\n";
	const struct study_group *group;
	struct study study;

	loaded_with(&study, *state, STUDY_ALL, rows);
	assert_int_equal(study.directories[0].rows, 5);
	assert_int_equal(study.directories[0].left_out, 3);
	assert_int_equal(study.curve_count, 1);
	assert_int_equal(study.group_count, 2);
	group = study_group_at(&study, study.curves, 1);
	assert_int_equal(group->count, 2);
	assert_int_equal(group->others, 1);
	assert_true(group->mean == 200);
	group = study_group_at(&study, study.curves, 2);
	assert_int_equal(group->count, 0);
	assert_int_equal(group->others, 1);
	assert_true(isnan(group->mean));
	assert_null(study_group_at(&study, study.curves, 3));
	assert_null(study_find(&study, 0, "h", "a", 1));
	assert_non_null(study_find(&study, 0, "h", "b", 1));
	study_free(&study);
}

/* Of a sweep over many machines: each has two curves side by side, and their rows are mixed. */
static void test_there_is_room_for_any_number_of_curves(void **state)
{
	enum { HOSTS = 300 };
	struct study study;
	char *rows;
	size_t size;
	FILE *out = open_memstream(&rows, &size);

	for (int i = 0; i < 4 * HOSTS; i++)
		fprintf(out, "h%d,k%d,1,valid,w,,%s,1,%d,4096,,never,5,\n", i / 4, i,
		        i % 2 ? "thread" : "process", 1 + i % 4 / 2);
	fclose(out);
	loaded(&study, *state, rows);
	free(rows);
	assert_int_equal(study.curve_count, 2 * HOSTS);
	for (size_t i = 0; i < study.curve_count; i++) {
		const struct study_curve *curve = &study.curves[i];

		assert_int_equal(curve->group_count, 2);
		assert_int_equal(study.groups[curve->first].curve, i);
		assert_int_equal(curve->leader, i - i % 2);
		assert_ptr_equal(study_beside(&study, curve), i % 2 ? NULL : curve + 1);
	}
	assert_string_equal(study.curves[2 * HOSTS - 1].label, "thread, h299");
	study_free(&study);
}

static void test_curves_that_differ_in_more_than_the_mode_are_not_beside_each_other(void **state)
{
	struct study study;

	loaded(&study, *state,
	       SIMPLE("a", "1", "process", "1", "1,") SIMPLE("b", "1", "thread", "1", "1,")
	               ROW("c", "1", "valid", "hybrid", "2", "4", "4096", "", "1,")
	                       ROW("d", "1", "valid", "thread", "1", "1", "8192", "", "1,"));
	assert_int_equal(study.curve_count, 4);
	assert_int_equal(study.curves[2].leader, 0);
	assert_ptr_equal(study_beside(&study, &study.curves[1]), &study.curves[2]);
	assert_null(study_beside(&study, &study.curves[2]));
	assert_int_equal(study.curves[3].leader, 3);
	study_free(&study);
}

static void test_rows_of_other_files_find_their_point(void **state)
{
	struct fixture *fixture = *state;
	const struct study_row *row;
	struct complaint c = {0};
	struct study_file file;
	struct study study;

	fixture_write(fixture, "steps.csv",
	              "host,key,repeat,step,work\nh,b,1,fault,7\nh,b,2,fault,8\nother,b,1,fault,9\n"
	              "h,a,1,fault,10\nh,a,2,fault,\nh,0,1,fault,3\nh,z,1,fault,3\n");
	loaded(&study, fixture,
	       SIMPLE("b", "1", "process", "2", "30,") SIMPLE("a", "1", "process", "1", "10,")
	               SIMPLE("a", "2", "process", "1", "10,"));
	study_file_open(&file, &study, "steps.csv");
	assert_int_equal(study_file_next(&file, &row, &c), 1);
	assert_string_equal(row->key, "b");
	assert_true(study_file_real(&file, "work") == 7);
	assert_string_equal(study_file_text(&file, "nothing"), "");
	assert_int_equal(study_file_next(&file, &row, &c), 1);
	assert_true(study_file_real(&file, "work") == 10);
	assert_int_equal(study_file_next(&file, &row, &c), 1);
	assert_int_equal(row->repeat, 2);
	assert_true(isnan(study_file_real(&file, "work")));
	assert_int_equal(study_file_next(&file, &row, &c), 0);
	study_file_close(&file);
	study_free(&study);
}

/* What is not valid would spoil it. */
static void test_the_law_is_that_of_six_valid_counts(void **state)
{
	struct study study;
	struct usl law;

	loaded_with(
	        &study, *state, STUDY_ALL,
	        SIMPLE("a", "1", "process", "1", "100,") SIMPLE("b", "1", "process", "2", "195,")
	                SIMPLE("c", "1", "process", "4", "360,")
	                        SIMPLE("d", "1", "process", "8", "600,") SIMPLE("e", "1", "process",
	                                                                        "16", "800,")
	                                SIMPLE("f", "1", "process", "32",
	                                       "850,") "h,g,1,invalid,map: fault "
	                                               "dontneed,,process,1,4,4096,,never,10,\n"
	                                               "h,h,1,invalid,map: fault "
	                                               "dontneed,,thread,1,4,4096,,never,9999,\n");
	assert_int_equal(study_law(&study, &study.curves[0], &law), 0);
	assert_true(fabs(usl_rate(&law, 1) - 100) < 3);
	assert_int_equal(study_law(&study, &study.curves[1], &law), -1);
	study_free(&study);
}

static void test_directories_without_points(void **state)
{
	struct fixture *fixture = *state;
	const char *paths[] = {fixture->root};
	struct complaint c = {0};
	struct study study;

	assert_int_equal(study_load(&study, paths, 1, STUDY_VALID, &c), -1);
	assert_non_null(strstr(c.text, "points.csv"));
	study_free(&study);
	fixture_write(fixture, "points.csv", "");
	assert_int_equal(study_load(&study, paths, 1, STUDY_VALID, &c), 0);
	assert_int_equal(study.row_count, 0);
	assert_null(study_find(&study, 0, "h", "k", 1));
	study_free(&study);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(test_repeats_make_a_group_and_counts_a_curve),
	        TEST(test_divided_memory_is_one_curve),
	        TEST(test_threads_in_a_process_tell_only_hybrids_apart),
	        TEST(test_laps_are_not_pages),
	        TEST(test_what_is_not_valid_is_counted),
	        TEST(test_what_is_not_valid_is_kept_apart_if_it_is_asked_for),
	        TEST(test_there_is_room_for_any_number_of_curves),
	        TEST(test_curves_that_differ_in_more_than_the_mode_are_not_beside_each_other),
	        TEST(test_rows_of_other_files_find_their_point),
	        TEST(test_the_law_is_that_of_six_valid_counts),
	        TEST(test_directories_without_points),
	};

	return cmocka_run_group_tests_name("study", tests, NULL, NULL);
}
