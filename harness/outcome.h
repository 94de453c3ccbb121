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

enum { OUTCOME_NODES = 64 }; /* bytes of a list of nodes; longer ones are cut */

struct outcome {
	struct point_row point;
	struct worker_row *workers;                        /* one for each worker */
	struct tally_step (*worker_steps)[WORKLOAD_STEPS]; /* of each worker, in its window */
	struct event_row *events;                          /* of each worker, --events of them */
	struct step_row steps[WORKLOAD_STEPS + 1];         /* the loop's, then "lap" */
	unsigned step_rows, event_rows;
	/* Of each event: the first worker's errno and scope that has one. */
	int event_error[EVENTS_MAX];
	enum event_scope event_scope[EVENTS_MAX];
	struct waits waits;
	char reason[512], warnings[256];
	char clock_source[2][NOISE_NAME]; /* before and after */
	char mthp[MTHP_KINDS][MTHP_TEXT];
	char (*memory_nodes)[OUTCOME_NODES]; /* of each worker, and of all */
	char nodes[OUTCOME_NODES];
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

/* Fills in where the workers' pages were found, and how large; called by outcome_make(). */
void outcome_place(struct outcome *outcome, const struct crew *crew);

/*
 * True, with the reason, if some of the worker's pages are on other nodes than the memory policy
 * asks for.  MPOL_LOCAL asks for nothing strictly: the kernel goes elsewhere when a node is full.
 */
bool outcome_misplaced(const struct point *point, unsigned worker,
                       const struct placement *placement, char *out, size_t size);

/*
 * True, with the reason, if base pages are interleaved so that one node has less than half of its
 * share of all workers' pages.  Those of one worker may well be: the kernel goes by a page's place
 * in its mapping, and in the interleaved layout a worker has only some of the places.
 */
bool outcome_uneven(const struct crew *crew, char *out, size_t size);

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
