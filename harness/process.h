// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * One forked process of a crew: it maps the reservation, makes a thread for each of its workers but
 * the first, which its main thread is, and ends with the last of them.
 */
#ifndef PROCESS_H
#define PROCESS_H

#include "board.h"
#include "memcg.h"
#include "point.h"

#include <sys/types.h>

/* What the parent hands down through fork. */
struct process_order {
	const struct point *point;
	const struct arena *arena;
	unsigned process;  /* of the crew, from 0 */
	int wake_fd;       /* eventfd that wakes the parent */
	double clock_cost; /* ns per reading of the clock */
	pid_t parent;
	const struct memcg *memcg; /* groups to enter */
	int files[2]; /* one for all workers, and one for their rehearsal; -1: there is none */
};

/* The life of the forked child.  Never prints, never returns, leaves by _exit. */
_Noreturn void process_main(const struct process_order *order);

#endif
