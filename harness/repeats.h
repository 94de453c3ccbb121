// SPDX-License-Identifier: GPL-3.0-or-later
/* Several measurements of one point: how many there must be, and what they come to together. */
#ifndef REPEATS_H
#define REPEATS_H

#include "options.h"
#include "stats.h"

#include <stdio.h>

struct repeats {
	double *rates; /* of the valid ones */
	size_t count;
	uint64_t done;     /* valid or not */
	bool unsupported;  /* one of them was, by this machine */
	uint64_t start_ns; /* when the first began */
};

/* Notes one more repeat; `rate` counts if it is valid.  Returns 0, or -1 when memory is out. */
int repeats_add(struct repeats *repeats, double rate, bool valid);
void repeats_free(struct repeats *repeats);

/*
 * True when there are as many as --repeat asks for, and with --precision also at least ten valid
 * ones whose mean's 95 % interval is as narrow as that, or --max-time is over, or there is no
 * hope: one was unsupported, or the first three were all invalid.
 */
bool repeats_enough(const struct repeats *repeats, const struct options *options, uint64_t now);

/* About how long that takes, at least and at most, where one takes `once` ns. */
struct repeats_time {
	uint64_t least, most;
};
struct repeats_time repeats_expect(const struct options *options, uint64_t once);

/* The mean with its 95 % interval (Student's t); low and high are NAN below three. */
struct interval repeats_interval(const struct repeats *repeats);

/* Half the interval's width by the mean; NAN below three. */
double repeats_precision(const struct repeats *repeats);

/* One line or two for people; nothing for a single repeat. */
void repeats_print(const struct repeats *repeats, const char *unit, FILE *out);

/* Says that --precision was not reached, and why; nothing if it was, or was not asked for. */
void repeats_warn(const struct repeats *repeats, const struct options *options, FILE *out);

#endif
