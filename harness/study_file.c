// SPDX-License-Identifier: GPL-3.0-or-later
#include "study.h"

#include <limits.h>
#include <string.h>

void study_file_open(struct study_file *file, const struct study *study, const char *name)
{
	*file = (struct study_file){.study = study, .name = name};
}

void study_file_close(struct study_file *file)
{
	if (file->open)
		csv_reader_close(&file->reader);
	file->open = false;
}

/* Opens the next directory's file; 1, 0 if there is none any more, -1 with a complaint. */
static int file_advance(struct study_file *file, struct complaint *c)
{
	study_file_close(file);
	while (file->directory < file->study->directory_count) {
		const char *path = file->study->directories[file->directory++].path;
		int result = study_open(&file->reader, path, file->name, true, c);

		if (result < 0)
			return -1;
		if (result == 0)
			continue;
		file->open = true;
		file->host = csv_reader_column(&file->reader, "host");
		file->key = csv_reader_column(&file->reader, "key");
		file->repeat = csv_reader_column(&file->reader, "repeat");
		file->last = NULL;
		return 1;
	}
	return 0;
}

/* The study's row for the current one: most often that of the one before. */
static const struct study_row *file_row(struct study_file *file)
{
	const char *host = csv_reader_text(&file->reader, file->host);
	const char *key = csv_reader_text(&file->reader, file->key);
	uint64_t repeat = csv_reader_count(&file->reader, file->repeat);
	const struct study_row *last = file->last;

	if (last && last->repeat == repeat && strcmp(last->key, key) == 0 &&
	    strcmp(file->study->curves[last->curve].cells[STUDY_HOST], host) == 0)
		return last;
	return file->last = study_find(file->study, file->directory - 1, host, key, repeat);
}

int study_file_next(struct study_file *file, const struct study_row **row, struct complaint *c)
{
	for (;;) {
		int result = file->open ? csv_reader_next(&file->reader, c) : 0;

		if (result < 0)
			return -1;
		if (result == 0) {
			result = file_advance(file, c);
			if (result <= 0)
				return result;
			continue;
		}
		*row = file_row(file);
		if (*row)
			return 1;
	}
}

const char *study_file_text(const struct study_file *file, const char *column)
{
	return csv_reader_text(&file->reader, csv_reader_column(&file->reader, column));
}

double study_file_real(const struct study_file *file, const char *column)
{
	return csv_reader_real(&file->reader, csv_reader_column(&file->reader, column));
}
