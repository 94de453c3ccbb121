// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Whether a rate rose or fell over the window: the weighted least squares line of rate over time
 * through the samples of all workers, each weighted by its length.  Sums only: it costs a few
 * multiplications a sample and no memory.
 */
#ifndef TREND_H
#define TREND_H

#include <stdint.h>

/* Zeroed to begin with. */
struct trend {
	uint64_t samples;
	uint64_t origin_ns, first_ns, last_ns; /* times count from the start of the first sample */
	double w, wt, wtt, wy, wty, wyy;       /* sums; w: seconds, t: seconds, y: work a second */
};

/* Adds a sample of `work` done from start_ns to end_ns; one without length is left out. */
void trend_add(struct trend *trend, uint64_t start_ns, uint64_t end_ns, double work);

/*
 * The line's rise from the start of the first sample to the end of the last, by the mean rate: -0.1
 * is a rate that fell by 10 %.  *error is its standard error, that of the slope of a weighted line
 * with residuals of unknown variance (N. Draper, H. Smith: Applied Regression Analysis, 3rd ed.,
 * sections 1.4 and 9.2).  Both are NAN below 10 samples, or without work.
 */
double trend_drift(const struct trend *trend, double *error);

#endif
