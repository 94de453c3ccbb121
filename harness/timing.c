// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing.h"

#include <stdlib.h>

/* Fewer laps than this have no p10 worth the name. */
#define SPREAD_LAPS 100

/* A step's quantiles and sums over all workers. */
static void step_fill(struct step_row *row, const struct crew *crew, unsigned step,
                      struct histogram *merged)
{
	histogram_clear(merged);
	for (unsigned i = 0; i < crew->point->workers; i++)
		if (atomic_load(&arena_slot(&crew->arena, i)->reached) >= REACHED_CLOSED)
			histogram_merge(merged, slot_histogram(&crew->arena, i, step));
	row->ns_per_unit = row->work ? (double)row->total_ns / (double)row->work : UNKNOWN_REAL;
	if (!histogram_count(merged)) {
		row->p10_ns = row->p50_ns = row->p90_ns = row->p99_ns = UNKNOWN_COUNT;
		row->max_ns = UNKNOWN_COUNT;
		return;
	}
	row->p10_ns = (uint64_t)(histogram_quantile(merged, 0.1) + 0.5);
	row->p50_ns = (uint64_t)(histogram_quantile(merged, 0.5) + 0.5);
	row->p90_ns = (uint64_t)(histogram_quantile(merged, 0.9) + 0.5);
	row->p99_ns = (uint64_t)(histogram_quantile(merged, 0.99) + 0.5);
	row->max_ns = merged->max;
}

int timing_fill(struct outcome *outcome, const struct crew *crew)
{
	const struct workload *workload = &crew->point->workload;
	struct histogram *merged = malloc(sizeof(*merged));
	struct step_row *lap = &outcome->steps[workload->loop_steps];

	if (!merged)
		return -1;
	for (unsigned s = 0; s < workload->loop_steps; s++) {
		const struct step *step = workload->loop[s].step;
		struct step_row *row = &outcome->steps[s];

		*row = (struct step_row){
		        .row = outcome->point.row,
		        .step = step->name,
		        .unit = unit_name(step->unit),
		};
		for (unsigned i = 0; i < crew->point->workers; i++) {
			const struct tally_step *did = &outcome->worker_steps[i][s];

			row->calls += did->timed_calls;
			row->work += did->timed_work;
			row->total_ns += did->timed_ns;
		}
		step_fill(row, crew, s, merged);
	}
	*lap = (struct step_row){
	        .row = outcome->point.row,
	        .step = STEP_LAP,
	        .calls = outcome->point.laps,
	        .work = outcome->point.pages,
	        .unit = unit_name(UNIT_PAGE),
	        .total_ns = outcome->point.window_ns == UNKNOWN_COUNT
	                            ? UNKNOWN_COUNT
	                            : outcome->point.window_ns * crew->point->workers,
	};
	step_fill(lap, crew, workload->loop_steps, merged);
	if (lap->work == UNKNOWN_COUNT || lap->total_ns == UNKNOWN_COUNT)
		lap->ns_per_unit = UNKNOWN_REAL;
	if (histogram_count(merged) >= SPREAD_LAPS && lap->p10_ns)
		outcome->point.noise.lap_p50_by_p10 = (double)lap->p50_ns / (double)lap->p10_ns;
	outcome->step_rows = workload->loop_steps + 1;
	free(merged);
	return 0;
}
