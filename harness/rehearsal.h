// SPDX-License-Identifier: GPL-3.0-or-later
/* What a worker does before the gate: setup, and two laps that prove the workload on this kernel.
 */
#ifndef REHEARSAL_H
#define REHEARSAL_H

#include "worker.h"

/* Prepares the worker's counters and bookkeeping; its thread is pinned and its slot clear. */
void worker_begin(struct worker *worker);

/*
 * Runs two laps of the loop on the region and compares the faults of each step on the second with
 * what the contract derives; the first takes the harness's own first faults.  Also times a pass, to
 * choose how many run without a clock, and looks where pages lie.  Returns 0, or -1 with the slot's
 * failure set.
 */
int worker_rehearse(struct worker *worker, struct region *region);

/* Runs the setup steps from `first` on.  Returns 0, or -1 with the slot's failure set. */
int worker_setup(struct worker *worker, struct region *region, unsigned first);

#endif
