// SPDX-License-Identifier: GPL-3.0-or-later
#include "memcg.h"

#include "procfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "faultscale."

static int file_put(const char *directory, const char *file, const char *text)
{
	char path[PATH_MAX + NAME_MAX];
	int fd, result, error;

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	result = write(fd, text, strlen(text)) < 0 ? -1 : 0;
	error = errno;
	close(fd);
	errno = error;
	return result;
}

/* What to do about an errno. */
static const char *advice(int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return "run as root, or in a group that is yours: systemd-run --user --scope "
		       "-p Delegate=yes";
	case EROFS:
		return "the cgroup file system is mounted read-only here";
	case EBUSY:
	case EOPNOTSUPP:
		return "other processes are in this group, which must be empty to have groups "
		       "below it: systemd-run --scope -p Delegate=yes";
	case ENOENT:
		return "the memory controller is not enabled there";
	default:
		return "see cgroups(7)";
	}
}

static int refuse(const char *what, const char *path, struct complaint *c)
{
	int error = errno;

	complain(c, EXIT_FAILED, "--memcg: cannot %s %s: %s\n%s", what, path, strerror(error),
	         advice(error));
	errno = error;
	return -1;
}

/* In version 2 groups have a memory controller only if the one above hands it down. */
static int controller_enable(const struct cgroup *group, const char *path, struct complaint *c)
{
	char list[PATH_MAX + NAME_MAX], text[1024];

	if (group->version == 1)
		return 0;
	snprintf(list, sizeof(list), "%s/cgroup.subtree_control", path);
	if (procfile_line(list, text, sizeof(text)) == 0 && strstr(text, "memory"))
		return 0;
	return file_put(path, "cgroup.subtree_control", "+memory")
	               ? refuse("enable the memory controller in", path, c)
	               : 0;
}

static void group_path(const struct memcg *memcg, unsigned group, unsigned depth, char *out,
                       size_t size)
{
	const int room = (int)size - 16; /* the number has its place */
	size_t used = (size_t)snprintf(out, size, "%.*s/%u", room, memcg->base.path, group);

	for (unsigned i = 1; i < depth && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "/0");
}

static int limit_set(const struct memcg *memcg, const char *path, uint64_t limit,
                     struct complaint *c)
{
	const char *file = cgroup_memory.limit[memcg->base.version - 1];
	char text[32];

	if (!limit)
		return 0;
	snprintf(text, sizeof(text), "%" PRIu64, limit);
	return file_put(path, file, text) ? refuse("set the limit of", path, c) : 0;
}

static int group_make(const struct memcg *memcg, unsigned group, uint64_t limit,
                      struct complaint *c)
{
	char path[PATH_MAX];

	for (unsigned depth = 1; depth <= memcg->depth; depth++) {
		group_path(memcg, group, depth, path, sizeof(path));
		if (mkdir(path, 0755) || (depth == 1 && limit_set(memcg, path, limit, c)))
			return refuse("make", path, c);
		if (depth < memcg->depth && controller_enable(&memcg->base, path, c))
			return -1;
	}
	return 0;
}

/* The group of the parent's own that it makes way into. */
static void aside_path(const struct cgroup *current, char *out, size_t size)
{
	snprintf(out, size, "%.4000s/" PREFIX "%d", current->path, getpid());
}

/*
 * In version 2 a group whose processes are not all in groups below it hands down no controller
 * (cgroups(7), "no internal processes"): the parent makes way, which helps if it is alone.
 */
static int parent_step_aside(const struct cgroup *current, struct complaint *c)
{
	char aside[PATH_MAX];

	aside_path(current, aside, sizeof(aside));
	if (mkdir(aside, 0755) || file_put(aside, "cgroup.procs", "0"))
		return refuse("make way in", aside, c);
	return controller_enable(current, current->path, c);
}

/* Takes it back, if it did; as long as another crew has groups there the kernel refuses. */
static void parent_return(const struct cgroup *current)
{
	char aside[PATH_MAX];

	aside_path(current, aside, sizeof(aside));
	if (current->version != 2 || access(aside, F_OK) ||
	    file_put(current->path, "cgroup.subtree_control", "-memory"))
		return;
	file_put(current->path, "cgroup.procs", "0");
	cgroup_remove(aside);
}

/* The group the parent was started in: it may have made way already, for the other crew of a duel.
 */
static struct cgroup group_of_parent(const struct cgroup *found)
{
	struct cgroup current = *found;
	char aside[PATH_MAX];

	if (cgroup_ascend(&current))
		return *found;
	aside_path(&current, aside, sizeof(aside));
	return strcmp(found->path, aside) == 0 ? current : *found;
}

/* The directory for this crew's groups; a duel has two crews at a time. */
static int base_make(struct memcg *memcg, const struct cgroup *current, struct complaint *c)
{
	int result = -1;

	memcg->base = *current;
	for (int n = 0; result && n < 16; n++) {
		snprintf(memcg->base.path, sizeof(memcg->base.path), "%.4000s/" PREFIX "%d.%d",
		         current->path, getpid(), n);
		result = mkdir(memcg->base.path, 0755);
		if (result && errno != EEXIST)
			break;
	}
	if (result == 0)
		return 0;
	memcg->base.version = 0;
	return refuse("make", memcg->base.path, c);
}

static int groups_make(struct memcg *memcg, const struct cgroup *current, uint64_t limit,
                       struct complaint *c)
{
	if (base_make(memcg, current, c) || controller_enable(current, memcg->base.path, c))
		return -1;
	for (unsigned i = 0; i < memcg->groups; i++)
		if (group_make(memcg, i, limit, c))
			return -1;
	return 0;
}

int memcg_make_in(struct memcg *memcg, const struct cgroup *found, const struct options *options,
                  unsigned processes, struct complaint *c)
{
	const struct cgroup current = group_of_parent(found);
	int result;

	*memcg = (struct memcg){
	        .current = current,
	        .groups = options->memcg == MEMCG_EACH ? processes : 1,
	        .depth = (unsigned)options->memcg_depth,
	};
	cgroup_remove_dead(current.path, PREFIX);
	result = controller_enable(&current, current.path, c);
	if (result && errno == EBUSY)
		result = parent_step_aside(&current, c);
	if (result == 0)
		result = groups_make(memcg, &current, options->memcg_max, c);
	if (result)
		memcg_remove(memcg);
	return result;
}

int memcg_make(struct memcg *memcg, const struct options *options, unsigned processes,
               struct complaint *c)
{
	struct cgroup current;

	*memcg = (struct memcg){0};
	if (options->memcg == MEMCG_NONE)
		return 0;
	if (cgroup_find("memory", &current))
		return complain(c, EXIT_UNSUPPORTED,
		                "--memcg: no memory controller is to be seen here\n"
		                "mount a cgroup file system, or take --memcg out");
	return memcg_make_in(memcg, &current, options, processes, c);
}

int memcg_enter(const struct memcg *memcg, unsigned process)
{
	char path[PATH_MAX];

	if (!memcg->base.version)
		return 0;
	group_path(memcg, memcg->groups > 1 ? process : 0, memcg->depth, path, sizeof(path));
	return file_put(path, "cgroup.procs", "0");
}

uint64_t memcg_oom_kills(const struct memcg *memcg)
{
	const char *file = memcg->base.version == 1 ? "memory.oom_control" : "memory.events";
	struct cgroup group = memcg->base;
	uint64_t sum = 0, count;

	for (unsigned i = 0; memcg->base.version && i < memcg->groups; i++) {
		group_path(memcg, i, memcg->base.version == 1 ? memcg->depth : 1, group.path,
		           sizeof(group.path));
		if (cgroup_read_key(&group, file, "oom_kill", &count) == 0)
			sum += count;
	}
	return sum;
}

void memcg_remove(struct memcg *memcg)
{
	if (memcg->base.version)
		cgroup_remove(memcg->base.path);
	memcg->base.version = 0;
	parent_return(&memcg->current);
	memcg->current.version = 0;
}
