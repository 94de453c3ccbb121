// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What is said of a ratio B/A and its interval.  Three answers, and no fourth that sounds like one
 * of them:
 *
 *   the interval lies inside the margin           no difference larger than 0.4 %
 *   else, it holds 1, or there is none            cannot tell: +0.3 % (-0.5 to +1.1)
 *   else                                          B is 3.1 % faster (95 % CI 2.8 to 3.4)
 *
 * The margin is the difference that does not matter.  It is the same on both sides of 1 on the
 * logarithmic scale, from 1/(1 + margin) to 1 + margin, so that A against B and B against A come to
 * the same answer.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include "stats.h"

#include <stddef.h>

enum better { BETTER_HIGH, BETTER_LOW }; /* rates; times and counts of trouble */

enum verdict_kind { VERDICT_FASTER, VERDICT_SLOWER, VERDICT_SAME, VERDICT_UNKNOWN };

struct verdict {
	double ratio, low, high; /* of B/A; NAN if unknown */
	double margin;           /* 0.01 is 1 % */
	double level;            /* of the interval: 0.95 */
	enum better better;
	enum verdict_kind kind; /* faster is better, also for times */
};

enum { VERDICT_TEXT = 128 };

/* The verdict on a ratio and its interval at 1 - alpha. */
struct verdict verdict_make(const struct interval *ratio, double alpha, double margin,
                            enum better better);

/* A difference that does not stand among many is not called one. */
void verdict_withhold(struct verdict *verdict);

/* "faster", "slower", "same" or "unknown": for CSV. */
const char *verdict_word(const struct verdict *verdict);

/*
 * The sentence, without a full stop, into `out`; `b` is what B is called.  Where less is better, B
 * "needs 3.1 % less".  Returns out.
 */
char *verdict_text(const struct verdict *verdict, const char *b, char out[VERDICT_TEXT]);

/* How many decimals a percentage deserves whose error is about `error`, a fraction: from 1 to 4. */
int verdict_decimals(double error);

#endif
