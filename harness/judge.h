// SPDX-License-Identifier: GPL-3.0-or-later
/* Whether a measurement may be called valid, and if not, why. */
#ifndef JUDGE_H
#define JUDGE_H

#include "outcome.h"

/*
 * Sets status, reason and exit status of the outcome, and the status of workers that failed.  Valid
 * is what every worker did from the gate to the end, pinned, with windows that overlap (skew below
 * 10 % of the window, except with fixed work) and faults as derived (up to 0.1 % more).
 */
void judge(struct outcome *outcome, const struct crew *crew,
           const struct surroundings *surroundings);

#endif
