// SPDX-License-Identifier: GPL-3.0-or-later
/* Who did which step when: of each curve the first repeat with the most workers. */
#include "figure.h"

#include <math.h>
#include <stdio.h>

struct timeline_bar {
	uint64_t curve, worker, step;
	double start_s, end_s;
};

#define TIMELINE(name, kind) COLUMN(timeline_bar, #name, kind, name, "")

const struct column timeline_columns[] = {
        TIMELINE(curve, COLUMN_COUNT), TIMELINE(worker, COLUMN_COUNT),
        TIMELINE(step, COLUMN_COUNT),  TIMELINE(start_s, COLUMN_REAL),
        TIMELINE(end_s, COLUMN_REAL),  {.name = NULL},
};

/* Panels are small: more curves or bars than this cannot be seen. */
enum { TIMELINE_PANELS = 4, TIMELINE_BARS = 4000 };

int timeline_prepare(const struct study *study, struct drawing *drawing, struct complaint *c)
{
	const struct study_row *row, *shown[FIGURE_CURVES] = {NULL};
	size_t bars[FIGURE_CURVES] = {0}, dropped = 0;
	unsigned panels = 0;
	struct study_file file;
	int result;

	study_file_open(&file, study, "timeline.csv");
	while ((result = figure_next(&file, &row, c)) == 1) {
		struct timeline_bar bar = {
		        .curve = row->curve + 1,
		        .worker = csv_reader_count(&file.reader,
		                                   csv_reader_column(&file.reader, "worker")),
		        .start_s = study_file_real(&file, "start_s"),
		        .end_s = study_file_real(&file, "end_s"),
		};

		if (!row->widest || !isfinite(bar.start_s) || !isfinite(bar.end_s))
			continue;
		if (!shown[row->curve] && panels < TIMELINE_PANELS) {
			shown[row->curve] = row;
			panels++;
		}
		if (shown[row->curve] != row)
			continue;
		bar.step = drawing_step(drawing, study_file_text(&file, "step"));
		if (!bar.step || ++bars[row->curve] > TIMELINE_BARS)
			dropped++;
		else
			drawing_row(drawing, row->curve, &bar);
	}
	study_file_close(&file);
	snprintf(drawing->note, sizeof(drawing->note), "steps of laps longer than 1 ms");
	if (dropped)
		snprintf(drawing->note, sizeof(drawing->note),
		         "the first %d steps of laps longer than 1 ms, %zu more not shown",
		         TIMELINE_BARS, dropped);
	return result;
}
