// SPDX-License-Identifier: GPL-3.0-or-later
/* The point's row from its workers' rows: sums, rates, extremes, skews. */
#ifndef TOTALS_H
#define TOTALS_H

#include "outcome.h"

/*
 * Fills the measured part of outcome->point.  If a worker has no window everything is unknown: the
 * sum over the others would pass for a result.
 */
void totals_fill(struct outcome *outcome, const struct crew *crew,
                 const struct surroundings *surroundings);

/* The faults that a worker's work in its window had to take, by the contract of the steps. */
uint64_t worker_due(const struct outcome *outcome, const struct point *point, unsigned index);

/* How many more are in order because the kernel may have taken pages away (MADV_FREE, PAGEOUT). */
uint64_t worker_doubt(const struct outcome *outcome, const struct point *point, unsigned index);

#endif
