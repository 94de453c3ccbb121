// SPDX-License-Identifier: GPL-3.0-or-later
/* The shape of samples: outliers, humps, and a shift that neither moves. */
#include "stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	OUTLIERS_ENOUGH = 5,
	HUMPS_ENOUGH = 10,
	SHIFT_EXACT = 50,  /* values a side up to which the distribution is counted out */
	SHIFT_MOST = 2000, /* values a side: their differences take 32 MB */
};

static const double outlier_score = 7, hump_separation = 5, hump_share = 0.2;
static const double unknown = (double)NAN;

/* A sorted copy, to be freed; NULL when memory is out. */
static double *sample_sorted(const double values[], size_t n)
{
	double *sorted = malloc(n * sizeof(*sorted));

	if (sorted) {
		memcpy(sorted, values, n * sizeof(*sorted));
		gsl_sort(sorted, 1, n);
	}
	return sorted;
}

size_t stats_outliers(const double values[], size_t n, bool flagged[])
{
	double *sorted = n >= OUTLIERS_ENOUGH ? sample_sorted(values, n) : NULL;
	double median = 0, mad = 0;
	size_t count = 0;

	if (sorted) {
		median = gsl_stats_median_from_sorted_data(sorted, 1, n);
		mad = gsl_stats_mad0(values, 1, n, sorted);
	}
	for (size_t i = 0; i < n; i++) {
		bool out = mad > 0 && 0.6745 * fabs(values[i] - median) > outlier_score * mad;

		count += out;
		if (flagged)
			flagged[i] = out;
	}
	free(sorted);
	return count;
}

/* The humps of sorted values if split before the k-th; *squares is what is left within them. */
static struct humps humps_split(const double sorted[], size_t n, size_t k, double *squares)
{
	struct summary low = stats_summary(sorted, k), high = stats_summary(sorted + k, n - k);
	double variances = low.sd * low.sd + high.sd * high.sd, apart = high.mean - low.mean;
	struct humps humps = {.share = (double)k / (double)n, .low = low.mean, .high = high.mean};

	*squares = low.sd * low.sd * (double)(k - 1) + high.sd * high.sd * (double)(n - k - 1);
	humps.separation = apart * sqrt(2 / variances);
	humps.found = apart > 0 && humps.separation > hump_separation;
	return humps;
}

struct humps stats_humps(const double values[], size_t n)
{
	double *sorted = n >= HUMPS_ENOUGH ? sample_sorted(values, n) : NULL;
	struct humps best = {.separation = unknown};
	size_t least = (size_t)ceil(hump_share * (double)n);
	double best_squares = (double)INFINITY;

	if (!sorted)
		return best;
	for (size_t k = least; k <= n - least; k++) {
		double squares;
		struct humps humps = humps_split(sorted, n, k, &squares);

		if (squares < best_squares) {
			best_squares = squares;
			best = humps;
		}
	}
	free(sorted);
	return best;
}

/*
 * How often each value of the Mann-Whitney statistic comes up among all orders of na and nb values,
 * as a probability: P(u; n, m) = (m P(u; n, m-1) + n P(u - m; n-1, m)) / (n + m) (Mann and Whitney,
 * Ann. Math. Stat. 18, 1947).  Returns the largest u with P(U < u) <= tail.
 */
static size_t mann_whitney_exact(size_t na, size_t nb, double tail)
{
	size_t size = na * nb + 1;
	double *p = calloc((nb + 1) * size, sizeof(*p)); /* [m][u] of the n at hand */
	double below = 0;
	size_t u = 0;

	if (!p)
		return 0;
	for (size_t m = 0; m <= nb; m++)
		p[m * size] = 1;
	for (size_t n = 1; n <= na; n++)
		for (size_t m = 1; m <= nb; m++)
			for (size_t at = size; at-- > 0;)
				p[m * size + at] =
				        ((double)m * p[(m - 1) * size + at] +
				         (at >= m ? (double)n * p[m * size + at - m] : 0)) /
				        (double)(n + m);
	while (u < size && below + p[nb * size + u] <= tail)
		below += p[nb * size + u++];
	free(p);
	return u;
}

static size_t mann_whitney(size_t na, size_t nb, double tail)
{
	double n = (double)na, m = (double)nb, u;

	if (na <= SHIFT_EXACT && nb <= SHIFT_EXACT)
		return mann_whitney_exact(na, nb, tail);
	u = n * m / 2 + gsl_cdf_ugaussian_Pinv(tail) * sqrt(n * m * (n + m + 1) / 12);
	return u > 0 ? (size_t)u : 0;
}

struct interval stats_shift(const double a[], size_t na, const double b[], size_t nb, double alpha)
{
	struct interval shift = {unknown, unknown, unknown};
	size_t pairs = na * nb, outside;
	double *differences;

	if (!pairs || na > SHIFT_MOST || nb > SHIFT_MOST)
		return shift;
	differences = malloc(pairs * sizeof(*differences));
	if (!differences)
		return shift;
	for (size_t i = 0; i < pairs; i++)
		differences[i] = b[i % nb] - a[i / nb];
	gsl_sort(differences, 1, pairs);
	shift.value = gsl_stats_median_from_sorted_data(differences, 1, pairs);
	outside = mann_whitney(na, nb, alpha / 2);
	if (outside && 2 * outside < pairs) {
		shift.low = differences[outside - 1];
		shift.high = differences[pairs - outside];
	}
	free(differences);
	return shift;
}
