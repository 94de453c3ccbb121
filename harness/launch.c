// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch.h"

#include "counters.h"
#include "totals.h"

#include <gsl/gsl_statistics_double.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { QUADS = 4096 };

/*
 * A slice takes so many laps of the slower side, the first of which does not count, or fewer where
 * a quad would not fit into the launch, but always more than one.  And it takes at least 7 ms, so
 * that handing over (some 0.1 ms) is rare.
 */
#define SLICE_LAPS 3.5
#define SLICE_LAPS_LEAST 1.5
#define SLICE_NS 7000000.0

/* What one side did in one slice, or in one turn of fixed work: totals over its workers. */
struct slice {
	double value[METRICS];
	uint64_t faults, due;
};

void contest_steps(struct contest *contest)
{
	const struct workload *a = &contest->sides[0].workload, *b = &contest->sides[1].workload;

	contest->step_count = 0;
	for (unsigned i = 0; i < a->loop_steps; i++)
		for (unsigned j = 0; j < b->loop_steps; j++)
			if (a->loop[i].step == b->loop[j].step)
				contest->steps[contest->step_count++] =
				        (struct common_step){a->loop[i].step, {i, j}};
}

/*
 * The length of a slice: enough laps, and not a multiple of the timer tick, with which slices would
 * otherwise beat.  The tick is the resolution of the coarse clock (1/CONFIG_HZ).
 */
static uint64_t slice_length(const struct contest *contest, const struct crew crews[2])
{
	double fitting = (double)contest->launch_ns / 4;
	double longest = 0, length, ticks;
	struct timespec tick = {0};
	double tick_ns;

	for (int side = 0; side < 2; side++)
		for (unsigned i = 0; i < crews[side].point->workers; i++) {
			double lap = (double)arena_slot(&crews[side].arena, i)->lap_ns;

			longest = lap > longest ? lap : longest;
		}
	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	tick_ns = tick.tv_nsec ? (double)tick.tv_nsec : 4e6;
	length = fmin(SLICE_LAPS * longest, fmax(fitting, SLICE_LAPS_LEAST * longest));
	ticks = fmax(SLICE_NS, length) / tick_ns;
	return (uint64_t)((floor(ticks) + 0.618) * tick_ns);
}

static double slice_step(const struct crew *crew, unsigned step)
{
	double ns = 0, work = 0;

	for (unsigned i = 0; i < crew->point->workers; i++) {
		const struct slot *slot = arena_slot(&crew->arena, i);

		ns += (double)(slot->close.step[step].timed_ns - slot->open.step[step].timed_ns);
		work += (double)(slot->close.step[step].timed_work -
		                 slot->open.step[step].timed_work);
	}
	return work > 0 ? ns / work : UNKNOWN_REAL;
}

/* Reads a slice from the slots of a crew whose workers have closed their windows. */
static void slice_read(const struct contest *contest, const struct crew *crew, int side,
                       struct slice *slice)
{
	const struct point *point = crew->point;
	int headline = point->workload.headline;

	*slice = (struct slice){.value[METRIC_PAGES] = headline < 0 ? UNKNOWN_REAL : 0};
	for (unsigned i = 0; i < point->workers; i++) {
		const struct slot *slot = arena_slot(&crew->arena, i);
		const struct tally *open = &slot->open, *close = &slot->close;
		uint64_t ns = close->ns - open->ns;

		slice->value[METRIC_LAPS] += per_second((double)(close->laps - open->laps), ns);
		if (headline >= 0)
			slice->value[METRIC_PAGES] +=
			        per_second(step_pages(point->workload.loop[headline].step,
			                              (double)(close->step[headline].work -
			                                       open->step[headline].work),
			                              point->page),
			                   ns);
		slice->faults += close->minor_faults - open->minor_faults;
		for (unsigned s = 0; s < point->workload.loop_steps; s++)
			slice->due +=
			        stage_faults(&point->workload.loop[s],
			                     close->step[s].work - open->step[s].work, point->page);
	}
	for (unsigned s = 0; s < contest->step_count; s++)
		slice->value[METRIC_STEPS + s] = slice_step(crew, contest->steps[s].place[side]);
}

/* Adds a slice to the launch's means and counts; `share` of it. */
static void launch_add(struct launch *launch, int side, const struct slice *slice)
{
	for (int m = 0; m < METRICS; m++)
		launch->value[side][m] += slice->value[m];
	launch->faults[side] += slice->faults;
	launch->due[side] += slice->due;
}

/* ln(B/A) of each metric over a quad: the two slices of a side count as one. */
static void quad_ratios(const struct slice sum[2], double *ratios[METRICS], unsigned quad)
{
	for (int m = 0; m < METRICS; m++)
		ratios[m][quad] = log(sum[1].value[m] / sum[0].value[m]);
}

/* One side works for a slice, which begins with its second lap. */
static enum crew_result slice_run(const struct contest *contest, struct crew *crew, int side,
                                  uint64_t slice_ns, struct slice *slice)
{
	struct watch *watch = &contest->bench->watch;
	uint64_t now = clock_ns();
	enum crew_result result;

	crew_open(crew, now + 1, now + slice_ns);
	result = crew_await(crew, watch, REACHED_CLOSED);
	crew_rest(crew);
	if (result == CREW_OK)
		result = crew_await(crew, watch, REACHED_GATE);
	if (result == CREW_OK)
		slice_read(contest, crew, side, slice);
	return result;
}

/* Quads of slices in ABBA or BAAB order, as chance has it. */
static enum crew_result launch_quads(const struct contest *contest, struct crew crews[2],
                                     struct launch *launch, double *ratios[METRICS])
{
	unsigned quads = (unsigned)(contest->launch_ns / (4 * launch->slice_ns));

	quads = quads < 1 ? 1 : quads > QUADS ? QUADS : quads;
	for (launch->quads = 0; launch->quads < quads; launch->quads++) {
		int first = (int)gsl_rng_uniform_int(contest->random, 2);
		const int order[4] = {first, !first, !first, first};
		struct slice sum[2] = {0};

		for (int i = 0; i < 4; i++) {
			struct slice slice;
			enum crew_result result = slice_run(contest, &crews[order[i]], order[i],
			                                    launch->slice_ns, &slice);

			if (result != CREW_OK)
				return result;
			launch_add(launch, order[i], &slice);
			for (int m = 0; m < METRICS; m++)
				sum[order[i]].value[m] += slice.value[m];
		}
		quad_ratios(sum, ratios, launch->quads);
	}
	return CREW_OK;
}

static int ratios_make(double *ratios[METRICS])
{
	for (int m = 0; m < METRICS; m++) {
		ratios[m] = calloc(QUADS, sizeof(*ratios[m]));
		if (!ratios[m])
			return -1;
	}
	return 0;
}

static void ratios_free(double *ratios[METRICS])
{
	for (int m = 0; m < METRICS; m++)
		free(ratios[m]);
}

/* Medians over the quads, means over the slices. */
static void launch_sum(struct launch *launch, double *ratios[METRICS], unsigned slices)
{
	for (int m = 0; m < METRICS; m++) {
		launch->log_ratio[m] = gsl_stats_median(ratios[m], 1, launch->quads);
		for (int side = 0; side < 2; side++)
			launch->value[side][m] /= slices;
	}
}

/* Faults must be as derived where base pages are certain, as in a run. */
static void launch_check_faults(const struct contest *contest, struct launch *launch)
{
	for (int side = 0; side < 2; side++) {
		uint64_t due = launch->due[side], faults = launch->faults[side];

		if (!contest->sides[side].exact || (faults >= due && faults - due <= due / 1000))
			continue;
		snprintf(launch->invalid, sizeof(launch->invalid),
		         "side %c took %" PRIu64 " faults where %" PRIu64 " were due", "AB"[side],
		         faults, due);
	}
}

/* Forks both crews, the side that comes first changing from launch to launch, up to their gates. */
static enum crew_result launch_start(const struct contest *contest, struct crew crews[2], int first,
                                     struct complaint *c)
{
	struct bench *bench = contest->bench;
	enum crew_result result = CREW_OK;

	for (int i = 0; i < 2; i++) {
		int side = i ? !first : first;

		if (crew_launch(&crews[side], &contest->sides[side], &bench->watch,
		                bench->clock_cost, c))
			return CREW_FAILED;
		crews[side].arena.board->whole_laps = 1;
	}
	for (int side = 0; side < 2 && result == CREW_OK; side++)
		result = crew_await(&crews[side], &bench->watch, REACHED_GATE);
	return result;
}

/* Why a crew did not come to its end. */
static void launch_blame(const struct contest *contest, struct crew crews[2],
                         enum crew_result result, struct launch *launch)
{
	launch->signal = contest->bench->watch.signal;
	for (int side = 0; side < 2 && !*launch->invalid; side++) {
		char reason[240];

		if (!crews[side].casualty.any && result != CREW_INTERRUPTED)
			continue;
		measure_blame(contest->bench, &crews[side], result, reason, sizeof(reason),
		              &launch->exit_status);
		snprintf(launch->invalid, sizeof(launch->invalid), "side %c: %s", "AB"[side],
		         reason);
	}
}

/* A launch in slices: both crews are there all the time. */
static int launch_slices(const struct contest *contest, int first, struct launch *launch,
                         struct complaint *c)
{
	struct watch *watch = &contest->bench->watch;
	struct crew crews[2] = {{.wake_fd = -1}, {.wake_fd = -1}};
	double *ratios[METRICS] = {NULL};
	enum crew_result result = CREW_FAILED;

	if (ratios_make(ratios))
		complain(c, EXIT_FAILED, "no memory for the ratios of a launch");
	else
		result = launch_start(contest, crews, first, c);
	if (result == CREW_OK) {
		launch->slice_ns = slice_length(contest, crews);
		result = launch_quads(contest, crews, launch, ratios);
	}
	if (result == CREW_OK)
		launch_sum(launch, ratios, 2 * launch->quads);
	else if (result != CREW_FAILED)
		launch_blame(contest, crews, result, launch);
	for (int side = 0; side < 2; side++)
		if (crews[side].pids)
			crew_end(&crews[side], watch);
	ratios_free(ratios);
	return result == CREW_FAILED ? -1 : 0;
}

/* A measurement of fixed work, as the values of one side. */
static int turn_measure(const struct contest *contest, int side, struct launch *launch,
                        struct complaint *c)
{
	const struct point *point = &contest->sides[side];
	struct outcome outcome;
	int result = measure(contest->bench, point, 1, &outcome, c);

	if (result == 0 && outcome.exit_status != EXIT_OK) {
		snprintf(launch->invalid, sizeof(launch->invalid), "side %c: %.200s", "AB"[side],
		         outcome.reason);
		launch->exit_status = outcome.exit_status;
		launch->signal = contest->bench->watch.signal;
	} else if (result == 0) {
		launch->value[side][METRIC_LAPS] = outcome.point.laps_per_s;
		launch->value[side][METRIC_PAGES] = outcome.point.pages_per_s;
		for (unsigned s = 0; s < contest->step_count; s++)
			launch->value[side][METRIC_STEPS + s] =
			        outcome.steps[contest->steps[s].place[side]].ns_per_unit;
		launch->faults[side] = outcome.point.minor_faults;
		launch->due[side] = outcome.point.derived_faults;
	}
	outcome_free(&outcome);
	return result;
}

/* A launch of fixed work: each side in a fresh crew, one after the other. */
static int launch_turns(const struct contest *contest, int first, struct launch *launch,
                        struct complaint *c)
{
	for (int i = 0; i < 2 && !*launch->invalid; i++)
		if (turn_measure(contest, i ? !first : first, launch, c))
			return -1;
	for (int m = 0; m < METRICS; m++)
		launch->log_ratio[m] = log(launch->value[1][m] / launch->value[0][m]);
	launch->quads = 1;
	return 0;
}

int launch_measure(const struct contest *contest, unsigned number, struct launch *launch,
                   struct complaint *c)
{
	int first = (int)(number % 2);
	int result;

	*launch = (struct launch){0};
	result = contest->sides[0].options.laps ? launch_turns(contest, first, launch, c)
	                                        : launch_slices(contest, first, launch, c);
	if (result == 0 && !*launch->invalid)
		launch_check_faults(contest, launch);
	if (*launch->invalid && launch->exit_status == EXIT_OK)
		launch->exit_status = EXIT_FAILED;
	return result;
}
