// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A histogram of times in ns that lives in shared memory: fixed size, no pointers, one writer.
 * Log-linear, as in HdrHistogram: a bucket for each value below 256 ns, then 128 buckets of equal
 * width per octave (0.4 to 0.8 % of the value) up to 2^36 ns, 68.7 s; the last one also takes what
 * is longer.  Quantiles are interpolated within a bucket.
 */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stdint.h>

enum {
	HISTOGRAM_SPLIT_BITS = 7, /* 2^7 buckets per octave */
	HISTOGRAM_SPLIT = 1 << HISTOGRAM_SPLIT_BITS,
	HISTOGRAM_TOP_BITS = 36,
	HISTOGRAM_BUCKETS = (HISTOGRAM_TOP_BITS - HISTOGRAM_SPLIT_BITS + 1) * HISTOGRAM_SPLIT,
};

struct histogram {
	uint64_t total_count;              /* sum of all weights */
	uint64_t min, max;                 /* exact, in ns; min > max while it is empty */
	uint32_t count[HISTOGRAM_BUCKETS]; /* sums of weights; a full one stays at UINT32_MAX */
};

_Static_assert(sizeof(struct histogram) <= 16384 - 512, "three must fit into a slot of 48 KiB");

/* Empties it, touching all of its memory.  Needed before the first use: zeroed memory will not do.
 */
void histogram_clear(struct histogram *histogram);

/* The bucket that counts `ns`. */
static inline unsigned histogram_bucket(uint64_t ns)
{
	const uint64_t top = (UINT64_C(1) << HISTOGRAM_TOP_BITS) - 1;
	unsigned shift;

	if (ns > top)
		ns = top;
	/* By how much the value exceeds 8 bits; those that remain tell the bucket in the octave. */
	shift = 63 - HISTOGRAM_SPLIT_BITS - (unsigned)__builtin_clzll(ns | HISTOGRAM_SPLIT);
	return shift * HISTOGRAM_SPLIT + (unsigned)(ns >> shift);
}

/* Counts a time `weight` (at least 1) times.  A few instructions: it runs in the measuring loop. */
static inline void histogram_add(struct histogram *histogram, uint64_t ns, uint32_t weight)
{
	uint32_t *count = &histogram->count[histogram_bucket(ns)], sum;

	*count = __builtin_add_overflow(*count, weight, &sum) ? UINT32_MAX : sum;
	histogram->total_count += weight;
	if (ns < histogram->min)
		histogram->min = ns;
	if (ns > histogram->max)
		histogram->max = ns;
}

/* Makes `into` what it would be, had it been given all of the times of `from` as well. */
void histogram_merge(struct histogram *into, const struct histogram *from);

/* The number of times counted: the sum of their weights, exact even where a bucket is full. */
uint64_t histogram_count(const struct histogram *histogram);

/*
 * The quantile of probability `p` (0 to 1) in ns, NAN if nothing was counted.  The rank is that of
 * Hyndman and Fan (1996), "Sample quantiles in statistical packages", definition 7, as in
 * gsl_stats_quantile_from_sorted_data(); 0 gives the exact minimum, 1 the exact maximum.
 *
 * Below 256 ns the answer is a value that was counted.  Above, it is within 0.1 % (and 0.5 ns, half
 * the grain) for peaks with tails whose standard deviation is 0.3 % or more, so that they spread
 * over some four buckets.  Found worse than that: 0.2 % where the first values come abruptly, 0.3 %
 * at the ends of a uniform distribution, 0.5 % for peaks narrower than a bucket or two.  A quantile
 * among single values far apart is only as good as the bucket, 0.8 %.
 */
double histogram_quantile(const struct histogram *histogram, double p);

#endif
