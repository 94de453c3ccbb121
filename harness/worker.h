// SPDX-License-Identifier: GPL-3.0-or-later
/* A worker: what it knows, where it is, and how it meets the others. */
#ifndef WORKER_H
#define WORKER_H

#include "board.h"
#include "counters.h"
#include "point.h"

/* Where a worker is in its turn. */
enum phase {
	PHASE_WARMUP,   /* works, not counted */
	PHASE_WINDOW,   /* works, counted */
	PHASE_COOLDOWN, /* works on, so that the others measure under load to their end */
};

/* Where the edges of a window may lie. */
enum edges {
	EDGES_LAPS,   /* between laps */
	EDGES_PASSES, /* between passes */
	EDGES_PARTS,  /* between parts of a step as well */
};

/*
 * A loop step as the loop needs it.  What each pass looks at is kept together in the worker: the
 * kernel's entry and exit code empties the TLB on many machines, so that each further page looked
 * at between two system calls costs a walk.
 */
struct act {
	verb *verb;
	struct how how;
	size_t part_pages; /* run in parts of so many pages, between which time is looked at; 0:
	                      whole */
};

struct worker {
	/* What a pass looks at. */
	unsigned steps, passes; /* of the loop, of a lap */
	size_t pass_pages;
	unsigned pass; /* of the lap, from 0 */
	enum phase phase;
	uint64_t passes_left; /* of fixed work */
	uint64_t plain;       /* passes between two timed ones */
	uint64_t event_ns;    /* look further only from this time on */
	uint64_t pulse;
	uint64_t lap_ns, lap_laps; /* where the lap histogram has got to */
	enum edges edges;
	bool parted; /* a step is run in several parts */
	bool midway; /* inside a step of a lap, at one of its parts */
	struct region region;
	struct act act[WORKLOAD_STEPS];
	struct tally tally; /* now */

	/* What borders look at. */
	const struct point *point;
	const struct arena *arena;
	struct slot *slot;
	struct sibling sibling;                   /* of the steps that fork */
	struct histogram *step_times, *lap_times; /* in the slot; one for each loop step, one */
	unsigned index;
	int wake_fd;          /* eventfd of the parent */
	double clock_cost;    /* ns per reading */
	double pass_ns;       /* mean time of a pass, when last calibrated */
	uint32_t turns;       /* that were begun */
	uint64_t turn_ns;     /* when the turn began */
	uint64_t turn_passes; /* and what tally.passes was then */
	struct tally sampled; /* at the last sample */
	uint64_t sampled_ns;  /* and when the work after it began */
	struct counters counters;
	struct event_set events;
	void (*leave)(struct worker *worker); /* ends this thread; does not return */
	void *process;                        /* for leave() */
};

/*
 * From the mean time of a pass: how many passes run without a clock between two timed ones, where
 * the edges of a window may lie, and in which parts steps are run.
 */
void worker_calibrate(struct worker *worker, double pass_ns);

/* Counts this worker in; true for the last one. */
bool worker_count_in(struct worker *worker, _Atomic uint32_t *count);

/* Wakes the parent. */
void worker_wake_parent(const struct worker *worker);

/* Sleeps on a shared word while it has the value; wakes all who sleep on it. */
void futex_wait(_Atomic uint32_t *word, uint32_t value);
void futex_wake_all(_Atomic uint32_t *word);

#endif
