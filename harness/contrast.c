// SPDX-License-Identifier: GPL-3.0-or-later
#include "contrast.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double power = 0.8;
static const double unknown = (double)NAN;

/* The values of a side, grouped. */
struct grouping {
	bool positive;
	double *values; /* all, in order: their logarithms if all are positive */
	double *means;  /* of the groups */
	struct summary *boots, *runs, *boot_runs; /* repeats of boots and runs; runs of boots */
	size_t boot_count, run_count;
};

static void grouping_free(struct grouping *grouping)
{
	free(grouping->values);
	free(grouping->means);
	free(grouping->boots);
	free(grouping->runs);
	free(grouping->boot_runs);
}

/* Puts together what lies side by side and has the same boot, or the same run. */
static size_t groups_make(const struct observed_side *side, const double values[], bool by_run,
                          struct summary groups[])
{
	size_t count = 0;

	for (size_t start = 0, end; start < side->count; start = end) {
		const struct observation *at = &side->values[start];

		for (end = start + 1; end < side->count; end++)
			if (side->values[end].boot != at->boot ||
			    (by_run && side->values[end].run != at->run))
				break;
		groups[count++] = stats_summary(values + start, end - start);
	}
	return count;
}

/* Sums up the means of each boot's runs, which lie side by side as the boots do. */
static void boot_runs_make(struct grouping *grouping)
{
	size_t run = 0;

	for (size_t boot = 0; boot < grouping->boot_count; boot++) {
		size_t count = 0, repeats = 0;

		for (; repeats < grouping->boots[boot].n; count++) {
			repeats += grouping->runs[run + count].n;
			grouping->means[count] = grouping->runs[run + count].mean;
		}
		grouping->boot_runs[boot] = stats_summary(grouping->means, count);
		run += count;
	}
}

static int grouping_make(const struct observed_side *side, struct grouping *grouping)
{
	size_t room = side->count + 1;

	*grouping = (struct grouping){
	        .values = calloc(room, sizeof(double)),
	        .means = calloc(room, sizeof(double)),
	        .boots = calloc(room, sizeof(struct summary)),
	        .runs = calloc(room, sizeof(struct summary)),
	        .boot_runs = calloc(room, sizeof(struct summary)),
	};
	if (!grouping->values || !grouping->means || !grouping->boots || !grouping->runs ||
	    !grouping->boot_runs)
		return -1;
	grouping->positive = true;
	for (size_t i = 0; i < side->count; i++)
		grouping->positive &= side->values[i].value > 0;
	for (size_t i = 0; i < side->count; i++)
		grouping->values[i] =
		        grouping->positive ? log(side->values[i].value) : side->values[i].value;
	grouping->boot_count = groups_make(side, grouping->values, false, grouping->boots);
	grouping->run_count = groups_make(side, grouping->values, true, grouping->runs);
	boot_runs_make(grouping);
	return 0;
}

/* True if every boot has enough runs to tell how these differ. */
static bool runs_enough(const struct grouping *grouping)
{
	for (size_t i = 0; i < grouping->boot_count; i++)
		if (grouping->boot_runs[i].n < STATS_ENOUGH)
			return false;
	return grouping->boot_count > 0;
}

static enum unit unit_choose(const struct observed_side side[2], const struct grouping grouping[2])
{
	const struct grouping *a = &grouping[0], *b = &grouping[1];

	if (side[0].summarised || side[1].summarised)
		return UNIT_GIVEN;
	if (a->boot_count >= STATS_ENOUGH && b->boot_count >= STATS_ENOUGH)
		return UNIT_OF_BOOTS;
	if (runs_enough(a) && runs_enough(b))
		return UNIT_OF_RUNS;
	return UNIT_OF_REPEATS;
}

/* Fills means with the units' values; returns how many. */
static size_t units_list(enum unit unit, struct grouping *grouping, size_t values)
{
	const struct summary *groups = unit == UNIT_OF_BOOTS ? grouping->boots : grouping->runs;
	size_t count = unit == UNIT_OF_BOOTS ? grouping->boot_count : grouping->run_count;

	if (unit == UNIT_OF_REPEATS) {
		memcpy(grouping->means, grouping->values, values * sizeof(double));
		return values;
	}
	for (size_t i = 0; i < count; i++)
		grouping->means[i] = groups[i].mean;
	return count;
}

static double median_of(const double values[], size_t n)
{
	double *copy = n ? malloc(n * sizeof(*copy)) : NULL, median = unknown;

	if (copy) {
		memcpy(copy, values, n * sizeof(*copy));
		median = gsl_stats_median(copy, 1, n);
	}
	free(copy);
	return median;
}

/* The sd within groups. */
static double within_of(const struct summary groups[], size_t count)
{
	double squares = 0, df = 0;

	for (size_t i = 0; i < count; i++)
		if (groups[i].n > 1) {
			double n = (double)groups[i].n;

			squares += groups[i].sd * groups[i].sd * (n - 1);
			df += n - 1;
		}
	return df > 0 ? sqrt(squares / df) : unknown;
}

/* The groups that boots are, where they are fixed: of their runs' means, or of their repeats. */
static const struct summary *fixed_boots(enum unit unit, const struct grouping *grouping)
{
	return unit == UNIT_OF_RUNS ? grouping->boot_runs : grouping->boots;
}

/* The mean of a side's logarithms and its error, before any correlation. */
static struct estimate side_estimate(enum unit unit, const struct summary *units,
                                     const struct grouping *grouping)
{
	if (!grouping->positive)
		return (struct estimate){unknown, unknown, unknown};
	if (unit == UNIT_OF_REPEATS || unit == UNIT_OF_RUNS)
		return estimate_within(fixed_boots(unit, grouping), grouping->boot_count);
	return estimate_mean(units);
}

/* Logarithms as the values they came from, spread as far from their mean as is the same share. */
static struct summary summary_exp(const struct summary *logs)
{
	double mean = exp(logs->mean);

	return (struct summary){logs->n, mean, logs->sd * mean};
}

/* What the measured values of a side say, which summaries do not. */
static int side_measured(const struct observed_side *observed, enum unit unit,
                         struct grouping *grouping, struct contrast_side *side)
{
	size_t units =
	        units_list(unit == UNIT_GIVEN ? UNIT_OF_REPEATS : unit, grouping, observed->count);
	double *raw = calloc(observed->count + 1, sizeof(*raw));

	if (!raw)
		return -1;
	for (size_t i = 0; i < observed->count; i++)
		raw[i] = observed->values[i].value;
	side->outliers = stats_outliers(raw, observed->count, NULL);
	side->humps = stats_humps(raw, observed->count);
	free(raw);
	side->units = stats_summary(grouping->means, units);
	side->median = median_of(grouping->means, units);
	side->log_mean = side_estimate(unit, &side->units, grouping);
	if (!grouping->positive)
		return 0;
	if ((unit == UNIT_OF_REPEATS || unit == UNIT_OF_RUNS) && grouping->boot_count > 1)
		side->units = (struct summary){
		        units, side->log_mean.value,
		        within_of(fixed_boots(unit, grouping), grouping->boot_count)};
	side->units = summary_exp(&side->units);
	side->median = exp(side->median);
	return 0;
}

static int side_make(const struct observed_side *observed, enum unit unit,
                     struct grouping *grouping, struct contrast_side *side)
{
	struct estimate mean = estimate_mean(&observed->given);

	*side = (struct contrast_side){
	        .boots = grouping->boot_count,
	        .runs = grouping->run_count,
	        .repeats = observed->count,
	        .median = unknown,
	        .within = grouping->positive ? within_of(grouping->boots, grouping->boot_count)
	                                     : unknown,
	        .between = grouping->positive ? stats_between(grouping->boots, grouping->boot_count)
	                                      : unknown,
	        .units = observed->given,
	        .log_mean = estimate_log(&mean),
	};
	return observed->summarised ? 0 : side_measured(observed, unit, grouping, side);
}

/* Correlation of neighbours within the runs of both sides. */
static double rho_of(const struct observed_side side[2], const struct grouping grouping[2])
{
	struct correlation correlation = {0};

	for (int s = 0; s < 2; s++) {
		const double *values = grouping[s].values;

		for (size_t i = 0; i < grouping[s].run_count && side[s].ordered; i++) {
			correlation_add(&correlation, values, grouping[s].runs[i].n);
			values += grouping[s].runs[i].n;
		}
	}
	return correlation_rho(&correlation);
}

/* How many more units it takes to see the margin. */
static void contrast_needed(struct contrast *contrast, double margin)
{
	const struct contrast_side *side = contrast->side;
	/* Of a unit, from the error of the mean: what correlation adds is then in it. */
	double a = side[0].log_mean.se * sqrt((double)side[0].units.n);
	double b = side[1].log_mean.se * sqrt((double)side[1].units.n);
	size_t least = side[0].units.n < side[1].units.n ? side[0].units.n : side[1].units.n;
	size_t all = stats_needed(a, b, log1p(margin), STATS_ALPHA, power);

	contrast->needed_known = all > 0;
	contrast->needed = all > least ? all - least : 0;
}

void contrast_vouch(const struct contrast_rules *rules, struct contrast *contrast)
{
	contrast->log_ratio = contrast->measured;
	for (int s = 0; s < 2 && rules->boot_sd >= 0 && contrast->unit != UNIT_OF_BOOTS; s++) {
		size_t boots = contrast->side[s].boots ? contrast->side[s].boots : 1;

		contrast->log_ratio =
		        estimate_widen(&contrast->log_ratio, rules->boot_sd / sqrt((double)boots));
	}
}

void contrast_conclude(const struct contrast_rules *rules, struct contrast *contrast)
{
	struct interval logs = estimate_interval(&contrast->log_ratio, STATS_ALPHA);

	contrast->detectable = expm1(stats_detectable(&contrast->log_ratio, STATS_ALPHA, power));
	contrast->ratio = interval_exp(&logs);
	contrast->p = estimate_p(&contrast->log_ratio);
	contrast->verdict =
	        verdict_make(&contrast->ratio, STATS_ALPHA, rules->margin, rules->better);
}

/* The ratio of the two sides' means, with all errors that are known. */
static void contrast_divide(const struct contrast_rules *rules, struct contrast *contrast)
{
	struct contrast_side *side = contrast->side;

	for (int s = 0; s < 2; s++)
		if (side[s].runs)
			side[s].log_mean = estimate_correlated(&side[s].log_mean, contrast->rho,
			                                       side[s].repeats / side[s].runs);
	contrast->measured = estimate_difference(&side[0].log_mean, &side[1].log_mean);
	contrast_needed(contrast, rules->margin);
	contrast_vouch(rules, contrast);
	contrast_conclude(rules, contrast);
}

/* The shift of the units' logarithms. */
static struct interval robust_of(const struct contrast *contrast, const struct grouping grouping[2])
{
	struct interval shift =
	        stats_shift(grouping[0].means, contrast->side[0].units.n, grouping[1].means,
	                    contrast->side[1].units.n, STATS_ALPHA);

	return interval_exp(&shift);
}

int contrast_make(const struct observed_pair *pair, const struct contrast_rules *rules,
                  struct contrast *contrast)
{
	const struct observed_side *side = pair->side;
	struct grouping grouping[2] = {0};
	int failed = grouping_make(&side[0], &grouping[0]) || grouping_make(&side[1], &grouping[1]);

	*contrast = (struct contrast){.robust = {unknown, unknown, unknown}};
	if (!failed)
		contrast->unit = unit_choose(side, grouping);
	for (int s = 0; s < 2 && !failed; s++)
		failed = side_make(&side[s], contrast->unit, &grouping[s], &contrast->side[s]);
	if (!failed) {
		if (contrast->unit == UNIT_OF_REPEATS)
			contrast->rho = rho_of(side, grouping);
		contrast_divide(rules, contrast);
		if (contrast->unit != UNIT_GIVEN && isfinite(contrast->log_ratio.value) &&
		    (contrast->unit == UNIT_OF_BOOTS ||
		     (contrast->side[0].boots < 2 && contrast->side[1].boots < 2)))
			contrast->robust = robust_of(contrast, grouping);
	}
	grouping_free(&grouping[0]);
	grouping_free(&grouping[1]);
	return failed ? -1 : 0;
}
