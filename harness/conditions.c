// SPDX-License-Identifier: GPL-3.0-or-later
#include "conditions.h"

#include "csv_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The facts that must stay, and what a person calls them. */
static const struct {
	const char *key, *name;
} kept[] = {
        {"build_id", "build of faultscale"}, {"kernel_release", "kernel release"},
        {"kernel_version", "kernel build"},  {"kernel_cmdline", "kernel command line"},
        {"cpu_model", "CPU model"},          {"thp", "setting of transparent huge pages"},
};

enum { KEPT = sizeof(kept) / sizeof(kept[0]) };

static const char *value_of(const char *key, const struct meta_row rows[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].key, key) == 0)
			return rows[i].value;
	return NULL;
}

/* Refuses a row of the file that is one of those kept and has another value now. */
static int row_check(const struct csv_reader *reader, const struct meta_row *then,
                     const struct meta_row now[], size_t count, struct complaint *c)
{
	const char *value = value_of(then->key, now, count);
	size_t i = 0;

	while (i < KEPT && strcmp(kept[i].key, then->key) != 0)
		i++;
	if (i == KEPT || !value || strcmp(value, then->value) == 0)
		return 0;
	return complain(c, EXIT_FAILED,
	                "'%.200s' was measured with another %s: '%.200s', now '%.200s'\n"
	                "give another directory with -o, or go back to that",
	                reader->path, kept[i].name, then->value, value);
}

/* Opens the file and finds its two columns; false if it is not such a file. */
static bool meta_open(struct csv_reader *reader, const char *path, int at[2])
{
	struct complaint ignored;

	if (csv_reader_open(reader, path, &ignored))
		return false;
	at[0] = csv_reader_column(reader, "key");
	at[1] = csv_reader_column(reader, "value");
	return true;
}

int conditions_check(const char *path, const struct meta_row now[], size_t count,
                     struct complaint *c)
{
	struct csv_reader reader;
	int at[2], more, result = 0;

	if (!meta_open(&reader, path, at))
		return 0;
	while ((more = csv_reader_next(&reader, c)) == 1 && result == 0)
		result = row_check(&reader,
		                   &(struct meta_row){csv_reader_text(&reader, at[0]),
		                                      csv_reader_text(&reader, at[1])},
		                   now, count, c);
	csv_reader_close(&reader);
	return more < 0 ? -1 : result;
}

void conditions_fact(const char *path, const char *key, char *out, size_t size)
{
	struct csv_reader reader;
	struct complaint ignored;
	int at[2];

	out[0] = '\0';
	if (!meta_open(&reader, path, at))
		return;
	while (csv_reader_next(&reader, &ignored) == 1)
		if (strcmp(csv_reader_text(&reader, at[0]), key) == 0)
			snprintf(out, size, "%s", csv_reader_text(&reader, at[1]));
	csv_reader_close(&reader);
}

int conditions_write(const char *path, const struct meta_row rows[], size_t count,
                     struct complaint *c)
{
	char partial[4096];
	struct csv csv;
	int fd;

	snprintf(partial, sizeof(partial), "%s.new", path);
	fd = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return complain(c, EXIT_FAILED, "cannot write '%s': %s", partial, strerror(errno));
	csv_open(&csv, fd, result_tables[RESULT_META].columns);
	csv_header(&csv);
	for (size_t i = 0; i < count; i++)
		csv_record(&csv, &rows[i]);
	if (csv_close(&csv) || rename(partial, path))
		return complain(c, EXIT_FAILED, "cannot write '%s': %s", path,
		                strerror(csv.error ? csv.error : errno));
	return 0;
}
