// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign.h"

#include "source.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = MATCHING_COLUMNS - 1 };

/* What is read of one side from each row. */
struct side_sources {
	struct source value, n, stddev, stderror, times;
};

struct foreign {
	struct csv_reader reader;
	struct matching *matching;
	int key[KEYS];
	size_t keys;
	int status_column; /* of our own points.csv, or -1 */
	int side_column;
	char side_value[2][SOURCE_NAME];
	char value_name[2][SOURCE_NAME];
	char metric[2 * SOURCE_NAME]; /* what the values are called */
	size_t sides;                 /* columns of values: 1 or 2 */
	int side;                     /* of a file with one column of values, or -1 */
	struct side_sources sources[2];
};

static int sources_find(struct foreign *foreign, const struct foreign_columns *columns,
                        struct complaint *c)
{
	for (size_t s = 0; s < foreign->sides; s++) {
		struct side_sources *at = &foreign->sources[s];

		if (source_find(&foreign->reader, "value", columns->value, s, &at->value, c) ||
		    source_find(&foreign->reader, "n", columns->n, s, &at->n, c) ||
		    source_find(&foreign->reader, "stddev", columns->stddev, s, &at->stddev, c) ||
		    source_find(&foreign->reader, "stderr", columns->stderror, s, &at->stderror,
		                c) ||
		    source_find(&foreign->reader, "times", columns->times, s, &at->times, c))
			return -1;
		if (at->value.constant)
			return complain(c, EXIT_USAGE, "--value: '%s' has no column '%s'",
			                foreign->reader.path, columns->value);
		if (at->stddev.given && at->stderror.given)
			return complain(c, EXIT_USAGE,
			                "--stddev and --stderr exclude each other\n"
			                "give the one that the table has");
		if (at->n.given != (at->stddev.given || at->stderror.given))
			return complain(
			        c, EXIT_USAGE, "%s\na summary needs --n with --stddev or --stderr",
			        at->n.given ? "--n without a spread" : "a spread without --n");
	}
	return 0;
}

/* "COLUMN" or "COLUMN:BEFORE,AFTER". */
static int side_find(struct foreign *foreign, const char *text, struct complaint *c)
{
	const char *colon;
	char name[SOURCE_NAME];

	foreign->side_column = csv_reader_column(&foreign->reader, text);
	if (foreign->side_column >= 0)
		return 0;
	colon = strrchr(text, ':');
	snprintf(name, sizeof(name), "%.*s",
	         colon && colon - text < SOURCE_NAME ? (int)(colon - text) : SOURCE_NAME - 1, text);
	if (colon && (!source_part(colon + 1, 0, foreign->side_value[0]) ||
	              !source_part(colon + 1, 1, foreign->side_value[1])))
		return complain(c, EXIT_USAGE,
		                "--side: '%s' does not name two values\n"
		                "write --side=COLUMN:BEFORE,AFTER",
		                text);
	return source_column(&foreign->reader, "side", name, &foreign->side_column, c);
}

/* Names the columns: the keys and the metric. */
static int keys_find(struct foreign *foreign, const char *list, struct complaint *c)
{
	struct matching *matching = foreign->matching;
	char name[SOURCE_NAME];

	while (*list && source_part(list, foreign->keys, name)) {
		if (foreign->keys == KEYS)
			return complain(c, EXIT_USAGE, "--key: more than %d columns", KEYS);
		if (source_column(&foreign->reader, "key", name, &foreign->key[foreign->keys], c))
			return -1;
		foreign->keys++;
	}
	if (matching->columns && matching->columns != foreign->keys + 1)
		return complain(c, EXIT_USAGE, "--key: the files do not have the same columns");
	return 0;
}

/* Describes the columns, once for both files. */
static void columns_name(struct foreign *foreign)
{
	struct matching *matching = foreign->matching;

	if (matching->columns)
		return;
	for (size_t i = 0; i < foreign->keys; i++) {
		struct matching_column *column = &matching->column[i];

		*column = (struct matching_column){.identity = true, .shown = true};
		snprintf(column->name, sizeof(column->name), "%.*s", MATCHING_NAME - 1,
		         foreign->reader.name[foreign->key[i]]);
	}
	matching->column[foreign->keys] = (struct matching_column){"metric", false, false};
	matching->columns = foreign->keys + 1;
	matching->metric_column = foreign->keys;
	matching->count_column = foreign->keys ? foreign->keys - 1 : 0;
}

/* What two columns of values have in common at their end, from a word on; else the first's name. */
static const char *names_common(const char *a, const char *b)
{
	size_t length = strlen(a), other = strlen(b), same = 0;

	while (same < length && same < other && a[length - 1 - same] == b[other - 1 - same])
		same++;
	while (same && same < length && a[length - same - 1] != '_')
		same--;
	return same ? a + length - same : a;
}

static void metric_name(struct foreign *foreign, const char *times)
{
	const char *name = foreign->value_name[0];

	if (foreign->sides == 2)
		name = names_common(name, foreign->value_name[1]);
	snprintf(foreign->metric, sizeof(foreign->metric), *times ? "%s*%.200s" : "%s", name,
	         times);
}

/* Fills a row's numbers. */
static int numbers_read(const struct foreign *foreign, const struct side_sources *sources,
                        struct matching_row *row, struct complaint *c)
{
	const struct source *error = sources->stddev.given ? &sources->stddev : &sources->stderror;
	double value, times, n, spread;
	bool percent, ignored;

	if (source_read(&foreign->reader, &sources->value, &value, &ignored, c) ||
	    source_read(&foreign->reader, &sources->times, &times, &ignored, c) ||
	    source_read(&foreign->reader, &sources->n, &n, &ignored, c) ||
	    source_read(&foreign->reader, error, &spread, &percent, c))
		return -1;
	if (!sources->times.given)
		times = 1;
	spread *= percent ? fabs(value * times) / 100 : times;
	row->at.value = value * times;
	row->valid =
	        isfinite(row->at.value) &&
	        (foreign->status_column < 0 ||
	         strcmp(csv_reader_text(&foreign->reader, foreign->status_column), "valid") == 0);
	row->summarised = sources->n.given;
	if (!row->summarised)
		return 0;
	if (!(n >= 1) || n > 1e15 || spread < 0)
		return complain(c, EXIT_FAILED, "'%s', line %" PRIu64 ": n must be 1 or more, %s",
		                foreign->reader.path, foreign->reader.row, "a spread 0 or more");
	row->given = (struct summary){(size_t)n, row->at.value,
	                              sources->stderror.given ? spread * sqrt(n) : spread};
	return 0;
}

/* The key: its cells, joined so that no two keys read alike. */
static int cells_take(const struct foreign *foreign, struct matching_row *row, struct complaint *c)
{
	size_t size = 1, used = 0;

	for (size_t i = 0; i < foreign->keys; i++)
		size += strlen(csv_reader_text(&foreign->reader, foreign->key[i])) + 1;
	row->key = calloc(size, 1);
	row->cell[foreign->keys] = strdup(foreign->metric);
	if (!row->key || !row->cell[foreign->keys])
		return complain(c, EXIT_FAILED, "no memory");
	for (size_t i = 0; i < foreign->keys; i++) {
		const char *text = csv_reader_text(&foreign->reader, foreign->key[i]);

		used += (size_t)snprintf(row->key + used, size - used, i ? "\037%s" : "%s", text);
		row->cell[i] = strdup(text);
		if (!row->cell[i])
			return complain(c, EXIT_FAILED, "no memory");
	}
	return 0;
}

/* The side that a row belongs to by its column: the first value met is before, the second after.
 * -1 if it is another value and two were named; -2 with a complaint if none were. */
static int row_side(struct foreign *foreign, bool named, struct complaint *c)
{
	const char *text = csv_reader_text(&foreign->reader, foreign->side_column);

	for (int s = 0; s < 2; s++) {
		if (!named && !*foreign->side_value[s])
			snprintf(foreign->side_value[s], SOURCE_NAME, "%.*s", SOURCE_NAME - 1,
			         text);
		if (strcmp(foreign->side_value[s], text) == 0)
			return s;
	}
	if (named)
		return -1;
	complain(c, EXIT_USAGE,
	         "--side: '%s' has more than two values: %.64s, %.64s, %.64s\n"
	         "name two of them: --side=COLUMN:BEFORE,AFTER",
	         foreign->reader.name[foreign->side_column], foreign->side_value[0],
	         foreign->side_value[1], text);
	return -2;
}

static int row_take(struct foreign *foreign, bool named, struct complaint *c)
{
	int side = foreign->side;

	if (foreign->side_column >= 0)
		side = row_side(foreign, named, c);
	if (side == -2)
		return -1;
	for (size_t s = 0; s < foreign->sides; s++) {
		struct matching_row *row = side == -1 && foreign->side_column >= 0
		                                   ? NULL
		                                   : matching_row_add(foreign->matching);

		if (!row)
			return 0;
		row->side = foreign->sides == 2 ? (int)s : side;
		row->at.repeat = row->sequence;
		if (numbers_read(foreign, &foreign->sources[s], row, c) ||
		    cells_take(foreign, row, c))
			return -1;
	}
	return 0;
}

/* Where a points.csv says which of its rows are valid; -1 for other tables. */
static int status_find(const struct csv_reader *reader)
{
	bool points =
	        csv_reader_column(reader, "key") >= 0 && csv_reader_column(reader, "boot_id") >= 0;

	return points ? csv_reader_column(reader, "status") : -1;
}

static int header_read(struct foreign *foreign, const struct foreign_columns *columns,
                       struct complaint *c)
{
	char extra[SOURCE_NAME];

	foreign->sides = source_part(columns->value, 1, foreign->value_name[1]) ? 2 : 1;
	if (!source_part(columns->value, 0, foreign->value_name[0]))
		return complain(c, EXIT_USAGE,
		                "'%s' is a file: which column is to be compared?\n"
		                "name it with --value, and with --key what tells points apart",
		                foreign->reader.path);
	if (source_part(columns->value, 2, extra))
		return complain(c, EXIT_USAGE, "--value: more than two columns");
	if (foreign->side < 0 && (foreign->sides == 2) == (*columns->side != '\0'))
		return complain(c, EXIT_USAGE,
		                "one file: what is before, what is after?\n"
		                "name two columns with --value=A,B, or one with --side, or "
		                "give two files");
	if (foreign->side >= 0 && (foreign->sides == 2 || *columns->side))
		return complain(c, EXIT_USAGE,
		                "two files are before and after already\n"
		                "leave out --side and name one column with --value");
	foreign->status_column = status_find(&foreign->reader);
	foreign->side_column = -1;
	if (*columns->side && side_find(foreign, columns->side, c))
		return -1;
	if (keys_find(foreign, columns->key, c) || sources_find(foreign, columns, c))
		return -1;
	columns_name(foreign);
	metric_name(foreign, columns->times);
	return 0;
}

int foreign_read(struct matching *matching, int side, const char *path,
                 const struct foreign_columns *columns, struct complaint *c)
{
	struct foreign foreign = {.matching = matching, .side = side};
	int result, more;
	bool named;

	if (csv_reader_open(&foreign.reader, path, c))
		return -1;
	result = header_read(&foreign, columns, c);
	named = *foreign.side_value[0] != '\0';
	while (result == 0 && (more = csv_reader_next(&foreign.reader, c)) != 0)
		result = more < 0 ? -1 : row_take(&foreign, named, c);
	csv_reader_close(&foreign.reader);
	return result;
}
