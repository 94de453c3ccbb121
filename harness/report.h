// SPDX-License-Identifier: GPL-3.0-or-later
/* What a person sees of a measurement: a table that fits 80 columns, every number with its unit. */
#ifndef REPORT_H
#define REPORT_H

#include "outcome.h"

#include <stdio.h>

/* Prints one outcome; an invalid one says so first. */
void report_print(const struct outcome *outcome, const struct point *point, FILE *out);

/* A repeat in one line: its rate, or why it is not valid. */
void report_repeat(const struct outcome *outcome, FILE *out);

/* What huge pages were had, where they are in play: a part of the report. */
void report_huge(const struct point_row *row, const struct point *point, FILE *out);

#endif
