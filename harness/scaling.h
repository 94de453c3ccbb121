// SPDX-License-Identifier: GPL-3.0-or-later
/* What a sweep comes to: a table that fits 80 columns, and the words a person needs. */
#ifndef SCALING_H
#define SCALING_H

#include "study.h"

#include <stdio.h>

/*
 * Prints the curves of each machine, workload and other options side by side, count by count, and
 * what the scaling law says of each, or why it says nothing.  The study has all rows.
 */
void scaling_print(const struct study *study, FILE *out);

/*
 * The same as CSV, one row per curve and count, on an open descriptor that is closed if it is not
 * stdout.  Returns 0 or an errno.
 */
int scaling_write(const struct study *study, int fd);

/* What is known of a curve at a count; NAN where it is not. */
struct scaling_row {
	const char *cells[STUDY_CELLS], *mode, *unit;
	char hybrid[64]; /* the mode, if it has the number of threads */
	uint64_t workers, repeats, others;
	double rate, deviation, precision, per_worker, efficiency, ratio, law;
	double sigma[3], kappa[3], peak[3]; /* of the law: value, lower and upper end */
};

/* Fills a row; `law` is NULL if none could be fitted. */
void scaling_row_fill(struct scaling_row *row, const struct study *study,
                      const struct study_group *group, const struct usl *law);

#endif
