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
static void loaded(struct study *study, struct fixture *fixture, const char *rows)
{
	const char *paths[] = {fixture->root};
	struct complaint c = {0};
	char *text = NULL;

	assert_true(asprintf(&text, "%s%s", HEADER, rows) > 0);
	fixture_write(fixture, "points.csv", text);
	free(text);
	if (study_load(study, paths, 1, &c))
		fail_msg("refused: %s", c.text);
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
	assert_string_equal(study.labels[0], "process");
	assert_string_equal(study.labels[1], "thread");
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
	assert_string_equal(study.labels[0], "process, in all 8K");
	assert_string_equal(study.labels[1], "process, 8K");
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
	assert_true(study.curves[0].pages);
	assert_false(study.curves[1].pages);
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

static void test_more_curves_than_there_is_room_for_are_counted(void **state)
{
	char rows[8192] = "";
	struct study study;

	for (int i = 0; i < STUDY_CURVES + 3; i++)
		snprintf(rows + strlen(rows), sizeof(rows) - strlen(rows),
		         "h,k%d,1,valid,w,,process,1,1,%d,,never,5,\n", i, 4096 * (i + 1));
	loaded(&study, *state, rows);
	assert_int_equal(study.curve_count, STUDY_CURVES);
	assert_int_equal(study.beyond, 3);
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

static void test_the_law_is_taken_from_any_count(void **state)
{
	struct study study;

	fixture_write(*state, "scaling.csv",
	              "host,mode,workers,fitted_rate,contention,coherency\n"
	              "h,process,3,,,\nh,process,2,1000,0.5,0.25\nh,thread,2,,,\n");
	loaded(&study, *state,
	       SIMPLE("a", "1", "process", "1", "1,") SIMPLE("b", "1", "thread", "1", "1,"));
	assert_true(study.curves[0].single == 1000);
	assert_true(study.curves[0].contention == 0.5);
	assert_true(isnan(study.curves[1].single));
	study_free(&study);
}

static void test_directories_without_points(void **state)
{
	struct fixture *fixture = *state;
	const char *paths[] = {fixture->root};
	struct complaint c = {0};
	struct study study;

	assert_int_equal(study_load(&study, paths, 1, &c), -1);
	assert_non_null(strstr(c.text, "points.csv"));
	study_free(&study);
	fixture_write(fixture, "points.csv", "");
	assert_int_equal(study_load(&study, paths, 1, &c), 0);
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
	        TEST(test_more_curves_than_there_is_room_for_are_counted),
	        TEST(test_rows_of_other_files_find_their_point),
	        TEST(test_the_law_is_taken_from_any_count),
	        TEST(test_directories_without_points),
	};

	return cmocka_run_group_tests_name("study", tests, NULL, NULL);
}
