// SPDX-License-Identifier: GPL-3.0-or-later
/* Scaling curves, read back from a points.csv: rates against workers, repeats put together. */
#ifndef CURVE_H
#define CURVE_H

#include "complaint.h"
#include "usl.h"

#include <stdbool.h>
#include <stddef.h>

/* The valid repeats of one count. */
struct curve_point {
	unsigned workers;
	size_t repeats, others; /* valid; not valid */
	double rate, deviation; /* mean; standard deviation, NAN below 2 repeats */
};

/* One workload in one mode on one machine.  Texts are its own. */
struct curve {
	char *host, *workload, *preset, *mode;
	const char *unit; /* "pages/s", or "laps/s" where the loop has no step that counts pages */
	double *workers, *rates; /* every valid repeat */
	size_t measured;
	struct curve_point *points; /* by count, ascending */
	size_t count;
	bool fitted;
	struct usl usl;
};

struct curves {
	struct curve *curves; /* in the order in which the file has them */
	size_t count;
};

/* Reads and fits; memory is that of the curves.  0, or -1 (EXIT_FAILED). */
int curves_read(const char *path, struct curves *curves, struct complaint *c);
void curves_free(struct curves *curves);

/* The curve's point at that count, or NULL. */
const struct curve_point *curve_at(const struct curve *curve, unsigned workers);

/* The same machine's and workload's curve in that mode, or NULL. */
const struct curve *curve_sibling(const struct curves *curves, const struct curve *curve,
                                  const char *mode);

/* Rate by that of one worker and the count; NAN without a valid point of one worker. */
double curve_efficiency(const struct curve *curve, const struct curve_point *point);

#endif
