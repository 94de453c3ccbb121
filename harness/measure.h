// SPDX-License-Identifier: GPL-3.0-or-later
/* One measurement of a point, from the fork of its workers to the rows of its outcome. */
#ifndef MEASURE_H
#define MEASURE_H

#include "outcome.h"

/* What is the same for all measurements of a command. */
struct bench {
	struct watch watch;
	struct results *results;
	const char *host, *boot_id;
	double clock_cost; /* ns */
	bool live;         /* a line on stderr while it runs */
};

/*
 * Measures the point in fresh workers.  Returns 0 with the outcome filled, valid or not, or -1 when
 * there is none: workers could not be started (EXIT_FAILED) or results not be written.
 */
int measure(struct bench *bench, const struct point *point, uint64_t repeat,
            struct outcome *outcome, struct complaint *c);

/* The reason why waiting for this crew did not end well, for those who wait for it themselves. */
void measure_blame(struct bench *bench, struct crew *crew, enum crew_result result, char *reason,
                   size_t size, enum exit_status *exit_status);

#endif
