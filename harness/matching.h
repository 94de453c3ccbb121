// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Rows of values from two sides, wherever they were read, matched: the points that both sides have.
 */
#ifndef MATCHING_H
#define MATCHING_H

#include "contrast.h"

enum { MATCHING_COLUMNS = 24, MATCHING_NAME = 64 };

/* What describes a row. */
struct matching_column {
	char name[MATCHING_NAME];
	bool identity; /* tells one point from another */
	bool shown;    /* in a point's label, even if it is the same for all */
};

struct matching_row {
	int side;
	bool valid;
	struct observation at;
	bool summarised; /* `given` in place of at.value */
	struct summary given;
	char *key;                    /* what rows of one point have in common */
	char *cell[MATCHING_COLUMNS]; /* by column */
	size_t sequence;
};

/* A point of both sides. */
struct matched {
	const struct matching_row *row[2]; /* the first valid one of each side */
	char *label;
};

struct matching {
	struct matching_column column[MATCHING_COLUMNS];
	size_t columns;
	size_t count_column;  /* speed-up rows go over it */
	size_t metric_column; /* what the values are called */
	bool ordered;         /* repeats are in the order of their measurement */
	bool sorted;          /* points by their cells; else as they came */
	struct matching_row *rows;
	size_t row_count, room;

	/* Made by matching_make: */
	struct matched *points;
	struct observed_pair *pairs; /* of the same points */
	size_t count;
	size_t only[2];                   /* points with valid rows on one side alone */
	size_t invalid[2];                /* rows */
	const struct matching_row *twice; /* a second summary of a point's side, or NULL */
};

/* A new row, all empty; NULL when memory is out.  The pointer holds until the next. */
struct matching_row *matching_row_add(struct matching *matching);

/* True if a column has one value in all rows of a side; *value is it, NULL if there are no rows. */
bool matching_constant(const struct matching *matching, int side, size_t column,
                       const char **value);

/* True if matched points differ in a column. */
bool matching_varies(const struct matching *matching, size_t column);

/*
 * Gives rows new keys, from those identity columns that vary within a side: what is one value on
 * each side is compared across.  Returns 0, or -1 when memory is out.
 */
int matching_rekey(struct matching *matching);

/* Puts rows with the same key together.  May be called again.  Returns 0, or -1 when memory is out.
 */
int matching_make(struct matching *matching);

void matching_free(struct matching *matching);

#endif
