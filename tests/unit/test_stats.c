// SPDX-License-Identifier: GPL-3.0-or-later
#include "stats.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void assert_close(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%.10g is not %.10g +- %g", value, expected, tolerance);
}

/* Expected values marked R come from R 4.2.2. */
static const double sample_a[] = {27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1,
                                  21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4};
static const double sample_b[] = {27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0,
                                  24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 24.4};

static void a_mean_has_student_s_interval(void **state)
{
	/* R: t.test(c(5.1, 4.9, 5.6, 5.8)) */
	static const double values[] = {5.1, 4.9, 5.6, 5.8};
	struct summary summary = stats_summary(values, 4);
	struct estimate mean = estimate_mean(&summary);
	struct interval interval = estimate_interval(&mean, STATS_ALPHA);

	(void)state;
	assert_close(interval.value, 5.35, 1e-12);
	assert_close(interval.low, 4.68118131645, 1e-9);
	assert_close(interval.high, 6.01881868355, 1e-9);
}

static void one_and_two_values_have_no_interval(void **state)
{
	static const double values[] = {5, 6, 7};

	(void)state;
	for (size_t n = 0; n <= 3; n++) {
		struct summary summary = stats_summary(values, n);
		struct estimate mean = estimate_mean(&summary);
		struct interval interval = estimate_interval(&mean, STATS_ALPHA);

		assert_int_equal(isfinite(interval.value), n > 0);
		assert_int_equal(isfinite(interval.low), n > 2);
		assert_int_equal(isfinite(interval.high), n > 2);
		assert_int_equal(isfinite(estimate_p(&mean)), n > 2);
		assert_int_equal(isfinite(stats_detectable(&mean, 0.05, 0.8)), n > 2);
	}
}

static struct estimate estimate_of(const double values[], size_t n)
{
	struct summary summary = stats_summary(values, n);

	return estimate_mean(&summary);
}

/* R: t.test(b, a) */
static void two_means_are_compared_as_by_welch(void **state)
{
	struct estimate a = estimate_of(sample_a, COUNT(sample_a));
	struct estimate b = estimate_of(sample_b, COUNT(sample_b));
	struct estimate difference = estimate_difference(&a, &b);
	struct interval interval;

	(void)state;
	assert_close(difference.value / difference.se, 2.85295487017152, 1e-9);
	assert_close(difference.df, 27.88730398842011, 1e-9);
	assert_close(estimate_p(&difference), 0.00807193817219, 1e-9);
	interval = estimate_interval(&difference, STATS_ALPHA);
	assert_close(interval.low, 0.79864392487470, 1e-9);
	assert_close(interval.high, 4.86802274179197, 1e-9);
}

/* Two values per kernel and their standard errors were posted with the question whether 1.66 % is
 * real (shared/data/README.md: t = 1.81 at 5.3 degrees of freedom, about -0.7 to +4.0 %). */
static void summaries_are_enough(void **state)
{
	struct summary before = {5, 45256919, 45256919 * 0.00851 * sqrt(5)};
	struct summary after = {5, 46007166, 46007166 * 0.00339 * sqrt(5)};
	struct estimate a = estimate_mean(&before), b = estimate_mean(&after);
	struct estimate difference = estimate_difference(&a, &b), la, lb;
	struct interval ratio;

	(void)state;
	assert_close(difference.value / difference.se, 1.81, 0.005);
	assert_close(difference.df, 5.3, 0.05);
	la = estimate_log(&a);
	lb = estimate_log(&b);
	difference = estimate_difference(&la, &lb);
	ratio = estimate_interval(&difference, STATS_ALPHA);
	ratio = interval_exp(&ratio);
	assert_close(ratio.value, 1.01658, 1e-5);
	assert_close(ratio.low, 0.993, 0.0005);
	assert_close(ratio.high, 1.040, 0.0005);
}

static void equal_values_have_an_interval_of_no_width(void **state)
{
	static const double same[] = {7, 7, 7, 7};
	struct estimate a = estimate_of(same, 4), b = estimate_of(sample_a, 5);
	struct estimate none = estimate_difference(&a, &a), one = estimate_difference(&a, &b);
	struct interval interval = estimate_interval(&none, STATS_ALPHA);

	(void)state;
	assert_true(interval.low >= 0 && interval.high <= 0);
	assert_close(estimate_p(&none), 1, 0);
	assert_close(one.df, 4, 1e-9);
}

static void a_ratio_needs_positive_values(void **state)
{
	static const double values[] = {-1, 0, 1};
	struct estimate zero = estimate_of(values, 3), logarithm = estimate_log(&zero);

	(void)state;
	assert_true(isnan(logarithm.value));
	assert_true(isnan(estimate_interval(&logarithm, STATS_ALPHA).low));
	assert_true(isnan(estimate_p(&logarithm)));
}

static void the_spread_within_groups_is_pooled(void **state)
{
	static const double first[] = {10, 11, 12}, second[] = {20, 22};
	struct summary groups[] = {stats_summary(first, 3), stats_summary(second, 2)};
	struct estimate both = estimate_within(groups, 2), one = estimate_within(groups, 1);
	struct estimate mean = estimate_mean(groups);

	(void)state;
	/* squares 2 + 2 over 3 degrees of freedom; the mean of the means: (1/3 + 1/2) / 4 of it */
	assert_close(both.value, 16, 1e-12);
	assert_close(both.df, 3, 0);
	assert_close(both.se, sqrt(4.0 / 3 * (1.0 / 3 + 1.0 / 2) / 4), 1e-12);
	assert_close(one.se, mean.se, 1e-12);
	assert_close(one.df, mean.df, 0);
	groups[1].n = 1;
	assert_true(isnan(estimate_within(groups, 2).se));
	assert_true(isnan(estimate_within(groups + 1, 1).se));
}

static void a_known_error_widens(void **state)
{
	struct estimate mean = estimate_of(sample_a, 5), wide = estimate_widen(&mean, 3 * mean.se);
	struct estimate fixed = {1, 0, INFINITY}, known = estimate_widen(&fixed, 0.1);
	struct interval interval = estimate_interval(&known, STATS_ALPHA);

	(void)state;
	assert_close(wide.se, sqrt(10) * mean.se, 1e-12);
	assert_close(wide.df, 100 * mean.df, 1e-6);
	assert_close(interval.high, 1 + 1.959964 * 0.1, 1e-6);
}

/* The mean of many estimates from two first-order autoregressive series of 20 values. */
static double rho_estimated(double rho)
{
	enum { ESTIMATES = 4000, VALUES = 20 };
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	double values[VALUES] = {0}, sum = 0;

	for (int i = 0; i < ESTIMATES; i++) {
		struct correlation correlation = {0};

		for (int series = 0; series < 2; series++) {
			for (size_t v = 0; v < VALUES; v++)
				values[v] = (v ? rho * values[v - 1] : 0) +
				            gsl_ran_gaussian(random, v ? sqrt(1 - rho * rho) : 1);
			correlation_add(&correlation, values, VALUES);
		}
		sum += correlation_rho(&correlation);
	}
	gsl_rng_free(random);
	return sum / ESTIMATES;
}

static void correlation_is_free_of_bias(void **state)
{
	(void)state;
	assert_close(rho_estimated(0.5), 0.5, 0.02);
	assert_close(rho_estimated(0.7), 0.7, 0.03); /* the limit of 0.9 shows */
}

static void estimates_are_averaged(void **state)
{
	struct estimate parts[] = {{1, 0.3, 4}, {3, 0.4, 4}}, mean = estimate_average(parts, 2);

	(void)state;
	assert_close(mean.value, 2, 1e-12);
	assert_close(mean.se, 0.25, 1e-12);
	assert_close(mean.df, 0.0625 / ((0.0081 + 0.0256) / 4), 1e-9);
}

/* The 15 p values of Benjamini and Hochberg's own example (1995, section 4.1): four are chosen. */
static void discoveries_are_those_of_the_paper(void **state)
{
	static const double p[] = {0.0459, 0.0001, 0.3240, 0.0004, 0.4262, 0.0019, 0.5719, 0.0095,
	                           0.6528, 0.0201, 0.7590, 0.0278, 1.0000, 0.0298, 0.0344};
	bool chosen[COUNT(p)];
	size_t tests;

	(void)state;
	assert_int_equal(stats_discoveries(p, COUNT(p), 0.05, chosen, &tests), 4);
	assert_int_equal(tests, 15);
	for (size_t i = 0; i < COUNT(p); i++)
		assert_int_equal(chosen[i], p[i] <= 0.0095);
}

static void no_test_is_no_discovery(void **state)
{
	static const double p[] = {(double)NAN, 0.04, (double)NAN};
	bool chosen[3];
	size_t tests;

	(void)state;
	assert_int_equal(stats_discoveries(p, 3, 0.05, chosen, &tests), 1);
	assert_int_equal(tests, 1);
	assert_true(!chosen[0] && chosen[1] && !chosen[2]);
	assert_int_equal(stats_discoveries(p, 1, 0.05, chosen, &tests), 0);
	assert_int_equal(tests, 0);
}

static void needed_values_are_as_in_the_tables(void **state)
{
	(void)state;
	/* R: power.t.test(delta, sd = 1, power = .8): 3.76, 8.06, 16.71 and 63.77 */
	assert_in_range(stats_needed(1, 1, 2.5, 0.05, 0.8), 4, 5);
	assert_in_range(stats_needed(1, 1, 1.5, 0.05, 0.8), 9, 9);
	assert_int_equal(stats_needed(1, 1, 1, 0.05, 0.8), 17);
	assert_int_equal(stats_needed(1, 1, 0.5, 0.05, 0.8), 64);
	assert_int_equal(stats_needed(0, 0, 1, 0.05, 0.8), STATS_ENOUGH);
	assert_int_equal(stats_needed(1, 1, 1e-9, 0.05, 0.8), STATS_MANY);
	assert_int_equal(stats_needed((double)NAN, 1, 1, 0.05, 0.8), 0);
	assert_int_equal(stats_needed(1, 1, 0, 0.05, 0.8), 0);
}

static void outliers_are_flagged(void **state)
{
	static const double values[] = {100, 101, 99, 100.5, 99.5, 100.2, 900};
	bool flagged[7];

	(void)state;
	assert_int_equal(stats_outliers(values, 7, flagged), 1);
	assert_true(flagged[6] && !flagged[0]);
	assert_int_equal(stats_outliers(values, 6, flagged), 0);
	assert_int_equal(stats_outliers(values + 3, 4, NULL), 0);
	assert_int_equal(stats_outliers((const double[]){1, 1, 1, 1, 9}, 5, NULL), 0);
	assert_int_equal(stats_outliers(NULL, 0, NULL), 0);
}

static void humps_are_found(void **state)
{
	static const double two[] = {100, 101, 99, 100.5, 99.5, 120, 121, 119, 120.5, 119.5};
	static const double out[] = {100, 101, 99, 100.5, 99.5, 100.2, 99.8, 101.1, 98.9, 900};
	struct humps humps = stats_humps(two, 10);

	(void)state;
	assert_true(humps.found);
	assert_close(humps.share, 0.5, 0);
	assert_close(humps.low, 100, 1e-9);
	assert_close(humps.high, 120, 1e-9);
	assert_false(stats_humps(out, 10).found);
	assert_false(stats_humps(two, 9).found);
	assert_true(isnan(stats_humps(two, 9).separation));
	assert_false(stats_humps((const double[10]){0}, 10).found);
	assert_true(stats_humps((const double[]){1, 1, 1, 1, 1, 2, 2, 2, 2, 2}, 10).found);
}

/* R: wilcox.test(b, a, conf.int = TRUE, exact = TRUE) */
static void a_shift_has_its_interval(void **state)
{
	static const double a[] = {1.1, 2.2, 3.3, 4.4, 5.5}, b[] = {12.1, 13.3, 14.6, 16.2, 1000};
	struct interval shift = stats_shift(a, 5, b, 5, STATS_ALPHA);

	(void)state;
	assert_close(shift.value, 11.3, 1e-9);
	assert_close(shift.low, 7.8, 1e-9);
	assert_close(shift.high, 996.7, 1e-9);
	assert_true(isnan(stats_shift(a, 3, b, 3, STATS_ALPHA).low));
	assert_close(stats_shift(a, 3, b, 3, STATS_ALPHA).value, 11.1, 1e-9);
	assert_true(isnan(stats_shift(a, 0, b, 3, STATS_ALPHA).value));
}

static void a_shift_of_many_is_as_of_few(void **state)
{
	static double a[60], b[60];
	struct interval exact, normal;

	(void)state;
	for (int i = 0; i < 60; i++) {
		a[i] = i * i % 61;
		b[i] = a[i] + 5 + i % 7;
	}
	exact = stats_shift(a, 50, b, 50, STATS_ALPHA);
	normal = stats_shift(a, 51, b, 51, STATS_ALPHA);
	assert_close(normal.low, exact.low, 1);
	assert_close(normal.high, exact.high, 1);
}

/* The shape of the noise of a trial; all have mean 1 and a standard deviation of about 5 %. */
typedef double noise(const gsl_rng *random);

static double noise_normal(const gsl_rng *random)
{
	return 1 + gsl_ran_gaussian(random, 0.05);
}

static double noise_skewed(const gsl_rng *random)
{
	return 1.05 - gsl_ran_exponential(random, 0.05);
}

static double noise_humped(const gsl_rng *random)
{
	return (gsl_rng_uniform(random) < 0.5 ? 0.95 : 1.05) + gsl_ran_gaussian(random, 0.01);
}

/* The log ratio of two samples of n, the second times `ratio`. */
static struct estimate trial(const gsl_rng *random, noise *draw, size_t n, double ratio)
{
	double values[2][64];
	struct estimate side[2];

	for (size_t i = 0; i < n; i++) {
		values[0][i] = draw(random);
		values[1][i] = ratio * draw(random);
	}
	for (int s = 0; s < 2; s++) {
		side[s] = estimate_of(values[s], n);
		side[s] = estimate_log(&side[s]);
	}
	return estimate_difference(&side[0], &side[1]);
}

/* Of 400 trials of a thing against itself, the fewest that may hold 1; the rest are false calls. */
static void intervals_cover_what_they_promise(void **state)
{
	static noise *const shapes[] = {noise_normal, noise_skewed, noise_humped};
	static const size_t sizes[] = {3, 5, 10, 30};
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	gsl_rng_set(random, 20240601);
	for (size_t s = 0; s < COUNT(shapes); s++)
		for (size_t n = 0; n < COUNT(sizes); n++) {
			int covered = 0;

			for (int i = 0; i < 400; i++) {
				struct estimate ratio = trial(random, shapes[s], sizes[n], 1);
				struct interval interval = estimate_interval(&ratio, STATS_ALPHA);

				covered += interval.low <= 0 && interval.high >= 0;
			}
			if (covered < 366)
				fail_msg("shape %zu, n = %zu: %d of 400", s, sizes[n], covered);
		}
	gsl_rng_free(random);
}

/* A difference as small as is said to be detectable is detected as often as is said. */
static void what_is_detectable_is_detected(void **state)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	struct estimate error = {0, 0.05 * sqrt(2.0 / 10), 18};
	double difference = stats_detectable(&error, 0.05, 0.8);
	int detected = 0;

	(void)state;
	gsl_rng_set(random, 20240602);
	for (int i = 0; i < 1000; i++) {
		struct estimate ratio = trial(random, noise_normal, 10, exp(difference));

		detected += estimate_p(&ratio) < 0.05;
	}
	assert_in_range(detected, 760, 840);
	gsl_rng_free(random);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_mean_has_student_s_interval),
	        cmocka_unit_test(one_and_two_values_have_no_interval),
	        cmocka_unit_test(two_means_are_compared_as_by_welch),
	        cmocka_unit_test(summaries_are_enough),
	        cmocka_unit_test(equal_values_have_an_interval_of_no_width),
	        cmocka_unit_test(a_ratio_needs_positive_values),
	        cmocka_unit_test(the_spread_within_groups_is_pooled),
	        cmocka_unit_test(a_known_error_widens),
	        cmocka_unit_test(correlation_is_free_of_bias),
	        cmocka_unit_test(estimates_are_averaged),
	        cmocka_unit_test(discoveries_are_those_of_the_paper),
	        cmocka_unit_test(no_test_is_no_discovery),
	        cmocka_unit_test(needed_values_are_as_in_the_tables),
	        cmocka_unit_test(outliers_are_flagged),
	        cmocka_unit_test(humps_are_found),
	        cmocka_unit_test(a_shift_has_its_interval),
	        cmocka_unit_test(a_shift_of_many_is_as_of_few),
	        cmocka_unit_test(intervals_cover_what_they_promise),
	        cmocka_unit_test(what_is_detectable_is_detected),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
