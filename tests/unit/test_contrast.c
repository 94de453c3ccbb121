// SPDX-License-Identifier: GPL-3.0-or-later
#include "contrast.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>

enum { TRIALS = 400, MUST_HOLD = 366, MAY_CALL = 34, POINTS = 20, ROOM = 128 };

static const struct contrast_rules rules = {.margin = 0.01, .boot_sd = -1, .better = BETTER_HIGH};

/* How a side was measured, and what moves its values. */
struct design {
	size_t boots, runs, repeats; /* runs in each boot, repeats in each run */
	double boot_sd, run_sd, repeat_sd;
	double rho;   /* correlation of neighbouring repeats */
	double level; /* true value */
};

/* Values of one side of `points` points, which share the deviations of boots and runs. */
static void side_draw(const gsl_rng *random, const struct design *design, unsigned first,
                      struct observed_side *side, struct observation values[][ROOM], size_t points)
{
	size_t count = 0;

	for (size_t b = 0; b < design->boots; b++) {
		double boot = gsl_ran_gaussian(random, design->boot_sd);

		for (size_t r = 0; r < design->runs; r++) {
			double run = gsl_ran_gaussian(random, design->run_sd);
			double drift[POINTS] = {0};

			for (size_t i = 0; i < design->repeats; i++, count++)
				for (size_t p = 0; p < points; p++) {
					double fresh = gsl_ran_gaussian(random, design->repeat_sd);

					drift[p] = i ? design->rho * drift[p] +
					                           sqrt(1 - pow(design->rho, 2)) *
					                                   fresh
					             : fresh;
					values[p][count] = (struct observation){
					        .value = design->level * exp(boot + run + drift[p]),
					        .boot = first + (unsigned)b,
					        .run = first + (unsigned)(b * design->runs + r),
					        .repeat = i + 1,
					};
				}
		}
	}
	for (size_t p = 0; p < points; p++)
		side[p] = (struct observed_side){
		        .values = values[p], .count = count, .ordered = true};
}

static struct observation space[2][POINTS][ROOM];

static void pairs_draw(const gsl_rng *random, const struct design *a, const struct design *b,
                       struct observed_pair pairs[], size_t points)
{
	struct observed_side side[2][POINTS];

	side_draw(random, a, 0, side[0], space[0], points);
	side_draw(random, b, 100, side[1], space[1], points);
	for (size_t p = 0; p < points; p++)
		pairs[p] = (struct observed_pair){{side[0][p], side[1][p]}};
}

struct tally {
	int held, called, overall_held, overall_called;
};

/* TRIALS comparisons of a design with itself. */
static struct tally trials(const struct design *design, size_t points, unsigned long seed)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	struct tally tally = {0};

	gsl_rng_set(random, seed);
	for (int i = 0; i < TRIALS; i++) {
		struct observed_pair pairs[POINTS];
		struct contrast contrasts[POINTS] = {0}, overall;
		bool independent, called = false;

		pairs_draw(random, design, design, pairs, points);
		for (size_t p = 0; p < points; p++)
			assert_int_equal(contrast_make(&pairs[p], &rules, &contrasts[p]), 0);
		tally.held += contrasts[0].ratio.low <= 1 && contrasts[0].ratio.high >= 1;
		assert_int_equal(
		        contrast_overall(pairs, contrasts, points, &rules, &overall, &independent),
		        0);
		contrast_settle(contrasts, points, &rules);
		for (size_t p = 0; p < points; p++)
			called |= contrasts[p].verdict.kind == VERDICT_FASTER ||
			          contrasts[p].verdict.kind == VERDICT_SLOWER;
		tally.called += called;
		tally.overall_held += overall.ratio.low <= 1 && overall.ratio.high >= 1;
		tally.overall_called += overall.verdict.kind == VERDICT_FASTER ||
		                        overall.verdict.kind == VERDICT_SLOWER;
	}
	gsl_rng_free(random);
	return tally;
}

static void assert_honest(const struct design *design, size_t points, unsigned long seed)
{
	struct tally tally = trials(design, points, seed);

	if (tally.held < MUST_HOLD || tally.called > MAY_CALL || tally.overall_held < MUST_HOLD ||
	    tally.overall_called > MAY_CALL)
		fail_msg("held %d, called %d; over all held %d, called %d", tally.held,
		         tally.called, tally.overall_held, tally.overall_called);
}

static void repeats_of_one_boot_are_honest(void **state)
{
	(void)state;
	assert_honest(&(struct design){1, 1, 5, 0, 0, 0.05, 0, 1e6}, 1, 1);
	assert_honest(&(struct design){1, 1, 10, 0, 0, 0.005, 0, 1e6}, 1, 2);
}

static void boots_are_the_unit(void **state)
{
	(void)state;
	assert_honest(&(struct design){3, 1, 5, 0.03, 0, 0.02, 0, 1e6}, 1, 3);
	assert_honest(&(struct design){5, 2, 2, 0.05, 0.01, 0.005, 0, 1e6}, 1, 4);
}

static void runs_are_the_unit_within_a_boot(void **state)
{
	(void)state;
	assert_honest(&(struct design){1, 5, 3, 0, 0.03, 0.01, 0, 1e6}, 1, 5);
}

static void runs_are_the_unit_within_several_boots(void **state)
{
	(void)state;
	assert_honest(&(struct design){2, 4, 6, 0, 0.02, 0.01, 0, 1e6}, 1, 9);
}

static void a_table_is_honest_as_a_whole(void **state)
{
	(void)state;
	assert_honest(&(struct design){1, 1, 5, 0, 0, 0.05, 0, 1e6}, POINTS, 6);
	/* What moves all points of a boot together must not make the overall interval narrow. */
	assert_honest(&(struct design){4, 1, 2, 0.03, 0, 0.001, 0, 1e6}, POINTS, 7);
}

/* Independent errors would be claimed by a plain t interval, which holds in 60 % of these. */
static void repeats_that_resemble_each_other_widen(void **state)
{
	struct tally tally = trials(&(struct design){1, 1, 30, 0, 0, 0.02, 0.7, 1e6}, 1, 8);

	(void)state;
	assert_in_range(tally.held, 340, TRIALS);
}

/* One comparison of two designs. */
static struct contrast compare(const struct design *a, const struct design *b,
                               const struct contrast_rules *with)
{
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	struct observed_pair pair;
	struct contrast contrast;

	gsl_rng_set(random, 42);
	pairs_draw(random, a, b, &pair, 1);
	assert_int_equal(contrast_make(&pair, with, &contrast), 0);
	gsl_rng_free(random);
	return contrast;
}

static void a_regression_needs_boots(void **state)
{
	struct design few = {2, 1, 5, 0.001, 0, 0.001, 0, 100},
	              many = {3, 1, 5, 0.001, 0, 0.001, 0, 100};
	struct design few_slow = few, many_slow = many;
	struct contrast_rules vouched = rules;
	struct contrast contrast;

	(void)state;
	few_slow.level = many_slow.level = 95;
	vouched.boot_sd = 0.001;
	contrast = compare(&few, &few_slow, &rules);
	assert_int_equal(contrast.unit, UNIT_OF_REPEATS);
	assert_int_equal(contrast.verdict.kind, VERDICT_SLOWER);
	assert_false(contrast_regressed(&contrast, 0, &rules));
	contrast = compare(&few, &few_slow, &vouched);
	assert_true(contrast_regressed(&contrast, 0.03, &vouched));
	assert_false(contrast_regressed(&contrast, 0.06, &vouched));
	contrast = compare(&many, &many_slow, &rules);
	assert_int_equal(contrast.unit, UNIT_OF_BOOTS);
	assert_true(contrast_regressed(&contrast, 0, &rules));
	assert_true(contrast_regressed(&contrast, 0.03, &rules));
	assert_false(contrast_regressed(&contrast, 0.06, &rules));
	contrast = compare(&many_slow, &many, &rules);
	assert_false(contrast_regressed(&contrast, 0, &rules));
}

static void a_vouched_spread_is_in_the_interval(void **state)
{
	struct design one = {1, 1, 5, 0, 0, 0.001, 0, 100}, slow = one;
	struct contrast_rules vouched = rules;
	struct contrast contrast;

	(void)state;
	slow.level = 95;
	vouched.boot_sd = 0.05;
	contrast = compare(&one, &slow, &rules);
	assert_int_equal(contrast.verdict.kind, VERDICT_SLOWER);
	contrast = compare(&one, &slow, &vouched);
	assert_int_equal(contrast.verdict.kind, VERDICT_UNKNOWN);
	/* +-1.96 sqrt(2) 5 % of the logarithm */
	assert_true(fabs(log(contrast.ratio.high / contrast.ratio.low) - 0.2772) < 0.001);
}

/* What a boot does to all its points does not average out over them. */
static void a_vouched_spread_is_common_to_all_points(void **state)
{
	struct contrast_rules vouched = rules;
	struct observed_pair pairs[9];
	struct contrast contrasts[9], overall;
	bool independent;

	(void)state;
	vouched.boot_sd = 0.05;
	for (size_t p = 0; p < 9; p++) {
		for (int s = 0; s < 2; s++)
			pairs[p].side[s] = (struct observed_side){.summarised = true,
			                                          .given = {5, 100, 0.001}};
		contrast_make(&pairs[p], &vouched, &contrasts[p]);
	}
	contrast_overall(pairs, contrasts, 9, &vouched, &overall, &independent);
	assert_true(independent);
	assert_true(fabs(log(overall.ratio.high / overall.ratio.low) - 0.2772) < 0.001);
}

/* The pair's first side: one run of repeats that drift. */
static void drifting(struct observation values[10], struct observed_side *side)
{
	for (size_t i = 0; i < 10; i++)
		values[i] = (struct observation){100 + (double)(i * i), 0, 0, i + 1};
	*side = (struct observed_side){.values = values, .count = 10, .ordered = true};
}

static void correlation_asks_for_repeats_on_both_sides(void **state)
{
	struct observation a[10], b[5];
	struct observed_pair pair;
	struct contrast contrast;

	(void)state;
	drifting(a, &pair.side[0]);
	pair.side[1] = (struct observed_side){.values = b, .ordered = true};
	assert_int_equal(contrast_make(&pair, &rules, &contrast), 0);
	assert_true(contrast.rho > 0);
	assert_true(isnan(contrast.ratio.low));
	for (size_t i = 0; i < 5; i++)
		b[i] = (struct observation){100 + (double)(i % 2), 1, 1 + (unsigned)i, 1};
	pair.side[1].count = 5;
	assert_int_equal(contrast_make(&pair, &rules, &contrast), 0);
	assert_true(contrast.rho > 0 && isfinite(contrast.ratio.low));
}

static void few_values_have_no_interval(void **state)
{
	struct contrast contrast;

	(void)state;
	for (size_t n = 1; n <= 3; n++) {
		struct design design = {1, 1, n, 0, 0, 0.01, 0, 100};

		contrast = compare(&design, &design, &rules);
		assert_true(isfinite(contrast.ratio.value));
		assert_int_equal(isfinite(contrast.ratio.low) != 0, n == 3);
		assert_int_equal(isfinite(contrast.p) != 0, n == 3);
		assert_int_equal(contrast.needed_known, n == 3);
	}
	/* Two boots of one repeat each: nothing is known of any spread. */
	contrast = compare(&(struct design){2, 1, 1, 0, 0, 0.01, 0, 100},
	                   &(struct design){2, 1, 1, 0, 0, 0.01, 0, 100}, &rules);
	assert_true(isnan(contrast.ratio.low));
}

static void both_levels_are_told_apart(void **state)
{
	struct design design = {30, 1, 4, 0.05, 0, 0.01, 0, 100};
	struct contrast contrast = compare(&design, &design, &rules);

	(void)state;
	assert_true(fabs(contrast.side[0].between - 0.05) < 0.015);
	assert_true(fabs(contrast.side[0].within - 0.01) < 0.003);
	design.boot_sd = 0;
	contrast = compare(&design, &design, &rules);
	assert_true(contrast.side[0].between < 0.004);
}

/* A repeat that a point lacks is left out of the overall interval, not of the point. */
static void missing_repeats_are_left_out(void **state)
{
	struct design design = {1, 1, 6, 0, 0, 0.01, 0, 100};
	gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
	struct observed_pair pairs[2];
	struct contrast contrasts[2], overall;
	bool independent;

	(void)state;
	pairs_draw(random, &design, &design, pairs, 2);
	pairs[0].side[1].count = 4;
	for (size_t p = 0; p < 2; p++)
		contrast_make(&pairs[p], &rules, &contrasts[p]);
	assert_int_equal(contrasts[0].side[1].units.n, 4);
	contrast_overall(pairs, contrasts, 2, &rules, &overall, &independent);
	assert_false(independent);
	assert_int_equal(overall.side[0].units.n, 6);
	assert_int_equal(overall.side[1].units.n, 4);
	assert_true(fabs(overall.ratio.value -
	                 sqrt(contrasts[0].ratio.value * contrasts[1].ratio.value)) < 1e-12);
	pairs[0].side[1].count = 2;
	contrast_make(&pairs[0], &rules, &contrasts[0]);
	contrast_overall(pairs, contrasts, 2, &rules, &overall, &independent);
	assert_true(independent);
	assert_true(isnan(overall.ratio.low));
	gsl_rng_free(random);
}

static void an_outlier_does_not_move_the_ranks(void **state)
{
	struct observation a[8], b[8];
	struct observed_pair pair = {{{.values = a, .count = 8}, {.values = b, .count = 8}}};
	struct contrast contrast;

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		a[i] = (struct observation){100 + 0.1 * (double)(i * 5 % 8), 0, 0, i};
		b[i] = (struct observation){103 + 0.1 * (double)(i * 3 % 8), 1, 1, i};
	}
	b[4].value = 9000;
	contrast_make(&pair, &rules, &contrast);
	assert_int_equal(contrast.verdict.kind, VERDICT_UNKNOWN);
	assert_int_equal(contrast.side[1].outliers, 1);
	assert_true(contrast.robust.low > 1.025 && contrast.robust.high < 1.045);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(repeats_of_one_boot_are_honest),
	        cmocka_unit_test(boots_are_the_unit),
	        cmocka_unit_test(runs_are_the_unit_within_a_boot),
	        cmocka_unit_test(runs_are_the_unit_within_several_boots),
	        cmocka_unit_test(a_table_is_honest_as_a_whole),
	        cmocka_unit_test(repeats_that_resemble_each_other_widen),
	        cmocka_unit_test(a_regression_needs_boots),
	        cmocka_unit_test(a_vouched_spread_is_in_the_interval),
	        cmocka_unit_test(a_vouched_spread_is_common_to_all_points),
	        cmocka_unit_test(correlation_asks_for_repeats_on_both_sides),
	        cmocka_unit_test(few_values_have_no_interval),
	        cmocka_unit_test(both_levels_are_told_apart),
	        cmocka_unit_test(missing_repeats_are_left_out),
	        cmocka_unit_test(an_outlier_does_not_move_the_ranks),
	};

	return cmocka_run_group_tests_name("contrast", tests, NULL, NULL);
}
