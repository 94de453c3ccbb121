// SPDX-License-Identifier: GPL-3.0-or-later
#include "study.h"

#include "units.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct study_column study_columns[STUDY_CELLS] = {
        {"preset", "", NULL, false, true},         {"workload", "", NULL, false, true},
        {"mode", "", NULL, false, false},          {"per_process", "", NULL, false, false},
        {"bytes", "", NULL, true, false},          {"total_bytes", "in all ", "", true, false},
        {"piece", "piece ", "", true, false},      {"block", "block ", "1024", true, false},
        {"backing", "", "anon", false, false},     {"share", "", "private", false, false},
        {"layout", "", "guarded", false, false},   {"thp", "thp ", "never", false, false},
        {"order", "", "cores", false, false},      {"mem", "mem ", "local", false, false},
        {"memcg", "memcg ", "none", false, false}, {"fixed_laps", "laps ", "", false, false},
        {"host", "", NULL, false, true},
};

static size_t cell_index(const char *column)
{
	size_t i = 0;

	while (strcmp(study_columns[i].name, column) != 0)
		i++;
	return i;
}

const char *study_cell(const struct study_curve *curve, const char *column)
{
	return curve->cells[cell_index(column)];
}

char *study_cell_text(const struct study_curve *curve, size_t column, char out[STUDY_TEXT])
{
	const char *text = curve->cells[column];
	char size[UNIT_TEXT], *end;

	*out = '\0';
	if (*text && study_columns[column].size) {
		uint64_t bytes = strtoull(text, &end, 10);

		if (!*end)
			text = size_format(bytes, size);
	}
	if (*text)
		snprintf(out, STUDY_TEXT, "%s%s", study_columns[column].prefix, text);
	return out;
}

const char *study_workload(const struct study_curve *curve)
{
	const char *preset = study_cell(curve, "preset");

	return *preset ? preset : study_cell(curve, "workload");
}

/* Which columns of points.csv are where. */
struct point_columns {
	int cells[STUDY_CELLS];
	int key, repeat, status, workers, laps, pages_per_s, laps_per_s, bytes_per_s, busy;
};

static struct point_columns columns_find(const struct csv_reader *reader)
{
	struct point_columns at = {
	        .key = csv_reader_column(reader, "key"),
	        .repeat = csv_reader_column(reader, "repeat"),
	        .status = csv_reader_column(reader, "status"),
	        .workers = csv_reader_column(reader, "workers"),
	        .laps = csv_reader_column(reader, "laps"),
	        .pages_per_s = csv_reader_column(reader, "pages_per_s"),
	        .laps_per_s = csv_reader_column(reader, "laps_per_s"),
	        .bytes_per_s = csv_reader_column(reader, "bytes_per_s"),
	        .busy = csv_reader_column(reader, "busy"),
	};

	for (int i = 0; i < STUDY_CELLS; i++)
		at.cells[i] = csv_reader_column(reader, study_columns[i].name);
	return at;
}

/*
 * The value that tells curves apart: threads in a process do so only between the two modes, the
 * memory of each worker only where it is not that of all, divided.
 */
static const char *cell_value(const struct csv_reader *reader, const struct point_columns *at,
                              size_t cell)
{
	const char *name = study_columns[cell].name;

	if (strcmp(name, "per_process") == 0 &&
	    strcmp(csv_reader_text(reader, at->cells[cell_index("mode")]), "hybrid") != 0)
		return "";
	if (strcmp(name, "bytes") == 0 &&
	    *csv_reader_text(reader, at->cells[cell_index("total_bytes")]))
		return "";
	return csv_reader_text(reader, at->cells[cell]);
}

static bool curve_matches(const struct study_curve *curve, const struct csv_reader *reader,
                          const struct point_columns *at, bool pages)
{
	for (size_t i = 0; i < STUDY_CELLS; i++)
		if (strcmp(curve->cells[i], cell_value(reader, at, i)) != 0)
			return false;
	return curve->pages == pages;
}

/* The curve of the current row, made if it is new; -1 if there is no room. */
static int curve_of(struct study *study, const struct csv_reader *reader,
                    const struct point_columns *at, bool pages)
{
	unsigned directory = study->directory_count - 1;
	struct study_curve *curve = study->curves;

	for (unsigned i = 0; i < study->curve_count; i++, curve++)
		if (curve->directory == directory && curve_matches(curve, reader, at, pages))
			return (int)i;
	if (study->curve_count == STUDY_CURVES)
		return -1;
	*curve = (struct study_curve){.directory = directory,
	                              .pages = pages,
	                              .single = (double)NAN,
	                              .contention = (double)NAN,
	                              .coherency = (double)NAN};
	for (size_t i = 0; i < STUDY_CELLS; i++)
		curve->cells[i] = strdup(cell_value(reader, at, i));
	return (int)study->curve_count++;
}

/* A row may be drawn if its point is valid and has a count and a rate. */
static bool row_read(struct study_row *row, const struct csv_reader *reader,
                     const struct point_columns *at, bool *pages)
{
	double pages_per_s = csv_reader_real(reader, at->pages_per_s);

	*pages = isfinite(pages_per_s);
	*row = (struct study_row){
	        .repeat = csv_reader_count(reader, at->repeat),
	        .workers = csv_reader_count(reader, at->workers),
	        .laps = csv_reader_count(reader, at->laps),
	        .rate = *pages ? pages_per_s : csv_reader_real(reader, at->laps_per_s),
	        .bytes_per_s = csv_reader_real(reader, at->bytes_per_s),
	        .busy = csv_reader_real(reader, at->busy),
	};
	return strcmp(csv_reader_text(reader, at->status), "valid") == 0 &&
	       row->repeat != UINT64_MAX && row->workers && row->workers != UINT64_MAX &&
	       isfinite(row->rate) && row->rate > 0;
}

/* Makes room for one row more. */
static int rows_grow(struct study *study, struct complaint *c)
{
	struct study_row *rows = study->rows;

	if ((study->row_count & (study->row_count - 1)) == 0) /* 0 or a power of two: full */
		rows = realloc(rows, (study->row_count ? 2 * study->row_count : 1) * sizeof(*rows));
	if (!rows)
		return complain(c, EXIT_FAILED, "no memory for %zu rows", study->row_count);
	study->rows = rows;
	return 0;
}

static int row_add(struct study *study, const struct csv_reader *reader,
                   const struct point_columns *at, struct complaint *c)
{
	struct study_directory *directory = &study->directories[study->directory_count - 1];
	struct study_row row;
	bool pages;
	int curve;

	directory->rows++;
	if (!row_read(&row, reader, at, &pages)) {
		directory->left_out++;
		return 0;
	}
	curve = curve_of(study, reader, at, pages);
	if (curve < 0) {
		study->beyond++;
		return 0;
	}
	if (rows_grow(study, c))
		return -1;
	row.curve = (unsigned)curve;
	row.key = strdup(csv_reader_text(reader, at->key));
	study->rows[study->row_count++] = row;
	return 0;
}

int study_open(struct csv_reader *reader, const char *directory, const char *name, bool optional,
               struct complaint *c)
{
	char path[PATH_MAX];
	struct stat status;

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", directory, name) >= sizeof(path))
		return complain(c, EXIT_FAILED, "the path of '%s' is too long", directory);
	if (stat(path, &status) == 0 ? status.st_size == 0 : optional && errno == ENOENT)
		return 0;
	return csv_reader_open(reader, path, c) ? -1 : 1;
}

static int points_load(struct study *study, const char *path, struct complaint *c)
{
	struct csv_reader reader;
	struct point_columns at;
	int result = study_open(&reader, path, "points.csv", false, c);

	if (result <= 0)
		return result;
	at = columns_find(&reader);
	while ((result = csv_reader_next(&reader, c)) == 1)
		if (row_add(study, &reader, &at, c)) {
			result = -1;
			break;
		}
	csv_reader_close(&reader);
	return result;
}

static int directory_load(struct study *study, const char *path, struct complaint *c)
{
	struct study_directory *directory = &study->directories[study->directory_count++];
	char whole[PATH_MAX];

	*directory = (struct study_directory){.path = path, .threads = UINT64_MAX};
	snprintf(directory->name, STUDY_TEXT, "%s", basename(realpath(path, whole) ? whole : path));
	if (points_load(study, path, c) || study_facts(study, c))
		return -1;
	return 0;
}

int study_load(struct study *study, const char *const paths[], unsigned count, struct complaint *c)
{
	*study = (struct study){0};
	for (unsigned i = 0; i < count; i++)
		if (directory_load(study, paths[i], c))
			return -1;
	return study_sort(study, c);
}

void study_free(struct study *study)
{
	for (unsigned i = 0; i < study->curve_count; i++)
		for (size_t j = 0; j < STUDY_CELLS; j++)
			free(study->curves[i].cells[j]);
	for (size_t i = 0; i < study->row_count; i++)
		free(study->rows[i].key);
	free(study->rows);
	free(study->by_key);
	free(study->groups);
}
