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

/* The parts of a report that are in files of their own. */

/* One line per worker of fixed work: each step's milliseconds and the rates of the copies. */
void report_laps(const struct outcome *outcome, const struct point *point, FILE *out);

/* Two totals that differ when workers do not work at the same time. */
void report_two_totals(const struct outcome *outcome, const struct point *point, FILE *out);

/* A row of the table of rates for the bytes copied. */
void report_copies(const struct point_row *row, const struct point *point, FILE *out);

/* What huge pages were had, where they are in play. */
void report_huge(const struct point_row *row, const struct point *point, FILE *out);

#endif
