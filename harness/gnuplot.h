// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Runs gnuplot(1) on a script of plots/.  Nothing that comes from a result is ever part of a
 * gnuplot command: texts are arguments, tables are files, the picture is its standard output, and
 * no shell is involved.  The init files of the user are not read, and LC_ALL is C.
 */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include "complaint.h"

#include <limits.h>

enum { GNUPLOT_TABLES = 3 };

struct gnuplot {
	char scripts[PATH_MAX]; /* directory of the scripts */
};

struct gnuplot_job {
	const char *script;         /* its name without .gp */
	const char *terminal;       /* "svg", "png" or "dumb" */
	int tables[GNUPLOT_TABLES]; /* CSV files to read: descriptors that a child inherits */
	const char *title, *machine, *note;
	unsigned columns, lines; /* size of a dumb terminal */
	int output;              /* gets the picture */
};

/*
 * Finds the scripts: in share/faultscale/plots of the prefix that the running faultscale is
 * installed in, or in the tree that it was built in.  Returns 0 or -1 (EXIT_FAILED).
 */
int gnuplot_find(struct gnuplot *gnuplot, struct complaint *c);

/*
 * Draws.  Returns 0, or -1: EXIT_UNSUPPORTED if there is no gnuplot, with its packages; EXIT_FAILED
 * with the last line of what gnuplot had to say.
 */
int gnuplot_run(const struct gnuplot *gnuplot, const struct gnuplot_job *job, struct complaint *c);

/* A file in memory that a child inherits and can open anew as /proc/self/fd/N.  -1 with errno. */
int gnuplot_table(const char *name);

/*
 * Replaces, in place, what would not arrive as it is: control characters and bytes that are not
 * UTF-8 by '?', quotes by ' and backslashes by /.  In a cell, commas by semicolons as well: gnuplot
 * ends a quoted cell at its first comma (5.4).
 */
void gnuplot_clean(char *text, int cell);

#endif
