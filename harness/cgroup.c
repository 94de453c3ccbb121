// SPDX-License-Identifier: GPL-3.0-or-later
#include "cgroup.h"

#include "procfile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct cgroup_resource cgroup_memory = {
        .limit = {"memory.limit_in_bytes", "memory.max"},
        .usage = {"memory.usage_in_bytes", "memory.current"},
        .discount = {{"total_inactive_file", "total_active_file"},
                     {"inactive_file", "active_file"}},
};

const struct cgroup_resource cgroup_pids = {
        .limit = {"pids.max", "pids.max"},
        .usage = {"pids.current", "pids.current"},
};

int cgroup_ascend(struct cgroup *group)
{
	if (!group->path[group->mount]) {
		errno = ENOENT;
		return -1;
	}
	*strrchr(group->path, '/') = '\0';
	return 0;
}

static void file_path(const struct cgroup *group, const char *file, char *out, size_t size)
{
	snprintf(out, size, "%s/%s", group->path, file);
}

int cgroup_read(const struct cgroup *group, const char *file, uint64_t *value)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	char path[PATH_MAX + NAME_MAX];

	file_path(group, file, path, sizeof(path));
	if (procfile_number(path, value))
		return -1;
	if (group->version == 1 && *value >= INT64_MAX / page * page)
		*value = UINT64_MAX;
	return 0;
}

int cgroup_read_key(const struct cgroup *group, const char *file, const char *key, uint64_t *value)
{
	char path[PATH_MAX + NAME_MAX];

	file_path(group, file, path, sizeof(path));
	return procfile_key(path, key, value);
}

/* One group's limit and usage; the usage never falls below 0. */
static int level_read(const struct cgroup *group, const struct cgroup_resource *resource,
                      uint64_t *limit, uint64_t *usage)
{
	int row = group->version - 1;
	uint64_t part;

	if (cgroup_read(group, resource->limit[row], limit) ||
	    cgroup_read(group, resource->usage[row], usage))
		return -1;
	for (int i = 0; i < 2; i++)
		if (resource->discount[row][i] &&
		    cgroup_read_key(group, "memory.stat", resource->discount[row][i], &part) == 0)
			*usage -= part < *usage ? part : *usage;
	return 0;
}

static uint64_t room_left(uint64_t limit, uint64_t usage)
{
	if (limit == UINT64_MAX)
		return UINT64_MAX;
	return limit > usage ? limit - usage : 0;
}

int cgroup_tightest(const struct cgroup *group, const struct cgroup_resource *resource,
                    uint64_t *limit, uint64_t *usage, char *where, size_t size)
{
	struct cgroup level = *group;
	uint64_t maximum, used;
	bool known = false;

	do {
		if (level_read(&level, resource, &maximum, &used))
			continue;
		if (known && room_left(maximum, used) >= room_left(*limit, *usage))
			continue;
		known = true;
		*limit = maximum;
		*usage = used;
		snprintf(where, size, "%s", level.path);
	} while (cgroup_ascend(&level) == 0);
	errno = ENOENT;
	return known ? 0 : -1;
}

int cgroup_memory_limit(uint64_t *limit, uint64_t *usage, char *where, size_t size)
{
	struct cgroup group;

	if (cgroup_find("memory", &group))
		return -1;
	return cgroup_tightest(&group, &cgroup_memory, limit, usage, where, size);
}

int cgroup_pids_limit(uint64_t *limit, uint64_t *usage, char *where, size_t size)
{
	struct cgroup group;

	if (cgroup_find("pids", &group))
		return -1;
	return cgroup_tightest(&group, &cgroup_pids, limit, usage, where, size);
}

int cgroup_oom_kills(uint64_t *count)
{
	struct cgroup group;

	if (cgroup_find("memory", &group))
		return -1;
	return cgroup_read_key(&group, group.version == 1 ? "memory.oom_control" : "memory.events",
	                       "oom_kill", count);
}
