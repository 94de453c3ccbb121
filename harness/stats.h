// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The statistics of a comparison, pure functions of numbers.  What is unknown is NAN: a sample of
 * one or two values has a mean but no interval, since nothing sensible can be said of its spread.
 * No value is ever left out: outliers and humps are reported, and the interval is as wide as they
 * make it.
 */
#ifndef STATS_H
#define STATS_H

#include <stdbool.h>
#include <stddef.h>

/* Below so many values there is no interval. */
enum { STATS_ENOUGH = 3 };

/* Of every test and interval unless said otherwise: 5 % wrong. */
#define STATS_ALPHA 0.05

/* A sample in short: enough for a t interval.  sd (with n - 1 below) is NAN if n < 2. */
struct summary {
	size_t n;
	double mean, sd;
};

/* A number known with some error: its standard error rests on df degrees of freedom, INFINITY where
 * the error is known and not itself estimated.  se and df are NAN where nothing is known of it. */
struct estimate {
	double value, se, df;
};

/* low and high are NAN if there is no interval. */
struct interval {
	double value, low, high;
};

struct summary stats_summary(const double values[], size_t n);

/* The mean and its error s/sqrt(n), with n - 1 degrees of freedom; no error below STATS_ENOUGH. */
struct estimate estimate_mean(const struct summary *summary);

/*
 * Means of several groups (boots), taken as fixed: the mean of the groups' means, its error from
 * the spread within the groups, pooled (one-way analysis of variance; Montgomery, Design and
 * Analysis of Experiments, ch. 3).  Says nothing of other groups.  With one group this is
 * estimate_mean.  No error if any group has fewer than two values or all together fewer than
 * STATS_ENOUGH.
 */
struct estimate estimate_within(const struct summary groups[], size_t count);

/* The logarithm of a positive estimate; its relative error becomes absolute (delta method; Casella
 * and Berger, Statistical Inference, 5.5.4).  NAN if the value is not above 0. */
struct estimate estimate_log(const struct estimate *estimate);

/* b - a, both independent; degrees of freedom by Welch (Biometrika 34, 1947) and Satterthwaite. */
struct estimate estimate_difference(const struct estimate *a, const struct estimate *b);

/*
 * How much each value of a series resembles the one before it.  Repeats measured one after the
 * other on a busy machine do, and then n of them are worth fewer.
 */
struct correlation {
	double products, squares; /* of neighbours' and of all deviations from the mean */
	size_t values, series;
};

/* Adds a series, in the order in which it was measured; all are to have the same scale, like
 * logarithms.  Series of one value tell nothing. */
void correlation_add(struct correlation *correlation, const double values[], size_t n);

/*
 * The lag-1 autocorrelation, at most 0.9; 0 unless it lies a standard error above what independent
 * values show.  The bias of short series of n, -(1 + 4 rho)/n for sums over n - 1 and n values
 * (Marriott and Pope, Biometrika 41, 1954: -(1 + 3 rho)/n for means), is taken out with the
 * estimate for rho: of two series of ten or twenty a rho of 0.5 comes out as 0.43 and 0.49 on
 * average.
 */
double correlation_rho(const struct correlation *correlation);

/*
 * The error of a mean of `n` values of a first-order autoregressive series: the variance grows by
 * 1 + 2 sum (1 - k/n) rho^k (Bayley and Hammersley, J. R. Stat. Soc. Suppl. 8, 1946), once more for
 * what the sample's own variance misses, and the degrees of freedom shrink with the effective
 * number of values.  The estimate as it is if rho is not above 0, or n below 2.
 */
struct estimate estimate_correlated(const struct estimate *estimate, double rho, size_t n);

/*
 * The standard deviation between groups, without what comes from the spread within them (one-way
 * analysis of variance, unequal sizes: Montgomery, ch. 3); 0 where that explains it all, NAN if a
 * group has one value or there are fewer than STATS_ENOUGH groups.
 */
double stats_between(const struct summary groups[], size_t count);

/* Adds an error of standard deviation `sd` that is known and not estimated (df INFINITY). */
struct estimate estimate_widen(const struct estimate *estimate, double sd);

/* The mean of independent estimates; degrees of freedom by Satterthwaite (Biometrics 2, 1946). */
struct estimate estimate_average(const struct estimate estimates[], size_t count);

/* The interval that holds the truth in 1 - alpha of all cases (Student's t). */
struct interval estimate_interval(const struct estimate *estimate, double alpha);

/* Probability of an estimate at least as far from 0 if the truth is 0 (two-sided t test). */
double estimate_p(const struct estimate *estimate);

/* An interval of a logarithm as one of the ratio itself. */
struct interval interval_exp(const struct interval *interval);

/*
 * Which of many tests to believe: Benjamini and Hochberg (J. R. Stat. Soc. B 57, 1995).  Of the
 * tests chosen, at most alpha are expected to be false; where no test has a true difference, any is
 * chosen with probability alpha.  Holds for independent and positively dependent tests.  NAN is no
 * test.  Sets chosen[] and returns how many are chosen; *tests is how many there were.
 */
size_t stats_discoveries(const double p[], size_t count, double alpha, bool chosen[],
                         size_t *tests);

/*
 * The smallest true difference that a two-sided test at `alpha` on an estimate of that error finds
 * with probability `power`: (t(1 - alpha/2) + t(power)) se, with central t for the noncentral one
 * (NIST/SEMATECH e-Handbook of Statistical Methods, 7.2.2.2).
 */
double stats_detectable(const struct estimate *estimate, double alpha, double power);

/*
 * How many values each of two samples needs for that difference to become detectable, when a single
 * value of them has the standard deviations sd_a and sd_b.  The same formula, solved by search; at
 * least STATS_ENOUGH, at most STATS_MANY, 0 if it cannot be told.  power 0.5 gives the number
 * for an interval of +- `difference`.
 */
enum { STATS_MANY = 1000000 };
size_t stats_needed(double sd_a, double sd_b, double difference, double alpha, double power);

/*
 * Flags values whose modified z-score 0.6745 |x - median| / MAD is above 7 (Iglewicz and Hoaglin,
 * How to Detect and Handle Outliers, 1993; their 3.5 flags one in eight samples of ten normal
 * values, 7 one in a hundred).  None below five values or where MAD is 0.  flagged may be NULL.
 * Returns how many.
 */
size_t stats_outliers(const double values[], size_t n, bool flagged[]);

/* Two humps: `share` of the values around `low`, the others around `high`. */
struct humps {
	bool found;
	double separation; /* Ashman's D of the two; NAN if not looked for */
	double share, low, high;
};

/*
 * Looks for two humps: splits the sorted values where the squares within the two parts are least,
 * and finds humps if Ashman's D = |m1 - m2| sqrt(2 / (s1^2 + s2^2)) (Ashman, Bird and Zepf, Astron.
 * J. 108, 1994) is above 5, which is more than their 2 since the split is chosen.  Each part has
 * a fifth of the values or more, so that outliers are no hump.  Not looked for below ten values.
 * Found by mistake in 5 % of samples of ten normal values and 0.2 % of twenty, in 13 % and 3 % of
 * exponential ones; humps six of their sd apart are found in 75 to 85 %.
 */
struct humps stats_humps(const double values[], size_t n);

/*
 * What one sample is shifted by against the other: the median of all differences b - a (Hodges and
 * Lehmann, Ann. Math. Stat. 34, 1963), with an interval from the distribution of the Mann-Whitney
 * statistic (exact up to 50 values a side, else normal; Conover, Practical Nonparametric
 * Statistics, 5.4).  Hardly moved by outliers.  The interval is unknown if the samples are too
 * small for one (both of three).  NAN when memory is out, or above 2000 values a side.
 */
struct interval stats_shift(const double a[], size_t na, const double b[], size_t nb, double alpha);

#endif
