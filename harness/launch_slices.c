// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A launch in slices: what the relay of both crews comes to.  The launch has the interquartile mean
 * of the quads' log ratios, which a few slices that were disturbed do not move (Tukey's midmean: of
 * 40 duels here of a thing against itself the ratios scattered by 10 % less than with medians, by
 * 15 % less than with means).  Laps that slices cut take what their steps take.
 */
#include "launch.h"

#include "counters.h"
#include "totals.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The interquartile mean of a ratio over the quads; NAN if less than a quarter of them have it. */
static double relay_midmean(const struct relay *relay, unsigned ratio)
{
	double *known = calloc(relay->quads, sizeof(*known)), midmean = (double)NAN;
	size_t count = 0;

	for (unsigned i = 0; known && i < relay->quads; i++)
		if (isfinite(relay->ratios[i][ratio]))
			known[count++] = relay->ratios[i][ratio];
	if (known && count && 4 * count >= relay->quads) {
		gsl_sort(known, 1, count);
		midmean = gsl_stats_trmean_from_sorted_data(0.25, known, 1, count);
	}
	free(known);
	return midmean;
}

/* ns of a lap as the sum of its steps, given the ns per unit of each. */
static double lap_sum(const struct relay *relay, int side, const double step_ns[])
{
	double sum = 0;

	for (unsigned s = 0; s < relay->contest->sides[side].workload.loop_steps; s++)
		if (relay_lap_work(relay, side, s) > 0)
			sum += relay_lap_work(relay, side, s) * step_ns[s];
	return sum;
}

/* Mean ns of a side's laps: of those that were cut, what their steps take. */
static double lap_mean(const struct relay *relay, int side)
{
	const struct point *point = &relay->contest->sides[side];
	double step_ns[WORKLOAD_STEPS];

	if (!relay->cut[side])
		return 1e9 * point->workers * point->passes * (2 * relay->quads) /
		       relay->total[side].passes_per_s;
	for (unsigned s = 0; s < WORKLOAD_STEPS; s++)
		step_ns[s] = slice_step_ns(&relay->total[side], s);
	return lap_sum(relay, side, step_ns);
}

/*
 * ns of B's laps, both sides' being cut, as they relate to A's mean: a step that both have takes
 * what A's takes by the midmean of the quads' ratios.
 */
static double lap_related(const struct launch *launch, const struct relay *relay)
{
	const struct contest *contest = relay->contest;
	double step_ns[WORKLOAD_STEPS];

	for (unsigned s = 0; s < WORKLOAD_STEPS; s++)
		step_ns[s] = slice_step_ns(&relay->total[1], s);
	for (unsigned i = 0; i < contest->step_count; i++) {
		const unsigned *place = contest->steps[i].place;

		step_ns[place[1]] = slice_step_ns(&relay->total[0], place[0]) *
		                    exp(launch->log_ratio[METRIC_STEPS + i]);
	}
	return lap_sum(relay, 1, step_ns);
}

/*
 * Laps/s of both sides.  The quads compare passes where no side's are cut; where both are, they
 * compare steps; where only one side's are, all that can be compared is the means.
 */
static void launch_sum_laps(struct launch *launch, const struct relay *relay)
{
	double lap_ns[2], *log_ratio = &launch->log_ratio[METRIC_LAPS], log_workers = 0;

	for (int side = 0; side < 2; side++) {
		const struct point *point = &relay->contest->sides[side];

		lap_ns[side] = lap_mean(relay, side);
		launch->value[side][METRIC_LAPS] = point->workers * 1e9 / lap_ns[side];
		log_workers += (side ? 1 : -1) * log(point->workers);
	}
	if (relay->cut[0] && relay->cut[1])
		*log_ratio = log(lap_ns[0] / lap_related(launch, relay)) + log_workers;
	else if (relay->cut[0] || relay->cut[1])
		*log_ratio = log(lap_ns[0] / lap_ns[1]) + log_workers;
	else
		*log_ratio = relay_midmean(relay, 0) + log(relay->contest->sides[0].passes) -
		             log(relay->contest->sides[1].passes);
}

/* Pages/s from laps/s: every lap has the same work. */
static void launch_sum_pages(struct launch *launch, const struct relay *relay)
{
	double pages[2];

	for (int side = 0; side < 2; side++) {
		const struct point *point = &relay->contest->sides[side];
		int headline = point->workload.headline;

		pages[side] = UNKNOWN_REAL;
		if (headline >= 0)
			pages[side] = step_pages(point->workload.loop[headline].step,
			                         relay_lap_work(relay, side, (unsigned)headline),
			                         point->page);
		launch->value[side][METRIC_PAGES] = launch->value[side][METRIC_LAPS] * pages[side];
	}
	launch->log_ratio[METRIC_PAGES] = launch->log_ratio[METRIC_LAPS] + log(pages[1] / pages[0]);
}

/* A step that few quads have on both sides is compared by its means over the launch. */
static void launch_sum_step(struct launch *launch, const struct relay *relay, unsigned i)
{
	const unsigned *place = relay->contest->steps[i].place;
	double *value[2] = {&launch->value[0][METRIC_STEPS + i],
	                    &launch->value[1][METRIC_STEPS + i]};
	double midmean = relay_midmean(relay, 1 + i);

	for (int side = 0; side < 2; side++)
		*value[side] = slice_step_ns(&relay->total[side], place[side]);
	launch->log_ratio[METRIC_STEPS + i] =
	        isfinite(midmean) ? midmean : log(*value[1] / *value[0]);
}

/* Midmeans over the quads, means over the slices. */
static void launch_sum(struct launch *launch, const struct relay *relay)
{
	for (unsigned i = 0; i < relay->contest->step_count; i++)
		launch_sum_step(launch, relay, i);
	launch_sum_laps(launch, relay);
	launch_sum_pages(launch, relay);
	launch->quads = relay->quads;
	launch->late_quads = relay->late;
	launch->slice_ns = relay->slice_ns;
	for (int side = 0; side < 2; side++) {
		launch->faults[side] = relay->total[side].faults;
		launch->due[side] = relay->total[side].due;
		launch->busy[side] = relay->total[side].cpu_ns / relay->total[side].ns;
	}
}

/* True if a worker of a crew gave something up: its CPU, say. */
static bool crew_failed(const struct crew *crew)
{
	for (unsigned i = 0; i < crew->point->workers; i++)
		if (atomic_load(&arena_slot(&crew->arena, i)->failure.kind) != FAILURE_NONE)
			return true;
	return false;
}

/* Why a crew did not come to its end, or came there wrongly. */
static void launch_blame(struct relay *relay, enum crew_result result, struct launch *launch)
{
	struct bench *bench = relay->contest->bench;

	for (int side = 0; side < 2 && !*launch->invalid; side++) {
		struct crew *crew = &relay->crews[side];
		char reason[240];

		if (!crew->pids) /* the other did not even come to its gate */
			continue;
		if (!crew->casualty.any && result != CREW_INTERRUPTED && !crew_failed(crew))
			continue;
		measure_blame(bench, crew,
		              result == CREW_OK && crew->casualty.any ? CREW_LOST : result, reason,
		              sizeof(reason), &launch->exit_status);
		if (result == CREW_INTERRUPTED)
			snprintf(launch->invalid, sizeof(launch->invalid), "%s", reason);
		else
			snprintf(launch->invalid, sizeof(launch->invalid), "side %c: %s",
			         "AB"[side], reason);
	}
}

/* True, with the reason, if a side's faults are not those of its workload. */
static bool slices_wrong(const struct slice *total, bool exact, char *out, size_t size)
{
	if (exact && (total->faults < total->due || total->faults > total->due + total->allowed))
		snprintf(out, size, "%.0f faults where %.0f were due", total->faults, total->due);
	else if (!exact && total->due > 0 && !(total->faults + total->major > 0))
		snprintf(out, size, "no faults at all, where pages became present");
	else
		return false;
	return true;
}

/* True, with the reason, if a crew's pages are not where its memory policy asks for. */
static bool crew_misplaced(const struct crew *crew, char *out, size_t size)
{
	for (unsigned i = 0; i < crew->point->workers; i++)
		if (outcome_misplaced(crew->point, i, &arena_slot(&crew->arena, i)->placement, out,
		                      size))
			return true;
	return outcome_uneven(crew, out, size);
}

/* Whether what was measured is what was asked for, as in a run. */
static void launch_check(struct relay *relay, struct launch *launch)
{
	if (relay_late(relay))
		snprintf(launch->invalid, sizeof(launch->invalid),
		         "in %u of %u quads a worker began after the others: too many workers for "
		         "the CPUs, or other load",
		         relay->late, relay->late + relay->quads);
	for (int side = 0; side < 2 && !*launch->invalid; side++) {
		const struct crew *crew = &relay->crews[side];
		char why[240];

		if (slices_wrong(&relay->total[side], crew->point->exact, why, sizeof(why)) ||
		    crew_misplaced(crew, why, sizeof(why)))
			snprintf(launch->invalid, sizeof(launch->invalid), "side %c: %s",
			         "AB"[side], why);
	}
	if (!*launch->invalid)
		launch_blame(relay, CREW_OK, launch);
}

int launch_slices(const struct contest *contest, int first, struct launch *launch,
                  struct complaint *c)
{
	struct relay relay;
	uint64_t begin_ns = clock_ns();
	enum crew_result result = relay_start(&relay, contest, first, c);

	launch->start_ns = clock_ns() - begin_ns;
	if (result == CREW_OK)
		result = relay_run(&relay, c);
	if (result == CREW_OK)
		launch_check(&relay, launch);
	else if (result != CREW_FAILED)
		launch_blame(&relay, result, launch);
	if (result == CREW_OK && !*launch->invalid)
		launch_sum(launch, &relay);
	relay_free(&relay);
	return result == CREW_FAILED ? -1 : 0;
}
