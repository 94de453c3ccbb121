// SPDX-License-Identifier: GPL-3.0-or-later
#include "gather.h"

#include "csv_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BOOTS = 1024 };

/* A column of points.csv that describes a point. */
struct description {
	struct matching_column column;
	bool refuse; /* matched points that differ in it cannot be compared */
	const char *meaning;
};

static const struct description descriptions[] = {
        {{"workload", .identity = true}, false, NULL},
        {{"mode", .identity = true, .shown = true}, false, NULL},
        {{"workers", .identity = true, .shown = true}, false, NULL},
        {{"per_process", .identity = true}, false, NULL},
        {{"bytes", .identity = true}, false, NULL},
        {{"total_bytes", .identity = true}, false, NULL},
        {{"piece", .identity = true}, false, NULL},
        {{"block", .identity = true}, false, NULL},
        {{"backing", .identity = true}, false, NULL},
        {{"share", .identity = true}, false, NULL},
        {{"layout", .identity = true}, false, NULL},
        {{"thp", .identity = true}, false, NULL},
        {{"mem", .identity = true}, false, NULL},
        {{"memcg", .identity = true}, false, NULL},
        {{"order", .identity = true}, false, NULL},
        {{.name = "page_bytes"}, true, "a fault brings another amount of memory"},
        {{.name = "cpus"}, false, "workers were on other CPUs"},
        {{.name = "nodes"}, false, "workers were on other nodes"},
        {{.name = "host"}, false, NULL},
};

enum {
	DESCRIPTIONS = sizeof(descriptions) / sizeof(descriptions[0]),
	COLUMN_MODE = 1,
	COLUMN_WORKERS,
	COLUMN_PER_PROCESS,
	COLUMN_BYTES,
	COLUMN_TOTAL_BYTES,
	COLUMN_HOST = DESCRIPTIONS - 1,
	COLUMN_METRIC, /* no column of the file: what the value is */
};

/* Where the columns of one points.csv are. */
struct places {
	int status, key, repeat, boot_id, value, pages, laps;
	int description[DESCRIPTIONS];
};

static int memory_out(struct complaint *c)
{
	return complain(c, EXIT_FAILED, "no memory for so many results");
}

/* The number of a boot id among all, which it gets if it is new; -1 when memory is out. */
static int boot_number(struct gathering *gathering, int side, const char *id)
{
	size_t i = 0;

	while (i < gathering->boot_count && strcmp(gathering->boots[i], id) != 0)
		i++;
	if (i == gathering->boot_count) {
		char **grown = reallocarray(gathering->boots, i + 1, sizeof(*grown));
		char *copy = strdup(id);

		if (grown)
			gathering->boots = grown;
		if (!grown || !copy) {
			free(copy);
			return -1;
		}
		gathering->boots[i] = copy;
		gathering->boot_count++;
	}
	if (i < BOOTS && !gathering->side_boots[side][i]) {
		gathering->side_boots[side][i] = true;
		gathering->boots_of[side]++;
	}
	return (int)i;
}

static int places_find(const struct csv_reader *reader, const char *value, struct places *places,
                       struct complaint *c)
{
	places->status = csv_reader_column(reader, "status");
	places->key = csv_reader_column(reader, "key");
	places->repeat = csv_reader_column(reader, "repeat");
	places->boot_id = csv_reader_column(reader, "boot_id");
	places->pages = csv_reader_column(reader, "pages_per_s");
	places->laps = csv_reader_column(reader, "laps_per_s");
	places->value = *value ? csv_reader_column(reader, value) : -1;
	for (size_t i = 0; i < DESCRIPTIONS; i++)
		places->description[i] = csv_reader_column(reader, descriptions[i].column.name);
	if (places->status < 0 || places->key < 0)
		return complain(c, EXIT_FAILED, "'%s' is no table of points: no column '%s'",
		                reader->path, places->key < 0 ? "key" : "status");
	if (*value && places->value < 0)
		return complain(c, EXIT_USAGE,
		                "--value: '%s' has no column '%s'\n"
		                "faultscale list columns shows those of points.csv",
		                reader->path, value);
	return 0;
}

/* The value of a row, and what it is called: what was asked for, or else the headline. */
static double row_value(const struct gathering *gathering, const struct csv_reader *reader,
                        const struct places *places, const char **metric)
{
	double pages = csv_reader_real(reader, places->pages);

	*metric = gathering->value;
	if (**metric)
		return csv_reader_real(reader, places->value);
	*metric = isfinite(pages) ? "pages_per_s" : "laps_per_s";
	return isfinite(pages) ? pages : csv_reader_real(reader, places->laps);
}

/*
 * A cell that describes a row.  Memory divided among the workers follows from their number, and how
 * many threads a process has from the mode, where that is all or one.
 */
static const char *description_text(const struct csv_reader *reader, const struct places *places,
                                    size_t i)
{
	const char *total = csv_reader_text(reader, places->description[COLUMN_TOTAL_BYTES]);
	const char *mode = csv_reader_text(reader, places->description[COLUMN_MODE]);
	const char *text = csv_reader_text(reader, places->description[i]);

	if ((i == COLUMN_BYTES && *total) ||
	    (i == COLUMN_PER_PROCESS && (strcmp(mode, "thread") == 0 || strcmp(text, "1") == 0)))
		return "";
	return text;
}

static int row_take(struct gathering *gathering, const struct csv_reader *reader,
                    const struct places *places, int side, struct complaint *c)
{
	struct matching_row *row = matching_row_add(gathering->matching);
	const char *metric;
	int boot;

	if (!row)
		return memory_out(c);
	row->side = side;
	row->at.value = row_value(gathering, reader, places, &metric);
	row->valid = strcmp(csv_reader_text(reader, places->status), "valid") == 0 &&
	             isfinite(row->at.value);
	boot = boot_number(gathering, side, csv_reader_text(reader, places->boot_id));
	row->at.boot = (unsigned)boot;
	row->at.run = gathering->runs;
	row->at.repeat = csv_reader_count(reader, places->repeat);
	row->key = strdup(csv_reader_text(reader, places->key));
	row->cell[COLUMN_METRIC] = strdup(metric);
	if (boot < 0 || !row->key || !row->cell[COLUMN_METRIC])
		return memory_out(c);
	for (size_t i = 0; i < DESCRIPTIONS; i++) {
		row->cell[i] = strdup(description_text(reader, places, i));
		if (!row->cell[i])
			return memory_out(c);
	}
	return 0;
}

const char *gather_host(const struct matching_row *row)
{
	return row->cell[COLUMN_HOST];
}

void gather_open(struct gathering *gathering)
{
	struct matching *matching = gathering->matching;

	for (size_t i = 0; i < DESCRIPTIONS; i++)
		matching->column[i] = descriptions[i].column;
	matching->column[COLUMN_METRIC] = (struct matching_column){"metric", false, false};
	matching->columns = DESCRIPTIONS + 1;
	matching->count_column = COLUMN_WORKERS;
	matching->metric_column = COLUMN_METRIC;
	matching->ordered = matching->sorted = true;
}

int gather_close(struct gathering *gathering, struct complaint *c)
{
	struct matching *matching = gathering->matching;
	const char *value;

	if (matching_constant(matching, 0, COLUMN_HOST, &value) &&
	    matching_constant(matching, 1, COLUMN_HOST, &value))
		return 0;
	matching->column[COLUMN_HOST].identity = matching->column[COLUMN_HOST].shown = true;
	for (size_t i = 0; i < matching->row_count; i++) {
		struct matching_row *row = &matching->rows[i];
		char *key;

		if (asprintf(&key, "%s %s", row->cell[COLUMN_HOST], row->key) < 0)
			return memory_out(c);
		free(row->key);
		row->key = key;
	}
	return 0;
}

int gather_directory(struct gathering *gathering, int side, const char *directory,
                     struct complaint *c)
{
	struct csv_reader reader;
	struct places places;
	size_t first = gathering->matching->row_count;
	char path[4096];
	int result, more;

	if (likeness_read(gathering->likeness, side, directory, c))
		return -1;
	snprintf(path, sizeof(path), "%s/duel.csv", directory);
	if (access(path, F_OK) == 0)
		return complain(c, EXIT_USAGE,
		                "'%s' holds a duel, which has its verdict\n"
		                "what is compared are the results of run and sweep",
		                directory);
	snprintf(path, sizeof(path), "%s/points.csv", directory);
	if (csv_reader_open(&reader, path, c))
		return -1;
	result = places_find(&reader, gathering->value, &places, c);
	while (result == 0 && (more = csv_reader_next(&reader, c)) != 0)
		result = more < 0 ? -1 : row_take(gathering, &reader, &places, side, c);
	csv_reader_close(&reader);
	gathering->runs++;
	gathering->runs_of[side]++;
	return result ? -1 : gather_steps(gathering, directory, first, c);
}

int gather_compare(const struct gathering *gathering, struct complaint *c)
{
	const struct matching *matching = gathering->matching;

	for (size_t i = 0; i < DESCRIPTIONS; i++) {
		const struct description *at = &descriptions[i];

		if (!at->meaning)
			continue;
		for (size_t p = 0; p < matching->count; p++) {
			const char *before = matching->points[p].row[0]->cell[i];
			const char *after = matching->points[p].row[1]->cell[i];

			if (strcmp(before, after) == 0)
				continue;
			if (likeness_add(gathering->likeness, at->column.name, before, after,
			                 at->meaning, at->refuse, c))
				return -1;
			break;
		}
	}
	return 0;
}

size_t gather_shared_boots(const struct gathering *gathering)
{
	size_t shared = 0;

	for (size_t i = 0; i < BOOTS && i < gathering->boot_count; i++)
		shared += gathering->side_boots[0][i] && gathering->side_boots[1][i];
	return shared;
}

void gather_free(struct gathering *gathering)
{
	for (size_t i = 0; i < gathering->boot_count; i++)
		free(gathering->boots[i]);
	free(gathering->boots);
	gather_steps_free(gathering);
}
