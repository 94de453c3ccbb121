// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The parent's side of the workers: it forks them, opens the gate, sleeps until they have closed
 * their windows, and sees every one of them end.  While they measure it does nothing but wake for
 * the watch's tick.
 */
#ifndef CREW_H
#define CREW_H

#include "board.h"
#include "memcg.h"
#include "point.h"

#include <sys/types.h>

/* How waiting for a crew ended. */
enum crew_result {
	CREW_OK,
	CREW_LOST,        /* a process ended or was stopped: crew->casualty */
	CREW_STUCK,       /* a worker did not move within --timeout: crew->casualty.worker */
	CREW_INTERRUPTED, /* a signal came for the parent: watch->signal */
	CREW_FAILED,      /* it could not be started: see the complaint */
};

/* The first process that ended otherwise than in good order, or the worker that is stuck. */
struct casualty {
	bool any;
	unsigned process, worker;
	int code, status; /* si_code (CLD_EXITED, CLD_KILLED, CLD_STOPPED ...) and si_status */
};

struct crew {
	const struct point *point;
	struct arena arena;
	int wake_fd;
	int files[2]; /* one for all workers, and one for their rehearsal; -1: there is none */
	struct memcg memcg;
	pid_t *pids; /* of each process; 0 once reaped */
	unsigned alive;
	bool leaving; /* told to leave: an exit with 0 is in good order */
	uint32_t turns;
	struct casualty casualty;
};

/* What the parent looks at while it waits; one for the whole program. */
struct watch {
	int signal_fd;
	int signal;             /* that asks us to end, or 0 */
	struct crew *crews[2];  /* whose processes may end */
	uint64_t tick_interval; /* ns between two calls of tick, 0 for none */
	void (*tick)(void *context, uint64_t now);
	void *context;
};

/*
 * Forks the point's processes.  Returns 0, or -1 (EXIT_FAILED) after having killed and reaped those
 * started, with errno and the limit that is nearest.
 */
int crew_launch(struct crew *crew, const struct point *point, struct watch *watch,
                double clock_cost, struct complaint *c);

/* Sleeps until every worker has reached the gate, the end of its window, or its own end. */
enum crew_result crew_await(struct crew *crew, struct watch *watch, enum stage_reached reached);

/* Opens the gate for a turn with these edges of the window (CLOCK_MONOTONIC ns). */
void crew_open(struct crew *crew, uint64_t open_ns, uint64_t close_ns);

/* Ends a turn: workers in their cooldown go back to the gate. */
void crew_rest(struct crew *crew);

/* Tells all workers to leave and sees them end. */
enum crew_result crew_dismiss(struct crew *crew, struct watch *watch);

/* Kills what is left of the crew and reaps it; its memory stays to be read. */
void crew_kill(struct crew *crew);

/* Kills what is left and frees everything. */
void crew_end(struct crew *crew, struct watch *watch);

#endif
