// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Reads plain tables that other tools or people made, for matching.  The user names the columns.
 * Before and after are two files, or in one file two columns of values, or the rows that a column
 * gives to one or the other.
 */
#ifndef FOREIGN_H
#define FOREIGN_H

#include "complaint.h"
#include "matching.h"

/* The columns by name; "" where there is none.  Lists are separated by commas. */
struct foreign_columns {
	const char *key;   /* list: what rows of one point have in common */
	const char *value; /* one, or two: before and after */
	const char *side;  /* "COLUMN", or "COLUMN:BEFORE,AFTER" for two of its values */
	const char *n; /* of these, each may be two, for two columns of values, or a constant: */
	const char
	        *stddev; /* absolute, or percent of the value where the name ends in "percent", */
	const char *stderror; /* "pct" or "%"; "COLUMN%" says that a column is percent */
	const char *times;    /* multiplies values and absolute errors: per process into total */
};

/*
 * Adds the rows of one file: to both sides if `side` is -1, when `value` must name two columns or
 * `side` a column; else to that side.  Rows are values of their point, or with n and one of
 * stddev and stderror summaries, of which a point has one a side.  EXIT_USAGE if a column is not
 * there, EXIT_FAILED if a cell is no number, each with its place.  An empty value is an invalid
 * row.
 */
int foreign_read(struct matching *matching, int side, const char *path,
                 const struct foreign_columns *columns, struct complaint *c);

#endif
