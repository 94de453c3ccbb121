// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch.h"

#include <math.h>
#include <stdio.h>

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
	} else if (result == 0) {
		launch->value[side][METRIC_LAPS] = outcome.point.laps_per_s;
		launch->value[side][METRIC_PAGES] = outcome.point.pages_per_s;
		for (unsigned s = 0; s < contest->step_count; s++)
			launch->value[side][METRIC_STEPS + s] =
			        outcome.steps[contest->steps[s].place[side]].ns_per_unit;
		launch->faults[side] = (double)outcome.point.minor_faults;
		launch->due[side] = (double)outcome.point.derived_faults;
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

	*launch = (struct launch){.busy = {(double)NAN, (double)NAN}};
	for (int m = 0; m < METRICS; m++)
		launch->value[0][m] = launch->value[1][m] = launch->log_ratio[m] = (double)NAN;
	result = contest->sides[0].options.laps ? launch_turns(contest, first, launch, c)
	                                        : launch_slices(contest, first, launch, c);
	if (*launch->invalid && launch->exit_status == EXIT_OK)
		launch->exit_status = EXIT_FAILED;
	return result;
}
