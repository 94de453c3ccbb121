// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A slice of a duel: one crew works for some milliseconds while the other is parked at its gate.
 *
 * Short slices are what makes a duel precise.  The speed of a virtual machine wanders at every time
 * scale: laps of 0.8 ms in quads of slices scatter hardly less when slices are ten times as long,
 * so that of the two it is the number of quads that counts [10 s of multi-fault with 256 KiB on a
 * VM of 2 CPUs, Linux 6.18: what 2 s come to scattered by 0.1 to 0.3 % with slices of 3 ms, by 0.2
 * to 0.4 % with 10 ms, by 0.6 % with 20 ms].
 */
#ifndef SLICE_H
#define SLICE_H

#include "crew.h"

/* Sums over the workers of a crew, of one slice or of several. */
struct slice {
	double passes_per_s;
	double timed_ns[WORKLOAD_STEPS], timed_work[WORKLOAD_STEPS]; /* of each loop step */
	double faults, due, allowed; /* minor ones; those that may be more than due */
	double major;
	double ns, cpu_ns; /* of the window; of it, on a CPU */
	bool late;         /* a worker had not woken when the others measured already */
};

/*
 * How long slices are, in ns: some milliseconds, and no multiple of the timer tick; much longer
 * where workers share CPUs, whose turns take milliseconds, too.
 */
uint64_t slice_length(bool shared);

/* The longest mean time of a pass among the workers of a rehearsed crew, in ns. */
double slice_pass(const struct crew *crew);

/*
 * Lets the crew work for a slice, which begins when all of it have had the time to wake and to warm
 * up, and sums up what was done.  The turn's kind is that of the crew's board.
 */
enum crew_result slice_run(struct crew *crew, struct watch *watch, uint64_t slice_ns,
                           struct slice *slice);

void slice_add(struct slice *sum, const struct slice *slice);

/* Mean ns per unit of a loop step; NAN if it did no work. */
double slice_step_ns(const struct slice *slice, unsigned step);

#endif
