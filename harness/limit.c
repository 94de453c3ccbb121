// SPDX-License-Identifier: GPL-3.0-or-later
#include "limit.h"

#include "cgroup.h"
#include "procfile.h"
#include "units.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* A limit, what is used of it, and the cgroup it belongs to or "". */
struct bound {
	const char *name;
	uint64_t limit, used;
	char group[PATH_MAX];
};

static uint64_t bound_room(const struct bound *bound)
{
	return bound->limit > bound->used ? bound->limit - bound->used : 0;
}

/* Keeps in `nearest` the bound with less room. */
static void bound_offer(struct bound *nearest, const struct bound *other)
{
	if (!nearest->name || bound_room(other) < bound_room(nearest))
		*nearest = *other;
}

/* How many tasks the kernel has, threads included: the number behind "/" in loadavg (proc(5)). */
static bool tasks_count(uint64_t *tasks)
{
	char text[128];
	const char *slash;

	if (procfile_line("/proc/loadavg", text, sizeof(text)))
		return false;
	slash = strchr(text, '/');
	if (slash)
		*tasks = strtoull(slash + 1, NULL, 10);
	return slash != NULL;
}

/* The tasks of one process if it belongs to the user, else 0. */
static uint64_t process_tasks(const char *pid, uid_t user)
{
	char path[64], text[64];
	uint64_t threads;

	snprintf(path, sizeof(path), "/proc/%.20s/status", pid);
	if (procfile_field(path, "Uid", text, sizeof(text)) || strtoul(text, NULL, 10) != user ||
	    procfile_key(path, "Threads", &threads))
		return 0;
	return threads;
}

/* How many tasks the user has, as far as this PID namespace shows them. */
static uint64_t user_tasks(uid_t user)
{
	DIR *directory = opendir("/proc");
	struct dirent *entry;
	uint64_t tasks = 0;

	if (!directory)
		return 0;
	while ((entry = readdir(directory)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			tasks += process_tasks(entry->d_name, user);
	closedir(directory);
	return tasks;
}

static void nproc_offer(struct bound *nearest)
{
	struct bound bound = {.name = "RLIMIT_NPROC"};
	struct rlimit limit;

	if (getuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return;
	bound.limit = limit.rlim_cur;
	bound.used = user_tasks(getuid());
	bound_offer(nearest, &bound);
}

static void tasks_offer(struct bound *nearest)
{
	static const char *const names[] = {"threads-max", "pid_max"};
	struct bound bound = {.name = "pids.max"};
	char path[64];

	if (cgroup_pids_limit(&bound.limit, &bound.used, bound.group, sizeof(bound.group)) == 0 &&
	    bound.limit != UINT64_MAX)
		bound_offer(nearest, &bound);
	bound.group[0] = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		bound.name = names[i];
		snprintf(path, sizeof(path), "/proc/sys/kernel/%s", names[i]);
		if (procfile_number(path, &bound.limit) == 0 && tasks_count(&bound.used))
			bound_offer(nearest, &bound);
	}
}

/* The memory that leaves least room: the machine's or the cgroup's; without a name if unknown. */
static void memory_nearest(struct bound *nearest)
{
	struct bound bound = {.name = "MemAvailable"};

	nearest->name = NULL;
	if (procfile_key("/proc/meminfo", "MemAvailable", &bound.limit) == 0) {
		bound.limit *= 1024;
		bound_offer(nearest, &bound);
	}
	bound.name = "memory limit";
	if (cgroup_memory_limit(&bound.limit, &bound.used, bound.group, sizeof(bound.group)) == 0 &&
	    bound.limit != UINT64_MAX)
		bound_offer(nearest, &bound);
}

/* Says whose memory it is: "MemAvailable", or the cgroup with its limit and usage. */
static void memory_describe(const struct bound *bound, char *out, size_t size)
{
	if (bound->group[0]) {
		char limit[UNIT_TEXT], used[UNIT_TEXT];

		snprintf(out, size, "%s %s, %s in use, %s", bound->name,
		         size_format(bound->limit, limit), size_format(bound->used, used),
		         bound->group);
	} else {
		snprintf(out, size, "%s", bound->name);
	}
}

void limits_explain_fork(int error, char *out, size_t size)
{
	struct bound nearest = {.name = NULL};

	if (error == EAGAIN) {
		nproc_offer(&nearest);
		tasks_offer(&nearest);
	}
	if (!nearest.name)
		snprintf(out, size, "%s", strerror(error));
	else
		snprintf(out, size, "%s; nearest limit: %s %" PRIu64 ", %" PRIu64 " in use%s%s",
		         strerror(error), nearest.name, nearest.limit, nearest.used,
		         nearest.group[0] ? ", " : "", nearest.group);
}

int limits_check_memory(uint64_t bytes, const char *what, struct complaint *c)
{
	char need[UNIT_TEXT], room[UNIT_TEXT], whose[PATH_MAX + 128];
	struct bound nearest;

	memory_nearest(&nearest);
	if (!nearest.name || bytes <= bound_room(&nearest))
		return 0;
	memory_describe(&nearest, whose, sizeof(whose));
	return complain(c, EXIT_FAILED,
	                "%s: %s needed, %s available (%s)\nask for fewer workers or less memory",
	                what, size_format(bytes, need), size_format(bound_room(&nearest), room),
	                whose);
}

/* Says why `verb` failed; the limit is to blame if it was locking and the limit is too small. */
static int lock_refuse(uint64_t bytes_each, unsigned workers, const char *verb, int error,
                       struct complaint *c)
{
	struct rlimit limit;
	uint64_t kib = bytes_each / 1024;

	if (strcmp(verb, "lock") == 0 && getrlimit(RLIMIT_MEMLOCK, &limit) == 0 &&
	    limit.rlim_cur / workers < bytes_each)
		return complain(c, EXIT_FAILED,
		                "cannot lock %u workers x %" PRIu64 " KiB in one process: "
		                "the limit is %" PRIu64 " KiB (RLIMIT_MEMLOCK)\n"
		                "raise it with 'ulimit -l', or run with CAP_IPC_LOCK",
		                workers, kib, (uint64_t)limit.rlim_cur / 1024);
	return complain(c, EXIT_FAILED,
	                "cannot %s %u workers x %" PRIu64 " KiB in one process: %s\n"
	                "ask for fewer workers or less memory",
	                verb, workers, kib, strerror(error));
}

int limits_check_lock(uint64_t bytes_each, unsigned workers_per_process, struct complaint *c)
{
	void *memory;
	size_t bytes;
	int error;

	if (__builtin_mul_overflow(bytes_each, workers_per_process, &bytes))
		return lock_refuse(bytes_each, workers_per_process, "map", EOVERFLOW, c);
	memory = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return lock_refuse(bytes_each, workers_per_process, "map", errno, c);
	error = mlock2(memory, bytes, MLOCK_ONFAULT) ? errno : 0;
	munmap(memory, bytes);
	return error ? lock_refuse(bytes_each, workers_per_process, "lock", error, c) : 0;
}
