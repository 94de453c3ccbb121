// SPDX-License-Identifier: GPL-3.0-or-later
#include "trend.h"

#include <gsl/gsl_fit.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SECOND UINT64_C(1000000000)

static void steady_work_does_not_drift(void **state)
{
	struct trend trend = {0};
	double error;

	(void)state;
	for (uint64_t i = 0; i < 20; i++)
		trend_add(&trend, i * SECOND, (i + 1) * SECOND, 1000);
	assert_true(fabs(trend_drift(&trend, &error)) < 1e-12);
	assert_true(error < 1e-6);
}

/* The rate goes from 100 to 200 a second, 150 in the mean: 2/3 more; samples of any length. */
static void a_straight_line_is_found(void **state)
{
	static const uint64_t edges[] = {0, 3, 5, 10, 12, 20, 33, 41, 50, 77, 90, 100};
	struct trend trend = {0};
	double error;

	(void)state;
	for (size_t i = 0; i + 1 < sizeof(edges) / sizeof(edges[0]); i++) {
		double from = (double)edges[i], to = (double)edges[i + 1];

		trend_add(&trend, edges[i] * SECOND, edges[i + 1] * SECOND,
		          (to - from) * (100 + (from + to) / 2));
	}
	assert_true(fabs(trend_drift(&trend, &error) - 2.0 / 3) < 1e-9);
	assert_true(error < 1e-6);
}

/* Two workers' samples, the second's earlier than the first sample added; GSL is the reference. */
static void it_is_the_weighted_least_squares_line(void **state)
{
	enum { SAMPLES = 40 };
	double t[SAMPLES], w[SAMPLES], y[SAMPLES];
	double c0, c1, cov00, cov01, cov11, chi, error, mean = 0, weight = 0;
	struct trend trend = {0};

	(void)state;
	for (size_t i = 0; i < SAMPLES; i++) {
		uint64_t start = 500 * SECOND + (i % 2 ? 0 : SECOND / 3) + i / 2 * SECOND;
		uint64_t length = SECOND / 2 + i * SECOND / 100;
		double work = 1e6 + 1e4 * (double)(i * 7919 % 13) + 2e3 * (double)i;

		trend_add(&trend, start, start + length, work);
		w[i] = (double)length / 1e9;
		t[i] = (double)start / 1e9 + w[i] / 2 - 500;
		y[i] = work / w[i];
		mean += work;
		weight += w[i];
	}
	mean /= weight;
	gsl_fit_wlinear(t, 1, w, 1, y, 1, SAMPLES, &c0, &c1, &cov00, &cov01, &cov11, &chi);
	double length = (double)(trend.last_ns - trend.first_ns) / 1e9;
	assert_int_equal(trend.first_ns, 500 * SECOND);
	assert_true(fabs(trend_drift(&trend, &error) - c1 * length / mean) < 1e-9);
	/* GSL takes the weights for 1/variance; ours are relative: the residuals tell the rest. */
	double expected = sqrt(cov11 * chi / (SAMPLES - 2)) * length / mean;
	assert_true(fabs(error - expected) < 1e-9);
}

static void too_little_is_unknown(void **state)
{
	struct trend few = {0}, idle = {0}, instant = {0};
	double error;

	(void)state;
	assert_true(isnan(trend_drift(&few, &error)));
	for (uint64_t i = 0; i < 9; i++)
		trend_add(&few, i * SECOND, (i + 1) * SECOND, 1000);
	assert_true(isnan(trend_drift(&few, &error)) && isnan(error));
	for (uint64_t i = 0; i < 20; i++)
		trend_add(&idle, i * SECOND, (i + 1) * SECOND, 0);
	assert_true(isnan(trend_drift(&idle, &error)));
	for (uint64_t i = 0; i < 20; i++)
		trend_add(&instant, SECOND, SECOND, 5);
	assert_true(isnan(trend_drift(&instant, &error)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(steady_work_does_not_drift),
	        cmocka_unit_test(a_straight_line_is_found),
	        cmocka_unit_test(it_is_the_weighted_least_squares_line),
	        cmocka_unit_test(too_little_is_unknown),
	};

	return cmocka_run_group_tests_name("trend", tests, NULL, NULL);
}
