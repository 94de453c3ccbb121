// SPDX-License-Identifier: GPL-3.0-or-later
/* What a page costs, by step: one stacked bar for each group, pooled over its repeats. */
#include "figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct steps_row {
	uint64_t curve, workers, step;
	double bar; /* its place on the axis */
	double from_ns, to_ns;
};

#define STEPS(name, kind) COLUMN(steps_row, #name, kind, name, "")

const struct column steps_columns[] = {
        STEPS(curve, COLUMN_COUNT),
        STEPS(workers, COLUMN_COUNT),
        STEPS(step, COLUMN_COUNT),
        STEPS(bar, COLUMN_REAL),
        STEPS(from_ns, COLUMN_REAL),
        STEPS(to_ns, COLUMN_REAL),
        {.name = NULL},
};

/* The sums of a group's repeats. */
struct steps_sum {
	double seconds[FIGURE_STEPS];
	double work; /* of the whole laps: pages, or laps where no step counts pages */
};

static int sums_read(const struct study *study, struct drawing *drawing, struct steps_sum *sums,
                     struct complaint *c)
{
	const struct study_row *row;
	struct study_file file;
	int result;

	study_file_open(&file, study, "steps.csv");
	while ((result = figure_next(&file, &row, c)) == 1) {
		const char *step = study_file_text(&file, "step");
		double seconds = study_file_real(&file, "total_s");
		double work = study_file_real(&file, "work");
		unsigned place;

		if (strcmp(step, STEP_LAP) == 0) {
			sums[row->group].work += isfinite(work) ? work : 0;
			continue;
		}
		place = drawing_step(drawing, step);
		if (place && isfinite(seconds))
			sums[row->group].seconds[place - 1] += seconds;
	}
	study_file_close(&file);
	return result;
}

/* Draws one bar, its steps from below. */
static void bar_add(struct drawing *drawing, const struct study_group *group,
                    const struct steps_sum *sum, double bar)
{
	double height = 0;

	for (unsigned s = 0; s < drawing->step_count; s++) {
		double ns = sum->seconds[s] * 1e9 / sum->work;
		struct steps_row row = {group->curve + 1, group->workers, s + 1, bar,
		                        height,           height + ns};

		height += ns;
		if (ns > 0)
			drawing_row(drawing, group->curve, &row);
	}
}

int steps_prepare(const struct study *study, struct drawing *drawing, struct complaint *c)
{
	struct steps_sum *sums = calloc(study->group_count + 1, sizeof(*sums));

	if (!sums)
		return complain(c, EXIT_FAILED, "no memory for %zu groups", study->group_count);
	if (sums_read(study, drawing, sums, c)) {
		free(sums);
		return -1;
	}
	for (size_t i = 0; i < figure_groups(study); i++) {
		double bar = drawing_bar(drawing, study, i);

		if (sums[i].work > 0)
			bar_add(drawing, &study->groups[i], &sums[i], bar);
	}
	free(sums);
	return 0;
}
