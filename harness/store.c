// SPDX-License-Identifier: GPL-3.0-or-later
#include "store.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A name for a sweep that was given none. */
static void name_make(char out[PATH_MAX])
{
	time_t now = time(NULL);
	struct tm utc;

	snprintf(out, PATH_MAX, "sweep");
	if (gmtime_r(&now, &utc))
		strftime(out, PATH_MAX, "sweep-%Y%m%d-%H%M%S", &utc);
}

static bool directory_empty(const char *path)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	bool empty = directory != NULL;

	while (empty && (entry = readdir(directory)))
		empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	if (directory)
		closedir(directory);
	return empty;
}

/* Makes a directory, or finds it there. */
static int directory_make(const char *path, struct complaint *c)
{
	if (mkdir(path, 0777) == 0 || errno == EEXIST)
		return 0;
	return complain(c, EXIT_FAILED,
	                "--output: cannot make '%s': %s\n"
	                "name a directory in a place where you may write",
	                path, strerror(errno));
}

int store_make(const char *path, char out[PATH_MAX], struct complaint *c)
{
	char name[PATH_MAX], jobs[PATH_MAX];

	name_make(name);
	if (strlen(path) + STORE_FILE > sizeof(jobs))
		return complain(c, EXIT_USAGE, "--output: the path is longer than %d bytes",
		                PATH_MAX - STORE_FILE);
	path = *path ? path : name;
	if (directory_make(path, c))
		return -1;
	snprintf(jobs, sizeof(jobs), "%.*s/jobs", PATH_MAX - STORE_FILE, path);
	if (access(jobs, F_OK) && !directory_empty(path))
		return complain(c, EXIT_USAGE,
		                "--output: '%s' exists and is no sweep's\n"
		                "name a new directory, or that of a sweep to go on with",
		                path);
	if (directory_make(jobs, c))
		return -1;
	if (!realpath(path, out) || strlen(out) + STORE_FILE > PATH_MAX)
		return complain(c, EXIT_FAILED, "--output: the whole path of '%s' is too long",
		                path);
	return 0;
}

char *store_path(const char *store, const char *file, char out[PATH_MAX])
{
	snprintf(out, PATH_MAX, "%.*s/%s", PATH_MAX - STORE_FILE, store, file);
	return out;
}
