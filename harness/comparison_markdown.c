// SPDX-License-Identifier: GPL-3.0-or-later
/* The report for pages that understand Markdown tables (GitHub's, GitLab's). */
#include "comparison.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* A text in a cell: nothing in it is markup. */
static void cell_print(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (iscntrl((unsigned char)*text))
			fputc('?', out);
		else if (strchr("\\|`*_<>[]&", *text))
			fprintf(out, "\\%c", *text);
		else
			fputc(*text, out);
	}
}

static void side_print(const struct summary *summary, FILE *out)
{
	double percent = 100 * summary->sd / fabs(summary->mean);

	fprintf(out, fabs(summary->mean) >= 1000 ? "%.0f" : "%.5g", summary->mean);
	if (isfinite(percent))
		fprintf(out, " ± %.1f %%", percent);
}

static void contrast_print(const struct contrast *contrast, FILE *out)
{
	char text[VERDICT_TEXT];

	side_print(&contrast->side[0].units, out);
	fputs(" | ", out);
	if (isfinite(contrast->ratio.value))
		fprintf(out, "%+.1f %%", 100 * (contrast->ratio.value - 1));
	fputs(" | ", out);
	side_print(&contrast->side[1].units, out);
	fprintf(out, " | %s |\n", verdict_text(&contrast->verdict, "after", text));
}

static void differences_print(const struct likeness *likeness, FILE *out)
{
	if (likeness->difference_count)
		fputs("| differs | before | after | |\n|---|---|---|---|\n", out);
	for (size_t i = 0; i < likeness->difference_count; i++) {
		const struct difference *at = &likeness->differences[i];

		fputs("| ", out);
		cell_print(at->name, out);
		for (int s = 0; s < 2; s++) {
			fputs(" | ", out);
			cell_print(at->value[s], out);
		}
		fprintf(out, " | %s |\n", at->meaning);
	}
	if (likeness->difference_count)
		fputc('\n', out);
}

void comparison_markdown(const struct comparison *comparison, FILE *out)
{
	const struct matching *matching = &comparison->matching;
	char text[COMPARISON_TEXT], verdict[VERDICT_TEXT];

	differences_print(&comparison->likeness, out);
	fputs("| point | before | change | after | verdict |\n|---|--:|--:|--:|---|\n", out);
	for (size_t i = 0; i < matching->count; i++) {
		fputs("| ", out);
		cell_print(matching->points[i].row[0]->cell[matching->metric_column], out);
		fputc(' ', out);
		cell_print(matching->points[i].label, out);
		fputs(" | ", out);
		contrast_print(&comparison->contrasts[i], out);
	}
	if (matching->count > 1)
		fprintf(out, "\nOver all, geometric mean: %s.\n",
		        verdict_text(&comparison->overall.verdict, "after", verdict));
	if (*comparison_table_text(comparison, text))
		fprintf(out, "\n%s.\n", text);
	fprintf(out, "\nMargin %.3g %%; %s.\n", 100 * comparison->rules.margin,
	        comparison_unit_text(comparison, text));
	comparison_steps_print(comparison, true, out);
	comparison_rows_print(comparison, true, out);
}
