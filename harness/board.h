// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The memory that the parent and one crew of workers share: a page of words for all (the board)
 * and, for each worker, a slot of pages of its own.  It is anonymous MAP_SHARED memory, made before
 * the first fork: nothing depends on /dev/shm or a file system, and there are no pointers in it.
 */
#ifndef BOARD_H
#define BOARD_H

#include "events.h"
#include "histogram.h"
#include "ring.h"
#include "smaps.h"
#include "workload.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

/* What one loop step has done since the worker began. */
struct tally_step {
	uint64_t calls;
	uint64_t work; /* in the step's unit */
	uint64_t timed_calls, timed_work, timed_ns;
};

/*
 * What a worker has done up to one moment, clock and counts taken together.  A window is the
 * difference between the tally at its closing and the one at its opening.
 */
struct tally {
	uint64_t ns; /* CLOCK_MONOTONIC */
	uint64_t laps, passes;
	uint64_t timed_passes;
	uint64_t minor_faults, major_faults; /* getrusage(RUSAGE_THREAD) */
	uint64_t voluntary, involuntary;     /* context switches */
	uint64_t cpu_ns;                     /* CLOCK_THREAD_CPUTIME_ID */
	uint64_t delay_ns;                   /* runnable but waiting: /proc/thread-self/schedstat */
	uint64_t migrations;                 /* /proc/thread-self/sched, or UINT64_MAX */
	struct tally_step step[WORKLOAD_STEPS];
};

/* Why a worker gave up; the numbers' meaning depends on it. */
enum failure_kind {
	FAILURE_NONE,
	FAILURE_PIN,       /* could not be pinned: error */
	FAILURE_UNPINNED,  /* was not on its CPU at the end */
	FAILURE_THREAD,    /* pthread_create: error */
	FAILURE_MEMORY,    /* its own memory could not be had: error */
	FAILURE_THP,       /* prctl(PR_SET_THP_DISABLE): error */
	FAILURE_LAYOUT,    /* the kernel's VMAs are not as the layout says */
	FAILURE_POLICY,    /* set_mempolicy: error */
	FAILURE_NODES,     /* move_pages does not tell where pages are: error */
	FAILURE_SETUP,     /* setup step: error */
	FAILURE_REHEARSAL, /* loop step, before the gate: error */
	FAILURE_STEP,      /* loop step: error */
	FAILURE_FILE,      /* its file could not be made: error */
	FAILURE_BUS,       /* SIGBUS at offset `got` of its file, UINT64_MAX if elsewhere */
	FAILURE_MEMCG,     /* could not enter its memory cgroup: error */
	FAILURE_FAULTS,    /* in rehearsal the step took `got` faults where `due` were derived */
};

struct failure {
	_Atomic uint32_t kind; /* enum failure_kind, written last */
	int error;             /* errno */
	uint32_t step;
	uint64_t due, got;
};

/* Where pages of a worker were found; more than PLACEMENT_NODES nodes are not told apart. */
enum { PLACEMENT_NODES = 64 };

struct placement {
	uint32_t sampled;      /* pages whose node the kernel told */
	uint32_t local, asked; /* of these, on the worker's node, on nodes that --mem asks for */
	uint32_t nodes;        /* used below */
	struct {
		uint16_t node, pages;
	} on[PLACEMENT_NODES];
};

/* How far a worker is. */
enum stage_reached {
	REACHED_NOTHING,
	REACHED_GATE,   /* rehearsed and waiting */
	REACHED_OPEN,   /* its window is open */
	REACHED_CLOSED, /* its window is closed */
	REACHED_END,    /* it left in good order */
};

struct slot {
	_Atomic uint32_t reached; /* enum stage_reached */
	_Atomic uint32_t step;    /* loop step it is in */
	_Atomic uint64_t pulse;   /* grows whenever it gets somewhere */
	pid_t tid;
	uint64_t begun_ns; /* when its last turn began: it had woken */
	struct failure failure;
	uint64_t lap_ns;                   /* mean time of a lap, as rehearsed */
	uint64_t lap_work[WORKLOAD_STEPS]; /* of each loop step in a lap, as rehearsed */
	struct placement placement;
	struct smaps smaps; /* after the windows; nothing resident: not looked at */
	struct tally open, close;
	struct event_tally events;
	struct ring ring; /* flexible: the rest is reached through slot_histogram() */
};

/* What a turn is, and where the edges of its window lie. */
enum turn {
	TURN_WINDOW,       /* each worker chooses its edges; all work on until the parent ends it */
	TURN_SLICE,        /* edges between passes; the last to close ends the turn for all */
	TURN_SLICE_PARTED, /* edges between parts of steps, too; the last to close ends it */
};

struct board {
	/* Turns that the parent has opened; workers sleep on it (futex). */
	_Alignas(128) _Atomic uint32_t gate;
	/* Set when all have closed their windows: go back to the gate. */
	_Atomic uint32_t stop;
	/* Set before the last opening of the gate: leave. */
	_Atomic uint32_t leave;
	/* The kind of the turn; written before the gate opens. */
	enum turn turn;
	/* When the windows open and close (CLOCK_MONOTONIC ns); written before the gate opens. */
	uint64_t open_ns, close_ns;
	/* Workers that have come to the gate, that have closed their windows: the last of either
	 * wakes the parent, but for the closing of a slice. */
	_Alignas(128) _Atomic uint32_t waiting;
	_Alignas(128) _Atomic uint32_t closed;
};

/* One crew's shared memory. */
struct arena {
	struct board *board;
	size_t slot_bytes; /* a multiple of the page size */
	unsigned slots, steps;
};

/*
 * Maps the memory for `slots` workers and a loop of `steps` steps.  Returns 0, or -1 and errno.
 * Pages are first written by the workers themselves (slot_clear), so that they lie on their nodes.
 */
int arena_make(struct arena *arena, unsigned slots, unsigned steps);
void arena_free(struct arena *arena);

struct slot *arena_slot(const struct arena *arena, unsigned worker);

/* Writes every page of the slot; called by its worker before anything is counted. */
void slot_clear(const struct arena *arena, unsigned worker);

/* The histogram of a loop step's times, or for step == arena->steps that of lap times. */
struct histogram *slot_histogram(const struct arena *arena, unsigned worker, unsigned step);

/* Records why the worker failed; the first reason stays. */
void slot_fail(struct slot *slot, enum failure_kind kind, int error, unsigned step);

#endif
