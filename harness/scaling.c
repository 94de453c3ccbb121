// SPDX-License-Identifier: GPL-3.0-or-later
#include "scaling.h"

#include "csv.h"
#include "stats.h"

#include <math.h>
#include <string.h>

#define ROW(name, kind, member) COLUMN(scaling_row, name, kind, member, "")

/* clang-format off */
static const struct column columns[] = {
	ROW("host", COLUMN_TEXT, cells[STUDY_HOST]),
	ROW("workload", COLUMN_TEXT, cells[STUDY_WORKLOAD]),
	ROW("preset", COLUMN_TEXT, cells[STUDY_PRESET]),
	ROW("mode", COLUMN_TEXT, mode),
	ROW("workers", COLUMN_COUNT, workers),
	ROW("repeats", COLUMN_COUNT, repeats),
	ROW("not_valid", COLUMN_COUNT, others),
	ROW("rate", COLUMN_REAL, rate),
	ROW("unit", COLUMN_TEXT, unit),
	ROW("standard_deviation", COLUMN_REAL, deviation),
	ROW("rate_per_worker", COLUMN_REAL, per_worker),
	ROW("efficiency", COLUMN_REAL, efficiency),
	ROW("thread_by_process", COLUMN_REAL, ratio),
	ROW("fitted_rate", COLUMN_REAL, law),
	ROW("contention", COLUMN_REAL, sigma[0]),
	ROW("contention_low", COLUMN_REAL, sigma[1]),
	ROW("contention_high", COLUMN_REAL, sigma[2]),
	ROW("coherency", COLUMN_REAL, kappa[0]),
	ROW("coherency_low", COLUMN_REAL, kappa[1]),
	ROW("coherency_high", COLUMN_REAL, kappa[2]),
	ROW("peak_workers", COLUMN_REAL, peak[0]),
	ROW("peak_workers_low", COLUMN_REAL, peak[1]),
	ROW("peak_workers_high", COLUMN_REAL, peak[2]),
	ROW("precision", COLUMN_REAL, precision), /* half the 95 % interval, by the rate */
};
/* clang-format on */

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

/* The columns above, then those of the options that tell curves apart. */
static void columns_make(struct column all[COLUMNS + STUDY_CELLS + 1])
{
	size_t count = COLUMNS;

	memcpy(all, columns, sizeof(columns));
	for (size_t i = 0; i < STUDY_CELLS; i++)
		if (study_columns[i].role != STUDY_TITLE && i != STUDY_MODE)
			all[count++] = (struct column){
			        study_columns[i].name, COLUMN_TEXT,
			        offsetof(struct scaling_row, cells) + i * sizeof(char *), ""};
	all[count] = (struct column){.name = NULL};
}

/* Rate of a thread curve by that of the processes at the same count; NAN for another curve. */
static double thread_by_process(const struct study *study, const struct study_curve *curve,
                                const struct study_group *group)
{
	const struct study_curve *beside = &study->curves[curve->leader];
	const struct study_group *other;

	while (beside && strcmp(beside->cells[STUDY_MODE], "process") != 0)
		beside = study_beside(study, beside);
	if (!beside || strcmp(curve->cells[STUDY_MODE], "thread") != 0)
		return (double)NAN;
	other = study_group_at(study, beside, group->workers);
	return other ? group->mean / other->mean : (double)NAN;
}

/* Rate by that of one worker and the count; NAN without a valid point of one worker. */
static double efficiency(const struct study *study, const struct study_curve *curve,
                         const struct study_group *group)
{
	const struct study_group *one = study_group_at(study, curve, 1);

	return one ? group->mean / one->mean / (double)group->workers : (double)NAN;
}

/* Half the 95 % interval of the mean, by the mean; NAN below three repeats. */
static double precision_of(const struct study_group *group)
{
	const struct summary summary = {group->count, group->mean, group->deviation};
	struct estimate estimate = estimate_mean(&summary);
	struct interval interval = estimate_interval(&estimate, STATS_ALPHA);

	return (interval.high - interval.low) / 2 / interval.value;
}

static void estimate_copy(const struct usl_estimate *estimate, double out[3])
{
	out[0] = estimate ? estimate->value : (double)NAN;
	out[1] = estimate ? estimate->low : (double)NAN;
	out[2] = estimate ? estimate->high : (double)NAN;
}

void scaling_row_fill(struct scaling_row *row, const struct study *study,
                      const struct study_group *group, const struct usl *law)
{
	const struct study_curve *curve = &study->curves[group->curve];

	*row = (struct scaling_row){
	        .mode = curve->cells[STUDY_MODE],
	        .unit = curve->unit ? study_unit(curve) : "",
	        .workers = group->workers,
	        .repeats = group->count,
	        .others = group->others,
	        .rate = group->mean,
	        .deviation = group->deviation,
	        .precision = precision_of(group),
	        .per_worker = group->mean / (double)group->workers,
	        .efficiency = efficiency(study, curve, group),
	        .ratio = thread_by_process(study, curve, group),
	        .law = law ? usl_rate(law, (double)group->workers) : (double)NAN,
	};
	memcpy(row->cells, curve->cells, sizeof(row->cells));
	if (*curve->cells[STUDY_PER_PROCESS]) {
		snprintf(row->hybrid, sizeof(row->hybrid), "%.20s/proc",
		         curve->cells[STUDY_PER_PROCESS]);
		row->mode = row->hybrid;
	}
	estimate_copy(law ? &law->parameter[USL_SIGMA] : NULL, row->sigma);
	estimate_copy(law ? &law->parameter[USL_KAPPA] : NULL, row->kappa);
	estimate_copy(law ? &law->peak : NULL, row->peak);
}

int scaling_write(const struct study *study, int fd)
{
	struct column all[COLUMNS + STUDY_CELLS + 1];
	struct csv csv;

	columns_make(all);
	csv_open(&csv, fd, all);
	csv_header(&csv);
	for (size_t i = 0; i < study->curve_count; i++) {
		const struct study_curve *curve = &study->curves[i];
		struct usl law;
		bool fitted = study_law(study, curve, &law) == 0;

		for (size_t j = 0; j < curve->group_count; j++) {
			struct scaling_row row;

			scaling_row_fill(&row, study, &study->groups[curve->first + j],
			                 fitted ? &law : NULL);
			csv_record(&csv, &row);
		}
	}
	csv_close(&csv);
	return csv.error;
}
