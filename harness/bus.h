// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * SIGBUS: a page of a file, or a huge page, that could not be had when it was touched.  The
 * worker's slot tells the parent where.
 */
#ifndef BUS_H
#define BUS_H

#include "board.h"
#include "layout.h"

struct bus_order {
	const struct arena *arena;
	unsigned first, members;         /* the workers of this process */
	const struct layout *layouts[2]; /* where their memory may be */
};

/*
 * From now on SIGBUS in this process is FAILURE_BUS of the thread's worker, with the offset in its
 * file in failure.got, and ends the process.  The order must stay where it is.
 */
void bus_guard(const struct bus_order *order);

#endif
