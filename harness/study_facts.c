// SPDX-License-Identifier: GPL-3.0-or-later
/* What meta.csv says of the machine, and the scaling laws fitted to the curves. */
#include "study.h"

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
static bool fit_matches(const struct csv_reader *reader, const struct curve *curve)
{
	for (size_t i = 0; i < CURVE_CELLS; i++) {
		int column = csv_reader_column(reader, curve_columns[i].name);

		if (column >= 0 && strcmp(csv_reader_text(reader, column), curve->cells[i]) != 0)
			return false;
	}
	return true;
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
		for (unsigned i = 0; i < study->curve_count; i++) {
			struct curve *curve = &study->curves[i];

			if (curve->directory != directory || !fit_matches(&reader, curve))
				continue;
			curve->single =
			        csv_reader_real(&reader, csv_reader_column(&reader, "single_rate"));
			curve->contention =
			        csv_reader_real(&reader, csv_reader_column(&reader, "contention"));
			curve->coherency =
			        csv_reader_real(&reader, csv_reader_column(&reader, "coherency"));
		}
	csv_reader_close(&reader);
	return result;
}

int study_facts(struct study *study, struct complaint *c)
{
	if (meta_load(&study->directories[study->directory_count - 1], c))
		return -1;
	return fits_load(study, c);
}
