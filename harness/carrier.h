// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Carries the jobs of a sweep out one after the other: by GNU parallel, or by a plain loop where it
 * is missing.  The only texts that reach a shell are constant words and the names of jobs, which
 * are checked (plan.h); paths cross it in the environment, within quotes.
 */
#ifndef CARRIER_H
#define CARRIER_H

#include "complaint.h"
#include "plan.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct carrier {
	const char *sweep;      /* directory of the sweep, absolute; holds plan.csv and jobs/ */
	char program[PATH_MAX]; /* this faultscale, absolute */
	int signal_fd;          /* signals_open() */
	int signal;             /* that interrupted it, or 0 */
	bool watched;           /* somebody looks at stderr: show the progress and expected end */
};

/*
 * Asks the `parallel` in PATH who it is.  Returns 0 if it is GNU parallel, or -1 with what is wrong
 * (not there, another program of that name) and what to do.
 */
int carrier_check(struct complaint *c);

/*
 * Start with the jobs of that name, in that order.  That one of them failed is no failure here:
 * what it left tells.  Return 0, also after a signal, or -1 (EXIT_FAILED).
 */
int carrier_parallel(struct carrier *carrier, char (*names)[PLAN_NAME], size_t count,
                     struct complaint *c);
int carrier_loop(struct carrier *carrier, char (*names)[PLAN_NAME], size_t count,
                 struct complaint *c);

/*
 * Makes the sweep's directory parallel/ with a file `list` of lines, and sets the environment in
 * which GNU parallel keeps its own files there and uses /bin/sh; 0 or -1.
 */
int carrier_prepare(const struct carrier *carrier, const char *list, char (*names)[PLAN_NAME],
                    size_t count, struct complaint *c);

#endif
