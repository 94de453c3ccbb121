// SPDX-License-Identifier: GPL-3.0-or-later
/* Memory: what is free, and what the kernel may do with it meanwhile. */
#include "check.h"
#include "procfile.h"
#include "units.h"

#include <inttypes.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

/* A size for people: whole MiB, or the bytes themselves where they are fewer. */
static char *about(uint64_t bytes, char out[UNIT_TEXT])
{
	return size_format(bytes >= 1 << 20 ? bytes >> 20 << 20 : bytes, out);
}

/* A line of /proc/meminfo in bytes. */
static bool meminfo(const struct check *check, const struct subject *subject, const char *key,
                    uint64_t *bytes)
{
	char path[256];

	if (procfile_key(subject_path(subject, check->source, path, sizeof(path)), key, bytes))
		return false;
	*bytes *= 1024;
	return true;
}

void look_free_memory(const struct check *check, const struct subject *subject,
                      struct finding *finding)
{
	char left[UNIT_TEXT], all[UNIT_TEXT];
	uint64_t total, available;

	if (!meminfo(check, subject, "MemTotal", &total) ||
	    !meminfo(check, subject, "MemAvailable", &available))
		return;
	finding_set(finding,
	            available < CHECK_WORKER_BYTES ? CHECK_PREVENTS
	            : available < total / 10 || available < 2 * CHECK_WORKER_BYTES * subject->cpus
	                    ? CHECK_SPOILS
	                    : CHECK_OK,
	            "%s of %s available", about(available, left), about(total, all));
}

void look_swap(const struct check *check, const struct subject *subject, struct finding *finding)
{
	char all[UNIT_TEXT], used[UNIT_TEXT];
	uint64_t total, left;

	if (!meminfo(check, subject, "SwapTotal", &total) ||
	    !meminfo(check, subject, "SwapFree", &left))
		return;
	if (!total)
		finding_set(finding, CHECK_OK, "none");
	else
		finding_set(finding, CHECK_NOTE, "%s of %s used", about(total - left, used),
		            about(total, all));
}

/* Sizes that are "inherit" do as thp says, which has a check of its own. */
void look_mthp(const struct check *check, const struct subject *subject, struct finding *finding)
{
	const char *sizes = subject_fact(subject, check->source);

	if (!*sizes)
		finding_set(finding, CHECK_OK, "not there");
	else
		finding_set(finding, strstr(sizes, ":always") ? CHECK_NOTE : CHECK_OK, "%s", sizes);
}

void look_hugetlb(const struct check *check, const struct subject *subject, struct finding *finding)
{
	uint64_t left, total;
	char path[256];

	subject_path(subject, check->source, path, sizeof(path));
	if (procfile_key(path, "HugePages_Total", &total) ||
	    procfile_key(path, "HugePages_Free", &left))
		return;
	finding_set(finding, left ? CHECK_OK : CHECK_NOTE, "%" PRIu64 " of %" PRIu64 " pages free",
	            left, total);
}

void look_space(const struct check *check, const struct subject *subject, struct finding *finding)
{
	char path[256], left[UNIT_TEXT];
	struct statfs space;
	uint64_t bytes;

	if (statfs(subject_path(subject, check->source, path, sizeof(path)), &space)) {
		finding_set(finding, CHECK_NOTE, "not there");
		return;
	}
	bytes = (uint64_t)space.f_bavail * (uint64_t)space.f_bsize;
	finding_set(finding, bytes < CHECK_WORKER_BYTES * subject->cpus ? CHECK_NOTE : CHECK_OK,
	            "%s free%s", about(bytes, left),
	            space.f_type == TMPFS_MAGIC ? " (tmpfs: memory)" : "");
}

void look_numa_balancing(const struct check *check, const struct subject *subject,
                         struct finding *finding)
{
	const char *value = subject_fact(subject, check->source);
	long nodes = strtol(subject_fact(subject, "nodes"), NULL, 10);

	if (!*value)
		finding_set(finding, CHECK_OK, "not there");
	else if (nodes == 1)
		finding_set(finding, CHECK_OK, "%s, one node", value);
	else
		finding_set(finding, strcmp(value, "0") == 0 ? CHECK_OK : CHECK_SPOILS, "%s",
		            value);
}
