// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Where the numbers of a table's rows come from, as an option of the command line names it: from a
 * column, or it is a constant.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include "complaint.h"
#include "csv_reader.h"

#include <stdbool.h>

enum { SOURCE_NAME = 256 };

struct source {
	const char *option; /* that named it */
	bool given;
	bool constant, percent;
	double value; /* if constant */
	int column;
};

/*
 * Copies the part of a list with that place into `out`; false if there is none.  A backslash is no
 * escape: names with commas cannot be given.
 */
bool source_part(const char *list, size_t place, char out[SOURCE_NAME]);

/* The place of a column that --option names.  0, or -1 (EXIT_USAGE) if there is none. */
int source_column(const struct csv_reader *reader, const char *option, const char *name,
                  int *column, struct complaint *c);

/*
 * One part of an option that names columns or constants: its `place`, or its only one.  An empty
 * list gives none.  0, or -1 (EXIT_USAGE).
 */
int source_find(const struct csv_reader *reader, const char *option, const char *list, size_t place,
                struct source *source, struct complaint *c);

/*
 * The number of the row at hand, and whether it is percent; NAN if the source is not given or the
 * cell is empty.  0, or -1 (EXIT_FAILED) with the place of a cell that is no number.
 */
int source_read(const struct csv_reader *reader, const struct source *source, double *value,
                bool *percent, struct complaint *c);

#endif
