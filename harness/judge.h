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

/* Parts of it.  Sets the verdict, unless there is one already: the first reason is the cause. */
__attribute__((format(printf, 4, 5))) void judge_settle(struct outcome *outcome, const char *status,
                                                        enum exit_status exit_status,
                                                        const char *format, ...);

/* The status and the exit status that goes with it. */
#define JUDGE_INVALID "invalid", EXIT_FAILED
#define JUDGE_UNSUPPORTED "unsupported", EXIT_UNSUPPORTED

/* What workers themselves gave as the reason for their end. */
void judge_failures(struct outcome *outcome, const struct crew *crew);

#endif
