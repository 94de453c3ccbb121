// SPDX-License-Identifier: GPL-3.0-or-later
#include "window.h"

#include "affinity.h"

#include <string.h>

static void worker_reach(struct worker *worker, enum stage_reached reached)
{
	atomic_store_explicit(&worker->slot->reached, reached, memory_order_release);
}

/* A turn of a duel is short, and its times do not count: only its work and faults do. */
static bool window_slice(const struct worker *worker)
{
	return worker->arena->board->turn != TURN_WINDOW;
}

/* The next moment to look at something: a sample is due, or the window ends. */
static void window_plan(struct worker *worker, uint64_t now)
{
	uint64_t sample_ns = now + worker->point->options.interval;
	uint64_t close_ns = worker->arena->board->close_ns;

	worker->event_ns = window_slice(worker) || close_ns < sample_ns ? close_ns : sample_ns;
}

void window_sample(struct worker *worker, uint64_t now)
{
	const struct tally *tally = &worker->tally, *last = &worker->sampled;
	struct sample *sample = ring_reserve(&worker->slot->ring, worker->arena->steps);

	window_plan(worker, now);
	if (!sample)
		return;
	counters_read_faults(&worker->tally);
	sample->start_ns = worker->sampled_ns;
	sample->end_ns = now;
	sample->laps = tally->laps - last->laps;
	sample->lap = last->laps - worker->slot->open.laps;
	sample->faults =
	        tally->minor_faults + tally->major_faults - last->minor_faults - last->major_faults;
	for (unsigned s = 0; s < worker->arena->steps; s++)
		sample->step[s] = (struct sample_step){
		        tally->step[s].work - last->step[s].work,
		        tally->step[s].timed_work - last->step[s].timed_work,
		        tally->step[s].timed_ns - last->step[s].timed_ns,
		};
	ring_publish(&worker->slot->ring);
	worker->sampled = *tally;
	worker->sampled_ns = clock_ns();
}

/* The first passes after the gate are slow; so few of them say little of the others. */
#define CALIBRATION_PASSES 16

/* Calibrates by the mean time of a pass since the turn began, if they were enough. */
static void window_calibrate(struct worker *worker, uint64_t now)
{
	uint64_t passes = worker->tally.passes - worker->turn_passes;

	if (passes >= CALIBRATION_PASSES)
		worker_calibrate(worker, (double)(now - worker->turn_ns) / (double)passes);
}

/* The histograms, which would drive a short slice's data out of the caches. */
static void window_clear(struct worker *worker)
{
	for (unsigned s = 0; s < worker->arena->steps; s++)
		histogram_clear(&worker->step_times[s]);
	histogram_clear(worker->lap_times);
}

uint64_t window_open(struct worker *worker, uint64_t now)
{
	window_calibrate(worker, now);
	if (!window_slice(worker))
		window_clear(worker);
	worker->phase = PHASE_WINDOW;
	worker_reach(worker, REACHED_OPEN);
	if (!window_slice(worker))
		counters_read_times(&worker->counters, &worker->tally);
	events_read(&worker->events, worker->slot->events.open);
	counters_read_faults(&worker->tally);
	counters_read_cpu(&worker->tally);
	worker->tally.ns = clock_ns();
	worker->slot->open = worker->sampled = worker->tally;
	worker->sampled_ns = worker->tally.ns;
	window_plan(worker, worker->tally.ns);
	return worker->tally.ns;
}

static void window_count(struct worker *worker, uint64_t now)
{
	worker->tally.ns = now;
	counters_read_faults(&worker->tally);
	counters_read_cpu(&worker->tally);
	events_read(&worker->events, worker->slot->events.close);
	if (!window_slice(worker))
		counters_read_times(&worker->counters, &worker->tally);
	worker->slot->close = worker->tally;
}

/* The last worker of a slice ends it for all: nobody works longer than the slowest measures. */
static void window_closed(struct worker *worker)
{
	struct board *board = worker->arena->board;

	worker_reach(worker, REACHED_CLOSED);
	if (!worker_count_in(worker, &board->closed))
		return;
	if (window_slice(worker))
		atomic_store_explicit(&board->stop, 1, memory_order_release);
	else
		worker_wake_parent(worker);
}

void window_close(struct worker *worker, uint64_t now)
{
	int cpu = worker->point->seats[worker->index].cpu;

	window_count(worker, now);
	window_calibrate(worker, now); /* for the next turn, which may have no warm-up */
	if (cpu >= 0 && !affinity_holds(cpu))
		slot_fail(worker->slot, FAILURE_UNPINNED, 0, 0);
	worker->phase = PHASE_COOLDOWN;
	worker->event_ns = 0;
	window_closed(worker);
}

void window_rehearse(struct worker *worker)
{
	struct ring *ring = &worker->slot->ring;

	window_open(worker, clock_ns());
	window_sample(worker, clock_ns());
	window_count(worker, clock_ns());
	memset(ring, 0, sizeof(*ring));
}
