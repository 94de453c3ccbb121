// SPDX-License-Identifier: GPL-3.0-or-later
#include "relay.h"

#include "counters.h"

#include <math.h>
#include <stdlib.h>

/* So many more quads with late workers than without are no accident. */
enum { LATE_QUADS = 4 };

void relay_free(struct relay *relay)
{
	for (int side = 0; side < 2; side++)
		if (relay->crews[side].pids)
			crew_end(&relay->crews[side], &relay->contest->bench->watch);
	free(relay->ratios);
}

/* Brings both crews to their gates, one after the other; CREW_FAILED with a complaint. */
static enum crew_result relay_fork(struct relay *relay, int first, struct complaint *c)
{
	struct bench *bench = relay->contest->bench;
	enum crew_result result = CREW_OK;

	for (int i = 0; i < 2 && result == CREW_OK; i++) {
		int side = i ? !first : first;

		if (crew_launch(&relay->crews[side], &relay->contest->sides[side], &bench->watch,
		                bench->clock_cost, c))
			return CREW_FAILED;
		result = crew_await(&relay->crews[side], &bench->watch, REACHED_GATE);
	}
	return result;
}

/*
 * Chooses the kind of each side's slices, and runs one that does not count.  Where passes are cut
 * it goes on for up to a pass, as chance has it.  Else the sides would stay nearly in step, and the
 * one with the shorter pass would always be the first to give its pages back, which costs it more
 * than the other [4 to 5 % more of 40 MB of MADV_DONTNEED, on a VM of 2 CPUs, Linux 6.18].
 */
static enum crew_result relay_warm_up(struct relay *relay)
{
	const struct contest *contest = relay->contest;
	enum crew_result result = CREW_OK;
	struct slice slice;

	for (int side = 0; side < 2 && result == CREW_OK; side++) {
		struct crew *crew = &relay->crews[side];
		double pass_ns = slice_pass(crew), warm_ns = (double)relay->slice_ns;

		relay->cut[side] = pass_ns > warm_ns;
		crew->arena.board->turn = relay->cut[side] ? TURN_SLICE_PARTED : TURN_SLICE;
		if (relay->cut[side])
			warm_ns += gsl_rng_uniform(contest->random) * pass_ns;
		result = slice_run(crew, &contest->bench->watch, (uint64_t)warm_ns, &slice);
	}
	return result;
}

enum crew_result relay_start(struct relay *relay, const struct contest *contest, int first,
                             struct complaint *c)
{
	bool shared = contest->sides[0].oversubscribed || contest->sides[1].oversubscribed;
	enum crew_result result;

	*relay = (struct relay){.contest = contest, .slice_ns = slice_length(shared)};
	result = relay_fork(relay, first, c);
	return result == CREW_OK ? relay_warm_up(relay) : result;
}

/* Room for the ratios of another quad, NAN at first; NULL without memory. */
static double *relay_room(struct relay *relay)
{
	unsigned count = relay->quads;
	double(*grown)[RELAY_RATIOS];

	if ((count & (count - 1)) == 0) { /* 0 or a power of two: full */
		grown = reallocarray(relay->ratios, count ? 2 * count : 1, sizeof(*grown));
		if (!grown)
			return NULL;
		relay->ratios = grown;
	}
	for (int i = 0; i < RELAY_RATIOS; i++)
		relay->ratios[count][i] = (double)NAN;
	return relay->ratios[count];
}

/* Takes a quad from the sums of each side; in one with a late worker these do not compare. */
static int relay_take(struct relay *relay, const struct slice sum[2])
{
	const struct contest *contest = relay->contest;
	double *ratios = relay_room(relay);

	if (!ratios)
		return -1;
	if (sum[0].late || sum[1].late) {
		relay->late++;
		return 0;
	}
	ratios[0] = log(sum[1].passes_per_s / sum[0].passes_per_s);
	for (unsigned i = 0; i < contest->step_count; i++) {
		const unsigned *place = contest->steps[i].place;

		ratios[1 + i] =
		        log(slice_step_ns(&sum[1], place[1]) / slice_step_ns(&sum[0], place[0]));
	}
	for (int side = 0; side < 2; side++)
		slice_add(&relay->total[side], &sum[side]);
	relay->quads++;
	return 0;
}

static enum crew_result relay_quad(struct relay *relay, struct complaint *c)
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
	if (relay_take(relay, sum) == 0)
		return CREW_OK;
	complain(c, EXIT_FAILED, "no memory for the ratios of a launch");
	return CREW_FAILED;
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

enum crew_result relay_run(struct relay *relay, struct complaint *c)
{
	uint64_t end_ns = clock_ns() + relay->contest->launch_ns;
	enum crew_result result;

	do
		result = relay_quad(relay, c);
	while (result == CREW_OK && relay->late <= relay->quads + LATE_QUADS &&
	       (clock_ns() < end_ns || !relay_complete(relay)));
	return result;
}
