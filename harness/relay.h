// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The crews of both sides of a duel, of which one works at a time, for a slice: quads of slices in
 * ABBA or BAAB order, as chance has it, so that a drift of the machine's speed falls on both sides
 * alike.  Each quad gives the logarithm of a ratio B/A, the two slices of a side taken together.
 *
 * Where a pass of a side takes no longer than a slice, its slices are made of whole passes, whose
 * rate is counted.  Longer passes are cut by the slices, which then hold other shares of the steps
 * each time; so they are known step by step, in ns per unit of the step's work.
 */
#ifndef RELAY_H
#define RELAY_H

#include "contest.h"
#include "slice.h"

enum { RELAY_RATIOS = 1 + WORKLOAD_STEPS };

/* Both crews, and what they have done so far. */
struct relay {
	const struct contest *contest;
	struct crew crews[2];
	bool cut[2];           /* a side's passes, by the slices */
	struct slice total[2]; /* sums over the slices */
	uint64_t slice_ns;
	unsigned quads, late; /* those that count; those in which a worker began late */
	/* ln(B/A) in each quad: of the passes/s, then of each common step's ns per unit. */
	double (*ratios)[RELAY_RATIOS];
};

/*
 * Forks both crews, side `first` first, and brings them through a slice that does not count, which
 * leaves each somewhere in a pass that slices cut.
 * CREW_FAILED: they could not be started, with a complaint.
 */
enum crew_result relay_start(struct relay *relay, const struct contest *contest, int first,
                             struct complaint *c);

/*
 * Quads until the launch's time is over, and on where laps are so long that a step is missing; ends
 * early where most do not count.  CREW_FAILED with a complaint.
 */
enum crew_result relay_run(struct relay *relay, struct complaint *c);

/* True if most quads did not count. */
static inline bool relay_late(const struct relay *relay)
{
	return relay->late > relay->quads;
}

/* What a worker of a side does of a loop step in a lap; all do the same. */
double relay_lap_work(const struct relay *relay, int side, unsigned step);

/* Ends the crews and frees everything. */
void relay_free(struct relay *relay);

#endif
