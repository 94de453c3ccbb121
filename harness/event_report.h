// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What --events counted, for people, in the manner of perf stat: over the valid repeats the mean of
 * all workers' sum, and "+-", the standard error of that mean in percent of it.
 */
#ifndef EVENT_REPORT_H
#define EVENT_REPORT_H

#include "outcome.h"

#include <gsl/gsl_rstat.h>

struct event_sum {
	gsl_rstat_workspace *values; /* one of each repeat */
	double enabled_ns, running_ns;
	int error; /* the first worker's that could not count it */
	enum event_scope scope;
};

struct event_report {
	const struct point *point;
	struct event_sum sums[EVENTS_MAX];
	double pages;
	uint64_t repeats;      /* valid ones */
	uint64_t mismatch;     /* of them, those in which perf and getrusage disagreed */
	double counted, taken; /* page faults by the one and the other, in the last of these */
};

/* Returns 0, or -1 when memory is out. */
int event_report_make(struct event_report *report, const struct point *point);
void event_report_free(struct event_report *report);

/* Adds a repeat; of one that is not valid only why its events were not counted. */
void event_report_add(struct event_report *report, const struct outcome *outcome);

/* Prints nothing if no events were asked for. */
void event_report_print(const struct event_report *report, FILE *out);

#endif
