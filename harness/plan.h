// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The plan of a sweep: which points, how often, in which order.  As a file (plan.csv) it has the
 * columns key, repeat and command: a complete `faultscale run` command line, quoted for a shell but
 * read back without one.
 */
#ifndef PLAN_H
#define PLAN_H

#include "repeats.h"
#include "topology.h"

#include <stddef.h>
#include <stdint.h>

/* One repeat of one point. */
struct plan_job {
	char key[OPTIONS_KEY]; /* options_key() of the point */
	uint64_t repeat;       /* from 1; 0: all of the point's, as many as --precision takes */
	char *command;
	struct repeats_time expected; /* about; 0 if unknown (read from a file) */
	size_t place;                 /* in the results: by workload, mode, count and repeat */
};

struct plan {
	struct plan_job *jobs; /* in the order in which they are carried out */
	size_t count;
};

/* A job's name, KEY.REPEAT: also that of its directory.  Hexadecimal digits, a dot, digits. */
enum { PLAN_NAME = 48 };
char *plan_name(const struct plan_job *job, char out[PLAN_NAME]);

/*
 * Makes the plan that a sweep's options ask for: every workload at every count in every mode, each
 * `repeat` times, and a point that two of them come to only once.  One repeat of everything comes
 * before the next repeat of anything, so that drift does not look like scaling; within that, counts
 * and workloads are shuffled by `seed` (mt19937), with the modes of one count next to each other.
 * With --precision how many there will be is not known, and one job measures all repeats of a
 * point. A seed of 0 leaves them in ascending order.  Returns 0, or -1 with the complaint of the
 * first point that cannot be.
 */
int plan_make(const struct options *sweep, const struct topology *topology, uint64_t seed,
              struct plan *plan, struct complaint *c);
void plan_free(struct plan *plan);

/* Prints the plan: command lines with key and repeat as a comment, or as CSV. */
int plan_print(const struct plan *plan, int format, struct complaint *c);

/* Writes it to a file, under another name first; reads it back.  0, or -1 (EXIT_FAILED). */
int plan_write(const struct plan *plan, const char *path, struct complaint *c);
int plan_read(const char *path, struct plan *plan, struct complaint *c);

/*
 * Finds the job of that name (KEY.REPEAT) in a plan file without keeping the others.  Returns 0
 * with *job filled (free its command), or -1: EXIT_USAGE for a name that is none or not there.
 */
int plan_find(const char *path, const char *name, struct plan_job *job, struct complaint *c);

#endif
