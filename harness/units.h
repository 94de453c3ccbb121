// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The one place that knows units: sizes in bytes, times in nanoseconds, counts and percentages,
 * read from a command line and written for people.
 *
 * Every *_parse function takes the whole of `text` as one token (no blanks, no sign), fills its
 * result and returns 0, or returns -1 with an EXIT_USAGE complaint that names the token and leaves
 * the result alone.  The caller puts the name of its option before the complaint and, but for
 * count_parse, checks the range.  Numbers are decimal with '.' as the decimal sign in every locale.
 */
#ifndef UNITS_H
#define UNITS_H

#include <stdint.h>

#include "complaint.h"

/* Enough room for whatever a *_format function writes. */
enum { UNIT_TEXT = 32 };

/*
 * A size in bytes: "10000", "64K", "1.5G", "2MiB".  K M G T are binary (2^10 to 2^40), in either
 * case, and may be followed by "B" or "iB".  A fraction must come out as whole bytes.  0 is a size.
 */
int size_parse(const char *text, uint64_t *bytes, struct complaint *c);

/*
 * A time in nanoseconds: "5", "0.5", "10ms".  The units are ns, us, ms, s and m (minutes), in this
 * case only; a bare number is seconds.  A fraction must come out as whole nanoseconds.  0 is a
 * time.
 */
int time_parse(const char *text, uint64_t *ns, struct complaint *c);

/* A whole number of decimal digits, from `low` to `high` inclusive; the complaint names the range.
 */
int count_parse(const char *text, uint64_t low, uint64_t high, uint64_t *value,
                struct complaint *c);

/* A percentage from "0%" to "100%" as a fraction: "0.5%" gives 0.005.  The sign is required. */
int percent_parse(const char *text, double *fraction, struct complaint *c);

/* Each of these writes into `out` and returns it.  0 is "0" as a size and as a time. */

/* Bytes in the largest unit that is exact, so that size_parse gives them back: 2M, 1536K, 10000. */
char *size_format(uint64_t bytes, char out[UNIT_TEXT]);

/* Nanoseconds in the largest unit that is exact, for time_parse to give back: 5s, 100ms, 1500us. */
char *time_format(uint64_t ns, char out[UNIT_TEXT]);

/*
 * A count or rate for people, rounded to a whole number, with commas: 45,256,919.  Exact up to
 * 2^53; from 10^18 on three digits and an exponent; "-" where the value is not finite (unknown).
 */
char *count_format(double count, char out[UNIT_TEXT]);

/*
 * A time for people, from nanoseconds, to three significant digits: 812 ns, 5.63 ms, 1.20 s;
 * "-" where the value is not finite (unknown).
 */
char *duration_format(double ns, char out[UNIT_TEXT]);

#endif
