// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Under which conditions results were measured: the facts of meta.csv that must not change within a
 * sweep, since a curve of points from two kernels is none.
 */
#ifndef CONDITIONS_H
#define CONDITIONS_H

#include "complaint.h"
#include "rows.h"

#include <stddef.h>

/*
 * Compares the facts of a meta.csv with those of now: build id, kernel (release, version, command
 * line), CPU model and transparent huge pages.  Returns 0 if they agree or the file is not there,
 * or -1 (EXIT_FAILED) naming the first that differs.
 */
int conditions_check(const char *path, const struct meta_row now[], size_t count,
                     struct complaint *c);

/* The value of one fact of a meta.csv into `out`; "" if there is no such file or fact. */
void conditions_fact(const char *path, const char *key, char *out, size_t size);

/* Writes a meta.csv, under another name first.  0, or -1 (EXIT_FAILED). */
int conditions_write(const char *path, const struct meta_row rows[], size_t count,
                     struct complaint *c);

#endif
