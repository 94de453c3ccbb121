// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice.h"

#include "counters.h"
#include "totals.h"

#include <math.h>
#include <time.h>

/* Handing over takes some 0.1 ms: of slices much shorter than this it would be a large part. */
#define SLICE_NS 2500000.0

/* From the gate to the window: the workers have woken, and what caches have lost is back. */
#define SETTLE_NS 250000

uint64_t slice_length(void)
{
	struct timespec tick = {0};
	double tick_ns;

	/* The resolution of the coarse clock is the timer tick, 1/CONFIG_HZ. */
	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	tick_ns = tick.tv_nsec ? (double)tick.tv_nsec : 4e6;
	return (uint64_t)((floor(SLICE_NS / tick_ns) + 0.618) * tick_ns);
}

double slice_pass(const struct crew *crew)
{
	uint64_t longest = 0;

	for (unsigned i = 0; i < crew->point->workers; i++) {
		uint64_t lap_ns = arena_slot(&crew->arena, i)->lap_ns;

		longest = lap_ns > longest ? lap_ns : longest;
	}
	return (double)longest / crew->point->passes;
}

/* Adds what a worker did between its edges. */
static void slice_add_worker(struct slice *slice, const struct slot *slot,
                             const struct point *point)
{
	const struct tally *open = &slot->open, *close = &slot->close;

	slice->passes_per_s +=
	        per_second((double)(close->passes - open->passes), close->ns - open->ns);
	slice->faults += close->minor_faults - open->minor_faults;
	for (unsigned s = 0; s < point->workload.loop_steps; s++) {
		const struct tally_step *from = &open->step[s], *to = &close->step[s];

		slice->timed_ns[s] += (double)(to->timed_ns - from->timed_ns);
		slice->timed_work[s] += (double)(to->timed_work - from->timed_work);
		slice->due +=
		        stage_faults(&point->workload.loop[s], to->work - from->work, point->page);
	}
}

enum crew_result slice_run(struct crew *crew, struct watch *watch, uint64_t slice_ns,
                           struct slice *slice)
{
	uint64_t open_ns = clock_ns() + SETTLE_NS;
	enum crew_result result;

	crew_open(crew, open_ns, open_ns + slice_ns);
	result = crew_await(crew, watch, REACHED_GATE);
	*slice = (struct slice){0};
	for (unsigned i = 0; result == CREW_OK && i < crew->point->workers; i++)
		slice_add_worker(slice, arena_slot(&crew->arena, i), crew->point);
	return result;
}

void slice_add(struct slice *sum, const struct slice *slice)
{
	sum->passes_per_s += slice->passes_per_s;
	sum->faults += slice->faults;
	sum->due += slice->due;
	for (unsigned s = 0; s < WORKLOAD_STEPS; s++) {
		sum->timed_ns[s] += slice->timed_ns[s];
		sum->timed_work[s] += slice->timed_work[s];
	}
}

double slice_step_ns(const struct slice *slice, unsigned step)
{
	double work = slice->timed_work[step];

	return work > 0 ? slice->timed_ns[step] / work : (double)NAN;
}
