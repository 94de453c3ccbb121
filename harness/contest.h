// SPDX-License-Identifier: GPL-3.0-or-later
/* What a duel is about: its sides, the steps they have in common, what they are compared by. */
#ifndef CONTEST_H
#define CONTEST_H

#include "measure.h"

#include <gsl/gsl_rng.h>

/* What the sides are compared by. */
enum {
	METRIC_LAPS,  /* laps/s */
	METRIC_PAGES, /* pages/s */
	METRIC_STEPS, /* and from here on the ns per unit of each step of A that B has too */
	METRICS = METRIC_STEPS + WORKLOAD_STEPS,
};

/* A step that both sides have. */
struct common_step {
	const struct step *step;
	unsigned place[2]; /* in the loop of A, of B */
};

/* What all launches of a duel share. */
struct contest {
	struct bench *bench;
	const struct point *sides; /* two */
	struct common_step steps[WORKLOAD_STEPS];
	unsigned step_count;
	gsl_rng *random;
	uint64_t launch_ns; /* time to measure in each launch */
};

/* Finds the steps that the sides have in common. */
void contest_steps(struct contest *contest);

/* The metric the verdict is about: pages/s, or laps/s where no step counts pages. */
int contest_headline(const struct contest *contest);

#endif
