// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs.h"

#include "csv_reader.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The end of a name put aside. */
#define BEFORE ".before"

char *job_path(const char *sweep, const struct plan_job *job, const char *file, char out[PATH_MAX])
{
	char name[PLAN_NAME];

	snprintf(out, PATH_MAX, "%s/jobs/%s%s%s", sweep, plan_name(job, name), *file ? "/" : "",
	         file);
	return out;
}

/* The state by a job's points.csv. */
static enum job_state rows_state(const char *path)
{
	enum job_state state = JOB_MISSING;
	struct csv_reader reader;
	struct complaint ignored;
	bool interrupted = false;

	if (csv_reader_open(&reader, path, &ignored))
		return JOB_MISSING;
	while (!interrupted && csv_reader_next(&reader, &ignored) == 1) {
		const char *status = csv_reader_text(&reader, csv_reader_column(&reader, "status"));

		interrupted = strcmp(status, "interrupted") == 0;
		if (interrupted || state != JOB_VALID)
			state = strcmp(status, "valid") == 0         ? JOB_VALID
			        : strcmp(status, "unsupported") == 0 ? JOB_UNSUPPORTED
			                                             : JOB_POOR;
	}
	csv_reader_close(&reader);
	return state;
}

enum job_state job_state(const char *sweep, const struct plan_job *job)
{
	char path[PATH_MAX];

	return rows_state(job_path(sweep, job, "points.csv", path));
}

static int entry_remove(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	(void)status;
	(void)kind;
	(void)where;
	return remove(path);
}

int tree_remove(const char *path, struct complaint *c)
{
	if (nftw(path, entry_remove, 8, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT)
		return 0;
	return complain(c, EXIT_FAILED, "cannot remove '%s': %s", path, strerror(errno));
}

static int directory_rename(const char *from, const char *to, struct complaint *c)
{
	if (rename(from, to) == 0)
		return 0;
	return complain(c, EXIT_FAILED, "cannot rename '%s' to '%s': %s", from, to,
	                strerror(errno));
}

int job_clear(const char *sweep, const struct plan_job *job, struct complaint *c)
{
	char path[PATH_MAX], aside[PATH_MAX + sizeof(BEFORE)];

	job_path(sweep, job, "", path);
	if (job->repeat || job_state(sweep, job) != JOB_VALID)
		return tree_remove(path, c);
	snprintf(aside, sizeof(aside), "%s%s", path, BEFORE);
	return directory_rename(path, aside, c);
}

/* What was put aside is needed again unless there is something better than a poor one. */
static int job_settle(const char *aside, struct complaint *c)
{
	char path[PATH_MAX], rows[PATH_MAX + 16];
	enum job_state state;

	snprintf(path, sizeof(path), "%.*s", (int)(strlen(aside) - strlen(BEFORE)), aside);
	snprintf(rows, sizeof(rows), "%s/points.csv", path);
	state = rows_state(rows);
	if (state == JOB_VALID || state == JOB_UNSUPPORTED)
		return tree_remove(aside, c);
	return tree_remove(path, c) ? -1 : directory_rename(aside, path, c);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), last = strlen(end);

	return length > last && strcmp(text + length - last, end) == 0;
}

int jobs_clean(const char *sweep, struct complaint *c)
{
	char path[PATH_MAX];
	struct dirent *entry;
	int result = 0;
	DIR *jobs;

	snprintf(path, sizeof(path), "%s/jobs", sweep);
	jobs = opendir(path);
	if (!jobs)
		return errno == ENOENT ? 0
		                       : complain(c, EXIT_FAILED, "cannot read '%s': %s", path,
		                                  strerror(errno));
	while (result == 0 && (entry = readdir(jobs))) {
		snprintf(path, sizeof(path), "%s/jobs/%s", sweep, entry->d_name);
		if (strstr(entry->d_name, ".partial-"))
			result = tree_remove(path, c);
		else if (ends_with(entry->d_name, BEFORE))
			result = job_settle(path, c);
	}
	closedir(jobs);
	return result;
}
