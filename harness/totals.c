// SPDX-License-Identifier: GPL-3.0-or-later
#include "totals.h"

#include <math.h>

/* Sums and extremes over the workers, added up one by one. */
struct totals {
	unsigned windows;
	uint64_t laps, pages, bytes, minor, major, due, surplus, involuntary, migrations, coalesced;
	uint64_t first_start, last_start, first_end, last_end, window_ns;
	double timed_laps, rate, rate_squares, slowest, fastest, floor, bytes_rate, laps_rate;
	double slowest_bytes, fastest_bytes;
	double faults_rate, busy, blocked, delay;
};

uint64_t worker_due(const struct outcome *outcome, const struct point *point, unsigned index)
{
	const struct tally_step *steps = outcome->worker_steps[index];
	uint64_t due = 0;

	for (unsigned s = 0; s < point->workload.loop_steps; s++)
		due += stage_faults(&point->workload.loop[s], steps[s].work, point->page);
	return due;
}

uint64_t worker_doubt(const struct outcome *outcome, const struct point *point, unsigned index)
{
	const struct tally_step *steps = outcome->worker_steps[index];
	uint64_t doubt = 0;

	for (unsigned s = 0; s < point->workload.loop_steps; s++)
		doubt += stage_doubt(&point->workload.loop[s], steps[s].work, point->page);
	return doubt;
}

static void totals_times(struct totals *totals, const struct worker_row *row)
{
	uint64_t end = row->start_ns + row->window_ns;
	bool first = totals->windows == 0;

	if (first || row->start_ns < totals->first_start)
		totals->first_start = row->start_ns;
	if (first || row->start_ns > totals->last_start)
		totals->last_start = row->start_ns;
	if (first || end < totals->first_end)
		totals->first_end = end;
	if (first || end > totals->last_end)
		totals->last_end = end;
	totals->window_ns += row->window_ns;
}

static void totals_rates(struct totals *totals, const struct worker_row *row)
{
	bool first = totals->windows == 0;

	totals->rate += row->pages_per_s;
	totals->rate_squares += row->pages_per_s * row->pages_per_s;
	totals->floor += row->floor_pages_per_s;
	totals->bytes_rate += row->bytes_per_s;
	totals->laps_rate += per_second((double)row->laps, row->window_ns);
	totals->faults_rate +=
	        per_second((double)(row->minor_faults + row->major_faults), row->window_ns);
	if (first || row->pages_per_s < totals->slowest)
		totals->slowest = row->pages_per_s;
	if (first || row->pages_per_s > totals->fastest)
		totals->fastest = row->pages_per_s;
	if (first || row->bytes_per_s < totals->slowest_bytes)
		totals->slowest_bytes = row->bytes_per_s;
	if (first || row->bytes_per_s > totals->fastest_bytes)
		totals->fastest_bytes = row->bytes_per_s;
	totals->busy += row->busy;
	totals->blocked += row->blocked;
	totals->delay += row->run_delay;
}

static void totals_add(struct totals *totals, const struct outcome *outcome,
                       const struct crew *crew, unsigned index)
{
	const struct worker_row *row = &outcome->workers[index];
	const struct slot *slot = arena_slot(&crew->arena, index);
	uint64_t due = worker_due(outcome, crew->point, index);

	totals_times(totals, row);
	totals_rates(totals, row);
	totals->laps += row->laps;
	totals->pages += row->pages == UNKNOWN_COUNT ? 0 : row->pages;
	totals->minor += row->minor_faults;
	totals->major += row->major_faults;
	totals->due += due;
	totals->surplus += row->minor_faults > due ? row->minor_faults - due : 0;
	totals->involuntary += row->involuntary_switches;
	totals->migrations = row->migrations == UNKNOWN_COUNT
	                             ? UNKNOWN_COUNT
	                             : totals->migrations + row->migrations;
	totals->coalesced += slot->ring.coalesced;
	totals->timed_laps +=
	        (double)(slot->close.timed_passes - slot->open.timed_passes) / crew->point->passes;
	for (unsigned s = 0; s < crew->arena.steps; s++)
		if (crew->point->workload.loop[s].step->unit == UNIT_BYTE)
			totals->bytes += outcome->worker_steps[index][s].work;
	totals->windows++;
}

/* Rates: for windows the sum of the workers', for fixed work all of it by the wall time. */
static void row_rates(struct point_row *row, const struct totals *totals, const struct point *point)
{
	uint64_t wall = totals->last_end - totals->first_start;
	bool fixed = point->options.laps != 0;
	bool pages = point->workload.headline >= 0;
	bool bytes = isfinite(totals->bytes_rate);

	row->sum_of_worker_rates = totals->rate;
	row->total_over_wall = pages ? per_second((double)totals->pages, wall) : UNKNOWN_REAL;
	row->pages_per_s = fixed ? row->total_over_wall : totals->rate;
	row->floor_pages_per_s = totals->floor;
	row->laps_per_s = fixed ? per_second((double)totals->laps, wall) : totals->laps_rate;
	row->faults_per_s = fixed ? per_second((double)(totals->minor + totals->major), wall)
	                          : totals->faults_rate;
	row->bytes_per_s = !bytes  ? UNKNOWN_REAL
	                   : fixed ? per_second((double)totals->bytes, wall)
	                           : totals->bytes_rate;
	row->sum_of_worker_bytes = totals->bytes_rate;
	row->worker_min_bytes = totals->slowest_bytes;
	row->worker_max_bytes = totals->fastest_bytes;
	row->worker_mean_bytes = totals->bytes_rate / totals->windows;
	row->worker_min = totals->slowest;
	row->worker_max = totals->fastest;
	row->worker_mean = totals->rate / totals->windows;
	/* R. Jain, D. Chiu, W. Hawe: A Quantitative Measure of Fairness, DEC TR-301, 1984. */
	row->fairness = totals->rate * totals->rate / (totals->windows * totals->rate_squares);
}

static void row_counts(struct point_row *row, const struct totals *totals,
                       const struct point *point)
{
	row->window_ns = totals->window_ns / totals->windows;
	row->laps = totals->laps;
	row->timed_laps = totals->timed_laps;
	row->pages = point->workload.headline < 0 ? UNKNOWN_COUNT : totals->pages;
	row->derived_faults = totals->due;
	row->minor_faults = totals->minor;
	row->major_faults = totals->major;
	row->stray_faults = point->exact ? totals->surplus : UNKNOWN_COUNT;
	row->faults_per_page =
	        totals->pages ? (double)(totals->minor + totals->major) / (double)totals->pages
	                      : UNKNOWN_REAL;
	row->start_skew_ns = totals->last_start - totals->first_start;
	row->stop_skew_ns = totals->last_end - totals->first_end;
	row->busy = totals->busy / totals->windows;
	row->blocked = totals->blocked / totals->windows;
	row->run_delay = totals->delay / totals->windows;
	row->involuntary_switches = totals->involuntary;
	row->migrations = totals->migrations;
	row->coalesced = totals->coalesced;
}

/* The row of a point none of whose workers closed its window. */
static void row_unknown(struct point_row *row)
{
	row->window_ns = row->laps = row->pages = row->derived_faults = UNKNOWN_COUNT;
	row->minor_faults = row->major_faults = row->stray_faults = UNKNOWN_COUNT;
	row->start_skew_ns = row->stop_skew_ns = UNKNOWN_COUNT;
	row->involuntary_switches = row->migrations = row->coalesced = UNKNOWN_COUNT;
	row->timed_laps = row->faults_per_page = row->pages_per_s = UNKNOWN_REAL;
	row->floor_pages_per_s = row->bytes_per_s = row->sum_of_worker_rates = UNKNOWN_REAL;
	row->total_over_wall = row->worker_min = row->worker_mean = UNKNOWN_REAL;
	row->worker_max = row->fairness = row->busy = row->blocked = UNKNOWN_REAL;
	row->sum_of_worker_bytes = row->worker_min_bytes = row->worker_mean_bytes = UNKNOWN_REAL;
	row->worker_max_bytes = UNKNOWN_REAL;
	row->run_delay = row->laps_per_s = row->faults_per_s = UNKNOWN_REAL;
	row->parent_busy = UNKNOWN_REAL;
}

void totals_fill(struct outcome *outcome, const struct crew *crew,
                 const struct surroundings *surroundings)
{
	struct totals totals = {0};

	for (unsigned i = 0; i < crew->point->workers; i++)
		if (outcome->workers[i].window_ns != UNKNOWN_COUNT)
			totals_add(&totals, outcome, crew, i);
	if (totals.windows < crew->point->workers) {
		row_unknown(&outcome->point);
		return;
	}
	row_counts(&outcome->point, &totals, crew->point);
	row_rates(&outcome->point, &totals, crew->point);
	outcome->point.parent_busy =
	        share(surroundings->noise.parent_cpu_ns, surroundings->noise.ns);
}
