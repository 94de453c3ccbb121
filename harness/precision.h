// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * How precisely a sweep with --precision knows its points.  Precision is not part of a point's key:
 * it says how long to look, not at what.  Such a job (its repeat is 0) is therefore kept or
 * measured again by what it reached.
 */
#ifndef PRECISION_H
#define PRECISION_H

#include "jobs.h"

struct precision {
	double asked, reached; /* half the 95 % interval of the mean, by the mean; NAN: unknown */
	uint64_t max_time;     /* ns */
	size_t repeats;        /* valid ones */
	char point[320];       /* in words: count, mode and workload */
};

/* Reads what a job reached.  False if it is not one of --precision or has no result. */
bool precision_read(const char *sweep, const struct plan_job *job, struct precision *precision);

/* True for a result that is as precise as asked. */
bool precision_reached(const struct precision *precision);

/*
 * True if nothing is to be done for a job: it is valid (or unsupported), and with --precision as
 * precise as asked, or measured by the same command line before, which could do no better.
 */
bool precision_job_done(const char *sweep, const struct plan_job *job);

#endif
