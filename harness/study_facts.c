// SPDX-License-Identifier: GPL-3.0-or-later
/* What meta.csv says of the machine. */
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

int study_facts(struct study_directory *directory, struct complaint *c)
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
