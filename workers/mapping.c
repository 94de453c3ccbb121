// SPDX-License-Identifier: GPL-3.0-or-later
/* mmap and munmap at the place that the layout reserved for the region. */
#include "verbs.h"

#include <errno.h>
#include <sys/mman.h>

/*
 * MAP_FIXED replaces the reservation (PROT_NONE at first, a hole after an unmap) inside the guards,
 * so that the kernel can neither move the region nor merge it with a neighbour.
 */
static int span_map(char *at, size_t bytes, const struct region *region, const struct how *how)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;

	(void)how;
	if (mmap(at, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED)
		return -1;
	if (region->huge && madvise(at, bytes, MADV_HUGEPAGE))
		return -1;
	return 0;
}

int64_t mapping_make(struct region *region, const struct how *how)
{
	return region_call(region, how, span_map) < 0 ? -1 : 1;
}

static int span_unmap(char *at, size_t bytes, const struct region *region, const struct how *how)
{
	(void)region;
	(void)how;
	return munmap(at, bytes);
}

int64_t mapping_drop(struct region *region, const struct how *how)
{
	return region_call(region, how, span_unmap);
}
