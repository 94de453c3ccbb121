// SPDX-License-Identifier: GPL-3.0-or-later
#include "curve.h"

#include "csv_reader.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The columns that are read. */
enum cell { HOST, WORKLOAD, PRESET, MODE, PER_PROCESS, WORKERS, STATUS, PAGES, LAPS, CELLS };

static const char *const cell_names[CELLS] = {
        [HOST] = "host",     [WORKLOAD] = "workload",       [PRESET] = "preset",
        [MODE] = "mode",     [PER_PROCESS] = "per_process", [WORKERS] = "workers",
        [STATUS] = "status", [PAGES] = "pages_per_s",       [LAPS] = "laps_per_s",
};

/* A row of the file, as far as curves need it. */
struct row {
	const char *text[CELLS];
	char mode[64]; /* with the threads in each process, if hybrid */
	unsigned workers;
	double pages, laps;
	bool valid;
};

static void row_take(const struct csv_reader *reader, const int at[CELLS], struct row *row)
{
	for (int i = 0; i < CELLS; i++)
		row->text[i] = csv_reader_text(reader, at[i]);
	snprintf(row->mode, sizeof(row->mode), "%s", row->text[MODE]);
	if (strcmp(row->text[MODE], "hybrid") == 0)
		snprintf(row->mode, sizeof(row->mode), "%.20s/proc", row->text[PER_PROCESS]);
	row->workers = (unsigned)csv_reader_count(reader, at[WORKERS]);
	row->pages = csv_reader_real(reader, at[PAGES]);
	row->laps = csv_reader_real(reader, at[LAPS]);
	row->valid = strcmp(row->text[STATUS], "valid") == 0;
}

static bool curve_is(const struct curve *curve, const struct row *row)
{
	return strcmp(curve->mode, row->mode) == 0 &&
	       strcmp(curve->workload, row->text[WORKLOAD]) == 0 &&
	       strcmp(curve->preset, row->text[PRESET]) == 0 &&
	       strcmp(curve->host, row->text[HOST]) == 0;
}

/* Room for one more of `count` elements, doubling at powers of two; NULL without memory. */
static void *room(void *array, size_t count, size_t size)
{
	return count & (count - 1) ? array : realloc(array, (count ? 2 * count : 1) * size);
}

static struct curve *curve_of(struct curves *curves, const struct row *row)
{
	struct curve *grown, *curve;

	for (size_t i = curves->count; i-- > 0;)
		if (curve_is(&curves->curves[i], row))
			return &curves->curves[i];
	grown = room(curves->curves, curves->count, sizeof(*grown));
	if (!grown)
		return NULL;
	curves->curves = grown;
	curve = &grown[curves->count++];
	*curve = (struct curve){
	        .host = strdup(row->text[HOST]),
	        .workload = strdup(row->text[WORKLOAD]),
	        .preset = strdup(row->text[PRESET]),
	        .mode = strdup(row->mode),
	};
	return curve->host && curve->workload && curve->preset && curve->mode ? curve : NULL;
}

static struct curve_point *point_of(struct curve *curve, unsigned workers)
{
	struct curve_point *grown;
	size_t i = curve->count;

	while (i > 0 && curve->points[i - 1].workers > workers)
		i--;
	if (i > 0 && curve->points[i - 1].workers == workers)
		return &curve->points[i - 1];
	grown = room(curve->points, curve->count, sizeof(*grown));
	if (!grown)
		return NULL;
	curve->points = grown;
	memmove(grown + i + 1, grown + i, (curve->count++ - i) * sizeof(*grown));
	grown[i] = (struct curve_point){.workers = workers};
	return &grown[i];
}

static int rate_add(struct curve *curve, struct curve_point *point, double rate)
{
	double *workers = room(curve->workers, curve->measured, sizeof(*workers));
	double *rates;

	if (!workers)
		return -1;
	curve->workers = workers;
	rates = room(curve->rates, curve->measured, sizeof(*rates));
	if (!rates)
		return -1;
	curve->rates = rates;
	workers[curve->measured] = point->workers;
	rates[curve->measured++] = rate;
	point->repeats++;
	return 0;
}

static int row_add(struct curves *curves, const struct row *row)
{
	double rate = isfinite(row->pages) ? row->pages : row->laps;
	struct curve *curve = curve_of(curves, row);
	struct curve_point *point = curve ? point_of(curve, row->workers) : NULL;

	if (!point)
		return -1;
	if (!row->valid || !isfinite(rate)) {
		point->others++;
		return 0;
	}
	curve->unit = isfinite(row->pages) ? "pages/s" : "laps/s";
	return rate_add(curve, point, rate);
}

/* Mean and standard deviation of each count, and the law. */
static int curve_finish(struct curve *curve)
{
	double *rates = calloc(curve->measured + 1, sizeof(*rates));

	if (!rates)
		return -1;
	for (size_t p = 0; p < curve->count; p++) {
		struct curve_point *point = &curve->points[p];
		size_t n = 0;

		for (size_t i = 0; i < curve->measured; i++)
			if ((unsigned)curve->workers[i] == point->workers)
				rates[n++] = curve->rates[i];
		point->rate = n ? gsl_stats_mean(rates, 1, n) : (double)NAN;
		point->deviation = n > 1 ? gsl_stats_sd(rates, 1, n) : (double)NAN;
	}
	free(rates);
	curve->fitted = curve->measured &&
	                usl_fit(curve->workers, curve->rates, curve->measured, &curve->usl) == 0;
	return 0;
}

static int rows_read(struct csv_reader *reader, struct curves *curves, struct complaint *c)
{
	int at[CELLS], more;

	for (int i = 0; i < CELLS; i++) {
		at[i] = csv_reader_column(reader, cell_names[i]);
		if (at[i] < 0)
			return complain(c, EXIT_FAILED, "'%s' has no column '%s'", reader->path,
			                cell_names[i]);
	}
	while ((more = csv_reader_next(reader, c)) == 1) {
		struct row row;

		row_take(reader, at, &row);
		if (row_add(curves, &row))
			return complain(c, EXIT_FAILED, "no memory for the curves");
	}
	for (size_t i = 0; more == 0 && i < curves->count; i++)
		if (curve_finish(&curves->curves[i]))
			return complain(c, EXIT_FAILED, "no memory for the curves");
	return more;
}

int curves_read(const char *path, struct curves *curves, struct complaint *c)
{
	struct csv_reader reader;
	int result;

	*curves = (struct curves){0};
	if (csv_reader_open(&reader, path, c))
		return -1;
	result = rows_read(&reader, curves, c);
	csv_reader_close(&reader);
	if (result)
		curves_free(curves);
	return result;
}

void curves_free(struct curves *curves)
{
	for (size_t i = 0; i < curves->count; i++) {
		struct curve *curve = &curves->curves[i];

		free(curve->host);
		free(curve->workload);
		free(curve->preset);
		free(curve->mode);
		free(curve->workers);
		free(curve->rates);
		free(curve->points);
	}
	free(curves->curves);
	*curves = (struct curves){0};
}

const struct curve_point *curve_at(const struct curve *curve, unsigned workers)
{
	for (size_t i = 0; i < curve->count; i++)
		if (curve->points[i].workers == workers)
			return &curve->points[i];
	return NULL;
}

const struct curve *curve_sibling(const struct curves *curves, const struct curve *curve,
                                  const char *mode)
{
	for (size_t i = 0; i < curves->count; i++) {
		const struct curve *other = &curves->curves[i];

		if (strcmp(other->mode, mode) == 0 && strcmp(other->host, curve->host) == 0 &&
		    strcmp(other->preset, curve->preset) == 0 &&
		    strcmp(other->workload, curve->workload) == 0)
			return other;
	}
	return NULL;
}

double curve_efficiency(const struct curve *curve, const struct curve_point *point)
{
	const struct curve_point *one = curve_at(curve, 1);

	return one ? point->rate / one->rate / point->workers : (double)NAN;
}
