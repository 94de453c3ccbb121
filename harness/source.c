// SPDX-License-Identifier: GPL-3.0-or-later
#include "source.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool source_part(const char *list, size_t place, char out[SOURCE_NAME])
{
	size_t length;

	for (; place; place--) {
		list += strcspn(list, ",");
		if (!*list)
			return false;
		list++;
	}
	length = strcspn(list, ",");
	if (length >= SOURCE_NAME)
		length = SOURCE_NAME - 1;
	memcpy(out, list, length);
	out[length] = '\0';
	return length > 0;
}

int source_column(const struct csv_reader *reader, const char *option, const char *name,
                  int *column, struct complaint *c)
{
	*column = csv_reader_column(reader, name);
	if (*column >= 0)
		return 0;
	if (reader->columns == 1 && strpbrk(reader->name[0], ";\t"))
		return complain(c, EXIT_USAGE,
		                "--%s: '%s' has one column, '%s'\ncells are separated by commas",
		                option, reader->path, reader->name[0]);
	return complain(c, EXIT_USAGE, "--%s: '%s' has no column '%s'\nits first is '%s'", option,
	                reader->path, name, reader->name[0]);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && strcasecmp(text + length - tail, end) == 0;
}

/* A number, which may be followed by a percent sign; false if it is none. */
static bool number_read(const char *text, double *value, bool *percent)
{
	char *end;

	*value = strtod(text, &end);
	if (end == text || !isfinite(*value))
		return false;
	if (*end == '%') {
		*percent = true;
		end++;
	}
	return *end == '\0';
}

int source_find(const struct csv_reader *reader, const char *option, const char *list, size_t place,
                struct source *source, struct complaint *c)
{
	char name[SOURCE_NAME];

	*source = (struct source){.option = option, .column = -1};
	if (!*list)
		return 0;
	if (!source_part(list, place, name) && !source_part(list, 0, name))
		return complain(c, EXIT_USAGE, "--%s: '%s' names no column", option, list);
	source->given = true;
	source->column = csv_reader_column(reader, name);
	if (source->column < 0 && number_read(name, &source->value, &source->percent)) {
		source->constant = true;
		return 0;
	}
	source->percent =
	        ends_with(name, "percent") || ends_with(name, "pct") || ends_with(name, "%");
	if (source->column < 0 && ends_with(name, "%"))
		name[strlen(name) - 1] = '\0';
	return source_column(reader, option, name, &source->column, c);
}

int source_read(const struct csv_reader *reader, const struct source *source, double *value,
                bool *percent, struct complaint *c)
{
	const char *text;

	*value = (double)NAN;
	*percent = source->percent;
	if (source->constant)
		*value = source->value;
	if (source->constant || !source->given)
		return 0;
	text = csv_reader_text(reader, source->column);
	if (!*text || number_read(text, value, percent))
		return 0;
	return complain(c, EXIT_FAILED, "'%s', line %" PRIu64 ", column '%s': '%s' is no number",
	                reader->path, reader->row, reader->name[source->column], text);
}
