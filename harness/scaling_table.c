// SPDX-License-Identifier: GPL-3.0-or-later
/* The table of a sweep for people. */
#include "scaling.h"

#include "units.h"

#include <math.h>

/* A number for people with its unit, or "-" where it is unknown. */
static const char *number(const char *format, double value, char out[UNIT_TEXT])
{
	snprintf(out, UNIT_TEXT, "-");
	if (isfinite(value))
		snprintf(out, UNIT_TEXT, format, value);
	return out;
}

static void row_print(const struct scaling_row *row, FILE *out)
{
	char rate[UNIT_TEXT], spread[UNIT_TEXT], each[UNIT_TEXT], share[UNIT_TEXT];
	char ratio[UNIT_TEXT];

	fprintf(out, "%7u  %-9s%4zu%15s%9s%14s%8s%10s\n", (unsigned)row->workers, row->mode,
	        (size_t)row->repeats, count_format(row->rate, rate),
	        number("%.1f %%", 100 * row->deviation / row->rate, spread),
	        count_format(row->per_worker, each),
	        number("%.0f %%", 100 * row->efficiency, share),
	        isfinite(row->ratio) ? number("%.2f", row->ratio, ratio) : "");
}

/* The law in words.  A bound below 0 is printed as 0: less than nothing cannot be. */
static void law_print(const struct usl *law, uint64_t last, FILE *out)
{
	const struct usl_estimate *sigma = &law->parameter[USL_SIGMA];
	const struct usl_estimate *kappa = &law->parameter[USL_KAPPA];
	const struct usl_estimate *peak = &law->peak;

	if (sigma->high > 0)
		fprintf(out, "%.3g %% contention (%.3g to %.3g)", 100 * sigma->value,
		        100 * fmax(0, sigma->low), 100 * sigma->high);
	else
		fprintf(out, "no contention found");
	if (kappa->high > 0)
		fprintf(out, ", %.2g %% coherency (%.2g to %.2g)", 100 * kappa->value,
		        100 * fmax(0, kappa->low), 100 * kappa->high);
	if (!isfinite(peak->value))
		fprintf(out, "; no peak found");
	else if (!isfinite(peak->high))
		fprintf(out, "; a peak cannot be told from none");
	else
		fprintf(out, ";\n  peak near %.0f workers (%.0f to %.0f)", peak->value, peak->low,
		        peak->high);
	if (isfinite(peak->high) && peak->value > (double)last)
		fprintf(out, ": beyond the measured range, which ends at %u", (unsigned)last);
	fputc('\n', out);
}

/* The lowest count above `workers` that a curve or those beside it have; 0 if there is none. */
static uint64_t count_next(const struct study *study, const struct study_curve *curve,
                           uint64_t workers)
{
	uint64_t next = 0;

	for (; curve; curve = study_beside(study, curve))
		for (size_t i = 0; i < curve->group_count; i++) {
			uint64_t count = study->groups[curve->first + i].workers;

			if (count > workers && (!next || count < next))
				next = count;
		}
	return next;
}

static void laws_print(const struct study *study, const struct study_curve *leader, FILE *out)
{
	const struct study_curve *curve;
	size_t most = 0;

	for (curve = leader; curve; curve = study_beside(study, curve))
		most = curve->group_count > most ? curve->group_count : most;
	if (most < USL_COUNTS) {
		fprintf(out, "\nno scaling law is fitted to %zu count%s: it takes %d\n", most,
		        most == 1 ? "" : "s", USL_COUNTS);
		return;
	}
	fprintf(out, "\nUniversal Scalability Law, with 95 %% intervals:\n");
	for (curve = leader; curve; curve = study_beside(study, curve)) {
		const struct study_group *last =
		        &study->groups[curve->first + curve->group_count - 1];
		struct scaling_row row;
		struct usl law;

		scaling_row_fill(&row, study, last, NULL);
		fprintf(out, "%s: ", row.mode);
		if (study_law(study, curve, &law) == 0)
			law_print(&law, last->workers, out);
		else
			fprintf(out, "the law cannot be fitted\n");
	}
}

/* What was measured where, and how as far as the tables differ in that. */
static void heading_print(const struct study *study, const struct study_curve *leader, FILE *out)
{
	const char *preset = leader->cells[STUDY_PRESET];
	char options[STUDY_TEXT] = "";

	study_describe(study, leader, 1U << STUDY_OPTION, options);
	fprintf(out, "%s%s%s on %s%s%s\n", preset, *preset ? ": " : "",
	        leader->cells[STUDY_WORKLOAD], leader->cells[STUDY_HOST], *options ? ", " : "",
	        options);
	fprintf(out, "%7s  %-9s%4s%15s%9s%14s%8s%10s\n", "workers", "mode", "n", study_unit(leader),
	        "sd", "per worker", "eff.", "thr/proc");
}

/* Prints a curve and those beside it. */
static void table_print(const struct study *study, const struct study_curve *leader, FILE *out)
{
	size_t others = 0;

	heading_print(study, leader, out);
	for (uint64_t n = 0; (n = count_next(study, leader, n));)
		for (const struct study_curve *curve = leader; curve;
		     curve = study_beside(study, curve)) {
			const struct study_group *group = study_group_at(study, curve, n);
			struct scaling_row row;

			if (!group)
				continue;
			scaling_row_fill(&row, study, group, NULL);
			row_print(&row, out);
			others += group->others;
		}
	laws_print(study, leader, out);
	if (others)
		fprintf(out, "left out: %zu measurement%s not valid; points.csv has the reasons\n",
		        others, others == 1 ? "" : "s");
}

void scaling_print(const struct study *study, FILE *out)
{
	for (size_t i = 0; i < study->curve_count; i++)
		if (study->curves[i].leader == i) {
			table_print(study, &study->curves[i], out);
			fputc('\n', out);
		}
}
