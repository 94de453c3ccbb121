// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice.h"

#include "counters.h"
#include "totals.h"

#include <math.h>
#include <time.h>

/* Handing over takes some 0.1 ms: of slices much shorter than this it would be a large part. */
#define SLICE_NS 2500000.0
#define SHARED_SLICE_NS 100000000.0

/* A worker may begin so much later than the first window opens, as a share of the slice. */
#define LATE_ALLOWED 0.1

/* From the gate to the window: the workers have woken, and what caches have lost is back. */
#define SETTLE_NS 250000

uint64_t slice_length(bool shared)
{
	struct timespec tick = {0};
	double tick_ns, length = shared ? SHARED_SLICE_NS : SLICE_NS;

	/* The resolution of the coarse clock is the timer tick, 1/CONFIG_HZ. */
	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	tick_ns = tick.tv_nsec ? (double)tick.tv_nsec : 4e6;
	return (uint64_t)((floor(length / tick_ns) + 0.618) * tick_ns);
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

/* Faults that a worker took, that were due, and that may be more, as in a run (judge.c). */
static void slice_add_faults(struct slice *slice, const struct tally *open,
                             const struct tally *close, const struct point *point)
{
	double due = 0, pages = 0, doubt = 0;

	for (unsigned s = 0; s < point->workload.loop_steps; s++) {
		const struct stage *stage = &point->workload.loop[s];
		uint64_t work = close->step[s].work - open->step[s].work;

		due += (double)stage_faults(stage, work, point->page);
		doubt += (double)stage_doubt(stage, work, point->page);
		pages = fmax(pages, step_pages(stage->step, (double)work, point->page));
	}
	slice->faults += (double)(close->minor_faults - open->minor_faults);
	slice->major += (double)(close->major_faults - open->major_faults);
	slice->due += due;
	slice->allowed += SURPLUS_ALLOWED * (due > 0 ? due : pages) + doubt;
}

/* Adds what a worker did between its edges. */
static void slice_add_worker(struct slice *slice, const struct slot *slot,
                             const struct point *point)
{
	const struct tally *open = &slot->open, *close = &slot->close;

	slice->passes_per_s +=
	        per_second((double)(close->passes - open->passes), close->ns - open->ns);
	for (unsigned s = 0; s < point->workload.loop_steps; s++) {
		const struct tally_step *from = &open->step[s], *to = &close->step[s];

		slice->timed_ns[s] += (double)(to->timed_ns - from->timed_ns);
		slice->timed_work[s] += (double)(to->timed_work - from->timed_work);
	}
	slice->ns += (double)(close->ns - open->ns);
	slice->cpu_ns += (double)(close->cpu_ns - open->cpu_ns);
	slice_add_faults(slice, open, close, point);
}

/* All work from their beginning until the last has closed, but who has not begun does nothing. */
static bool slice_late(const struct crew *crew, uint64_t slice_ns)
{
	uint64_t begun = 0, opened = UINT64_MAX;

	for (unsigned i = 0; i < crew->point->workers; i++) {
		const struct slot *slot = arena_slot(&crew->arena, i);

		begun = slot->begun_ns > begun ? slot->begun_ns : begun;
		opened = slot->open.ns < opened ? slot->open.ns : opened;
	}
	return (double)begun > (double)opened + LATE_ALLOWED * (double)slice_ns;
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
	slice->late = result == CREW_OK && slice_late(crew, slice_ns);
	return result;
}

void slice_add(struct slice *sum, const struct slice *slice)
{
	sum->passes_per_s += slice->passes_per_s;
	sum->faults += slice->faults;
	sum->due += slice->due;
	sum->allowed += slice->allowed;
	sum->major += slice->major;
	sum->ns += slice->ns;
	sum->cpu_ns += slice->cpu_ns;
	sum->late |= slice->late;
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
