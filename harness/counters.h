// SPDX-License-Identifier: GPL-3.0-or-later
/* What the kernel counts for the calling thread, read into a tally. */
#ifndef COUNTERS_H
#define COUNTERS_H

#include "board.h"

#include <time.h>

/* Descriptors of the calling thread's files in /proc; -1 where there is none. */
struct counters {
	int schedstat, sched;
	bool pinned;
};

/* Nanoseconds of CLOCK_MONOTONIC. */
static inline uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * Opens them for the calling thread.  A pinned thread cannot migrate; its mask is checked at the
 * end of the window, and the long file that counts migrations is left alone.
 */
void counters_open(struct counters *counters, bool pinned);

/* Minor faults of the calling thread so far (ru_minflt). */
uint64_t counters_minor_faults(void);

/* Reads the fault and switch counts: one system call, for every sample. */
void counters_read_faults(struct tally *tally);

/* Reads the thread's CPU time, next to the clock: what lies between the two counts as busy. */
void counters_read_cpu(struct tally *tally);

/*
 * Reads the rest, for the edges of a window: run delay (second field of schedstat, ns;
 * UINT64_MAX without CONFIG_SCHED_INFO) and migrations (UINT64_MAX without CONFIG_SCHED_DEBUG).
 */
void counters_read_times(const struct counters *counters, struct tally *tally);

#endif
