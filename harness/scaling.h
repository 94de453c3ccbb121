// SPDX-License-Identifier: GPL-3.0-or-later
/* What a sweep comes to: a table that fits 80 columns, and the words a person needs. */
#ifndef SCALING_H
#define SCALING_H

#include "complaint.h"
#include "curve.h"

#include <stdio.h>

/*
 * Prints each workload's curves side by side, count by count, and what the scaling law says of
 * each, or why it says nothing.
 */
void scaling_print(const struct curves *curves, FILE *out);

/*
 * The same as CSV, one row per curve and count, on an open descriptor that is closed if it is not
 * stdout.  Returns 0 or an errno.
 */
int scaling_write(const struct curves *curves, int fd);

#endif
