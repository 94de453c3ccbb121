// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The figures that `faultscale plot` draws.  A figure is a row of a table: its name, which is also
 * that of its script in plots/ and of its picture, its title, and the function that prepares its
 * data.  That reads what it needs row by row and writes small tables for gnuplot, so that memory
 * and pictures stay small whatever the size of the results.
 */
#ifndef FIGURE_H
#define FIGURE_H

#include "csv.h"
#include "gnuplot.h"
#include "rows.h"
#include "study.h"

/* More curves than these cannot be told apart. */
enum { FIGURE_CURVES = 12, FIGURE_STEPS = 24, FIGURE_NAME = 32 };

/* The tables that a script gets, in this order. */
enum figure_table { TABLE_DATA, TABLE_CURVES, TABLE_STEPS };

/* What a figure's preparation fills. */
struct drawing {
	struct csv tables[GNUPLOT_TABLES];
	size_t rows; /* of its data; 0: there is nothing to draw */
	char steps[FIGURE_STEPS][FIGURE_NAME];
	unsigned step_count;
	bool curves[FIGURE_CURVES];   /* drawn */
	double middle[FIGURE_CURVES]; /* of its bars, where its label goes */
	double bar, first_bar;        /* the last one placed, and the first of its curve */
	char note[STUDY_TEXT];        /* what a reader of this figure must know */
};

typedef int figure_prepare(const struct study *study, struct drawing *drawing, struct complaint *c);

struct figure {
	const char *name;
	const char *title;
	const struct column *columns; /* of its data */
	figure_prepare *prepare;      /* 0, or -1 with a complaint */
};

/* The table; ends with a row whose name is NULL. */
extern const struct figure figure_rows[];

/* One file figure_NAME.c for each. */
extern const struct column scaling_columns[], steps_columns[], timeline_columns[], laps_columns[],
        drift_columns[];
figure_prepare scaling_prepare, steps_prepare, timeline_prepare, laps_prepare, drift_prepare;

/*
 * Prepares the tables of a figure; drawing->rows says if there is anything to draw.  Returns 0, or
 * -1 (EXIT_FAILED).  The drawing is to be closed in either case.
 */
int figure_draw(const struct figure *figure, const struct study *study, struct drawing *drawing,
                struct complaint *c);
void drawing_close(struct drawing *drawing);

/* The number of a step in the drawing's list, from 1, added if it is new; 0 if there are too many.
 */
unsigned drawing_step(struct drawing *drawing, const char *step);

/* The groups and rows of the curves that are drawn: the first ones of the study. */
size_t figure_groups(const struct study *study);
size_t figure_rows_drawn(const struct study *study);

/* study_file_next for the curves that are drawn. */
int figure_next(struct study_file *file, const struct study_row **row, struct complaint *c);

/* Adds a row to the data; `curve` is from 0. */
void drawing_row(struct drawing *drawing, size_t curve, const void *row);

/* Places the bar of a group; called for each in order.  Curves stand apart by one bar. */
double drawing_bar(struct drawing *drawing, const struct study *study, size_t group);

/* The lines above a figure: workload and title; machine and options; what was left out. */
void figure_title(const struct figure *figure, const struct study *study, char out[1024]);
void figure_machine(const struct study *study, char out[1024]);
void figure_note(const struct study *study, const struct drawing *drawing, char out[1024]);

#endif
