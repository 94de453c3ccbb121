// SPDX-License-Identifier: GPL-3.0-or-later
/* What a measurement of a point came to: the rows of the result files, made from the slots. */
#ifndef OUTCOME_H
#define OUTCOME_H

#include "drain.h"
#include "noise.h"
#include "rows.h"

#include <math.h>

#define UNKNOWN_REAL ((double)NAN)

/* What the parent saw around the windows. */
struct surroundings {
	uint64_t gate_ns;
	double clock_cost; /* ns */
	struct noise noise;
	enum crew_result result; /* how waiting for the crew ended */
	int signal;              /* that interrupted it, or 0 */
	bool torn;               /* a ring was overwritten */
	const char *host, *boot_id;
};

struct outcome {
	struct point_row point;
	struct worker_row *workers;                        /* one for each worker */
	struct tally_step (*worker_steps)[WORKLOAD_STEPS]; /* of each worker, in its window */
	struct step_row steps[WORKLOAD_STEPS + 1];         /* the loop's, then "lap" */
	unsigned step_rows;
	struct waits waits;
	char reason[512], order[16], nodes[64], warnings[256];
	char clock_source[2][NOISE_NAME]; /* before and after */
	enum exit_status exit_status;
};

/*
 * Describes the point and fills the workers' rows from the slots of those whose window closed.
 * Takes the drain's waits over.  The sums (totals.h), the steps (timing.h) and the verdict
 * (judge.h) are filled in after it.  Returns 0, or -1 when memory is out.
 */
int outcome_make(struct outcome *outcome, const struct crew *crew, struct drain *drain,
                 const struct surroundings *surroundings);
void outcome_free(struct outcome *outcome);

/* `part` of `whole` ns as a share; unknown if either is. */
static inline double share(uint64_t part, uint64_t whole)
{
	return part == UNKNOWN_COUNT || whole == UNKNOWN_COUNT || !whole
	               ? UNKNOWN_REAL
	               : (double)part / (double)whole;
}

/* Work per second; unknown when no time has passed. */
static inline double per_second(double work, uint64_t ns)
{
	return ns ? work * 1e9 / (double)ns : UNKNOWN_REAL;
}

/* Writes the rows to points.csv, workers.csv and steps.csv. */
void outcome_rows(const struct outcome *outcome, struct results *results);

#endif
