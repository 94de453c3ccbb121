// SPDX-License-Identifier: GPL-3.0-or-later
/* Speed-ups over the counts: a row for each curve. */
#include "comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* True if the two points differ in nothing but the count column. */
static bool row_same(const struct matching *matching, size_t a, size_t b)
{
	for (size_t c = 0; c < matching->columns; c++)
		if (c != matching->count_column && matching->column[c].identity &&
		    strcmp(matching->points[a].row[0]->cell[c],
		           matching->points[b].row[0]->cell[c]) != 0)
			return false;
	return true;
}

/*
 * The row that begins at point `start`: the points that differ from it in nothing but the count
 * column.  Fills places[] with them, in order, and returns how many; 0 if `start` belongs to an
 * earlier row.
 */
static size_t row_find(const struct matching *matching, size_t start, size_t places[])
{
	size_t count = 0;

	if (!matching->column[matching->count_column].identity)
		return 0;
	for (size_t i = 0; i < matching->count; i++) {
		if (!row_same(matching, start, i))
			continue;
		if (i < start)
			return 0;
		places[count++] = i;
	}
	return count;
}

/* What tells a row of speed-ups from others: where points differ, but for the count. */
static void row_name_print(const struct matching *matching, size_t point, FILE *out)
{
	for (size_t c = 0; c < matching->columns; c++) {
		if (c == matching->count_column || !matching->column[c].identity ||
		    !matching_varies(matching, c))
			continue;
		fprintf(out, " %s=", matching->column[c].name);
		comparison_plain(matching->points[point].row[0]->cell[c], COMPARISON_SHOWN, out);
	}
}

static void row_print(const struct comparison *comparison, const size_t places[], size_t count,
                      FILE *out)
{
	const struct matching *matching = &comparison->matching;

	fputs("after/before", out);
	row_name_print(matching, places[0], out);
	fprintf(out, " over %s", matching->column[matching->count_column].name);
	for (size_t i = 0; i < count; i++) {
		fputc(' ', out);
		comparison_plain(matching->points[places[i]].row[0]->cell[matching->count_column],
		                 COMPARISON_SHOWN, out);
	}
	fputs(":\n", out);
	for (size_t i = 0; i < count; i++) {
		double ratio = comparison->contrasts[places[i]].ratio.value;

		fprintf(out, isfinite(ratio) ? "%s%.2f" : "%s-", i ? " " : "", ratio);
	}
	fputc('\n', out);
}

void comparison_rows_print(const struct comparison *comparison, bool markdown, FILE *out)
{
	size_t points = comparison->matching.count, *places = calloc(points, sizeof(*places));

	for (size_t start = 0; places && start < points; start++) {
		size_t count = row_find(&comparison->matching, start, places);

		if (count < 2)
			continue;
		fputs(markdown ? "\n```\n" : "\n", out);
		row_print(comparison, places, count, out);
		if (markdown)
			fputs("```\n", out);
	}
	free(places);
}
