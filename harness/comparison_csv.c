// SPDX-License-Identifier: GPL-3.0-or-later
/* One CSV row per point, for programs. */
#include "comparison.h"

#include "csv.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A row; unknown numbers are NAN. */
struct contrast_row {
	const char *point, *metric, *verdict, *unit;
	double a, b, ratio, low, high, p, level;
	double a_stddev, b_stddev, a_median, b_median, detectable, robust, robust_low, robust_high;
	uint64_t a_n, b_n, a_boots, b_boots, needed, a_outliers, b_outliers;
	const char *humps, *steps;
	double correlation;
	const char *cell[MATCHING_COLUMNS];
};

#define CONTRAST(...) COLUMN(contrast_row, __VA_ARGS__)

/* clang-format off */
static const struct column fixed_columns[] = {
	CONTRAST("point", COLUMN_TEXT, point, "what tells the point from others"),
	CONTRAST("metric", COLUMN_TEXT, metric, "what is compared"),
	CONTRAST("a", COLUMN_REAL, a, "before: geometric mean of the units"),
	CONTRAST("b", COLUMN_REAL, b, "after"),
	CONTRAST("ratio", COLUMN_REAL, ratio, "b by a"),
	CONTRAST("ratio_low", COLUMN_REAL, low, "its interval"),
	CONTRAST("ratio_high", COLUMN_REAL, high, ""),
	CONTRAST("verdict", COLUMN_TEXT, verdict, "faster, slower, same or unknown"),
	CONTRAST("level", COLUMN_REAL, level, "of the interval"),
	CONTRAST("p", COLUMN_REAL, p, "two-sided, of this point alone"),
	CONTRAST("unit", COLUMN_TEXT, unit, "of replication: boot, run or repeat"),
	CONTRAST("a_n", COLUMN_COUNT, a_n, "units"),
	CONTRAST("b_n", COLUMN_COUNT, b_n, ""),
	CONTRAST("a_stddev", COLUMN_REAL, a_stddev, "of the units"),
	CONTRAST("b_stddev", COLUMN_REAL, b_stddev, ""),
	CONTRAST("a_median", COLUMN_REAL, a_median, "of the units"),
	CONTRAST("b_median", COLUMN_REAL, b_median, ""),
	CONTRAST("a_boots", COLUMN_COUNT, a_boots, ""),
	CONTRAST("b_boots", COLUMN_COUNT, b_boots, ""),
	CONTRAST("detectable", COLUMN_REAL, detectable, "difference seen in 80 of 100 cases, as a fraction"),
	CONTRAST("more_needed", COLUMN_COUNT, needed, "further units a side to detect the margin"),
	CONTRAST("rank_ratio", COLUMN_REAL, robust, "Hodges-Lehmann"),
	CONTRAST("rank_ratio_low", COLUMN_REAL, robust_low, ""),
	CONTRAST("rank_ratio_high", COLUMN_REAL, robust_high, ""),
	CONTRAST("a_outliers", COLUMN_COUNT, a_outliers, "kept"),
	CONTRAST("b_outliers", COLUMN_COUNT, b_outliers, ""),
	CONTRAST("humps", COLUMN_TEXT, humps, "sides with two: a, b or ab"),
	CONTRAST("correlation", COLUMN_REAL, correlation, "of neighbours, for which the interval is widened"),
	CONTRAST("steps_changed", COLUMN_TEXT, steps, "time per unit, where the point is faster or slower"),
};
/* clang-format on */

enum { FIXED = sizeof(fixed_columns) / sizeof(fixed_columns[0]) };

static struct contrast_row row_make(const struct contrast *contrast, const struct matched *point,
                                    const struct matching *matching)
{
	static const char *const units[] = {"boot", "run", "repeat", "repeat"};
	static const char *const humps[] = {"", "a", "b", "ab"};
	const struct contrast_side *a = &contrast->side[0], *b = &contrast->side[1];
	struct contrast_row row = {
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
	};

	for (size_t i = 0; i < matching->columns; i++)
		row.cell[i] = point->row[0]->cell[i];
	return row;
}

int comparison_csv(const struct comparison *comparison, struct complaint *c)
{
	const struct matching *matching = &comparison->matching;
	struct column columns[FIXED + MATCHING_COLUMNS + 1] = {0};
	char steps[COMPARISON_TEXT];
	size_t count = FIXED;
	struct csv csv;

	memcpy(columns, fixed_columns, sizeof(fixed_columns));
	for (size_t i = 0; i < matching->columns; i++)
		if (matching->column[i].identity)
			columns[count++] = (struct column){
			        matching->column[i].name, COLUMN_TEXT,
			        offsetof(struct contrast_row, cell) + i * sizeof(char *), ""};
	csv_open(&csv, STDOUT_FILENO, columns);
	csv_header(&csv);
	for (size_t i = 0; i < matching->count; i++) {
		struct contrast_row row =
		        row_make(&comparison->contrasts[i], &matching->points[i], matching);

		if (!comparison->tables) {
			row.a_boots = comparison->contrasts[i].side[0].boots;
			row.b_boots = comparison->contrasts[i].side[1].boots;
		}
		row.steps = comparison_steps_text(comparison, i, steps);
		csv_record(&csv, &row);
	}
	if (csv_close(&csv))
		return complain(c, EXIT_FAILED, "cannot write to standard output: %s",
		                strerror(csv.error));
	return 0;
}
