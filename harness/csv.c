// SPDX-License-Identifier: GPL-3.0-or-later
#include "csv.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void csv_open(struct csv *csv, int fd, const struct column *columns)
{
	*csv = (struct csv){.fd = fd, .columns = columns};
}

/* Makes room for `more` bytes; false (and an error) when memory is out. */
static bool csv_room(struct csv *csv, size_t more)
{
	size_t size = csv->size ? csv->size : 4096;
	char *buffer;

	while (size < csv->used + more)
		size *= 2;
	if (size == csv->size)
		return true;
	buffer = realloc(csv->buffer, size);
	if (!buffer) {
		csv->error = ENOMEM;
		return false;
	}
	csv->buffer = buffer;
	csv->size = size;
	return true;
}

/* Quoted when it holds a comma, a quote or a line break (RFC 4180, section 2). */
static void csv_text(struct csv *csv, const char *text)
{
	if (!text || !csv_room(csv, 2 * strlen(text) + 2))
		return;
	if (!strpbrk(text, ",\"\r\n")) {
		csv->used +=
		        (size_t)(stpcpy(csv->buffer + csv->used, text) - (csv->buffer + csv->used));
		return;
	}
	csv->buffer[csv->used++] = '"';
	for (; *text; text++) {
		if (*text == '"')
			csv->buffer[csv->used++] = '"';
		csv->buffer[csv->used++] = *text;
	}
	csv->buffer[csv->used++] = '"';
}

/* Decimal digits, at least `width` of them, without printf: sample rows are written while the
 * workers run. */
static void csv_digits(struct csv *csv, uint64_t value, unsigned width)
{
	char digits[20];
	unsigned count = 0;

	while (value || count < width) {
		digits[count++] = (char)('0' + value % 10);
		value /= 10;
	}
	while (count)
		csv->buffer[csv->used++] = digits[--count];
}

static void csv_seconds(struct csv *csv, uint64_t ns)
{
	csv_digits(csv, ns / 1000000000, 1);
	csv->buffer[csv->used++] = '.';
	csv_digits(csv, ns % 1000000000, 9);
}

static void csv_real(struct csv *csv, double value)
{
	if (isfinite(value))
		csv->used += (size_t)snprintf(csv->buffer + csv->used, 32, "%.10g", value);
}

static void csv_value(struct csv *csv, const struct column *column, const void *record)
{
	const void *field = (const char *)record + column->offset;

	if (column->kind == COLUMN_TEXT) {
		csv_text(csv, *(const char *const *)field);
		return;
	}
	if (!csv_room(csv, 40))
		return;
	if (column->kind == COLUMN_REAL)
		csv_real(csv, *(const double *)field);
	else if (*(const uint64_t *)field == UNKNOWN_COUNT)
		return;
	else if (column->kind == COLUMN_SECONDS)
		csv_seconds(csv, *(const uint64_t *)field);
	else
		csv_digits(csv, *(const uint64_t *)field, 1);
}

static void csv_character(struct csv *csv, char character)
{
	if (csv_room(csv, 1))
		csv->buffer[csv->used++] = character;
}

void csv_header(struct csv *csv)
{
	for (const struct column *column = csv->columns; column->name && !csv->error; column++) {
		csv_text(csv, column->name);
		csv_character(csv, column[1].name ? ',' : '\n');
	}
}

void csv_record(struct csv *csv, const void *record)
{
	for (const struct column *column = csv->columns; column->name && !csv->error; column++) {
		csv_value(csv, column, record);
		csv_character(csv, column[1].name ? ',' : '\n');
	}
}

int csv_flush(struct csv *csv)
{
	size_t done = 0;

	while (!csv->error && done < csv->used) {
		ssize_t wrote = write(csv->fd, csv->buffer + done, csv->used - done);

		if (wrote >= 0)
			done += (size_t)wrote;
		else if (errno != EINTR)
			csv->error = errno;
	}
	if (csv->error) {
		if (csv->fd != STDOUT_FILENO)
			(void)!ftruncate(csv->fd, csv->written); /* the first error is the cause */
		return -1;
	}
	csv->written += (off_t)csv->used;
	csv->used = 0;
	return 0;
}

int csv_close(struct csv *csv)
{
	int result = csv_flush(csv);

	if (csv->fd != STDOUT_FILENO && close(csv->fd) && !csv->error) {
		csv->error = errno;
		result = -1;
	}
	free(csv->buffer);
	csv->buffer = NULL;
	return result;
}
