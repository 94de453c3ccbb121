// SPDX-License-Identifier: GPL-3.0-or-later
#include "scaling.h"

#include "csv.h"
#include "units.h"

#include <math.h>
#include <string.h>

/* A row of scaling.csv. */
struct scaling_row {
	const char *host, *workload, *preset, *mode, *unit;
	uint64_t workers, repeats, others;
	double rate, deviation, per_worker, efficiency, ratio, law;
	double sigma[3], kappa[3], peak[3];
};

#define ROW(name, kind, member, meaning)                                  \
	{                                                                 \
		name, kind, offsetof(struct scaling_row, member), meaning \
	}

/* clang-format off */
static const struct column columns[] = {
	ROW("host", COLUMN_TEXT, host, ""),
	ROW("workload", COLUMN_TEXT, workload, ""),
	ROW("preset", COLUMN_TEXT, preset, ""),
	ROW("mode", COLUMN_TEXT, mode, ""),
	ROW("workers", COLUMN_COUNT, workers, ""),
	ROW("repeats", COLUMN_COUNT, repeats, ""),
	ROW("not_valid", COLUMN_COUNT, others, ""),
	ROW("rate", COLUMN_REAL, rate, ""),
	ROW("unit", COLUMN_TEXT, unit, ""),
	ROW("standard_deviation", COLUMN_REAL, deviation, ""),
	ROW("rate_per_worker", COLUMN_REAL, per_worker, ""),
	ROW("efficiency", COLUMN_REAL, efficiency, ""),
	ROW("thread_by_process", COLUMN_REAL, ratio, ""),
	ROW("fitted_rate", COLUMN_REAL, law, ""),
	ROW("contention", COLUMN_REAL, sigma[0], ""),
	ROW("contention_low", COLUMN_REAL, sigma[1], ""),
	ROW("contention_high", COLUMN_REAL, sigma[2], ""),
	ROW("coherency", COLUMN_REAL, kappa[0], ""),
	ROW("coherency_low", COLUMN_REAL, kappa[1], ""),
	ROW("coherency_high", COLUMN_REAL, kappa[2], ""),
	ROW("peak_workers", COLUMN_REAL, peak[0], ""),
	ROW("peak_workers_low", COLUMN_REAL, peak[1], ""),
	ROW("peak_workers_high", COLUMN_REAL, peak[2], ""),
	{.name = NULL},
};
/* clang-format on */

/* Rate of a thread curve by that of the processes at the same count; NAN for another curve. */
static double thread_by_process(const struct curves *curves, const struct curve *curve,
                                const struct curve_point *point)
{
	const struct curve *processes = curve_sibling(curves, curve, "process");
	const struct curve_point *other = processes ? curve_at(processes, point->workers) : NULL;

	return other && strcmp(curve->mode, "thread") == 0 ? point->rate / other->rate
	                                                   : (double)NAN;
}

static void estimate_copy(const struct usl_estimate *estimate, bool fitted, double out[3])
{
	out[0] = fitted ? estimate->value : (double)NAN;
	out[1] = fitted ? estimate->low : (double)NAN;
	out[2] = fitted ? estimate->high : (double)NAN;
}

static struct scaling_row row_make(const struct curves *curves, const struct curve *curve,
                                   const struct curve_point *point)
{
	struct scaling_row row = {
	        .host = curve->host,
	        .workload = curve->workload,
	        .preset = curve->preset,
	        .mode = curve->mode,
	        .unit = curve->unit,
	        .workers = point->workers,
	        .repeats = point->repeats,
	        .others = point->others,
	        .rate = point->rate,
	        .deviation = point->deviation,
	        .per_worker = point->rate / point->workers,
	        .efficiency = curve_efficiency(curve, point),
	        .ratio = thread_by_process(curves, curve, point),
	        .law = curve->fitted ? usl_rate(&curve->usl, point->workers) : (double)NAN,
	};

	estimate_copy(&curve->usl.parameter[USL_SIGMA], curve->fitted, row.sigma);
	estimate_copy(&curve->usl.parameter[USL_KAPPA], curve->fitted, row.kappa);
	estimate_copy(&curve->usl.peak, curve->fitted, row.peak);
	return row;
}

int scaling_write(const struct curves *curves, int fd)
{
	struct csv csv;

	csv_open(&csv, fd, columns);
	csv_header(&csv);
	for (size_t i = 0; i < curves->count; i++)
		for (size_t p = 0; p < curves->curves[i].count; p++) {
			struct scaling_row row =
			        row_make(curves, &curves->curves[i], &curves->curves[i].points[p]);

			csv_record(&csv, &row);
		}
	csv_close(&csv);
	return csv.error;
}

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
static void law_print(const struct curve *curve, FILE *out)
{
	const struct usl_estimate *sigma = &curve->usl.parameter[USL_SIGMA];
	const struct usl_estimate *kappa = &curve->usl.parameter[USL_KAPPA];
	const struct usl_estimate *peak = &curve->usl.peak;
	unsigned last = curve->points[curve->count - 1].workers;

	fprintf(out, "%s: ", curve->mode);
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
	if (isfinite(peak->high) && peak->value > last)
		fprintf(out, ": beyond the measured range, which ends at %u", last);
	fputc('\n', out);
}

/* True for the first curve of a machine and workload, under which the others are printed too. */
static bool curve_leads(const struct curves *curves, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (curve_sibling(curves, &curves->curves[index], curves->curves[i].mode) ==
		    &curves->curves[i])
			return false;
	return true;
}

/* The lowest count above `workers` that the group's curves have; 0 if there is none. */
static unsigned count_next(const struct curve *const group[], size_t size, unsigned workers)
{
	unsigned next = 0;

	for (size_t i = 0; i < size; i++)
		for (size_t p = 0; p < group[i]->count; p++) {
			unsigned count = group[i]->points[p].workers;

			if (count > workers && (!next || count < next))
				next = count;
		}
	return next;
}

enum { GROUP = 16 };

/* All curves of the machine and workload of one. */
static size_t group_take(const struct curves *curves, const struct curve *leader,
                         const struct curve *group[GROUP])
{
	size_t size = 0;

	for (size_t i = 0; i < curves->count && size < GROUP; i++)
		if (curve_sibling(curves, leader, curves->curves[i].mode) == &curves->curves[i])
			group[size++] = &curves->curves[i];
	return size;
}

static void laws_print(const struct curve *const group[], size_t size, FILE *out)
{
	size_t most = 0;

	for (size_t i = 0; i < size; i++)
		most = group[i]->count > most ? group[i]->count : most;
	if (most < USL_COUNTS) {
		fprintf(out, "\nno scaling law is fitted to %zu count%s: it takes %d\n", most,
		        most == 1 ? "" : "s", USL_COUNTS);
		return;
	}
	fprintf(out, "\nUniversal Scalability Law, with 95 %% intervals:\n");
	for (size_t i = 0; i < size; i++) {
		if (group[i]->fitted)
			law_print(group[i], out);
		else
			fprintf(out, "%s: the law cannot be fitted\n", group[i]->mode);
	}
}

static void group_print(const struct curves *curves, const struct curve *leader, FILE *out)
{
	const struct curve *group[GROUP];
	size_t size = group_take(curves, leader, group), others = 0;
	const char *unit = leader->unit ? leader->unit : "rate";

	fprintf(out, "%s%s%s on %s\n", leader->preset, *leader->preset ? ": " : "",
	        leader->workload, leader->host);
	fprintf(out, "%7s  %-9s%4s%15s%9s%14s%8s%10s\n", "workers", "mode", "n", unit, "sd",
	        "per worker", "eff.", "thr/proc");
	for (unsigned n = 0; (n = count_next(group, size, n));)
		for (size_t i = 0; i < size; i++) {
			const struct curve_point *point = curve_at(group[i], n);
			struct scaling_row row;

			if (!point)
				continue;
			row = row_make(curves, group[i], point);
			row_print(&row, out);
			others += point->others;
		}
	laws_print(group, size, out);
	if (others)
		fprintf(out, "left out: %zu measurement%s not valid; points.csv has the reasons\n",
		        others, others == 1 ? "" : "s");
}

void scaling_print(const struct curves *curves, FILE *out)
{
	for (size_t i = 0; i < curves->count; i++)
		if (curve_leads(curves, i)) {
			group_print(curves, &curves->curves[i], out);
			fputc('\n', out);
		}
}
