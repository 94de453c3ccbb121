// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The Universal Scalability Law: N workers do
 *
 *	X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1))
 *
 * of work a second, where lambda is the rate of one worker, sigma the share of its work that must
 * wait for the others' (contention) and kappa the cost of agreeing with each other (coherency).
 * With kappa = 0 it is Amdahl's law; else it has its peak at sqrt((1 - sigma) / kappa).
 * N. J. Gunther, "A General Theory of Computational Scalability Based on Rational Functions",
 * arXiv:0808.1431; "Guerrilla Capacity Planning", Springer 2007, chapter 5, which also asks for
 * measurements at six counts or more.
 */
#ifndef USL_H
#define USL_H

#include <stdbool.h>
#include <stddef.h>

enum { USL_COUNTS = 6, USL_PARAMETERS = 3 };

enum usl_parameter { USL_LAMBDA, USL_SIGMA, USL_KAPPA };

/* With the ends of its 95 % interval, Student's t: right if the law is and errors are normal. */
struct usl_estimate {
	double value, low, high;
};

struct usl {
	struct usl_estimate parameter[USL_PARAMETERS]; /* one put to 0 has an interval of 0 */
	struct usl_estimate peak; /* workers; value INFINITY: none; high INFINITY: no end */
};

/*
 * Fits the law to `count` measurements by least squares of the logarithms of the rates, with
 * sigma and kappa not below 0: of the fits with none, either or both of them put to 0, the best
 * that keeps to that.  Returns 0, or -1 if there are fewer than USL_COUNTS different numbers of
 * workers, no more measurements than parameters, a rate that is not above 0, or no memory.
 */
int usl_fit(const double workers[], const double rates[], size_t count, struct usl *usl);

/* The law's rate. */
double usl_rate(const struct usl *usl, double workers);

#endif
