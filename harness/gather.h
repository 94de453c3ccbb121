// SPDX-License-Identifier: GPL-3.0-or-later
/* Reads result directories, for matching. */
#ifndef GATHER_H
#define GATHER_H

#include "complaint.h"
#include "likeness.h"
#include "matching.h"

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
};

/* Describes the columns; before the first directory. */
void gather_open(struct gathering *gathering);

/* Adds a directory to a side.  EXIT_FAILED if a file or a column is not there. */
int gather_directory(struct gathering *gathering, int side, const char *directory,
                     struct complaint *c);

/*
 * After the last directory: where a side has several hosts, points of one are compared with those
 * of the same.  Returns 0, or -1 when memory is out.
 */
int gather_close(struct gathering *gathering, struct complaint *c);

/* Adds what differs among the matched points: their page size, CPUs and nodes. */
int gather_compare(const struct gathering *gathering, struct complaint *c);

/* How many boots the two sides have in common. */
size_t gather_shared_boots(const struct gathering *gathering);

void gather_free(struct gathering *gathering);

#endif
