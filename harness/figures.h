// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Rows of figures from two sides, wherever they were read, made into points that both sides have.
 */
#ifndef FIGURES_H
#define FIGURES_H

#include "contrast.h"

enum { FIGURE_COLUMNS = 24, FIGURE_NAME = 64 };

/* What describes a row. */
struct figure_column {
	char name[FIGURE_NAME];
	bool identity; /* tells one point from another */
	bool shown;    /* in a point's label, even if it is the same for all */
};

struct figure_row {
	int side;
	bool valid;
	struct observation at;
	bool summarised; /* `given` in place of at.value */
	struct summary given;
	char *key;                  /* what rows of one point have in common */
	char *cell[FIGURE_COLUMNS]; /* by column */
	size_t sequence;
};

struct figure {
	const struct figure_row *row[2]; /* the first valid one of each side */
	char *label;
};

struct figures {
	struct figure_column column[FIGURE_COLUMNS];
	size_t columns;
	size_t count_column;  /* speed-up rows go over it */
	size_t metric_column; /* what the values are called */
	bool ordered;         /* repeats are in the order of their measurement */
	bool sorted;          /* points by their cells; else as they came */
	struct figure_row *rows;
	size_t row_count, room;

	/* Made by figures_match: */
	struct figure *figure;
	struct figure_pair *pairs; /* of the same points */
	size_t count;
	size_t only[2];                 /* points with valid rows on one side alone */
	size_t invalid[2];              /* rows */
	const struct figure_row *twice; /* a second summary of a point's side, or NULL */
};

/* A new row, all empty; NULL when memory is out.  The pointer holds until the next. */
struct figure_row *figures_row(struct figures *figures);

/* True if a column has one value in all rows of a side; *value is it, NULL if there are no rows. */
bool figures_constant(const struct figures *figures, int side, size_t column, const char **value);

/*
 * Gives rows new keys, from those identity columns that vary within a side: what is one value on
 * each side is compared across.  Returns 0, or -1 when memory is out.
 */
int figures_rekey(struct figures *figures);

/* Puts rows with the same key together.  May be called again.  Returns 0, or -1 when memory is out.
 */
int figures_match(struct figures *figures);

void figures_free(struct figures *figures);

#endif
