// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The rate over time, from samples.csv: for each curve the repeats with the most workers.  Samples
 * come with an end and a length, worker by worker; what they did is spread evenly over that
 * stretch.  Time is cut into bins, which are merged in pairs when they do not suffice, so that any
 * number of samples takes the same memory.
 */
#include "figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct drift_row {
	uint64_t curve, repeat;
	double t_s, rate;
};

#define DRIFT(name, kind) COLUMN(drift_row, #name, kind, name, "")

const struct column drift_columns[] = {
        DRIFT(curve, COLUMN_COUNT),
        DRIFT(repeat, COLUMN_COUNT),
        DRIFT(t_s, COLUMN_REAL),
        DRIFT(rate, COLUMN_REAL),
        {.name = NULL},
};

enum { DRIFT_BINS = 240, DRIFT_REPEATS = 8 };
static const double first_width = 0.1; /* s: the default interval of samples */

/* One repeat: the work in each bin, and the worker-seconds that it took. */
struct drift {
	double width;
	double work[DRIFT_BINS], seconds[DRIFT_BINS];
};

static void bins_merge(struct drift *drift)
{
	for (size_t i = 0; i < DRIFT_BINS; i++) {
		bool there = 2 * i + 1 < DRIFT_BINS;
		size_t from = there ? 2 * i : 0;

		drift->work[i] = there ? drift->work[from] + drift->work[from + 1] : 0;
		drift->seconds[i] = there ? drift->seconds[from] + drift->seconds[from + 1] : 0;
	}
	drift->width *= 2;
}

/* Spreads a sample over the bins that it covers. */
static void sample_add(struct drift *drift, double end, double length, double work)
{
	double start = fmax(end - length, 0);

	while (end >= drift->width * DRIFT_BINS)
		bins_merge(drift);
	for (int i = (int)(start / drift->width); i < DRIFT_BINS; i++) {
		double from = fmax(start, i * drift->width);
		double to = fmin(end, (i + 1) * drift->width);

		if (to <= from)
			break;
		drift->work[i] += work * (to - from) / (end - start);
		drift->seconds[i] += to - from;
	}
}

/* What belongs to a row of the study, made when it is first needed. */
struct slot {
	struct drift *drift;
};

/* NULL if the row is not drawn. */
static struct drift *drift_of(struct slot slots[], const struct study *study,
                              const struct study_row *row)
{
	size_t index = (size_t)(row - study->rows);

	if (!row->widest || index - study->groups[row->group].first >= DRIFT_REPEATS)
		return NULL;
	if (!slots[index].drift) {
		slots[index].drift = calloc(1, sizeof(struct drift));
		if (slots[index].drift)
			slots[index].drift->width = first_width;
	}
	return slots[index].drift;
}

static int samples_read(const struct study *study, struct slot slots[], struct complaint *c)
{
	const struct study_row *row;
	struct study_file file;
	int result;

	study_file_open(&file, study, "samples.csv");
	while ((result = figure_next(&file, &row, c)) == 1) {
		struct drift *drift = drift_of(slots, study, row);
		const char *amount =
		        study->curves[row->curve].unit == STUDY_PAGES ? "work" : "laps";
		double end, length, work;

		if (!drift || strcmp(study_file_text(&file, "step"), STEP_LAP) != 0)
			continue;
		end = study_file_real(&file, "t_s");
		length = study_file_real(&file, "ns") / 1e9;
		work = study_file_real(&file, amount);
		if (isfinite(work) && end >= 0 && length > 0 && end < 1e9)
			sample_add(drift, end, length, work);
	}
	study_file_close(&file);
	return result;
}

/* Bins that were at work for less than half their length are edges of the window. */
static void drift_write(struct drawing *drawing, const struct study_row *row,
                        const struct drift *drift)
{
	for (int i = 0; i < DRIFT_BINS; i++) {
		double workers = (double)row->workers;
		struct drift_row out = {row->curve + 1, row->repeat, (i + 0.5) * drift->width,
		                        drift->work[i] / drift->seconds[i] * workers};

		if (drift->seconds[i] >= drift->width * workers / 2)
			drawing_row(drawing, row->curve, &out);
	}
}

int drift_prepare(const struct study *study, struct drawing *drawing, struct complaint *c)
{
	struct slot *slots = calloc(study->row_count + 1, sizeof(*slots));
	double width = 0;
	int result;

	if (!slots)
		return complain(c, EXIT_FAILED, "no memory for %zu rows", study->row_count);
	result = samples_read(study, slots, c);
	for (size_t i = 0; i < study->row_count; i++) {
		if (result == 0 && slots[i].drift) {
			drift_write(drawing, &study->rows[i], slots[i].drift);
			width = fmax(width, slots[i].drift->width);
		}
		free(slots[i].drift);
	}
	free(slots);
	snprintf(drawing->note, sizeof(drawing->note), "one line for each repeat, means over %g s",
	         width);
	return result;
}
