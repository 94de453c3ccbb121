// SPDX-License-Identifier: GPL-3.0-or-later
/* One CSV row per point, for programs. */
#include "comparison.h"

#include "rows.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A row, with the cells that describe its point; unknown numbers are NAN. */
struct comparison_row {
	struct contrast_row contrast;
	const char *cell[MATCHING_COLUMNS];
};

static struct comparison_row row_make(const struct contrast *contrast, const struct matched *point,
                                      const struct matching *matching)
{
	static const char *const units[] = {"boot", "run", "repeat", "repeat"};
	static const char *const humps[] = {"", "a", "b", "ab"};
	const struct contrast_side *a = &contrast->side[0], *b = &contrast->side[1];
	struct comparison_row row = {
	        .contrast = {
	                .point = point->label,
	                .metric = point->row[0]->cell[matching->metric_column],
	                .a = a->units.mean,
	                .b = b->units.mean,
	                .ratio = contrast->ratio.value,
	                .low = contrast->ratio.low,
	                .high = contrast->ratio.high,
	                .verdict = verdict_word(&contrast->verdict),
	                .level = contrast->verdict.level,
	                .p = contrast->p,
	                .unit = units[contrast->unit],
	                .a_n = a->units.n,
	                .b_n = b->units.n,
	                .a_stddev = a->units.sd,
	                .b_stddev = b->units.sd,
	                .a_median = a->median,
	                .b_median = b->median,
	                .a_boots = UNKNOWN_COUNT,
	                .b_boots = UNKNOWN_COUNT,
	                .detectable = contrast->detectable,
	                .needed = contrast->needed_known ? contrast->needed : UNKNOWN_COUNT,
	                .robust = contrast->robust.value,
	                .robust_low = contrast->robust.low,
	                .robust_high = contrast->robust.high,
	                .a_outliers = a->outliers,
	                .b_outliers = b->outliers,
	                .humps = humps[a->humps.found + 2 * b->humps.found],
	                .correlation = contrast->rho,
	        }};

	for (size_t i = 0; i < matching->columns; i++)
		row.cell[i] = point->row[0]->cell[i];
	return row;
}

int comparison_csv(const struct comparison *comparison, struct complaint *c)
{
	const struct matching *matching = &comparison->matching;
	struct column columns[CONTRAST_COLUMNS + MATCHING_COLUMNS + 1] = {0};
	char steps[COMPARISON_TEXT];
	size_t count = CONTRAST_COLUMNS;
	struct csv csv;

	memcpy(columns, contrast_columns, sizeof(contrast_columns));
	for (size_t i = 0; i < matching->columns; i++)
		if (matching->column[i].identity)
			columns[count++] = (struct column){
			        matching->column[i].name, COLUMN_TEXT,
			        offsetof(struct comparison_row, cell) + i * sizeof(char *), ""};
	csv_open(&csv, STDOUT_FILENO, columns);
	csv_header(&csv);
	for (size_t i = 0; i < matching->count; i++) {
		struct comparison_row row =
		        row_make(&comparison->contrasts[i], &matching->points[i], matching);

		if (!comparison->tables) {
			row.contrast.a_boots = comparison->contrasts[i].side[0].boots;
			row.contrast.b_boots = comparison->contrasts[i].side[1].boots;
		}
		row.contrast.steps = comparison_steps_text(comparison, i, steps);
		csv_record(&csv, &row);
	}
	if (csv_close(&csv))
		return complain(c, EXIT_FAILED, "cannot write to standard output: %s",
		                strerror(csv.error));
	return 0;
}
