// SPDX-License-Identifier: GPL-3.0-or-later
#include "usl.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { COUNTS = 8, REPEATS = 3, MEASURED = COUNTS * REPEATS };

static const double counts[COUNTS] = {1, 2, 4, 8, 12, 16, 24, 32};

/* Measurements of a law, with a relative noise of that size. */
static void measure(const double law[USL_PARAMETERS], double noise, unsigned long seed,
                    double workers[MEASURED], double rates[MEASURED])
{
	const struct usl usl = {
	        .parameter = {{.value = law[0]}, {.value = law[1]}, {.value = law[2]}}};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	assert_non_null(rng);
	gsl_rng_set(rng, seed);
	for (int i = 0; i < MEASURED; i++) {
		workers[i] = counts[i % COUNTS];
		rates[i] = usl_rate(&usl, workers[i]) * (1 + gsl_ran_gaussian(rng, noise));
	}
	gsl_rng_free(rng);
}

static void the_law_is_gunthers(void **state)
{
	const struct usl usl = {.parameter = {{.value = 100}, {.value = 0.1}, {.value = 0.01}}};

	(void)state;
	assert_true(fabs(usl_rate(&usl, 1) - 100) < 1e-9);
	/* 4 x 100 / (1 + 0.1 x 3 + 0.01 x 4 x 3) */
	assert_true(fabs(usl_rate(&usl, 4) - 400 / 1.42) < 1e-9);
}

static void parameters_come_back(void **state)
{
	static const double law[] = {1e6, 0.08, 0.002};
	double workers[MEASURED], rates[MEASURED];
	struct usl usl;

	(void)state;
	measure(law, 0, 1, workers, rates);
	assert_int_equal(usl_fit(workers, rates, MEASURED, &usl), 0);
	for (int i = 0; i < USL_PARAMETERS; i++)
		assert_true(fabs(usl.parameter[i].value / law[i] - 1) < 1e-4);
	assert_true(fabs(usl.peak.value - sqrt(0.92 / 0.002)) < 0.01);
}

/* A 95 % interval holds the truth in 95 % of cases: 300 of them give 285 +- 8 (2 sigma). */
static void intervals_cover(void **state)
{
	static const double law[] = {1e6, 0.08, 0.002};
	double workers[MEASURED], rates[MEASURED];
	int covered[USL_PARAMETERS] = {0}, peaks = 0;

	(void)state;
	for (unsigned long seed = 1; seed <= 300; seed++) {
		struct usl usl;

		measure(law, 0.02, seed, workers, rates);
		assert_int_equal(usl_fit(workers, rates, MEASURED, &usl), 0);
		for (int i = 0; i < USL_PARAMETERS; i++)
			covered[i] +=
			        usl.parameter[i].low <= law[i] && law[i] <= usl.parameter[i].high;
		peaks += usl.peak.low <= sqrt(0.92 / 0.002) && sqrt(0.92 / 0.002) <= usl.peak.high;
	}
	for (int i = 0; i < USL_PARAMETERS; i++)
		assert_in_range(covered[i], 273, 297);
	assert_in_range(peaks, 270, 298);
}

static void linear_scaling_has_no_contention_and_no_peak(void **state)
{
	static const double law[] = {5e5, 0, 0};
	double workers[MEASURED], rates[MEASURED];
	struct usl usl;

	(void)state;
	measure(law, 0, 1, workers, rates);
	assert_int_equal(usl_fit(workers, rates, MEASURED, &usl), 0);
	assert_true(usl.parameter[USL_SIGMA].value < 1e-6);
	assert_true(usl.parameter[USL_KAPPA].value < 1e-6);
	assert_true(usl.peak.value > 1000);
}

static void amdahls_law_has_no_peak(void **state)
{
	static const double law[] = {5e5, 0.2, 0};
	double workers[MEASURED], rates[MEASURED];
	struct usl usl;

	(void)state;
	measure(law, 0.01, 7, workers, rates);
	assert_int_equal(usl_fit(workers, rates, MEASURED, &usl), 0);
	assert_true(fabs(usl.parameter[USL_SIGMA].value - 0.2) < 0.02);
	assert_true(isinf(usl.peak.high));
}

/* Rates that grow faster than the workers would need less than no contention. */
static void parameters_are_not_below_zero(void **state)
{
	double workers[MEASURED], rates[MEASURED];
	struct usl usl;

	(void)state;
	for (int i = 0; i < MEASURED; i++) {
		workers[i] = counts[i % COUNTS];
		rates[i] = 1000 * pow(workers[i], 1.1);
	}
	assert_int_equal(usl_fit(workers, rates, MEASURED, &usl), 0);
	assert_true(usl.parameter[USL_SIGMA].value >= 0);
	assert_true(usl.parameter[USL_KAPPA].value >= 0);
}

/* Repeats of a noisy machine, a factor of e around the law. */
static void noisy_repeats_do_not_pull_the_law_down(void **state)
{
	static const double law[] = {1e6, 0.08, 0.002};
	double workers[MEASURED], rates[MEASURED];
	struct usl usl;

	(void)state;
	measure(law, 0, 1, workers, rates);
	for (int i = 0; i < MEASURED; i++) {
		int repeat = i / COUNTS; /* 0 to 2 */

		rates[i] *= exp(repeat - 1);
	}
	assert_int_equal(usl_fit(workers, rates, MEASURED, &usl), 0);
	for (int i = 0; i < USL_PARAMETERS; i++)
		assert_true(fabs(usl.parameter[i].value / law[i] - 1) < 0.01);
}

static void too_few_counts_are_not_fitted(void **state)
{
	static const double few[] = {1, 2, 4, 8, 16, 1, 2, 4, 8, 16};
	static const double rates[] = {1, 2, 4, 7, 9, 1, 2, 4, 7, 9};
	struct usl usl;

	(void)state;
	assert_int_equal(usl_fit(few, rates, 10, &usl), -1);
	assert_int_equal(usl_fit(few, rates, 0, &usl), -1);
}

static void a_rate_of_nothing_is_not_fitted(void **state)
{
	double rates[COUNTS] = {100, 200, 300, 400, 0, 500, 600, 700};
	struct usl usl;

	(void)state;
	assert_int_equal(usl_fit(counts, rates, COUNTS, &usl), -1);
	rates[4] = (double)NAN;
	assert_int_equal(usl_fit(counts, rates, COUNTS, &usl), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_law_is_gunthers),
	        cmocka_unit_test(parameters_come_back),
	        cmocka_unit_test(intervals_cover),
	        cmocka_unit_test(linear_scaling_has_no_contention_and_no_peak),
	        cmocka_unit_test(amdahls_law_has_no_peak),
	        cmocka_unit_test(parameters_are_not_below_zero),
	        cmocka_unit_test(noisy_repeats_do_not_pull_the_law_down),
	        cmocka_unit_test(too_few_counts_are_not_fitted),
	        cmocka_unit_test(a_rate_of_nothing_is_not_fitted),
	};

	return cmocka_run_group_tests_name("usl", tests, NULL, NULL);
}
