// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * One launch of a duel: a fresh pair of crews on the same CPUs, both rehearsed and parked at their
 * gates, of which one works at a time (launch_slices.c).  Fixed work (--laps) takes a crew of its
 * own for each turn.
 *
 * What is estimated is B with A's workers parked beside it, against A with B's parked beside it.
 */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "relay.h"

struct launch {
	double value[2][METRICS];   /* mean of A, of B; NAN where a side has no such figure */
	double log_ratio[METRICS];  /* ln(B/A) */
	unsigned quads, late_quads; /* that count; in which a worker began late */
	uint64_t slice_ns;
	uint64_t start_ns; /* what it took to bring both crews to where slices count */
	double faults[2], due[2];
	double busy[2];    /* share of the slices in which workers ran; NAN for fixed work */
	char invalid[256]; /* why the launch does not count, or "" */
	enum exit_status exit_status;
};

/*
 * Carries out launch number `number`, whose parity says which side is forked first.  Returns 0, or
 * -1 when a crew could not be started.
 */
int launch_measure(const struct contest *contest, unsigned number, struct launch *launch,
                   struct complaint *c);

/* The part of it where the sides alternate in slices; `first` is forked first. */
int launch_slices(const struct contest *contest, int first, struct launch *launch,
                  struct complaint *c);

#endif
