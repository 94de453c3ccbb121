// SPDX-License-Identifier: GPL-3.0-or-later
/* The rows of steps.csv: how long each step of the loop took, and the lap. */
#ifndef TIMING_H
#define TIMING_H

#include "outcome.h"

/* Fills outcome->steps from the workers' rows and histograms.  Returns 0, -1 when memory is out. */
int timing_fill(struct outcome *outcome, const struct crew *crew);

#endif
