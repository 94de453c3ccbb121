// SPDX-License-Identifier: GPL-3.0-or-later
#include "curve.h"

#include "fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define HEADER "host,workload,preset,mode,per_process,workers,status,pages_per_s,laps_per_s\n"

static struct curves curves_of(void **state, const char *rows)
{
	struct fixture *fixture = *state;
	char text[4096];
	struct curves curves;
	struct complaint c;

	snprintf(text, sizeof(text), HEADER "%s", rows);
	fixture_write(fixture, "points.csv", text);
	if (curves_read(fixture_path(fixture, "points.csv"), &curves, &c))
		fail_msg("%s", c.text);
	return curves;
}

static bool near(double value, double expected)
{
	return fabs(value - expected) < 1e-9;
}

static void repeats_come_together(void **state)
{
	struct curves curves = curves_of(state, "h,w,p,process,1,2,valid,300,\n"
	                                        "h,w,p,process,1,1,valid,90,\n"
	                                        "h,w,p,process,1,1,valid,110,\n");
	const struct curve *curve = curves.curves;

	assert_int_equal(curves.count, 1);
	assert_int_equal(curve->count, 2);
	assert_int_equal(curve->points[0].workers, 1);
	assert_int_equal(curve->points[0].repeats, 2);
	assert_true(near(curve->points[0].rate, 100));
	assert_true(near(curve->points[0].deviation, sqrt(200)));
	assert_true(isnan(curve->points[1].deviation));
	assert_true(near(curve_efficiency(curve, &curve->points[1]), 1.5));
	assert_false(curve->fitted);
	curves_free(&curves);
}

static void what_is_not_valid_is_counted_only(void **state)
{
	struct curves curves = curves_of(state, "h,w,p,process,1,1,valid,100,\n"
	                                        "h,w,p,process,1,1,invalid,900,\n"
	                                        "h,w,p,process,1,2,unsupported,,\n");
	const struct curve *curve = curves.curves;

	assert_true(near(curve->points[0].rate, 100));
	assert_int_equal(curve->points[0].others, 1);
	assert_int_equal(curve->points[1].repeats, 0);
	assert_true(isnan(curve->points[1].rate));
	curves_free(&curves);
}

static void curves_are_kept_apart(void **state)
{
	struct curves curves = curves_of(state, "h,w,p,process,1,1,valid,100,\n"
	                                        "h,w,p,thread,1,1,valid,80,\n"
	                                        "h,w,q,process,1,1,valid,1,\n"
	                                        "h,v,p,process,1,1,valid,2,\n"
	                                        "i,w,p,process,1,1,valid,3,\n"
	                                        "h,w,p,hybrid,2,4,valid,4,\n"
	                                        "h,w,p,hybrid,3,4,valid,5,\n");

	assert_int_equal(curves.count, 7);
	assert_ptr_equal(curve_sibling(&curves, &curves.curves[1], "process"), curves.curves);
	assert_null(curve_sibling(&curves, &curves.curves[2], "thread"));
	curves_free(&curves);
}

static void laps_count_where_there_are_no_pages(void **state)
{
	struct curves curves = curves_of(state, "h,nop,,process,1,1,valid,,5000\n");

	assert_string_equal(curves.curves[0].unit, "laps/s");
	assert_true(near(curves.curves[0].points[0].rate, 5000));
	curves_free(&curves);
}

static void no_rows_are_no_curves(void **state)
{
	struct curves curves = curves_of(state, "");

	assert_int_equal(curves.count, 0);
	curves_free(&curves);
}

static void without_one_worker_there_is_no_efficiency(void **state)
{
	struct curves curves = curves_of(state, "h,w,p,process,1,4,valid,100,\n");

	assert_true(isnan(curve_efficiency(curves.curves, curves.curves[0].points)));
	curves_free(&curves);
}

static void six_counts_are_fitted(void **state)
{
	struct curves curves = curves_of(state, "h,w,p,process,1,1,valid,100,\n"
	                                        "h,w,p,process,1,2,valid,195,\n"
	                                        "h,w,p,process,1,4,valid,360,\n"
	                                        "h,w,p,process,1,8,valid,600,\n"
	                                        "h,w,p,process,1,16,valid,800,\n"
	                                        "h,w,p,process,1,32,valid,850,\n");

	assert_true(curves.curves[0].fitted);
	curves_free(&curves);
}

static void a_file_without_the_columns_is_refused(void **state)
{
	struct fixture *fixture = *state;
	struct curves curves;
	struct complaint c;

	fixture_write(fixture, "points.csv", "host,key\nh,k\n");
	assert_int_equal(curves_read(fixture_path(fixture, "points.csv"), &curves, &c), -1);
	assert_non_null(strstr(c.text, "no column"));
}

#define FILED(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        FILED(repeats_come_together), FILED(what_is_not_valid_is_counted_only),
	        FILED(curves_are_kept_apart), FILED(laps_count_where_there_are_no_pages),
	        FILED(no_rows_are_no_curves), FILED(without_one_worker_there_is_no_efficiency),
	        FILED(six_counts_are_fitted), FILED(a_file_without_the_columns_is_refused),
	};

	return cmocka_run_group_tests_name("curve", tests, NULL, NULL);
}
