// SPDX-License-Identifier: GPL-3.0-or-later
#include "contest.h"

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

int contest_headline(const struct contest *contest)
{
	return contest->sides[0].workload.headline >= 0 && contest->sides[1].workload.headline >= 0
	               ? METRIC_PAGES
	               : METRIC_LAPS;
}
