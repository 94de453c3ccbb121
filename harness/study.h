// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What one or two result directories hold, as figures and exports need it: the valid rows of
 * points.csv, sorted into curves.  A curve is every point that differs from another in nothing but
 * the number of workers and what follows from it (CPUs, nodes, memory divided among them); its
 * repeats at one count form a group.  Memory grows with the rows of points.csv only: the larger
 * files are read row by row and found to belong to a row of the study, or to none.
 */
#ifndef STUDY_H
#define STUDY_H

#include "complaint.h"
#include "csv_reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	STUDY_DIRECTORIES = 2,
	STUDY_CURVES = 12, /* more cannot be told apart in a figure */
	STUDY_TEXT = 256,
	STUDY_CELLS = 17,
};

/* The columns of points.csv that tell curves apart, in the order in which a label names them. */
struct study_column {
	const char *name;
	const char *prefix; /* put before the value where it does not speak for itself */
	const char *plain;  /* a value that goes without saying */
	bool size;          /* bytes */
	bool title;         /* says what was done, not how */
};
extern const struct study_column study_columns[STUDY_CELLS];

struct study_curve {
	unsigned directory; /* 0 or 1 */
	char *cells[STUDY_CELLS];
	bool pages; /* its rates are in pages/s, else in laps/s */
	double single, contention,
	        coherency; /* of the scaling law (usl.h); NAN if it was not fitted */
};

/* A valid row of points.csv. */
struct study_row {
	unsigned curve;
	size_t group;
	char *key;
	uint64_t repeat, workers, laps;
	double rate, bytes_per_s, busy;
	bool widest; /* of the group with the most workers of its curve */
};

/* The repeats of a curve at one count: rows[first] to rows[first + count - 1]. */
struct study_group {
	unsigned curve;
	uint64_t workers;
	size_t first, count;
	double mean, low, high, deviation; /* of the rates; deviation NAN below two repeats */
};

struct study_directory {
	const char *path;
	char name[STUDY_TEXT]; /* its last component */
	char host[STUDY_TEXT], cpu_model[STUDY_TEXT], kernel[STUDY_TEXT], version[STUDY_TEXT];
	uint64_t threads; /* hardware threads; UINT64_MAX if unknown */
	size_t rows, left_out;
};

struct study {
	struct study_directory directories[STUDY_DIRECTORIES];
	unsigned directory_count;
	struct study_curve curves[STUDY_CURVES];
	unsigned curve_count;
	char labels[STUDY_CURVES][STUDY_TEXT]; /* what differs between the curves */
	struct study_row *rows;                /* by curve, workers, repeat */
	size_t row_count;
	size_t *by_key; /* indices into rows by key and repeat */
	struct study_group *groups;
	size_t group_count;
	size_t beyond; /* valid rows of curves for which there was no room */
};

/*
 * Reads points.csv, meta.csv and scaling.csv of each directory; the last two may be missing, an
 * empty points.csv is one without rows.  Returns 0, or -1 (EXIT_FAILED) with the file and line that
 * cannot be read.
 */
int study_load(struct study *study, const char *const paths[], unsigned count, struct complaint *c);
void study_free(struct study *study);

/*
 * Opens a file of a directory: 1; 0 if it is empty, or missing where it is optional; or -1
 * (EXIT_FAILED) with the path.
 */
int study_open(struct csv_reader *reader, const char *directory, const char *name, bool optional,
               struct complaint *c);

/* Parts of study_load.  What the last directory says besides its points. */
int study_facts(struct study *study, struct complaint *c);

/* The last part: order, groups, index and labels of the rows that were read. */
int study_sort(struct study *study, struct complaint *c);

/* The row with this identity in a directory, or NULL: not valid, or not there. */
const struct study_row *study_find(const struct study *study, unsigned directory, const char *host,
                                   const char *key, uint64_t repeat);

/* A curve's cell by its column's name. */
const char *study_cell(const struct study_curve *curve, const char *column);

/* A cell for people: sizes as 2M, with its prefix; "" if it is empty. */
char *study_cell_text(const struct study_curve *curve, size_t column, char out[STUDY_TEXT]);

/* The preset's name, or the workload where there is none. */
const char *study_workload(const struct study_curve *curve);

/* True if a column is the same in all curves. */
bool study_agrees(const struct study *study, size_t column);

/*
 * A file of each directory, row by row, with the row of the study it belongs to.  Files that are
 * missing or empty are skipped.
 */
struct study_file {
	const struct study *study;
	const char *name;
	unsigned directory; /* the next to open */
	bool open;
	struct csv_reader reader;
	int host, key, repeat; /* columns */
	const struct study_row *last;
};

/* Starts with the first directory. */
void study_file_open(struct study_file *file, const struct study *study, const char *name);

/*
 * The next row that belongs to a valid point, in *row.  Returns 1; 0 at the end; -1 with a
 * complaint. Its cells are had with csv_reader_text and the like from file->reader, for columns of
 * that name.
 */
int study_file_next(struct study_file *file, const struct study_row **row, struct complaint *c);
void study_file_close(struct study_file *file);

/* Cells of the current row by their column's name. */
const char *study_file_text(const struct study_file *file, const char *column);
double study_file_real(const struct study_file *file, const char *column);

#endif
