// SPDX-License-Identifier: GPL-3.0-or-later
#include "relay.h"

#include "counters.h"

#include <math.h>
#include <stdlib.h>

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

static int relay_make(struct relay *relay, const struct contest *contest, struct complaint *c)
{
	*relay = (struct relay){.contest = contest, .slice_ns = slice_length()};
	for (int i = 0; i < RELAY_RATIOS; i++) {
		relay->ratios[i] = calloc(RELAY_QUADS, sizeof(*relay->ratios[i]));
		if (!relay->ratios[i])
			return complain(c, EXIT_FAILED, "no memory for the ratios of a launch");
	}
	return 0;
}

void relay_free(struct relay *relay)
{
	for (int side = 0; side < 2; side++)
		if (relay->crews[side].pids)
			crew_end(&relay->crews[side], &relay->contest->bench->watch);
	for (int i = 0; i < RELAY_RATIOS; i++)
		free(relay->ratios[i]);
}

/* Forks both crews up to their gates; CREW_FAILED with a complaint. */
static enum crew_result relay_fork(struct relay *relay, int first, struct complaint *c)
{
	struct bench *bench = relay->contest->bench;
	enum crew_result result = CREW_OK;

	for (int i = 0; i < 2; i++) {
		int side = i ? !first : first;

		if (crew_launch(&relay->crews[side], &relay->contest->sides[side], &bench->watch,
		                bench->clock_cost, c))
			return CREW_FAILED;
	}
	for (int side = 0; side < 2 && result == CREW_OK; side++)
		result = crew_await(&relay->crews[side], &bench->watch, REACHED_GATE);
	return result;
}

/* Chooses the kind of the slices, and runs one a side that does not count. */
static enum crew_result relay_warm_up(struct relay *relay)
{
	enum crew_result result = CREW_OK;
	struct slice slice;

	for (int side = 0; side < 2; side++)
		relay->parted |= slice_pass(&relay->crews[side]) > (double)relay->slice_ns;
	for (int side = 0; side < 2 && result == CREW_OK; side++) {
		relay->crews[side].arena.board->turn =
		        relay->parted ? TURN_SLICE_PARTED : TURN_SLICE;
		result = slice_run(&relay->crews[side], &relay->contest->bench->watch,
		                   relay->slice_ns, &slice);
	}
	return result;
}

enum crew_result relay_start(struct relay *relay, const struct contest *contest, int first,
                             struct complaint *c)
{
	enum crew_result result;

	if (relay_make(relay, contest, c))
		return CREW_FAILED;
	result = relay_fork(relay, first, c);
	return result == CREW_OK ? relay_warm_up(relay) : result;
}

/* The logarithms of a quad's ratios from the sums of each side. */
static void relay_compare(struct relay *relay, const struct slice sum[2])
{
	const struct contest *contest = relay->contest;
	unsigned quad = relay->quads++;

	relay->ratios[0][quad] = log(sum[1].passes_per_s / sum[0].passes_per_s);
	for (unsigned i = 0; i < contest->step_count; i++) {
		const unsigned *place = contest->steps[i].place;

		relay->ratios[1 + i][quad] =
		        log(slice_step_ns(&sum[1], place[1]) / slice_step_ns(&sum[0], place[0]));
	}
	for (int side = 0; side < 2; side++)
		slice_add(&relay->total[side], &sum[side]);
}

static enum crew_result relay_quad(struct relay *relay)
{
	const struct contest *contest = relay->contest;
	int first = (int)gsl_rng_uniform_int(contest->random, 2);
	const int order[4] = {first, !first, !first, first};
	struct slice sum[2] = {{0}};

	for (int i = 0; i < 4; i++) {
		struct slice slice;
		enum crew_result result = slice_run(&relay->crews[order[i]], &contest->bench->watch,
		                                    relay->slice_ns, &slice);

		if (result != CREW_OK)
			return result;
		slice_add(&sum[order[i]], &slice);
	}
	relay_compare(relay, sum);
	return CREW_OK;
}

double relay_lap_work(const struct relay *relay, int side, unsigned step)
{
	return (double)arena_slot(&relay->crews[side].arena, 0)->lap_work[step];
}

/* True once every step of both loops has been seen at work. */
static bool relay_complete(const struct relay *relay)
{
	for (int side = 0; side < 2; side++)
		for (unsigned s = 0; s < relay->contest->sides[side].workload.loop_steps; s++)
			if (!(relay->total[side].timed_work[s] > 0) &&
			    relay_lap_work(relay, side, s) > 0)
				return false;
	return true;
}

enum crew_result relay_run(struct relay *relay)
{
	uint64_t end_ns = clock_ns() + relay->contest->launch_ns;
	enum crew_result result;

	do
		result = relay_quad(relay);
	while (result == CREW_OK && relay->quads < RELAY_QUADS &&
	       (clock_ns() < end_ns || !relay_complete(relay)));
	return result;
}
