// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * How much of a stretch of memory is there, and how much of that the kernel maps by huge pages,
 * from a copy of /proc/PID/smaps (proc(5)).  Multi-size huge pages below the reach of a page table
 * are mapped page by page and do not show there.
 */
#ifndef SMAPS_H
#define SMAPS_H

#include <stdint.h>

struct smaps {
	/* Bytes: Rss and the two of hugetlb, which Rss leaves out. */
	uint64_t resident;
	/* Of these AnonHugePages, ShmemPmdMapped, FilePmdMapped and those of hugetlb. */
	uint64_t huge;
};

/*
 * Adds up the mappings that overlap the addresses from `start` up to `end`; a mapping counts whole.
 * Returns 0, or -1 with errno if the file cannot be read.
 */
int smaps_read(const char *path, uintptr_t start, uintptr_t end, struct smaps *smaps);

#endif
