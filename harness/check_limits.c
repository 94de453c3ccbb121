// SPDX-License-Identifier: GPL-3.0-or-later
/* Limits of the process and its control groups. */
#include "cgroup.h"
#include "check.h"
#include "cpulist.h"
#include "limit.h"
#include "procfile.h"
#include "units.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Descriptors of a thread (counters.h and all --events), and of the process itself. */
enum { THREAD_FILES = 10, PROCESS_FILES = 16 };

void look_processes(const struct check *check, const struct subject *subject,
                    struct finding *finding)
{
	struct rlimit limit;

	(void)check;
	if (getrlimit(RLIMIT_NPROC, &limit))
		return;
	if (limit.rlim_cur == RLIM_INFINITY)
		finding_set(finding, CHECK_OK, "unlimited");
	else if (getuid() == 0)
		finding_set(finding, CHECK_OK, "%" PRIu64 ", which does not bind root",
		            (uint64_t)limit.rlim_cur);
	else
		finding_set(finding,
		            limit.rlim_cur < 4 * (rlim_t)subject->cpus ? CHECK_NOTE : CHECK_OK,
		            "%" PRIu64, (uint64_t)limit.rlim_cur);
}

void look_tasks(const struct check *check, const struct subject *subject, struct finding *finding)
{
	char where[PATH_MAX];
	uint64_t limit, used, room;

	(void)check;
	if (cgroup_pids_limit(&limit, &used, where, sizeof(where)))
		return;
	if (limit == UINT64_MAX) {
		finding_set(finding, CHECK_OK, "unlimited");
		return;
	}
	room = limit > used ? limit - used : 0;
	finding_set(finding,
	            !room                  ? CHECK_PREVENTS
	            : room < subject->cpus ? CHECK_SPOILS
	                                   : CHECK_OK,
	            "%" PRIu64 " of %" PRIu64 " left, %.80s", room, limit, where);
}

void look_open_files(const struct check *check, const struct subject *subject,
                     struct finding *finding)
{
	struct rlimit limit;

	(void)check;
	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	/* Workers raise the soft limit to the hard one. */
	if (limit.rlim_max == RLIM_INFINITY)
		finding_set(finding, CHECK_OK, "unlimited");
	else
		finding_set(finding,
		            limit.rlim_max < PROCESS_FILES + THREAD_FILES * (rlim_t)subject->cpus
		                    ? CHECK_NOTE
		                    : CHECK_OK,
		            "%" PRIu64 " (hard limit)", (uint64_t)limit.rlim_max);
}

void look_locked_memory(const struct check *check, const struct subject *subject,
                        struct finding *finding)
{
	char size[UNIT_TEXT] = "unlimited";
	struct complaint c;
	struct rlimit limit;

	(void)check;
	if (getrlimit(RLIMIT_MEMLOCK, &limit))
		return;
	if (limit.rlim_cur != RLIM_INFINITY)
		size_format(limit.rlim_cur, size);
	finding_set(finding,
	            limits_check_lock(CHECK_WORKER_BYTES, subject->cpus, &c) ? CHECK_NOTE
	                                                                     : CHECK_OK,
	            "%s", size);
}

void look_memory_group(const struct check *check, const struct subject *subject,
                       struct finding *finding)
{
	char where[PATH_MAX], left[UNIT_TEXT], all[UNIT_TEXT];
	uint64_t limit, used, room;

	(void)check;
	if (cgroup_memory_limit(&limit, &used, where, sizeof(where)))
		return;
	if (limit == UINT64_MAX) {
		finding_set(finding, CHECK_OK, "unlimited");
		return;
	}
	room = (limit > used ? limit - used : 0) >> 20 << 20;
	finding_set(finding,
	            room < CHECK_WORKER_BYTES                       ? CHECK_PREVENTS
	            : room < 2 * CHECK_WORKER_BYTES * subject->cpus ? CHECK_SPOILS
	                                                            : CHECK_NOTE,
	            "%s of %s left, %.70s", size_format(room, left), size_format(limit, all),
	            where);
}

/* A group's quota in CPUs; 0 if it has none. */
static double group_quota(const struct cgroup *group)
{
	char path[PATH_MAX + NAME_MAX], line[64];
	uint64_t quota, period;

	if (group->version == 2) {
		snprintf(path, sizeof(path), "%s/cpu.max", group->path);
		if (procfile_line(path, line, sizeof(line)) ||
		    sscanf(line, "%" SCNu64 " %" SCNu64, &quota, &period) != 2)
			return 0;
	} else if (cgroup_read(group, "cpu.cfs_quota_us", &quota) ||
	           cgroup_read(group, "cpu.cfs_period_us", &period)) {
		return 0; /* -1, no quota, is no number for cgroup_read() */
	}
	return period ? (double)quota / (double)period : 0;
}

/* Groups are made below the one that faultscale runs in (memcg.h). */
void look_memory_groups(const struct check *check, const struct subject *subject,
                        struct finding *finding)
{
	struct cgroup group;

	(void)check;
	(void)subject;
	if (cgroup_find("memory", &group))
		finding_set(finding, CHECK_NOTE, "no controller");
	else if (access(group.path, W_OK))
		finding_set(finding, CHECK_NOTE, "not to be made in %.70s", group.path);
	else
		finding_set(finding, CHECK_OK, "its directory may be written");
}

void look_cpu_quota(const struct check *check, const struct subject *subject,
                    struct finding *finding)
{
	double tightest = 0, quota;
	struct cgroup group;

	(void)check;
	if (cgroup_find("cpu", &group))
		return;
	do {
		quota = group_quota(&group);
		if (quota > 0 && (tightest == 0 || quota < tightest))
			tightest = quota;
	} while (cgroup_ascend(&group) == 0);
	if (tightest == 0)
		finding_set(finding, CHECK_OK, "none");
	else
		finding_set(finding, tightest < subject->cpus ? CHECK_SPOILS : CHECK_OK,
		            "%.2f of %u CPUs", tightest, subject->cpus);
}

void look_allowed_cpus(const struct check *check, const struct subject *subject,
                       struct finding *finding)
{
	char path[256], online[CHECK_VALUE], allowed[CHECK_VALUE / 2 - 8];
	hwloc_bitmap_t all = hwloc_bitmap_alloc();

	cpulist_format(subject->pool, allowed, sizeof(allowed));
	if (procfile_line(subject_path(subject, check->source, path, sizeof(path)), online,
	                  sizeof(online)) == 0 &&
	    hwloc_bitmap_list_sscanf(all, online) == 0)
		finding_set(finding,
		            hwloc_bitmap_isincluded(all, subject->pool) ? CHECK_OK : CHECK_NOTE,
		            "%s of %.56s", allowed, online);
	hwloc_bitmap_free(all);
}
