// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Carries the jobs of a sweep out: by GNU parallel, or one after the other by a plain loop where it
 * is missing.  The only texts that reach a shell are constant words and names that have been
 * checked: of jobs (plan.h) or hosts (hosts.h); paths cross it in the environment, within quotes.
 */
#ifndef CARRIER_H
#define CARRIER_H

#include "complaint.h"

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
 * Starts GNU parallel in the sweep's directory with `words` (options, then the command; ends with
 * NULL) and the names as its arguments, one job at a time and machine, and waits for it.  Its own
 * files are in the directory parallel/, its log is joblog; what the user has configured for it
 * (~/.parallel, $PARALLEL) is left out, $HOME need not be set, and commands go to /bin/sh.
 */
int carrier_call(struct carrier *carrier, const char *const words[], const char *const names[],
                 size_t count, struct complaint *c);

/*
 * Carry out the jobs of these names, in this order.  That one of them failed is no failure here:
 * what it left tells.  Return 0, also after a signal, or -1 (EXIT_FAILED).
 */
int carrier_parallel(struct carrier *carrier, const char *const names[], size_t count,
                     struct complaint *c);
int carrier_loop(struct carrier *carrier, const char *const names[], size_t count,
                 struct complaint *c);

/*
 * Called by a job: from now on it is killed when what started it dies (GNU parallel, or the sweep
 * itself).  Returns false if that has happened already: between the job's birth and this call
 * nobody would have told it.  True for a job that no sweep started.
 */
bool carrier_bind(void);

#endif
