// SPDX-License-Identifier: GPL-3.0-or-later
/* What a person sees of a measurement: a table that fits 80 columns, every number with its unit. */
#ifndef REPORT_H
#define REPORT_H

#include "outcome.h"

#include <stdio.h>

/* Prints one outcome; an invalid one says so first. */
void report_print(const struct outcome *outcome, const struct point *point, FILE *out);

#endif
