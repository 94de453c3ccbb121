// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * When a column of points.csv is worth a word: one table of thresholds (warnings.c).  What is
 * unknown warns of nothing.
 */
#ifndef WARNINGS_H
#define WARNINGS_H

#include "point.h"
#include "rows.h"

#include <stdio.h>

/* Prints a line for each threshold that is passed. */
void warnings_print(const struct point_row *row, const struct point *point, FILE *out);

/* The same of what is known of no point, but of the time in which several were measured. */
void warnings_noise(const struct noise_row *noise, double steal, const struct point *point,
                    FILE *out);

/* The columns of these lines, separated by blanks, into `out`; notes are left out. */
void warnings_list(const struct point_row *row, const struct point *point, char *out, size_t size);

#endif
