// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What one or two result directories hold, as tables, figures and exports need it: the rows of
 * points.csv, sorted into curves.  A curve is every point that differs from another in nothing but
 * the number of workers and what follows from it (CPUs, nodes, memory divided among them); its
 * repeats at one count form a group.  Curves that differ in nothing but the mode are siblings.
 * Memory grows with the rows of points.csv only: the larger files are read row by row and found to
 * belong to a row of the study, or to none.
 */
#ifndef STUDY_H
#define STUDY_H

#include "complaint.h"
#include "csv_reader.h"
#include "usl.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STUDY_DIRECTORIES = 2, STUDY_TEXT = 256 };

/* The columns of points.csv that tell curves apart, in the order in which a label names them. */
enum study_cell {
	STUDY_PRESET,
	STUDY_WORKLOAD,
	STUDY_MODE,
	STUDY_PER_PROCESS,
	STUDY_BYTES,
	STUDY_TOTAL_BYTES,
	STUDY_PIECE,
	STUDY_BLOCK,
	STUDY_BACKING,
	STUDY_SHARE,
	STUDY_LAYOUT,
	STUDY_THP,
	STUDY_ORDER,
	STUDY_MEM,
	STUDY_MEMCG,
	STUDY_FIXED_LAPS,
	STUDY_HOST,
	STUDY_CELLS,
};

/* What a column tells apart. */
enum study_role {
	STUDY_TITLE,   /* what was done, and where */
	STUDY_SIBLING, /* curves that belong side by side */
	STUDY_OPTION,  /* how it was done */
};

struct study_column {
	const char *name;
	enum study_role role;
	const char *prefix; /* put before the value where it does not speak for itself */
	const char *plain;  /* a value that goes without saying */
	bool size;          /* bytes */
};
extern const struct study_column study_columns[STUDY_CELLS];

struct study_curve {
	unsigned directory; /* 0 or 1 */
	char *cells[STUDY_CELLS];
	enum study_unit { STUDY_NO_UNIT, STUDY_PAGES, STUDY_LAPS } unit; /* of its rates, if any */
	size_t leader, next;       /* its first sibling, or itself; the next one, 0 if none */
	size_t first, group_count; /* its groups */
	char label[STUDY_TEXT];    /* how it differs from the study's other curves */
};

/* A row of points.csv. */
struct study_row {
	size_t curve, group;
	char *key;
	uint64_t repeat, workers, laps;
	double rate, bytes_per_s, busy;
	bool valid;
	bool widest; /* of the group with the most workers of its curve */
};

/*
 * The repeats of a curve at one count: rows[first] to rows[first + count - 1], after them `others`
 * that are not valid and count for nothing below.
 */
struct study_group {
	size_t curve;
	uint64_t workers;
	size_t first, count, others;
	double mean, low, high, deviation; /* of the rates; NAN without; deviation also of one */
};

struct study_directory {
	const char *path;
	char name[STUDY_TEXT]; /* its last component */
	char host[STUDY_TEXT], cpu_model[STUDY_TEXT], kernel[STUDY_TEXT], version[STUDY_TEXT];
	uint64_t threads;      /* hardware threads; UINT64_MAX if unknown */
	size_t rows, left_out; /* measurements; those of them that are not valid */
};

struct study {
	struct study_directory directories[STUDY_DIRECTORIES];
	unsigned directory_count;
	struct study_curve *curves; /* in the order in which the files have them */
	size_t curve_count;
	bool agrees[STUDY_CELLS]; /* the column is the same in all curves */
	struct study_row *rows;   /* by curve, workers, valid ones first, key, repeat */
	size_t row_count;
	size_t *by_key; /* indices into rows by key and repeat */
	struct study_group *groups;
	size_t group_count;
};

/* Which rows a study keeps: figures and exports know nothing of what is not valid. */
enum study_rows { STUDY_VALID, STUDY_ALL };

/*
 * Reads points.csv and meta.csv of each directory; the latter may be missing, an empty points.csv
 * is one without rows.  Returns 0, or -1 (EXIT_FAILED) with the file and line that cannot be read;
 * the study is to be freed in either case.
 */
int study_load(struct study *study, const char *const paths[], unsigned count,
               enum study_rows which, struct complaint *c);
void study_free(struct study *study);

/*
 * Opens a file of a directory: 1; 0 if it is empty, or missing where it is optional; or -1
 * (EXIT_FAILED) with the path.
 */
int study_open(struct csv_reader *reader, const char *directory, const char *name, bool optional,
               struct complaint *c);

/* Parts of study_load.  What a directory says of its machine. */
int study_facts(struct study_directory *directory, struct complaint *c);

/* The last part: order, groups, index and labels of the rows that were read. */
int study_sort(struct study *study, struct complaint *c);

/* The valid row with this identity in a directory, or NULL. */
const struct study_row *study_find(const struct study *study, unsigned directory, const char *host,
                                   const char *key, uint64_t repeat);

/* The curve's group at a count, or NULL. */
const struct study_group *study_group_at(const struct study *study, const struct study_curve *curve,
                                         uint64_t workers);

/* The next of the curves beside this one, beginning with their leader; NULL after the last. */
const struct study_curve *study_beside(const struct study *study, const struct study_curve *curve);

/* Fits the scaling law to the curve's valid rows.  0, or -1 as usl_fit. */
int study_law(const struct study *study, const struct study_curve *curve, struct usl *usl);

/* A cell for people: sizes as 2M, with its prefix; "" if it is empty. */
char *study_cell_text(const struct study_curve *curve, enum study_cell cell, char out[STUDY_TEXT]);

/*
 * Adds to `out` what a curve is, as far as the study's curves differ, of the columns that have one
 * of the roles (a set of 1 << role).  The mode, if it is asked for, is named in any case.
 */
void study_describe(const struct study *study, const struct study_curve *curve, unsigned roles,
                    char out[STUDY_TEXT]);

/* The preset's name, or the workload where there is none. */
const char *study_workload(const struct study_curve *curve);

/* Of its rates: "pages/s" or "laps/s"; "rate" where there is none. */
const char *study_unit(const struct study_curve *curve);

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
 * complaint.  Its cells are had with csv_reader_text and the like from file->reader, for columns of
 * that name.
 */
int study_file_next(struct study_file *file, const struct study_row **row, struct complaint *c);
void study_file_close(struct study_file *file);

/* Cells of the current row by their column's name. */
const char *study_file_text(const struct study_file *file, const char *column);
double study_file_real(const struct study_file *file, const char *column);

#endif
