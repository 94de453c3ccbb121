// SPDX-License-Identifier: GPL-3.0-or-later
/* Reads result directories, for matching. */
#ifndef GATHER_H
#define GATHER_H

#include "complaint.h"
#include "likeness.h"
#include "matching.h"

/* Time per unit of a step (not of the whole lap), of the row of the matching with that sequence
 * number. */
struct gathered_step {
	size_t row;
	char *step, *unit;
	double ns;
};

/* What is known of the directories of both sides together. */
struct gathering {
	struct matching *matching;
	struct likeness *likeness;
	const char *value; /* column of points.csv; "": pages_per_s, or laps_per_s where empty */
	char **boots;      /* boot ids seen; their places are their numbers */
	size_t boot_count;
	bool side_boots[2][1024]; /* which of them a side has; beyond, not told apart */
	size_t boots_of[2];       /* how many */
	unsigned runs;
	unsigned runs_of[2];
	struct gathered_step *steps;
	size_t step_count;
};

/* Describes the columns; before the first directory. */
void gather_open(struct gathering *gathering);

/* Adds a directory to a side.  EXIT_FAILED if a file or a column is not there. */
int gather_directory(struct gathering *gathering, int side, const char *directory,
                     struct complaint *c);

/*
 * Part of it: the steps.csv, if there is one, of a directory whose points are the rows of the
 * matching from `first` on.  Returns 0, or -1 with a complaint.
 */
int gather_steps(struct gathering *gathering, const char *directory, size_t first,
                 struct complaint *c);
void gather_steps_free(struct gathering *gathering);

/*
 * After the last directory: where a side has several hosts, points of one are compared with those
 * of the same.  Returns 0, or -1 when memory is out.
 */
int gather_close(struct gathering *gathering, struct complaint *c);

/* The machine that a row was measured on. */
const char *gather_host(const struct matching_row *row);

/* Adds what differs among the matched points: their page size, CPUs and nodes. */
int gather_compare(const struct gathering *gathering, struct complaint *c);

/* How many boots the two sides have in common. */
size_t gather_shared_boots(const struct gathering *gathering);

void gather_free(struct gathering *gathering);

#endif
