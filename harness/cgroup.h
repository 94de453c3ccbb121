// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * This process's control groups, version 1, 2 or both side by side (hybrid).  Each controller is
 * looked up on its own, through /proc/self/cgroup and /proc/self/mountinfo (cgroups(7), proc(5)),
 * and "not found" is never taken for "no limit" (field case 15).
 *
 * All functions that return anything return 0, or -1 with errno.
 */
#ifndef CGROUP_H
#define CGROUP_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

struct cgroup {
	int version;         /* 1 or 2 */
	size_t mount;        /* the first bytes of `path`, which are the mount point */
	char path[PATH_MAX]; /* the group's directory */
};

/*
 * Finds the group that holds this process for a controller ("memory", "pids", "cpu", "cpuset").  In
 * version 2 that is the nearest group for which the controller is enabled.  ENOENT when no mounted
 * hierarchy with this controller shows the process, as behind another cgroup namespace's root.
 */
int cgroup_find(const char *controller, struct cgroup *group);

/* The same from copies of the two /proc files. */
int cgroup_find_in(const char *cgroups, const char *mounts, const char *controller,
                   struct cgroup *group);

/* Makes `group` its parent.  ENOENT at the root of the mount. */
int cgroup_ascend(struct cgroup *group);

/*
 * A number from one of the group's files.  No limit is UINT64_MAX: "max", or in version 1 the
 * largest number of whole pages in a signed 64-bit integer (PAGE_COUNTER_MAX, Linux 6.18).
 */
int cgroup_read(const struct cgroup *group, const char *file, uint64_t *value);

/*
 * The number behind a key in a file of "key value" lines: memory.events oom_kill, cpu.stat
 * nr_throttled, in version 1 memory.oom_control oom_kill (since Linux 4.13).
 */
int cgroup_read_key(const struct cgroup *group, const char *file, const char *key, uint64_t *value);

/* A limit with the use it is held against, as files of version 1 and 2. */
struct cgroup_resource {
	const char *limit[2], *usage[2];
	const char *discount[2][2]; /* keys of memory.stat to take off the usage, or NULL */
};
extern const struct cgroup_resource cgroup_memory, cgroup_pids;

/*
 * The limit that leaves least room among those of the group and of the groups above it, up to the
 * root of the mount; the usage there; and in `where` that group's directory.  Without any limit:
 * UINT64_MAX and the group itself.  ENOENT when no group has the files.
 */
int cgroup_tightest(const struct cgroup *group, const struct cgroup_resource *resource,
                    uint64_t *limit, uint64_t *usage, char *where, size_t size);

/*
 * The tightest limit on this process's memory, in bytes.  The usage leaves out the file pages on
 * the LRU lists, which the kernel reclaims before it refuses: a group that only read files once
 * would look full otherwise.
 */
int cgroup_memory_limit(uint64_t *limit, uint64_t *usage, char *where, size_t size);

/* The tightest limit on the number of tasks (processes and threads). */
int cgroup_pids_limit(uint64_t *limit, uint64_t *usage, char *where, size_t size);

/*
 * How many tasks the OOM killer has killed in this process's memory group: in version 2 with all
 * groups below it, in version 1 in this group alone.
 */
int cgroup_oom_kills(uint64_t *count);

/*
 * Removes a group and those below it, the deepest first, and waits up to 1 s for processes that are
 * about to end.  One with live processes stays.
 */
void cgroup_remove(const char *path);

/* Removes the groups PREFIX PID ... below `parent` whose process is no longer alive. */
void cgroup_remove_dead(const char *parent, const char *prefix);

#endif
