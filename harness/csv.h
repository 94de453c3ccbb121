// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Plain CSV (RFC 4180): header first, then one record per line, columns described by a table.  An
 * unknown value is an empty cell, never 0.  Rows are collected in memory and written whole at each
 * flush, so that a reader, a crash or a full disk never shows half a row.
 */
#ifndef CSV_H
#define CSV_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum column_kind {
	COLUMN_TEXT,    /* const char *; NULL or "" is empty */
	COLUMN_COUNT,   /* uint64_t; UNKNOWN_COUNT is empty */
	COLUMN_SECONDS, /* uint64_t ns, printed in seconds; UNKNOWN_COUNT is empty */
	COLUMN_REAL,    /* double; not finite is empty */
};

#define UNKNOWN_COUNT UINT64_MAX

struct column {
	const char *name; /* its unit at the end, like pages_per_s */
	enum column_kind kind;
	size_t offset; /* of the value in the record */
	const char *meaning;
};

/* The column of a member of `struct type`. */
#define COLUMN(type, name, kind, member, meaning)                  \
	{                                                          \
		name, kind, offsetof(struct type, member), meaning \
	}

struct csv {
	int fd;
	const struct column *columns; /* ends with a row whose name is NULL */
	char *buffer;
	size_t used, size;
	off_t written; /* bytes on disk, all of them in whole rows */
	int error;     /* errno of the first failure, 0 if none; later calls do nothing */
};

/* Starts a table on an open descriptor, which csv_close will close if it is not stdout. */
void csv_open(struct csv *csv, int fd, const struct column *columns);

/* Appends a record (or the header) to the buffer. */
void csv_header(struct csv *csv);
void csv_record(struct csv *csv, const void *record);

/*
 * Writes what is buffered.  Returns 0, or -1 with csv->error set; a file is then cut back to its
 * last whole row.
 */
int csv_flush(struct csv *csv);

/* Flushes, closes and frees.  Returns 0, or -1 with csv->error set. */
int csv_close(struct csv *csv);

#endif
