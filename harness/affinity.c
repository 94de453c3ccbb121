// SPDX-License-Identifier: GPL-3.0-or-later
#include "affinity.h"

#include "cpulist.h"
#include "procfile.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	WORD_BITS = sizeof(unsigned long) * CHAR_BIT,
	/* Eight times the largest NR_CPUS that any architecture's Kconfig allows (8192,
	   Linux 6.18). */
	MASK_CPUS = 65536,
	MASK_WORDS = MASK_CPUS / WORD_BITS,
};

/* The kernel's form of a CPU mask; on the stack, because a forked child must not allocate. */
struct mask {
	unsigned long word[MASK_WORDS];
	size_t words; /* how many of them the kernel filled in */
};

/*
 * Reads the calling thread's mask.  The kernel answers EINVAL to a mask shorter than its own, whose
 * length it does not tell, so the size grows until it fits.  The system call is made directly since
 * glibc's wrapper hides how many bytes were filled in.
 */
static int mask_read(struct mask *mask)
{
	size_t bytes = 1024 / CHAR_BIT;
	long filled;

	while ((filled = syscall(SYS_sched_getaffinity, 0, bytes, mask->word)) < 0) {
		if (errno != EINVAL || bytes == sizeof(mask->word))
			return -1;
		bytes *= 2;
	}
	mask->words = (size_t)filled / sizeof(mask->word[0]);
	return 0;
}

static bool mask_is(const struct mask *mask, int cpu)
{
	for (size_t i = 0; i < mask->words; i++) {
		bool here = i == (size_t)cpu / WORD_BITS;

		if (mask->word[i] != (here ? 1UL << cpu % WORD_BITS : 0))
			return false;
	}
	return (size_t)cpu < mask->words * WORD_BITS;
}

int affinity_allowed(hwloc_bitmap_t set, struct complaint *c)
{
	struct mask mask;

	if (mask_read(&mask))
		return complain(c, EXIT_FAILED,
		                "cannot read the CPU affinity mask: %s\n"
		                "a seccomp filter may forbid sched_getaffinity",
		                strerror(errno));
	if (hwloc_bitmap_from_ulongs(set, (unsigned)mask.words, mask.word))
		return complain(c, EXIT_FAILED, "no memory for a set of CPUs");
	return 0;
}

/*
 * One of the kernel's own CPU lists, which are in hwloc's list format.  False when there is none:
 * the file "offline" of a machine without offline CPUs is empty, which is a list.
 */
static bool list_read(const char *sysfs, const char *name, hwloc_bitmap_t set)
{
	char path[PATH_MAX], text[4096];

	snprintf(path, sizeof(path), "%s/%s", sysfs, name);
	return procfile_line(path, text, sizeof(text)) == 0 &&
	       hwloc_bitmap_list_sscanf(set, text) == 0;
}

/* Sorts the CPUs of `bad` by what is wrong with them; without sysfs all stay in `bad`. */
static void reasons_find(const char *sysfs, hwloc_bitmap_t bad, hwloc_bitmap_t missing,
                         hwloc_bitmap_t offline)
{
	if (list_read(sysfs, "present", missing)) {
		hwloc_bitmap_andnot(missing, bad, missing);
		hwloc_bitmap_andnot(bad, bad, missing);
	} else {
		hwloc_bitmap_zero(missing);
	}
	if (list_read(sysfs, "online", offline)) {
		hwloc_bitmap_andnot(offline, bad, offline);
		hwloc_bitmap_andnot(bad, bad, offline);
	} else {
		hwloc_bitmap_zero(offline);
	}
}

void affinity_offline(hwloc_bitmap_t set)
{
	hwloc_bitmap_t present = hwloc_bitmap_alloc();

	hwloc_bitmap_zero(set);
	if (present && list_read(AFFINITY_SYSFS, "present", present) &&
	    list_read(AFFINITY_SYSFS, "online", set))
		hwloc_bitmap_andnot(set, present, set);
	else
		hwloc_bitmap_zero(set);
	hwloc_bitmap_free(present);
}

/* Appends "CPU 1 is ..." or "CPUs 2-9 are ..." to `out`; nothing for an empty set. */
static void reason_append(char *out, size_t size, hwloc_const_bitmap_t cpus, const char *one,
                          const char *many)
{
	size_t used = strlen(out);
	int weight = hwloc_bitmap_weight(cpus);
	char list[200];

	if (weight == 0)
		return;
	cpulist_format(cpus, list, sizeof(list));
	snprintf(out + used, size - used, "%sCPU%s %s %s", used ? "; " : "", weight == 1 ? "" : "s",
	         list, weight == 1 ? one : many);
}

int affinity_check_in(const char *sysfs, hwloc_const_bitmap_t asked, hwloc_const_bitmap_t allowed,
                      struct complaint *c)
{
	hwloc_bitmap_t bad = hwloc_bitmap_alloc();
	hwloc_bitmap_t missing = hwloc_bitmap_alloc(), offline = hwloc_bitmap_alloc();
	char reasons[700] = "", list[200];
	int result = 0;

	if (!bad || !missing || !offline) {
		result = complain(c, EXIT_FAILED, "no memory for a set of CPUs");
	} else if (!hwloc_bitmap_isincluded(asked, allowed)) {
		hwloc_bitmap_andnot(bad, asked, allowed);
		reasons_find(sysfs, bad, missing, offline);
		reason_append(reasons, sizeof(reasons), missing, "does not exist", "do not exist");
		reason_append(reasons, sizeof(reasons), offline, "is offline", "are offline");
		reason_append(reasons, sizeof(reasons), bad, "is not allowed", "are not allowed");
		cpulist_format(allowed, list, sizeof(list));
		result = complain(c, EXIT_USAGE, "%s\nallowed by taskset and cpuset: %s", reasons,
		                  list);
	}
	hwloc_bitmap_free(bad);
	hwloc_bitmap_free(missing);
	hwloc_bitmap_free(offline);
	return result;
}

int affinity_check(hwloc_const_bitmap_t asked, hwloc_const_bitmap_t allowed, struct complaint *c)
{
	return affinity_check_in(AFFINITY_SYSFS, asked, allowed, c);
}

int affinity_pin(int cpu)
{
	struct mask mask;
	size_t words = (size_t)cpu / WORD_BITS + 1;

	if (cpu < 0 || cpu >= MASK_CPUS) {
		errno = EINVAL;
		return -1;
	}
	memset(mask.word, 0, words * sizeof(mask.word[0]));
	mask.word[words - 1] = 1UL << cpu % WORD_BITS;
	if (syscall(SYS_sched_setaffinity, 0, words * sizeof(mask.word[0]), mask.word) ||
	    mask_read(&mask))
		return -1;
	if (!mask_is(&mask, cpu) || sched_getcpu() != cpu) {
		errno = EXDEV;
		return -1;
	}
	return 0;
}

bool affinity_holds(int cpu)
{
	struct mask mask;

	return mask_read(&mask) == 0 && mask_is(&mask, cpu) && sched_getcpu() == cpu;
}
