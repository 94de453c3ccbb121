// SPDX-License-Identifier: GPL-3.0-or-later
/* The report for people and mails, in the columns of the kernel's test robots; after its head. */
#include "comparison.h"

#include <math.h>
#include <stdlib.h>

/* A mean, whole where it is large. */
static void mean_print(double mean, FILE *out)
{
	fprintf(out, fabs(mean) >= 1000 ? "%16.0f" : "%16.5g", mean);
}

/* "± 1.9%", or blanks of the same width. */
static void spread_print(const struct summary *summary, FILE *out)
{
	double percent = 100 * summary->sd / fabs(summary->mean);

	if (isfinite(percent))
		fprintf(out, " ±%5.1f%%", percent);
	else
		fprintf(out, "%8s", "");
}

static void change_print(double ratio, FILE *out)
{
	double percent = 100 * (ratio - 1);

	if (isfinite(percent))
		fprintf(out, "  %+9.*f%%", fabs(percent) < 10 ? 2 : 1, percent);
	else
		fprintf(out, "  %10s", "");
}

static void label_print(const struct comparison *comparison, size_t index, FILE *out)
{
	const struct matched *point = &comparison->matching.points[index];

	comparison_plain(point->row[0]->cell[comparison->matching.metric_column], COMPARISON_SHOWN,
	                 out);
	if (*point->label) {
		fputc(' ', out);
		comparison_plain(point->label, COMPARISON_SHOWN, out);
	}
}

static void table_print(const struct comparison *comparison, FILE *out)
{
	fprintf(out, "%16s %%stddev  %10s %16s %%stddev\n", "before", "%change", "after");
	fprintf(out, "%16s     \\    %10s %16s     \\\n", "", "|   ", "");
	for (size_t i = 0; i < comparison->matching.count; i++) {
		const struct contrast *contrast = &comparison->contrasts[i];

		mean_print(contrast->side[0].units.mean, out);
		spread_print(&contrast->side[0].units, out);
		change_print(contrast->ratio.value, out);
		mean_print(contrast->side[1].units.mean, out);
		spread_print(&contrast->side[1].units, out);
		fputs("  ", out);
		label_print(comparison, i, out);
		fputc('\n', out);
	}
	fputc('\n', out);
}

static const char *unit_name(enum unit unit, size_t count)
{
	static const char *const names[][2] = {
	        [UNIT_OF_BOOTS] = {"boot", "boots"},
	        [UNIT_OF_RUNS] = {"run", "runs"},
	        [UNIT_OF_REPEATS] = {"repeat", "repeats"},
	        [UNIT_GIVEN] = {"repeat", "repeats"},
	};

	return names[unit][count != 1];
}

/* What the measurement could have seen, and what it would take to see the margin. */
static void power_print(const struct comparison *comparison, const struct contrast *contrast,
                        FILE *out)
{
	double margin = 100 * comparison->rules.margin;

	if (isfinite(contrast->detectable))
		fprintf(out, "; would see %.*f %%", verdict_decimals(contrast->detectable),
		        100 * contrast->detectable);
	if (!contrast->needed_known || !contrast->needed ||
	    contrast->verdict.kind != VERDICT_UNKNOWN)
		return;
	fprintf(out, "; needs about %zu more %s a side to see %.3g %%", contrast->needed,
	        unit_name(contrast->unit, contrast->needed), margin);
}

/* The shape of the repeats, where it is not that of plain noise. */
static void shape_print(const struct contrast *contrast, FILE *out)
{
	static const char *const side[] = {"before", "after"};
	size_t outliers = contrast->side[0].outliers + contrast->side[1].outliers;
	bool humps = contrast->side[0].humps.found || contrast->side[1].humps.found;

	for (int s = 0; s < 2; s++)
		if (contrast->side[s].humps.found)
			fprintf(out,
			        "    two humps %s: %.0f %% of the repeats around %.5g, "
			        "the others around %.5g\n",
			        side[s], 100 * contrast->side[s].humps.share,
			        contrast->side[s].humps.low, contrast->side[s].humps.high);
	if (outliers)
		fprintf(out, "    outliers, all kept: %zu before, %zu after\n",
		        contrast->side[0].outliers, contrast->side[1].outliers);
	if ((outliers || humps) && isfinite(contrast->robust.low))
		fprintf(out, "    by ranks (Hodges-Lehmann): %+.1f %% (%+.1f to %+.1f)\n",
		        100 * (contrast->robust.value - 1), 100 * (contrast->robust.low - 1),
		        100 * (contrast->robust.high - 1));
	if (contrast->rho > 0)
		fprintf(out,
		        "    repeats resemble the one before (correlation %.2f): the interval "
		        "is widened for it\n",
		        contrast->rho);
	if (contrast->unit == UNIT_OF_BOOTS && isfinite(contrast->side[0].between) &&
	    isfinite(contrast->side[1].between))
		fprintf(out,
		        "    boots differ by %.2g %% before, %.2g %% after; repeats within a "
		        "boot by %.2g and %.2g %%\n",
		        100 * contrast->side[0].between, 100 * contrast->side[1].between,
		        100 * contrast->side[0].within, 100 * contrast->side[1].within);
}

static void verdict_print(const struct comparison *comparison, const struct contrast *contrast,
                          FILE *out)
{
	char text[VERDICT_TEXT];

	fputs(verdict_text(&contrast->verdict, "after", text), out);
	power_print(comparison, contrast, out);
	fputc('\n', out);
	shape_print(contrast, out);
}

/* Points that are not in the mean. */
static void left_out_print(const struct comparison *comparison, FILE *out)
{
	size_t count = comparison->matching.count, left_out = 0;

	for (size_t i = 0; i < count; i++)
		left_out += isfinite(comparison->contrasts[i].ratio.value) ? 0 : 1;
	if (left_out)
		fprintf(out, "    without %zu of %zu points, which have no ratio\n", left_out,
		        count);
}

/* What ran in one boot could have run side by side. */
static void duel_hint(const struct comparison *comparison, FILE *out)
{
	bool open = false;

	for (size_t i = 0; i < comparison->matching.count; i++)
		open |= comparison->contrasts[i].verdict.kind == VERDICT_UNKNOWN;
	if (open && gather_shared_boots(&comparison->gathering))
		fputs("  both sides ran in one boot: faultscale duel tells such variants apart in "
		      "seconds\n",
		      out);
}

static void verdicts_print(const struct comparison *comparison, FILE *out)
{
	char text[COMPARISON_TEXT];

	fprintf(out, "verdicts, margin %.3g %%; %s\n", 100 * comparison->rules.margin,
	        comparison_unit_text(comparison, text));
	for (size_t i = 0; i < comparison->matching.count; i++) {
		fputs("  ", out);
		label_print(comparison, i, out);
		fputs(": ", out);
		verdict_print(comparison, &comparison->contrasts[i], out);
	}
	if (comparison->matching.count > 1) {
		fprintf(out, "  over all, geometric mean%s: ",
		        comparison->independent ? ", errors of points taken as independent" : "");
		verdict_print(comparison, &comparison->overall, out);
		left_out_print(comparison, out);
		if (*comparison_table_text(comparison, text))
			fprintf(out, "%s\n", text);
	}
	duel_hint(comparison, out);
}

/* True if something is slower whose spread between boots is unknown. */
static bool slower_unsure(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->matching.count; i++)
		if (comparison->contrasts[i].verdict.kind == VERDICT_SLOWER &&
		    comparison->contrasts[i].unit != UNIT_OF_BOOTS)
			return comparison->rules.boot_sd < 0;
	return false;
}

/* Why the exit status is 3. */
static void regressions_print(const struct comparison *comparison, FILE *out)
{
	if (!comparison_regressed(comparison))
		return;
	fprintf(out, "\nEstablished as worse by more than %.3g %% (exit status 3):",
	        100 * comparison->options->fail_if_worse);
	for (size_t i = 0, count = 0; i < comparison->matching.count; i++)
		if (comparison_point_regressed(comparison, i)) {
			fputs(count++ ? "; " : " ", out);
			label_print(comparison, i, out);
		}
	if (comparison_overall_regressed(comparison))
		fputs(" over all", out);
	fputs(".\n", out);
}

void comparison_text(const struct comparison *comparison, FILE *out)
{
	comparison_head(comparison, out);
	table_print(comparison, out);
	verdicts_print(comparison, out);
	comparison_steps_print(comparison, false, out);
	comparison_rows_print(comparison, false, out);
	regressions_print(comparison, out);
	if (slower_unsure(comparison))
		fputs("\nNot taken as established (exit status 3): that needs three boots a side, "
		      "or --boot-sd.\n",
		      out);
}
