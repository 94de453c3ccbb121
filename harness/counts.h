// SPDX-License-Identifier: GPL-3.0-or-later
/* The worker counts of a sweep, from the list that -n takes. */
#ifndef COUNTS_H
#define COUNTS_H

#include "complaint.h"
#include "topology.h"

#include <stddef.h>

/* What the words of a list mean: the CPUs that may be used and the order in which they are taken.
 */
struct counts_machine {
	const struct topology *topology;
	hwloc_const_bitmap_t pool;
	enum order order;
};

/*
 * Turns `text` into *counts: ascending, each once, 1 always among them; to be freed by the caller.
 * Items are separated by commas:
 *
 *	A, A-B, A-B:STRIDE, A-B:USED/GROUP   as in a list of CPUs (range.h)
 *	all                                  one worker on each CPU of the pool
 *	pow2                                 1, 2, 4 and so on, as long as there are CPUs
 *	topo                                 where the topology changes (topology_counts())
 *
 * A count may be given twice.  Whether there are CPUs for a number is left to the point that has
 * it.  Returns 0, or -1: EXIT_USAGE naming the item, or EXIT_FAILED without memory.
 */
int counts_parse(const char *text, const struct counts_machine *machine, unsigned **counts,
                 size_t *size, struct complaint *c);

/* The highest count that may be asked for. */
enum { COUNTS_HIGHEST = 65536 };

#endif
