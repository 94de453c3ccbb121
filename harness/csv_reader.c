// SPDX-License-Identifier: GPL-3.0-or-later
#include "csv_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool quotes_open(const char *text)
{
	bool open = false;

	for (; *text; text++)
		open ^= *text == '"';
	return open;
}

/* Reads a record, which has line breaks in it while a quote is open.  1, 0 at the end, -1 error. */
static int record_read(struct csv_reader *reader, char **text, size_t *size)
{
	ssize_t length = getline(text, size, reader->file);
	char *more = NULL;
	size_t more_size = 0;

	if (length < 0)
		return ferror(reader->file) ? -1 : 0;
	reader->row++;
	while (quotes_open(*text)) {
		ssize_t more_length = getline(&more, &more_size, reader->file);
		char *joined =
		        more_length < 0 ? NULL : realloc(*text, strlen(*text) + strlen(more) + 1);

		if (!joined) {
			free(more);
			return -1;
		}
		reader->row++;
		*text = strcat(joined, more);
		*size = strlen(joined) + 1;
	}
	free(more);
	return 1;
}

/* Takes the quotes off a cell in place; returns where the cell ends. */
static char *cell_unquote(char *cell)
{
	char *to = cell;

	for (char *from = cell + 1; *from; from++) {
		if (*from == '"' && *++from != '"') {
			*to = '\0';
			return from;
		}
		*to++ = *from;
	}
	*to = '\0';
	return to;
}

/* Splits a record in place; returns the number of cells, 0 if there are too many or one goes on
 * behind its closing quote. */
static size_t record_split(char *text, char *cell[CSV_READER_COLUMNS])
{
	size_t count = 0;

	for (;;) {
		char *end, separator;

		if (count == CSV_READER_COLUMNS)
			return 0;
		cell[count++] = text;
		end = *text == '"' ? cell_unquote(text) : text + strcspn(text, ",\r\n");
		separator = *end;
		*end = '\0';
		if (separator != ',')
			return separator && !strchr("\r\n", separator) ? 0 : count;
		text = end + 1;
	}
}

int csv_reader_open(struct csv_reader *reader, const char *path, struct complaint *c)
{
	*reader = (struct csv_reader){.file = fopen(path, "re")};
	snprintf(reader->path, sizeof(reader->path), "%s", path);
	if (!reader->file)
		return complain(c, EXIT_FAILED, "cannot read '%s': %s", path, strerror(errno));
	if (record_read(reader, &reader->header, &reader->header_size) == 1) {
		size_t mark = strncmp(reader->header, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

		reader->columns = record_split(reader->header + mark, reader->name);
	}
	if (reader->columns)
		return 0;
	csv_reader_close(reader);
	return complain(c, EXIT_FAILED, "'%s' has no header that can be read", path);
}

void csv_reader_close(struct csv_reader *reader)
{
	fclose(reader->file);
	free(reader->header);
	free(reader->cells);
	*reader = (struct csv_reader){0};
}

int csv_reader_column(const struct csv_reader *reader, const char *name)
{
	for (size_t i = 0; i < reader->columns; i++)
		if (strcmp(reader->name[i], name) == 0)
			return (int)i;
	return -1;
}

int csv_reader_next(struct csv_reader *reader, struct complaint *c)
{
	int result;

	do
		result = record_read(reader, &reader->cells, &reader->cells_size);
	while (result == 1 && reader->columns > 1 &&
	       reader->cells[strspn(reader->cells, "\r\n")] == 0);
	if (result == 0)
		return 0;
	if (result < 0)
		return complain(c, EXIT_FAILED, "'%s', line %" PRIu64 ": cannot be read to its end",
		                reader->path, reader->row);
	if (record_split(reader->cells, reader->cell) != reader->columns)
		return complain(c, EXIT_FAILED,
		                "'%s', line %" PRIu64 ": not the header's %zu cells", reader->path,
		                reader->row, reader->columns);
	return 1;
}

const char *csv_reader_text(const struct csv_reader *reader, int column)
{
	return column < 0 ? "" : reader->cell[column];
}

double csv_reader_real(const struct csv_reader *reader, int column)
{
	const char *text = csv_reader_text(reader, column);
	char *end;
	double value = strtod(text, &end);

	return *text && !*end && isfinite(value) ? value : (double)NAN;
}

uint64_t csv_reader_count(const struct csv_reader *reader, int column)
{
	const char *text = csv_reader_text(reader, column);
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno ? value : UINT64_MAX;
}
