// SPDX-License-Identifier: GPL-3.0-or-later
/* The distribution of lap times against the number of workers. */
#include "figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUANTILES = 5 };

struct laps_row {
	uint64_t curve, workers;
	double bar; /* its place on the axis */
	double quantiles[QUANTILES];
};

#define LAPS(name, kind, member) COLUMN(laps_row, name, kind, member, "")

const struct column laps_columns[] = {
        LAPS("curve", COLUMN_COUNT, curve),
        LAPS("workers", COLUMN_COUNT, workers),
        LAPS("bar", COLUMN_REAL, bar),
        LAPS("p10_s", COLUMN_REAL, quantiles[0]),
        LAPS("p50_s", COLUMN_REAL, quantiles[1]),
        LAPS("p90_s", COLUMN_REAL, quantiles[2]),
        LAPS("p99_s", COLUMN_REAL, quantiles[3]),
        LAPS("max_s", COLUMN_REAL, quantiles[4]),
        {.name = NULL},
};

/* A group's quantiles, summed over repeats; the maximum is that of all. */
struct laps_sum {
	double quantiles[QUANTILES];
	unsigned repeats;
};

static void sum_add(struct laps_sum *sum, const struct study_file *file)
{
	double values[QUANTILES];

	for (int i = 0; i < QUANTILES; i++) {
		values[i] = study_file_real(file, laps_columns[3 + i].name);
		if (!isfinite(values[i]) || values[i] <= 0)
			return;
	}
	for (int i = 0; i + 1 < QUANTILES; i++)
		sum->quantiles[i] += values[i];
	sum->quantiles[QUANTILES - 1] = fmax(sum->quantiles[QUANTILES - 1], values[QUANTILES - 1]);
	sum->repeats++;
}

static int sums_read(const struct study *study, struct laps_sum *sums, struct complaint *c)
{
	const struct study_row *row;
	struct study_file file;
	int result;

	study_file_open(&file, study, "steps.csv");
	while ((result = figure_next(&file, &row, c)) == 1)
		if (strcmp(study_file_text(&file, "step"), STEP_LAP) == 0)
			sum_add(&sums[row->group], &file);
	study_file_close(&file);
	return result;
}

int laps_prepare(const struct study *study, struct drawing *drawing, struct complaint *c)
{
	struct laps_sum *sums = calloc(study->group_count + 1, sizeof(*sums));
	int result;

	if (!sums)
		return complain(c, EXIT_FAILED, "no memory for %zu groups", study->group_count);
	result = sums_read(study, sums, c);
	for (size_t i = 0; result == 0 && i < figure_groups(study); i++) {
		struct laps_row row = {study->groups[i].curve + 1,
		                       study->groups[i].workers,
		                       drawing_bar(drawing, study, i),
		                       {0}};

		if (!sums[i].repeats)
			continue;
		for (int q = 0; q + 1 < QUANTILES; q++)
			row.quantiles[q] = sums[i].quantiles[q] / sums[i].repeats;
		row.quantiles[QUANTILES - 1] = sums[i].quantiles[QUANTILES - 1];
		drawing_row(drawing, study->groups[i].curve, &row);
	}
	free(sums);
	snprintf(drawing->note, sizeof(drawing->note),
	         "box p10 to p90, line in it the median, whisker to p99, point the longest");
	return result;
}
