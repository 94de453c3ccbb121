// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The jobs that a sweep has carried out: DIR/jobs/KEY.REPEAT is the result directory of one job,
 * which is there whole or not at all (results.h).
 */
#ifndef JOBS_H
#define JOBS_H

#include "complaint.h"
#include "plan.h"

#include <limits.h>
#include <stdbool.h>

enum job_state {
	JOB_MISSING,
	JOB_VALID,
	JOB_UNSUPPORTED, /* by this machine: measuring it again would not change that */
	JOB_POOR,        /* invalid or interrupted: a row, but one to be replaced */
};

/* The path of a job's directory, or of a file in it, below `sweep`.  Returns out. */
char *job_path(const char *sweep, const struct plan_job *job, const char *file, char out[PATH_MAX]);

/*
 * What is there of a job.  Something that cannot be read counts as missing.  Of several repeats one
 * that is valid is enough, since there are more of them than need be, unless they were interrupted.
 */
enum job_state job_state(const char *sweep, const struct plan_job *job);

/* Removes a directory and all in it, if it is there.  Returns 0, or -1 (EXIT_FAILED). */
int tree_remove(const char *path, struct complaint *c);

/*
 * Takes away what is there of a job that is to be measured.  A valid one of --precision (which is
 * only not precise enough) is put aside as KEY.0.before until there is a better one.
 */
int job_clear(const char *sweep, const struct plan_job *job, struct complaint *c);

/*
 * At both ends of a sweep: removes what killed jobs left under DIR.partial-PID names (results.h).
 * What was put aside comes back where its job did not end or is not valid now.
 */
int jobs_clean(const char *sweep, struct complaint *c);

/*
 * Makes the result files of the sweep from those of the jobs that are there, in the order of their
 * places: every file is written under another name and renamed.  `host`, if not NULL, is put into
 * the first column, which two machines of the same name would share.  Memory is bounded.
 */
struct jobs_source {
	const char *sweep; /* directory with jobs/ */
	const char *host;  /* or NULL: as it is */
};
int jobs_merge(const char *out, const struct jobs_source sources[], size_t source_count,
               const struct plan *plan, struct complaint *c);

#endif
