// SPDX-License-Identifier: GPL-3.0-or-later
#include "stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double unknown = (double)NAN;

/* Beyond so many degrees of freedom t is normal to all digits printed. */
static const double df_normal = 1e6;

/* Standard errors above which a correlation is taken for real: rather one too many than an interval
 * too narrow. */
static const double correlation_sure = 1;

struct summary stats_summary(const double values[], size_t n)
{
	return (struct summary){
	        .n = n,
	        .mean = n ? gsl_stats_mean(values, 1, n) : unknown,
	        .sd = n > 1 ? gsl_stats_sd(values, 1, n) : unknown,
	};
}

struct estimate estimate_mean(const struct summary *summary)
{
	if (summary->n < STATS_ENOUGH)
		return (struct estimate){summary->mean, unknown, unknown};
	return (struct estimate){
	        .value = summary->mean,
	        .se = summary->sd / sqrt((double)summary->n),
	        .df = (double)(summary->n - 1),
	};
}

struct estimate estimate_within(const struct summary groups[], size_t count)
{
	double mean = 0, squares = 0, shares = 0, df = 0;
	size_t least = count ? groups[0].n : 0, all = 0;

	for (size_t i = 0; i < count; i++) {
		const struct summary *group = &groups[i];

		mean += group->mean / (double)count;
		squares += group->n > 1 ? group->sd * group->sd * (double)(group->n - 1) : 0;
		shares += 1 / (double)group->n;
		df += (double)group->n - 1;
		all += group->n;
		least = group->n < least ? group->n : least;
	}
	if (least < 2 || all < STATS_ENOUGH)
		return (struct estimate){count ? mean : unknown, unknown, unknown};
	return (struct estimate){mean, sqrt(squares / df * shares) / (double)count, df};
}

struct estimate estimate_log(const struct estimate *estimate)
{
	if (!(estimate->value > 0))
		return (struct estimate){unknown, unknown, unknown};
	return (struct estimate){log(estimate->value), estimate->se / estimate->value,
	                         estimate->df};
}

/* The degrees of freedom of a sum of squared errors, given the sum of each square's own square by
 * its df; without any error there is nothing to estimate. */
static double df_pooled(double variance, double parts)
{
	return parts > 0 ? variance * variance / parts : variance >= 0 ? (double)INFINITY : unknown;
}

static double df_part(const struct estimate *estimate)
{
	return pow(estimate->se, 4) / estimate->df;
}

struct estimate estimate_difference(const struct estimate *a, const struct estimate *b)
{
	double variance = a->se * a->se + b->se * b->se;

	return (struct estimate){b->value - a->value, sqrt(variance),
	                         df_pooled(variance, df_part(a) + df_part(b))};
}

void correlation_add(struct correlation *correlation, const double values[], size_t n)
{
	double mean = gsl_stats_mean(values, 1, n);

	for (size_t i = 0; i < n && n > 1; i++) {
		double at = values[i] - mean;

		correlation->squares += at * at;
		if (i)
			correlation->products += at * (values[i - 1] - mean);
	}
	correlation->values += n > 1 ? n : 0;
	correlation->series += n > 1;
}

double correlation_rho(const struct correlation *correlation)
{
	double r = correlation->products / correlation->squares;
	double inverse = (double)correlation->series / (double)correlation->values;

	if (!(correlation->squares > 0) ||
	    (r + inverse) * sqrt((double)correlation->values) < correlation_sure)
		return 0;
	return fmin(0.9, r + (1 + 4 * r) * inverse);
}

struct estimate estimate_correlated(const struct estimate *estimate, double rho, size_t n)
{
	double growth = 1, missed;

	if (n < 2 || !(rho > 0))
		return *estimate;
	for (size_t k = 1; k < n; k++)
		growth += 2 * (1 - (double)k / (double)n) * pow(rho, (double)k);
	missed = (1 - growth / (double)n) / (1 - 1 / (double)n);
	return (struct estimate){estimate->value, estimate->se * sqrt(growth / missed),
	                         fmax(1, estimate->df / growth)};
}

double stats_between(const struct summary groups[], size_t count)
{
	double within = 0, mean = 0, between = 0, all = 0, squares = 0, df = 0;

	for (size_t i = 0; i < count; i++) {
		double n = (double)groups[i].n;

		mean += n * groups[i].mean;
		within += groups[i].sd * groups[i].sd * (n - 1);
		df += n - 1;
		all += n;
		squares += n * n;
	}
	mean /= all;
	for (size_t i = 0; i < count; i++)
		between += (double)groups[i].n * pow(groups[i].mean - mean, 2);
	if (count < STATS_ENOUGH || !isfinite(within))
		return unknown;
	between /= (double)(count - 1);
	return sqrt(
	        fmax(0, (between - within / df) / ((all - squares / all) / (double)(count - 1))));
}

struct estimate estimate_widen(const struct estimate *estimate, double sd)
{
	double variance = estimate->se * estimate->se + sd * sd;

	return (struct estimate){estimate->value, sqrt(variance),
	                         df_pooled(variance, df_part(estimate))};
}

struct estimate estimate_average(const struct estimate estimates[], size_t count)
{
	double sum = 0, variance = 0, parts = 0;

	for (size_t i = 0; i < count; i++) {
		sum += estimates[i].value;
		variance += estimates[i].se * estimates[i].se;
		parts += df_part(&estimates[i]);
	}
	return (struct estimate){sum / (double)count, sqrt(variance) / (double)count,
	                         df_pooled(variance, parts)};
}

static double t_quantile(double probability, double df)
{
	return df < df_normal ? gsl_cdf_tdist_Pinv(probability, df)
	                      : gsl_cdf_ugaussian_Pinv(probability);
}

/* True if there is an error to make an interval or a test of. */
static bool estimate_known(const struct estimate *estimate)
{
	return isfinite(estimate->value) && isfinite(estimate->se) && estimate->df > 0;
}

struct interval estimate_interval(const struct estimate *estimate, double alpha)
{
	double half = unknown;

	if (estimate_known(estimate))
		half = t_quantile(1 - alpha / 2, estimate->df) * estimate->se;
	return (struct interval){estimate->value, estimate->value - half, estimate->value + half};
}

double estimate_p(const struct estimate *estimate)
{
	double t = fabs(estimate->value) / estimate->se;

	if (!estimate_known(estimate))
		return unknown;
	if (estimate->se <= 0)
		return estimate->value < 0 || estimate->value > 0 ? 0 : 1;
	return 2 * (estimate->df < df_normal ? gsl_cdf_tdist_Q(t, estimate->df)
	                                     : gsl_cdf_ugaussian_Q(t));
}

struct interval interval_exp(const struct interval *interval)
{
	return (struct interval){exp(interval->value), exp(interval->low), exp(interval->high)};
}

size_t stats_discoveries(const double p[], size_t count, double alpha, bool chosen[], size_t *tests)
{
	size_t found = 0;

	*tests = 0;
	for (size_t i = 0; i < count; i++)
		*tests += isfinite(p[i]) ? 1 : 0;
	/* The largest k with k tests at p <= k alpha / tests: each p proposes how many are not
	 * above it. */
	for (size_t i = 0; i < count; i++) {
		size_t rank = 0;

		for (size_t j = 0; j < count; j++)
			rank += p[j] <= p[i] ? 1 : 0;
		if (p[i] <= (double)rank * alpha / (double)*tests && rank > found)
			found = rank;
	}
	for (size_t i = 0; i < count; i++)
		chosen[i] = found && p[i] <= (double)found * alpha / (double)*tests;
	return found;
}

double stats_detectable(const struct estimate *estimate, double alpha, double power)
{
	if (!estimate_known(estimate))
		return unknown;
	return (t_quantile(1 - alpha / 2, estimate->df) + t_quantile(power, estimate->df)) *
	       estimate->se;
}

size_t stats_needed(double sd_a, double sd_b, double difference, double alpha, double power)
{
	size_t low = STATS_ENOUGH, high = STATS_MANY;

	if (!isfinite(sd_a) || !isfinite(sd_b) || !(difference > 0))
		return 0;
	while (low < high) {
		size_t n = low + (high - low) / 2;
		struct estimate a = estimate_mean(&(struct summary){n, 0, sd_a});
		struct estimate b = estimate_mean(&(struct summary){n, 0, sd_b});
		struct estimate both = estimate_difference(&a, &b);

		if (stats_detectable(&both, alpha, power) <= difference)
			high = n;
		else
			low = n + 1;
	}
	return low;
}
