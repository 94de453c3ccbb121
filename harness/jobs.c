// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs.h"

#include "csv_reader.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

char *job_path(const char *sweep, const struct plan_job *job, const char *file, char out[PATH_MAX])
{
	char name[PLAN_NAME];

	snprintf(out, PATH_MAX, "%s/jobs/%s%s%s", sweep, plan_name(job, name), *file ? "/" : "",
	         file);
	return out;
}

enum job_state job_state(const char *sweep, const struct plan_job *job)
{
	enum job_state state = JOB_MISSING;
	struct csv_reader reader;
	struct complaint ignored;
	char path[PATH_MAX];
	bool interrupted = false;

	if (csv_reader_open(&reader, job_path(sweep, job, "points.csv", path), &ignored))
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

int job_remove(const char *sweep, const struct plan_job *job, struct complaint *c)
{
	char path[PATH_MAX];

	return tree_remove(job_path(sweep, job, "", path), c);
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
		if (!strstr(entry->d_name, ".partial-"))
			continue;
		snprintf(path, sizeof(path), "%s/jobs/%s", sweep, entry->d_name);
		result = tree_remove(path, c);
	}
	closedir(jobs);
	return result;
}
