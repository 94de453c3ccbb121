// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop.h"

#include "placement.h"
#include "window.h"

#include <errno.h>
#include <unistd.h>

/* Laps of fixed work that take longer than this have a row each in the timeline. */
#define TIMELINE_NS 1000000

/* Passes to run plain now, so that a bout ends on a lap's border where a lap is no longer. */
static uint64_t worker_plain(const struct worker *worker)
{
	uint64_t passes = worker->passes;
	uint64_t plain = worker->plain;

	if (!plain)
		return 0;
	if (passes > 1) {
		uint64_t to_border = worker->pass ? passes - worker->pass : 0;

		plain = plain < to_border ? plain : to_border + plain / passes * passes;
	}
	return plain < worker->passes_left ? plain : worker->passes_left;
}

/* All have closed their windows: looks where pages lie now, and leaves. */
static void worker_leave(struct worker *worker)
{
	if (placement_look(worker, &worker->region, worker->midway))
		_exit(EXIT_FAILED);
	worker->leave(worker);
}

/* The window opens, or the warm-up goes on until it is due. */
static uint64_t worker_warm_up(struct worker *worker, uint64_t now)
{
	uint64_t open_ns = worker->arena->board->open_ns;

	if (now >= open_ns)
		return window_open(worker, now);
	worker->event_ns = open_ns;
	return now;
}

/* A turn begins with its warm-up, which may be over at once. */
static uint64_t worker_turn(struct worker *worker)
{
	const struct point *point = worker->point;
	uint64_t now = clock_ns();

	worker_calibrate(worker, worker->pass_ns);
	worker->phase = PHASE_WARMUP;
	worker->passes_left =
	        point->options.laps ? point->options.laps * point->passes : UINT64_MAX;
	worker->turn_ns = worker->slot->begun_ns = now;
	worker->turn_passes = worker->tally.passes;
	return worker_warm_up(worker, now);
}

/*
 * Sleeps at the gate until the parent opens it for another turn, and goes on from where the worker
 * was, which in a slice may be the midst of a lap.  Returns the time from which that counts.
 */
static uint64_t worker_park(struct worker *worker)
{
	struct board *board = worker->arena->board;

	/* After fixed work there is nothing left to do: it stays where it is. */
	if (!worker->turns || !worker->point->options.laps)
		atomic_store(&worker->slot->reached, REACHED_GATE);
	if (worker_count_in(worker, &board->waiting))
		worker_wake_parent(worker);
	while (atomic_load_explicit(&board->gate, memory_order_acquire) == worker->turns)
		futex_wait(&board->gate, worker->turns);
	worker->turns++;
	if (atomic_load(&board->leave))
		worker_leave(worker);
	return worker_turn(worker);
}

/*
 * Looks at what is due at a border between laps (or parts of one); `now` is the end of the work
 * before it.  Returns the time from which the work after it counts.
 */
static uint64_t worker_border(struct worker *worker, uint64_t now)
{
	struct board *board = worker->arena->board;

	switch (worker->phase) {
	case PHASE_WARMUP:
		return worker_warm_up(worker, now);
	case PHASE_WINDOW:
		if (now < board->close_ns && worker->passes_left) {
			window_sample(worker, now);
			return clock_ns();
		}
		window_close(worker, now);
		return worker->point->options.laps ? worker_park(worker) : clock_ns();
	case PHASE_COOLDOWN:
		if (!atomic_load_explicit(&board->stop, memory_order_acquire))
			break;
		if (atomic_load(&board->leave))
			worker_leave(worker);
		return worker_park(worker);
	}
	return now;
}

/* A loop step failed: there is nothing left to measure in this process. */
static _Noreturn void step_failed(struct worker *worker, unsigned s)
{
	slot_fail(worker->slot, FAILURE_STEP, errno, s);
	_exit(EXIT_FAILED);
}

static void pass_ended(struct worker *worker)
{
	worker->passes_left--;
	worker->tally.passes++;
	if (++worker->pass == worker->passes) {
		worker->pass = 0;
		worker->tally.laps++;
	}
}

/* Runs a step from `start` to the returned time, a divisible one in parts. */
static uint64_t step_timed(struct worker *worker, unsigned s, const struct region *region,
                           uint64_t start)
{
	const struct act *act = &worker->act[s];
	struct tally_step *tally = &worker->tally.step[s];
	size_t part_pages = act->part_pages ? act->part_pages : region->pages;
	uint64_t now = start;

	atomic_store_explicit(&worker->slot->step, s, memory_order_relaxed);
	for (size_t first = 0; first < region->pages; first += part_pages) {
		struct region part = region_part(region, first, part_pages);
		int64_t done = act->verb(&part, &act->how);
		uint64_t then = clock_ns();

		if (done < 0)
			step_failed(worker, s);
		tally->work += (uint64_t)done;
		tally->timed_work += (uint64_t)done;
		tally->timed_ns += then - now;
		now = then;
		atomic_store_explicit(&worker->slot->pulse, ++worker->pulse, memory_order_relaxed);
		if (now >= worker->event_ns && worker->edges == EDGES_PARTS &&
		    first + part_pages < region->pages) {
			worker->midway = true;
			now = worker_border(worker, now);
			worker->midway = false;
		}
	}
	tally->calls++;
	tally->timed_calls++;
	if (worker->phase == PHASE_WINDOW && start >= worker->slot->open.ns)
		histogram_add(&worker->step_times[s], now - start, 1);
	return now;
}

static struct region pass_region(const struct worker *worker)
{
	return region_part(&worker->region, worker->pass * worker->pass_pages, worker->pass_pages);
}

static uint64_t pass_timed(struct worker *worker, uint64_t now)
{
	struct region region = pass_region(worker);

	for (unsigned s = 0; s < worker->steps; s++)
		now = step_timed(worker, s, &region, now);
	worker->tally.timed_passes++;
	pass_ended(worker);
	return now;
}

static void pass_plain(struct worker *worker)
{
	struct region region = pass_region(worker);

	for (unsigned s = 0; s < worker->steps; s++) {
		const struct act *act = &worker->act[s];
		int64_t done = act->verb(&region, &act->how);

		if (done < 0)
			step_failed(worker, s);
		worker->tally.step[s].work += (uint64_t)done;
		worker->tally.step[s].calls++;
	}
	pass_ended(worker);
}

/*
 * A lap's border has been reached at `now`.  The laps since the last one looked at enter the
 * histogram with their mean time.  Returns the time from which the next lap counts.
 */
static uint64_t laps_ended(struct worker *worker, uint64_t now)
{
	uint64_t laps = worker->tally.laps - worker->lap_laps;
	uint64_t took = now - worker->lap_ns;

	if (worker->phase != PHASE_WINDOW || worker->lap_ns < worker->slot->open.ns)
		return now;
	histogram_add(worker->lap_times, took / laps, (uint32_t)laps);
	if (!worker->point->options.laps || took < TIMELINE_NS || !worker->passes_left)
		return now;
	window_sample(worker, now);
	return clock_ns();
}

/*
 * True if time may be looked at between two passes.  A window whose edges lie inside laps does not
 * close there: it would each time after a long last step, and the short ones that come first would
 * never be seen.
 */
static bool pass_is_edge(const struct worker *worker)
{
	switch (worker->edges) {
	case EDGES_LAPS:
		return worker->pass == 0;
	case EDGES_PASSES:
		return true;
	case EDGES_PARTS:
		return worker->phase != PHASE_WINDOW || !worker->parted;
	}
	return true;
}

/* One timed pass and the plain ones that follow it. */
static uint64_t worker_bout(struct worker *worker, uint64_t now)
{
	uint64_t plain;

	now = pass_timed(worker, now);
	plain = worker_plain(worker);
	if (plain) {
		while (plain--)
			pass_plain(worker);
		now = clock_ns();
	}
	if (worker->pass == 0)
		now = laps_ended(worker, now);
	if (!worker->passes_left || (now >= worker->event_ns && pass_is_edge(worker)))
		now = worker_border(worker, now);
	if (worker->pass == 0) {
		worker->lap_ns = now;
		worker->lap_laps = worker->tally.laps;
	}
	return now;
}

void worker_serve(struct worker *worker)
{
	uint64_t now = worker_park(worker);

	worker->lap_ns = now;
	worker->lap_laps = worker->tally.laps;
	for (;;)
		now = worker_bout(worker, now);
}
