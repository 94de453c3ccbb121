// SPDX-License-Identifier: GPL-3.0-or-later
#include "scaling.h"

#include "fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define HEADER "host,key,repeat,status,workload,preset,mode,per_process,workers,bytes,pages_per_s\n"

static void loaded(struct study *study, struct fixture *fixture, const char *rows)
{
	const char *paths[] = {fixture->root};
	struct complaint c = {0};
	char text[4096];

	snprintf(text, sizeof(text), HEADER "%s", rows);
	fixture_write(fixture, "points.csv", text);
	if (study_load(study, paths, 1, STUDY_ALL, &c))
		fail_msg("refused: %s", c.text);
}

/* Two modes at 1 and 2 workers, threads in pairs, and a count at which nothing was valid. */
static const char *const some = "h,a,1,valid,w,p,process,1,1,4096,100\n"
                                "h,b,1,valid,w,p,thread,1,1,4096,80\n"
                                "h,c,1,valid,w,p,process,1,2,4096,150\n"
                                "h,d,1,valid,w,p,thread,2,2,4096,90\n"
                                "h,e,1,valid,w,p,hybrid,2,2,4096,120\n"
                                "h,f,1,unsupported,w,p,thread,4,4,4096,\n";

static struct scaling_row row_at(const struct study *study, size_t curve, uint64_t workers)
{
	struct scaling_row row;

	scaling_row_fill(&row, study, study_group_at(study, &study->curves[curve], workers), NULL);
	return row;
}

static bool near(double value, double expected)
{
	return fabs(value - expected) < 1e-9;
}

static void threads_are_compared_with_processes(void **state)
{
	struct scaling_row row;
	struct study study;

	loaded(&study, *state, some);
	row = row_at(&study, 1, 2);
	assert_true(near(row.ratio, 0.6));
	assert_true(near(row.efficiency, 90. / 80 / 2));
	assert_true(near(row.per_worker, 45));
	assert_true(isnan(row.deviation));
	assert_true(isnan(row_at(&study, 0, 2).ratio));
	assert_true(isnan(row_at(&study, 2, 2).ratio));
	study_free(&study);
}

static void without_one_worker_there_is_no_efficiency(void **state)
{
	struct scaling_row row;
	struct study study;

	loaded(&study, *state, some);
	row = row_at(&study, 2, 2);
	assert_true(isnan(row.efficiency));
	scaling_row_fill(&row, &study, &study.groups[study.curves[2].first], NULL);
	assert_string_equal(row.mode, "2/proc");
	study_free(&study);
}

static char *printed(const struct study *study)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	scaling_print(study, out);
	fclose(out);
	return text;
}

static void a_count_without_a_valid_measurement_has_a_row(void **state)
{
	struct study study;
	char *text;

	loaded(&study, *state, some);
	text = printed(&study);
	assert_non_null(strstr(text, "\n      4  thread      0              -        -"));
	assert_non_null(strstr(text, "left out: 1 measurement not valid"));
	assert_non_null(strstr(text, "p: w on h\n"));
	free(text);
	study_free(&study);
}

static void other_options_make_another_table_that_says_which(void **state)
{
	struct study study;
	char *text;

	loaded(&study, *state,
	       "h,a,1,valid,w,p,process,1,1,4096,100\n"
	       "h,b,1,valid,w,p,process,1,1,8192,50\n"
	       "h,c,1,valid,w,p,thread,1,1,8192,40\n"
	       "h,d,1,valid,w,p,thread,1,1,4096,90\n");
	text = printed(&study);
	assert_non_null(strstr(text, "p: w on h, 4K\n"));
	assert_non_null(strstr(text, "p: w on h, 8K\n"));
	assert_true(near(row_at(&study, 2, 1).ratio, 0.8));
	assert_true(near(row_at(&study, 3, 1).ratio, 0.9));
	free(text);
	study_free(&study);
}

static void the_file_has_what_tells_curves_apart(void **state)
{
	struct fixture *fixture = *state;
	struct csv_reader reader;
	struct complaint c = {0};
	struct study study;
	FILE *file;

	loaded(&study, fixture, some);
	file = fopen(fixture_path(fixture, "scaling.csv"), "w");
	assert_int_equal(scaling_write(&study, dup(fileno(file))), 0);
	fclose(file);
	assert_int_equal(csv_reader_open(&reader, fixture_path(fixture, "scaling.csv"), &c), 0);
	for (int i = 0; i < 6; i++)
		assert_int_equal(csv_reader_next(&reader, &c), 1);
	assert_string_equal(csv_reader_text(&reader, csv_reader_column(&reader, "mode")), "2/proc");
	assert_string_equal(csv_reader_text(&reader, csv_reader_column(&reader, "per_process")),
	                    "2");
	assert_string_equal(csv_reader_text(&reader, csv_reader_column(&reader, "bytes")), "4096");
	assert_true(csv_reader_column(&reader, "fixed_laps") >= 0);
	assert_int_equal(csv_reader_next(&reader, &c), 0);
	csv_reader_close(&reader);
	study_free(&study);
}

#define FILED(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        FILED(threads_are_compared_with_processes),
	        FILED(without_one_worker_there_is_no_efficiency),
	        FILED(a_count_without_a_valid_measurement_has_a_row),
	        FILED(other_options_make_another_table_that_says_which),
	        FILED(the_file_has_what_tells_curves_apart),
	};

	return cmocka_run_group_tests_name("scaling", tests, NULL, NULL);
}
