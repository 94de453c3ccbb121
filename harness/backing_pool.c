// SPDX-License-Identifier: GPL-3.0-or-later
/* Whether the kernel's pool of huge pages (hugetlb) has what the workers take. */
#include "backing.h"

#include "cgroup.h"
#include "procfile.h"
#include "units.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#define HUGEPAGES "/sys/kernel/mm/hugepages"

/* One number from the pool of huge pages of that size; 0 if it cannot be read. */
static uint64_t pool_number(size_t page, const char *name)
{
	char path[160];
	uint64_t value = 0;

	snprintf(path, sizeof(path), HUGEPAGES "/hugepages-%zukB/%s", page / 1024, name);
	return procfile_number(path, &value) ? 0 : value;
}

static uint64_t excess(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* The sizes that this kernel has, as "2M 1G"; "none". */
static void sizes_list(char *out, size_t size)
{
	DIR *directory = opendir(HUGEPAGES);
	struct dirent *entry;
	char text[UNIT_TEXT];
	size_t used = 0;
	uint64_t kib;

	snprintf(out, size, "none");
	while (directory && (entry = readdir(directory)))
		if (sscanf(entry->d_name, "hugepages-%" SCNu64 "kB", &kib) == 1 && used < size)
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "",
			                         size_format(kib * 1024, text));
	if (directory)
		closedir(directory);
}

static int size_check(const struct backing *backing, struct complaint *c)
{
	char path[128], size[UNIT_TEXT], sizes[128];

	snprintf(path, sizeof(path), HUGEPAGES "/hugepages-%zukB", backing->page / 1024);
	if (access(path, F_OK) == 0)
		return 0;
	sizes_list(sizes, sizeof(sizes));
	return complain(c, EXIT_UNSUPPORTED,
	                "this machine has no huge pages of %s; sizes it has: %s\n"
	                "choose one of these with --page-size",
	                size_format(backing->page, size), sizes);
}

/*
 * What is to be had without a reservation of another's: free pages that nobody reserved, and those
 * that the kernel may add (Documentation/admin-guide/mm/hugetlbpage.rst).
 */
static int pool_check(const struct backing *backing, uint64_t bytes, struct complaint *c)
{
	uint64_t pages = bytes / backing->page;
	uint64_t all = pool_number(backing->page, "nr_hugepages");
	uint64_t vacant = pool_number(backing->page, "free_hugepages");
	uint64_t reserved = pool_number(backing->page, "resv_hugepages");
	uint64_t more = excess(pool_number(backing->page, "nr_overcommit_hugepages"),
	                       pool_number(backing->page, "surplus_hugepages"));
	uint64_t room = excess(vacant, reserved) + more;
	bool gigantic = backing->page >= (size_t)1 << 30;
	char size[UNIT_TEXT];

	if (pages <= room)
		return 0;
	return complain(c, EXIT_FAILED,
	                "%" PRIu64 " huge pages of %s needed, %" PRIu64
	                " to be had (pool of %" PRIu64 ", %" PRIu64 " free, %" PRIu64
	                " reserved, %" PRIu64 " by overcommit)\n"
	                "as root: echo %" PRIu64 " >" HUGEPAGES "/hugepages-%zukB/nr_hugepages%s",
	                pages, size_format(backing->page, size), room, all, vacant, reserved, more,
	                all + pages - room, backing->page / 1024,
	                gigantic ? "; so large ones may be had only at boot, by hugepagesz=1G "
	                           "hugepages=N"
	                         : "");
}

/* How the files of the hugetlb controller call a size: "2MB", "1GB", "64KB". */
static void huge_label(size_t page, char out[16])
{
	if (page >= (size_t)1 << 30)
		snprintf(out, 16, "%zuGB", page >> 30);
	else if (page >= (size_t)1 << 20)
		snprintf(out, 16, "%zuMB", page >> 20);
	else
		snprintf(out, 16, "%zuKB", page >> 10);
}

static int group_check(const struct backing *backing, uint64_t bytes, struct complaint *c)
{
	char label[16], names[4][64], where[PATH_MAX], asked[UNIT_TEXT], room[UNIT_TEXT];
	struct cgroup_resource resource = {.limit = {names[0], names[1]},
	                                   .usage = {names[2], names[3]}};
	uint64_t limit, usage;
	struct cgroup group;

	huge_label(backing->page, label);
	snprintf(names[0], sizeof(names[0]), "hugetlb.%s.limit_in_bytes", label);
	snprintf(names[1], sizeof(names[1]), "hugetlb.%s.max", label);
	snprintf(names[2], sizeof(names[2]), "hugetlb.%s.usage_in_bytes", label);
	snprintf(names[3], sizeof(names[3]), "hugetlb.%s.current", label);
	if (cgroup_find("hugetlb", &group) ||
	    cgroup_tightest(&group, &resource, &limit, &usage, where, sizeof(where)) ||
	    bytes <= excess(limit, usage))
		return 0;
	return complain(c, EXIT_FAILED,
	                "%s in huge pages needed, the hugetlb cgroup leaves %s (%s)\n"
	                "raise its limit, or ask for less",
	                size_format(bytes, asked), size_format(excess(limit, usage), room), where);
}

int backing_check_pool(const struct backing *backing, uint64_t bytes, struct complaint *c)
{
	return size_check(backing, c) || pool_check(backing, bytes, c) ||
	                       group_check(backing, bytes, c)
	               ? -1
	               : 0;
}
