// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Asks the kernel on which nodes a worker's pages really lie: move_pages(2) without a target, which
 * moves nothing.  It happens before the gate and after the window has closed for all, never inside.
 * The second time it also asks, where huge pages are in play, how much they map (smaps.h).
 */
#ifndef PLACEMENT_H
#define PLACEMENT_H

#include "worker.h"

/*
 * Adds what it finds to the slot's placement and smaps.  Where pages are present at a lap's border,
 * pages all over the region are looked at.  Where the loop ends with its pages dropped or unmapped,
 * one lap over the region's first 2 MiB is run for it, and they are looked at after the last step
 * that leaves them present.  `midway`: the region is in the middle of a lap, so that no lap can be
 * run and only what is present now is looked at.
 *
 * Pages that are not present, and the kernel's shared zero page, are on no node and not counted.
 * Returns 0, or -1 with the slot's failure set: a step failed, or the kernel does not tell where
 * pages are and --mem must be verified.
 */
int placement_look(struct worker *worker, const struct region *region, bool midway);

#endif
