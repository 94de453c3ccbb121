// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The kernel's counters of transparent huge pages by size (multi-size THP), which hold what all
 * processes did since boot:
 *
 *   /sys/kernel/mm/transparent_hugepage/hugepages-SIZEkB/stats/
 *       anon_fault_alloc, anon_fault_fallback   Linux 6.10
 *       shmem_alloc, shmem_fallback             Linux 6.12 (tmpfs, memfd, shared anonymous)
 *
 * A fallback is a fault that wanted this size and got a smaller one, for want of memory or room in
 * its memory cgroup (Documentation/admin-guide/mm/transhuge.rst).
 */
#ifndef MTHP_H
#define MTHP_H

#include <stddef.h>
#include <stdint.h>

enum mthp_kind {
	MTHP_ANON_ALLOC,
	MTHP_ANON_FALLBACK,
	MTHP_SHMEM_ALLOC,
	MTHP_SHMEM_FALLBACK,
	MTHP_KINDS,
};

enum {
	MTHP_SIZES = 16, /* orders below that of the largest page: at most 14 (64 KiB pages) */
	/* Room for a text: an entry is a blank, four of the size, a colon, 20 digits. */
	MTHP_TEXT = 26 * MTHP_SIZES + 1,
};

/* One reading; in ascending order of sizes. */
struct mthp {
	unsigned sizes; /* used below; 0: not looked at, or this kernel does not tell */
	struct mthp_size {
		uint64_t bytes;
		uint64_t count[MTHP_KINDS]; /* UNKNOWN_COUNT where there is no such counter */
	} size[MTHP_SIZES];
};

/* Reads all sizes below /sys/kernel/mm/transparent_hugepage, or another directory like it. */
void mthp_read(const char *directory, struct mthp *mthp);

/*
 * By how much the counters of one kind rose, as "64K:16 2M:3", sizes that did not left out; "none"
 * if none did; "" if that is unknown.
 */
void mthp_between(const struct mthp *before, const struct mthp *after, enum mthp_kind kind,
                  char out[MTHP_TEXT]);

#endif
