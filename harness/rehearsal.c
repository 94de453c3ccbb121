// SPDX-License-Identifier: GPL-3.0-or-later
/* What a worker does before the gate: setup, and two laps that prove the workload on this kernel.
 */
#include "rehearsal.h"

#include "placement.h"
#include "window.h"

#include <errno.h>
#include <string.h>

/* Laps shorter than this are timed again, so many of them, without looking at faults. */
#define SHORT_LAP_NS 100000
#define SHORT_LAPS 8

static void worker_pulse(struct worker *worker)
{
	atomic_store_explicit(&worker->slot->pulse, ++worker->pulse, memory_order_relaxed);
}

void worker_begin(struct worker *worker)
{
	const struct workload *workload = &worker->point->workload;

	worker->steps = workload->loop_steps;
	worker->passes = worker->point->passes;
	worker->pass_pages = worker->point->pass_pages;
	for (unsigned s = 0; s < worker->steps; s++) {
		const struct step *step = workload->loop[s].step;

		worker->act[s] = (struct act){.verb = step->verb, .how = step->how};
	}
	worker->step_times = slot_histogram(worker->arena, worker->index, 0);
	worker->lap_times = slot_histogram(worker->arena, worker->index, worker->arena->steps);
	counters_open(&worker->counters, worker->point->seats[worker->index].cpu >= 0);
	events_open(&worker->point->events, &worker->events, &worker->slot->events);
	window_rehearse(worker);
}

int worker_setup(struct worker *worker, struct region *region, unsigned first)
{
	const struct workload *workload = &worker->point->workload;

	for (unsigned i = first; i < workload->setup_steps; i++) {
		const struct step *step = workload->setup[i].step;

		worker_pulse(worker);
		if (step->verb(region, &step->how) < 0) {
			slot_fail(worker->slot, FAILURE_SETUP, errno, i);
			return -1;
		}
	}
	return 0;
}

/* One lap; adds each step's work to one array and, unless it is NULL, its faults to the other. */
static int rehearsal_lap(struct worker *worker, struct region *region, uint64_t work[],
                         uint64_t faults[])
{
	const struct workload *workload = &worker->point->workload;

	for (size_t first = 0; first < region->pages; first += worker->point->pass_pages) {
		struct region piece = region_part(region, first, worker->point->pass_pages);

		for (unsigned s = 0; s < workload->loop_steps; s++) {
			const struct step *step = workload->loop[s].step;
			uint64_t before = faults ? counters_minor_faults() : 0;
			int64_t done = step->verb(&piece, &step->how);

			if (done < 0) {
				slot_fail(worker->slot, FAILURE_REHEARSAL, errno, s);
				return -1;
			}
			if (faults)
				faults[s] += counters_minor_faults() - before;
			work[s] += (uint64_t)done;
			worker_pulse(worker);
		}
	}
	return 0;
}

/* Compares a lap's faults with the contract; only where base pages are certain. */
static int rehearsal_judge(struct worker *worker, const uint64_t work[], const uint64_t faults[])
{
	const struct workload *workload = &worker->point->workload;

	for (unsigned s = 0; worker->point->exact && s < workload->loop_steps; s++) {
		const struct stage *stage = &workload->loop[s];
		uint64_t due = stage_faults(stage, work[s], worker->point->page);
		double pages = step_pages(stage->step, (double)work[s], worker->point->page);
		uint64_t most = due + (uint64_t)(pages * SURPLUS_ALLOWED) +
		                stage_doubt(stage, work[s], worker->point->page);

		if (faults[s] >= due && faults[s] <= most)
			continue;
		worker->slot->failure.due = due;
		worker->slot->failure.got = faults[s];
		slot_fail(worker->slot, FAILURE_FAULTS, 0, s);
		return -1;
	}
	return 0;
}

/*
 * The mean time of a pass over the worker's whole memory, from laps over this region: `lap_ns` was
 * one with a system call around each step, which would tell in a short lap, so those run again.
 */
static int rehearsal_calibrate(struct worker *worker, struct region *region, uint64_t lap_ns)
{
	const struct point *point = worker->point;
	uint64_t work[WORKLOAD_STEPS] = {0}, start = clock_ns();
	double scale = (double)point->pages / (double)region->pages / point->passes;

	if (lap_ns < SHORT_LAP_NS) {
		for (int lap = 0; lap < SHORT_LAPS; lap++)
			if (rehearsal_lap(worker, region, work, NULL))
				return -1;
		lap_ns = (clock_ns() - start) / SHORT_LAPS;
	}
	worker->slot->lap_ns = (uint64_t)((double)lap_ns * scale * point->passes);
	worker_calibrate(worker, (double)lap_ns * scale);
	return 0;
}

int worker_rehearse(struct worker *worker, struct region *region)
{
	uint64_t start = 0;

	for (int lap = 0; lap < 2; lap++) {
		uint64_t work[WORKLOAD_STEPS] = {0}, faults[WORKLOAD_STEPS] = {0};

		start = clock_ns();
		if (rehearsal_lap(worker, region, work, faults))
			return -1;
		if (lap == 1 && rehearsal_judge(worker, work, faults))
			return -1;
		memcpy(worker->slot->lap_work, work, sizeof(work));
	}
	if (rehearsal_calibrate(worker, region, clock_ns() - start))
		return -1;
	return placement_look(worker, region, false);
}
