// SPDX-License-Identifier: GPL-3.0-or-later
/* Where the crews of a duel stand when its slices begin to count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "launch.h"
#include "signals.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LAUNCHES = 6 };

/* One worker, whose laps of this workload take longer than slices. */
static void point_of_long_laps(struct point *point, const char *workload)
{
	char text[64], *words[16] = {0};
	int count = 0;
	struct options options;
	struct topology *topology;
	struct complaint c;

	snprintf(text, sizeof(text), "-n1 --bytes=64M %s", workload);
	for (char *rest = text, *word; (word = strsep(&rest, " "));)
		words[count++] = word;
	assert_int_equal(options_parse(COMMAND_DUEL, count, words, &options, &c), 0);
	assert_int_equal(topology_load(&topology, &c), 0);
	assert_int_equal(point_make(&options, topology, point, &c), 0);
	topology_free(topology);
}

/* A duel of two such sides, before its first launch. */
struct sides {
	struct bench bench;
	struct point points[2];
	struct contest contest;
};

static void sides_make(struct sides *sides, const char *workload)
{
	*sides = (struct sides){.bench.watch.signal_fd = signals_open()};
	for (int side = 0; side < 2; side++)
		point_of_long_laps(&sides->points[side], workload);
	sides->contest = (struct contest){
	        .bench = &sides->bench,
	        .sides = sides->points,
	        .random = gsl_rng_alloc(gsl_rng_mt19937),
	        .launch_ns = 1,
	};
	contest_steps(&sides->contest);
}

static void sides_free(struct sides *sides)
{
	for (int side = 0; side < 2; side++)
		point_free(&sides->points[side]);
	gsl_rng_free(sides->contest.random);
}

/* The share of its lap that the worker of a side has behind it. */
static double lap_share(const struct relay *relay, int side)
{
	const struct tally *close = &arena_slot(&relay->crews[side].arena, 0)->close;
	double lap = relay_lap_work(relay, side, 0);
	double laps = (double)close->step[0].work / lap;

	assert_true(relay->cut[side]);
	return laps - (double)(uint64_t)laps;
}

/* Each side begins a launch somewhere else in its lap, and not both at the same place. */
static void cut_laps_begin_anywhere(void **state)
{
	unsigned late[2] = {0}, apart = 0;
	struct sides sides;

	(void)state;
	sides_make(&sides, "map: fault dontneed");
	for (int launch = 0; launch < LAUNCHES; launch++) {
		struct relay relay;
		struct complaint c;

		assert_int_equal(relay_start(&relay, &sides.contest, launch % 2, &c), CREW_OK);
		for (int side = 0; side < 2; side++)
			late[side] += lap_share(&relay, side) > 0.5;
		apart += fabs(lap_share(&relay, 0) - lap_share(&relay, 1)) > 0.25;
		relay_free(&relay);
	}
	for (int side = 0; side < 2; side++)
		assert_in_range(late[side], 1, LAUNCHES - 1);
	assert_in_range(apart, 1, LAUNCHES);
	sides_free(&sides);
}

/* A short step behind one that takes longer than a slice is seen in about every lap. */
static void short_steps_are_seen(void **state)
{
	enum { QUADS = 600, SECONDS = 100 };
	struct sides sides;
	struct relay relay;
	struct complaint c;

	(void)state;
	sides_make(&sides, "map fault unmap");
	alarm(SECONDS); /* a relay that never sees them goes on */
	assert_int_equal(relay_start(&relay, &sides.contest, 0, &c), CREW_OK);
	assert_int_equal(relay_run(&relay, &c), CREW_OK);
	alarm(0);
	for (int side = 0; side < 2 && !relay_late(&relay); side++)
		assert_true(relay.total[side].timed_work[0] > 0);
	if (!relay_late(&relay)) /* else another load ended it */
		assert_in_range(relay.quads, 1, QUADS);
	relay_free(&relay);
	sides_free(&sides);
}

/* The side that is forked first is B; A is not there when the signal comes. */
static void an_interrupted_start_is_said(void **state)
{
	struct sides sides;
	struct launch launch;
	struct complaint c;

	(void)state;
	sides_make(&sides, "map: fault dontneed");
	raise(SIGINT);
	assert_int_equal(launch_measure(&sides.contest, 1, &launch, &c), 0);
	assert_string_equal(launch.invalid, "interrupted by SIGINT");
	assert_int_equal(launch.exit_status, EXIT_FAILED);
	sides_free(&sides);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(cut_laps_begin_anywhere),
	        cmocka_unit_test(short_steps_are_seen),
	        cmocka_unit_test(an_interrupted_start_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
