// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Reads CSV (RFC 4180) row by row, columns by name: our own result files and other tools' tables.
 * Memory is bounded by the longest row.
 */
#ifndef CSV_READER_H
#define CSV_READER_H

#include "complaint.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CSV_READER_COLUMNS = 256 };

struct csv_reader {
	FILE *file;
	char path[4096];
	uint64_t row;         /* lines read, the header being 1 */
	char *header, *cells; /* their texts, each cell ended by NUL */
	size_t header_size, cells_size;
	char *name[CSV_READER_COLUMNS], *cell[CSV_READER_COLUMNS];
	size_t columns;
};

/* Opens the file and reads its header, behind a byte order mark.  Returns 0, or -1 (EXIT_FAILED)
 * with path and errno. */
int csv_reader_open(struct csv_reader *reader, const char *path, struct complaint *c);
void csv_reader_close(struct csv_reader *reader);

/* The place of the column of that name, or -1. */
int csv_reader_column(const struct csv_reader *reader, const char *name);

/*
 * Reads the next row that is not empty.  Returns 1, 0 at the end of the file, or -1 (EXIT_FAILED)
 * with path and line when a row has another number of cells than the header or its quotes do not
 * close.
 */
int csv_reader_next(struct csv_reader *reader, struct complaint *c);

/* A cell of the row as text ("" where the column is -1), as a number (NAN if empty or none), as a
 * count (UINT64_MAX if empty or none). */
const char *csv_reader_text(const struct csv_reader *reader, int column);
double csv_reader_real(const struct csv_reader *reader, int column);
uint64_t csv_reader_count(const struct csv_reader *reader, int column);

#endif
