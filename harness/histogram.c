// SPDX-License-Identifier: GPL-3.0-or-later
#include "histogram.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

void histogram_clear(struct histogram *histogram)
{
	memset(histogram, 0, sizeof(*histogram));
	histogram->min = UINT64_MAX;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
	uint32_t sum;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		into->count[i] = __builtin_add_overflow(into->count[i], from->count[i], &sum)
		                         ? UINT32_MAX
		                         : sum;
	into->total_count += from->total_count;
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
}

uint64_t histogram_count(const struct histogram *histogram)
{
	return histogram->total_count;
}

/*
 * The quantile function across one bucket: times from `low` to `low + width` have the ranks from
 * `rank` to `rank + count`.  The k-th value counts as rank k + 0.5, so that the ranks of all n
 * values reach from 0.5 (the minimum) to n - 0.5 (the maximum), the only two that are known
 * exactly.
 */
struct span {
	double low, width;
	double rank, count;
	double logit, rise; /* ln(q / (1 - q)) at the lower edge, q = rank / n, and its growth */
};

static double logit(double rank, double total)
{
	return log(rank / (total - rank));
}

/* The smallest time that belongs to a bucket: a whole number of ns, so 0.5 ns below it. */
static double bucket_edge(unsigned bucket)
{
	unsigned shift = bucket < 2 * HISTOGRAM_SPLIT ? 0 : bucket / HISTOGRAM_SPLIT - 1;

	return ldexp(bucket - shift * HISTOGRAM_SPLIT, (int)shift) - 0.5;
}

/* The span of a bucket that has `below` values before it; its count is 0 if the bucket is empty. */
static struct span span_of(const struct histogram *histogram, unsigned bucket, double below,
                           double total)
{
	bool first = bucket == histogram_bucket(histogram->min);
	bool last = bucket == histogram_bucket(histogram->max);
	double above = below + histogram->count[bucket];
	double high = last ? (double)histogram->max : bucket_edge(bucket + 1);
	struct span span = {.low = first ? (double)histogram->min : bucket_edge(bucket)};

	if (!histogram->count[bucket])
		return span;
	span.width = high - span.low;
	span.rank = first ? 0.5 : below;
	span.count = (last ? total - 0.5 : above) - span.rank;
	span.logit = logit(span.rank, total);
	span.rise = logit(span.rank + span.count, total) - span.logit;
	return span;
}

/*
 * The slope (ns per logit) where two spans meet: the weighted harmonic mean of Fritsch and Butland
 * (1984, SIAM J. Sci. Stat. Comput. 5, 300-304), the rule of PCHIP, which keeps the cubics
 * monotone.  Beside an empty bucket it is the slope of the one that is not empty.
 */
static double slope_between(const struct span *a, const struct span *b)
{
	double weight_a = 2 * b->rise + a->rise, weight_b = b->rise + 2 * a->rise;

	if (a->count == 0)
		return b->width / b->rise;
	if (b->count == 0)
		return a->width / a->rise;
	return (weight_a + weight_b) /
	       (weight_a * a->rise / a->width + weight_b * b->rise / b->width);
}

/* The cubic Hermite polynomial across `here`, at a rank that is given as its logit. */
static double span_interpolate(const struct span *here, const struct span *lower,
                               const struct span *upper, double at)
{
	double u = (at - here->logit) / here->rise;
	double start = slope_between(lower, here) * here->rise;
	double end = slope_between(here, upper) * here->rise;

	return here->low + here->width * u * u * (3 - 2 * u) + start * u * (1 - u) * (1 - u) -
	       end * u * u * (1 - u);
}

/*
 * True where the distribution begins or ends abruptly in `here` rather than with a tail: nothing
 * beyond it, and at least half as dense as its other neighbour.
 */
static bool span_is_edge(const struct span *here, const struct span *lower,
                         const struct span *upper)
{
	const struct span *inner = lower->count > 0 ? lower : upper;

	if ((lower->count > 0) == (upper->count > 0))
		return false;
	return 2 * here->count / here->width >= inner->count / inner->width;
}

/*
 * Interpolates the time over the logit of the rank, not the rank over the time: on that scale a
 * peak with tails is nearly straight, even where it fills only a few buckets.  Worst errors found
 * over positions relative to the buckets, for 10^5 lognormal values at p = 0.1, 0.5, 0.9, 0.99:
 *
 *	sigma                            0.003   0.01    0.03    0.1
 *	rank over time, linear           0.38 %  0.15 %  0.06 %  0.015 %
 *	rank over time, PCHIP            0.21 %  0.03 %  0.01 %  0.002 %
 *	time over logit of rank, PCHIP   0.04 %  0.01 %  0.01 %  0.002 %
 *
 * An edge has no tail, so a straight line between ranks serves it better.
 */
double histogram_quantile(const struct histogram *histogram, double p)
{
	const uint32_t *count = histogram->count;
	struct span lower, here, upper = {0};
	double total = 0, below = 0, rank;
	unsigned bucket = 0;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		total += count[i];
	if (total == 0)
		return NAN;
	if (histogram->min == histogram->max)
		return (double)histogram->min;
	rank = p * (total - 1) + 0.5;
	while (below + count[bucket] < rank)
		below += count[bucket++];
	if (bucket < 2 * HISTOGRAM_SPLIT)
		return bucket;

	here = span_of(histogram, bucket, below, total);
	lower = span_of(histogram, bucket - 1, below - count[bucket - 1], total);
	if (bucket + 1 < HISTOGRAM_BUCKETS)
		upper = span_of(histogram, bucket + 1, below + count[bucket], total);
	if (span_is_edge(&here, &lower, &upper))
		return here.low + here.width * (rank - here.rank) / here.count;
	return span_interpolate(&here, &lower, &upper, logit(rank, total));
}
