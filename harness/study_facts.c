// SPDX-License-Identifier: GPL-3.0-or-later
/* What meta.csv says of the machine, and the scaling laws fitted to the curves. */
#include "study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keeps a fact of meta.csv if the study wants it. */
static void fact_take(struct study_directory *directory, const char *key, const char *value)
{
	const struct {
		const char *key;
		char *text;
	} wanted[] = {
	        {"host", directory->host},
	        {"cpu_model", directory->cpu_model},
	        {"kernel_release", directory->kernel},
	        {"version", directory->version},
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		if (strcmp(key, wanted[i].key) == 0)
			snprintf(wanted[i].text, STUDY_TEXT, "%s", value);
	if (strcmp(key, "threads") == 0 && *value)
		directory->threads = strtoull(value, NULL, 10);
}

static int meta_load(struct study_directory *directory, struct complaint *c)
{
	struct csv_reader reader;
	int key, value, result = study_open(&reader, directory->path, "meta.csv", true, c);

	if (result <= 0)
		return result;
	key = csv_reader_column(&reader, "key");
	value = csv_reader_column(&reader, "value");
	while ((result = csv_reader_next(&reader, c)) == 1)
		fact_take(directory, csv_reader_text(&reader, key),
		          csv_reader_text(&reader, value));
	csv_reader_close(&reader);
	return result;
}

/* True if what the current row says of its curve agrees with one. */
static bool fit_matches(const struct csv_reader *reader, const struct study_curve *curve)
{
	for (size_t i = 0; i < STUDY_CELLS; i++) {
		int column = csv_reader_column(reader, study_columns[i].name);

		if (column >= 0 && strcmp(csv_reader_text(reader, column), curve->cells[i]) != 0)
			return false;
	}
	return true;
}

/* The law's rate of one worker, from its rate at any count (usl.h has the formula). */
static double single_rate(double rate, double n, double contention, double coherency)
{
	return rate * (1 + contention * (n - 1) + coherency * n * (n - 1)) / n;
}

/* Takes the law from a row of scaling.csv, which has it in each count's. */
static void fit_take(struct study_curve *curve, const struct csv_reader *reader)
{
	double rate = csv_reader_real(reader, csv_reader_column(reader, "fitted_rate"));
	double workers = csv_reader_real(reader, csv_reader_column(reader, "workers"));
	double contention = csv_reader_real(reader, csv_reader_column(reader, "contention"));
	double coherency = csv_reader_real(reader, csv_reader_column(reader, "coherency"));

	if (!(rate > 0) || !(workers > 0) || !isfinite(contention) || !isfinite(coherency))
		return;
	curve->contention = contention;
	curve->coherency = coherency;
	curve->single = single_rate(rate, workers, contention, coherency);
}

/* The fitted scaling laws, where there are any. */
static int fits_load(struct study *study, struct complaint *c)
{
	unsigned directory = study->directory_count - 1;
	struct csv_reader reader;
	int result =
	        study_open(&reader, study->directories[directory].path, "scaling.csv", true, c);

	if (result <= 0)
		return result;
	while ((result = csv_reader_next(&reader, c)) == 1)
		for (unsigned i = 0; i < study->curve_count; i++)
			if (study->curves[i].directory == directory &&
			    fit_matches(&reader, &study->curves[i]))
				fit_take(&study->curves[i], &reader);
	csv_reader_close(&reader);
	return result;
}

int study_facts(struct study *study, struct complaint *c)
{
	if (meta_load(&study->directories[study->directory_count - 1], c))
		return -1;
	return fits_load(study, c);
}
