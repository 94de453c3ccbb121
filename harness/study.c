// SPDX-License-Identifier: GPL-3.0-or-later
#include "study.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
 * What tells curves apart: threads in a process do so only between the two modes, the memory of
 * each worker only where it is not that of all, divided.
 */
static void cells_read(const struct csv_reader *reader, const struct point_columns *at,
                       const char *cells[STUDY_CELLS])
{
	for (int i = 0; i < STUDY_CELLS; i++)
		cells[i] = csv_reader_text(reader, at->cells[i]);
	if (strcmp(cells[STUDY_MODE], "hybrid") != 0)
		cells[STUDY_PER_PROCESS] = "";
	if (*cells[STUDY_TOTAL_BYTES])
		cells[STUDY_BYTES] = "";
}

/* True for curves that differ in the mode only, or not at all.  Most differ in the host first. */
static bool curve_beside(const struct study_curve *curve, const char *const cells[STUDY_CELLS])
{
	for (int i = STUDY_CELLS; i-- > 0;)
		if (study_columns[i].role != STUDY_SIBLING && strcmp(curve->cells[i], cells[i]))
			return false;
	return true;
}

/* True if a row is of the curve; the unit of one that is not valid is unknown. */
static bool curve_matches(const struct study_curve *curve, const char *const cells[STUDY_CELLS],
                          enum study_unit unit)
{
	return strcmp(curve->cells[STUDY_MODE], cells[STUDY_MODE]) == 0 &&
	       strcmp(curve->cells[STUDY_PER_PROCESS], cells[STUDY_PER_PROCESS]) == 0 &&
	       (curve->unit == unit || !curve->unit || !unit);
}

/* Room for one more of `count` elements, doubling at powers of two; NULL without memory. */
static void *room(void *array, size_t count, size_t size)
{
	return count & (count - 1) ? array : realloc(array, (count ? 2 * count : 1) * size);
}

/* A new curve; `sibling` is the last one beside it, or itself. */
static int curve_add(struct study *study, const char *const cells[STUDY_CELLS], size_t sibling)
{
	struct study_curve *curves = room(study->curves, study->curve_count, sizeof(*curves));
	size_t place = study->curve_count;

	if (!curves)
		return -1;
	study->curves = curves;
	curves[place] = (struct study_curve){.directory = study->directory_count - 1};
	study->curve_count++;
	for (int i = 0; i < STUDY_CELLS; i++) {
		curves[place].cells[i] = strdup(cells[i]);
		if (!curves[place].cells[i])
			return -1;
	}
	curves[place].leader = sibling < place ? curves[sibling].leader : place;
	if (sibling < place)
		curves[sibling].next = place;
	return 0;
}

/*
 * Sets the curve of a row, made if it is new.  The rows of a host follow one another: it is most
 * often among the last.  Returns 0, or -1 without memory.
 */
static int curve_find(struct study *study, const char *const cells[STUDY_CELLS],
                      enum study_unit unit, size_t *found)
{
	size_t sibling = study->curve_count;

	for (*found = study->curve_count; (*found)-- > 0;) {
		const struct study_curve *curve = &study->curves[*found];

		if (curve->directory != study->directory_count - 1)
			break;
		if (!curve_beside(curve, cells))
			continue;
		if (curve_matches(curve, cells, unit))
			return 0;
		if (sibling == study->curve_count)
			sibling = *found;
	}
	*found = study->curve_count;
	return curve_add(study, cells, sibling);
}

/* A row is valid if its point is, and has a rate. */
static enum study_unit row_read(struct study_row *row, const struct csv_reader *reader,
                                const struct point_columns *at)
{
	double pages_per_s = csv_reader_real(reader, at->pages_per_s);
	bool pages = isfinite(pages_per_s);

	*row = (struct study_row){
	        .repeat = csv_reader_count(reader, at->repeat),
	        .workers = csv_reader_count(reader, at->workers),
	        .laps = csv_reader_count(reader, at->laps),
	        .rate = pages ? pages_per_s : csv_reader_real(reader, at->laps_per_s),
	        .bytes_per_s = csv_reader_real(reader, at->bytes_per_s),
	        .busy = csv_reader_real(reader, at->busy),
	};
	row->valid = strcmp(csv_reader_text(reader, at->status), "valid") == 0 &&
	             row->repeat != UINT64_MAX && row->workers && row->workers != UINT64_MAX &&
	             isfinite(row->rate) && row->rate > 0;
	return !row->valid ? STUDY_NO_UNIT : pages ? STUDY_PAGES : STUDY_LAPS;
}

/* Keeps a row whose curve is known. */
static int row_keep(struct study *study, struct study_row *row, const char *key)
{
	struct study_row *rows = room(study->rows, study->row_count, sizeof(*rows));

	if (!rows)
		return -1;
	study->rows = rows;
	row->key = strdup(key);
	if (!row->key)
		return -1;
	rows[study->row_count++] = *row;
	return 0;
}

/* A row without a number of workers has no place among the others. */
static int row_add(struct study *study, const struct csv_reader *reader,
                   const struct point_columns *at, enum study_rows which, struct complaint *c)
{
	struct study_directory *directory = &study->directories[study->directory_count - 1];
	const char *cells[STUDY_CELLS];
	struct study_row row;
	enum study_unit unit = row_read(&row, reader, at);

	directory->rows++;
	directory->left_out += !row.valid;
	if (!row.valid && (which == STUDY_VALID || !row.workers || row.workers == UINT64_MAX))
		return 0;
	cells_read(reader, at, cells);
	if (curve_find(study, cells, unit, &row.curve) ||
	    row_keep(study, &row, csv_reader_text(reader, at->key)))
		return complain(c, EXIT_FAILED, "no memory for %zu rows", study->row_count);
	if (unit)
		study->curves[row.curve].unit = unit;
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

static int points_load(struct study *study, const char *path, enum study_rows which,
                       struct complaint *c)
{
	struct csv_reader reader;
	struct point_columns at;
	int result = study_open(&reader, path, "points.csv", false, c);

	if (result <= 0)
		return result;
	at = columns_find(&reader);
	while ((result = csv_reader_next(&reader, c)) == 1)
		if (row_add(study, &reader, &at, which, c)) {
			result = -1;
			break;
		}
	csv_reader_close(&reader);
	return result;
}

static int directory_load(struct study *study, const char *path, enum study_rows which,
                          struct complaint *c)
{
	struct study_directory *directory = &study->directories[study->directory_count++];
	char whole[PATH_MAX];

	*directory = (struct study_directory){.path = path, .threads = UINT64_MAX};
	snprintf(directory->name, STUDY_TEXT, "%s", basename(realpath(path, whole) ? whole : path));
	return points_load(study, path, which, c) || study_facts(directory, c) ? -1 : 0;
}

int study_load(struct study *study, const char *const paths[], unsigned count,
               enum study_rows which, struct complaint *c)
{
	*study = (struct study){0};
	for (unsigned i = 0; i < count; i++)
		if (directory_load(study, paths[i], which, c))
			return -1;
	return study_sort(study, c);
}

void study_free(struct study *study)
{
	for (size_t i = 0; i < study->curve_count; i++)
		for (size_t j = 0; j < STUDY_CELLS; j++)
			free(study->curves[i].cells[j]);
	for (size_t i = 0; i < study->row_count; i++)
		free(study->rows[i].key);
	free(study->curves);
	free(study->rows);
	free(study->by_key);
	free(study->groups);
}
