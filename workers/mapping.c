// SPDX-License-Identifier: GPL-3.0-or-later
/* mmap, mremap and munmap at the place that the layout reserved for the region. */
#include "verbs.h"

#include <sys/mman.h>

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4 /* Linux 5.7 */
#endif

/*
 * MAP_FIXED replaces the reservation (PROT_NONE at first, a hole after an unmap) inside the guards,
 * so that the kernel can neither move the region nor merge it with a neighbour.
 */
static int span_map(char *at, size_t bytes, const struct region *region, const struct how *how)
{
	const struct source *source = region->source;
	int flags = source ? source->flags : MAP_PRIVATE | MAP_ANONYMOUS;
	int fd = source ? source->fd : -1;
	off_t offset = fd < 0 ? 0 : (off_t)(region->offset + (uint64_t)(at - region->base));

	flags |= MAP_FIXED | how->argument;
	if (mmap(at, bytes, PROT_READ | PROT_WRITE, flags, fd, offset) == MAP_FAILED)
		return -1;
	if (region->huge && madvise(at, bytes, MADV_HUGEPAGE))
		return -1;
	return 0;
}

int64_t mapping_make(struct region *region, const struct how *how)
{
	return region_call(region, how, span_map) < 0 ? -1 : 1;
}

int64_t mapping_populate(struct region *region, const struct how *how)
{
	return region_call(region, how, span_map);
}

/*
 * Away to a place that the kernel chooses and back.  MREMAP_DONTUNMAP (Linux 5.7, files since 5.13)
 * leaves the region's place mapped meanwhile, so that no other thread's mmap can take it.
 */
static int span_move(char *at, size_t bytes, const struct region *region, const struct how *how)
{
	int away = MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP;
	int back = MREMAP_MAYMOVE | MREMAP_FIXED;
	void *other =
	        mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	(void)region;
	(void)how;
	if (other == MAP_FAILED || mremap(at, bytes, bytes, away, other) == MAP_FAILED)
		return -1;
	return mremap(other, bytes, bytes, back, at) == MAP_FAILED ? -1 : 0;
}

int64_t mapping_move(struct region *region, const struct how *how)
{
	return region_call(region, how, span_move);
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
