// SPDX-License-Identifier: GPL-3.0-or-later
/* The rate against the number of workers, over the repeats. */
#include "figure.h"

#include <stdio.h>

struct scaling_row {
	uint64_t curve, workers;
	double rate, low, high;
};

#define SCALING(name, kind) COLUMN(scaling_row, #name, kind, name, "")

const struct column scaling_columns[] = {
        SCALING(curve, COLUMN_COUNT), SCALING(workers, COLUMN_COUNT), SCALING(rate, COLUMN_REAL),
        SCALING(low, COLUMN_REAL),    SCALING(high, COLUMN_REAL),     {.name = NULL},
};

int scaling_prepare(const struct study *study, struct drawing *drawing, struct complaint *c)
{
	size_t most = 0;

	(void)c;
	for (size_t i = 0; i < figure_groups(study); i++) {
		const struct study_group *group = &study->groups[i];
		struct scaling_row row = {group->curve + 1, group->workers, group->mean, group->low,
		                          group->high};

		drawing_row(drawing, group->curve, &row);
		if (group->count > most)
			most = group->count;
	}
	if (most > 1)
		snprintf(drawing->note, sizeof(drawing->note),
		         "mean of up to %zu repeats, bars from the lowest to the highest", most);
	return 0;
}
