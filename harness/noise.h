// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What may have disturbed a measurement.  The parent reads the machine's counters while the workers
 * wait at the gate, and again once all windows are closed: nothing is read while they measure.  The
 * difference therefore holds the warm-up too, and what other processes did.
 */
#ifndef NOISE_H
#define NOISE_H

#include "mthp.h"
#include "point.h"
#include "rows.h"

enum { NOISE_NAME = 32 };

struct noise_reading {
	uint64_t ns; /* CLOCK_MONOTONIC */
	uint64_t parent_cpu_ns;
	/* UNKNOWN_COUNT where it cannot be read. */
	uint64_t steal_ticks; /* of the workers' CPUs */
	uint64_t oom_kills;   /* in the memory cgroup */
	struct noise_row row; /* its counters, since boot */
	struct mthp mthp;     /* not looked at where huge pages are not in play */
	char clock_source[NOISE_NAME];
};

/* What lies between two readings. */
struct noise {
	uint64_t ns;            /* the time between them */
	double steal;           /* share of the workers' CPUs, NAN if unknown */
	uint64_t parent_cpu_ns; /* of the parent */
	uint64_t oom_kills;     /* 0 also where unknown */
	struct noise_row row;   /* its texts lie in the readings or are constants */
	char mthp[MTHP_KINDS][MTHP_TEXT];
};

void noise_read(struct noise_reading *reading, const struct point *point);

/*
 * The difference, and what is looked at once: DAMON, which takes some 100 small files.  A counter
 * that ran backwards (steal does on some kernels) is unknown.
 */
void noise_between(const struct noise_reading *before, const struct noise_reading *after,
                   const struct point *point, struct noise *noise);

/*
 * Adds up the lines of a copy of /proc/vmstat that each column counts.  A line that this kernel
 * does not have counts nothing; a column none of whose lines are there is UNKNOWN_COUNT.
 */
void noise_vmstat_in(const char *vmstat, struct noise_row *row);

/*
 * Hz, the mean over at most 16 of the point's CPUs, from cpuN/cpufreq/scaling_cur_freq in this
 * directory; UNKNOWN_REAL if one has none.
 */
double noise_frequency_in(const char *directory, const struct point *point);

#endif
