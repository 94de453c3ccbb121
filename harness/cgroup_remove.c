// SPDX-License-Identifier: GPL-3.0-or-later
/* Groups that are no longer needed. */
#include "cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A process that was killed stays in its group until the kernel is through with it. */
#define REMOVE_TRIES 200
#define REMOVE_PAUSE_NS 5000000

static int group_remove(const char *path, const struct stat *about, int kind, struct FTW *where)
{
	struct timespec pause = {0, REMOVE_PAUSE_NS};

	(void)about;
	(void)where;
	if (kind != FTW_DP)
		return 0; /* the kernel's files go with the group */
	for (int i = 0; i < REMOVE_TRIES && rmdir(path) && errno == EBUSY; i++)
		nanosleep(&pause, NULL);
	return 0;
}

void cgroup_remove(const char *path)
{
	nftw(path, group_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* The process whose number stands behind the prefix; 0 if there is none. */
static pid_t name_pid(const char *name, const char *prefix)
{
	long pid = strncmp(name, prefix, strlen(prefix)) == 0
	                   ? strtol(name + strlen(prefix), NULL, 10)
	                   : 0;

	return pid > 0 && pid <= INT32_MAX ? (pid_t)pid : 0;
}

void cgroup_remove_dead(const char *parent, const char *prefix)
{
	DIR *directory = opendir(parent);
	char path[PATH_MAX + NAME_MAX + 2];
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		pid_t pid = name_pid(entry->d_name, prefix);

		if (!pid || kill(pid, 0) == 0 || errno != ESRCH)
			continue;
		snprintf(path, sizeof(path), "%s/%s", parent, entry->d_name);
		cgroup_remove(path);
	}
	if (directory)
		closedir(directory);
}
