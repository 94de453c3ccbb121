// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Access from user space, one byte per page.  The accesses are volatile, so that no compiler may
 * drop, merge or reorder them (field case 46: optimised-away reads).
 */
#include "verbs.h"

static volatile char *page_at(const struct region *region, enum visit visit, size_t i)
{
	return region->base + visit_place(visit, i, region->pages, region->seed) * region->stride;
}

int64_t page_write(struct region *region, const struct how *how)
{
	volatile char *at = region->base;

	if (how->visit == VISIT_FORWARD)
		for (size_t i = 0; i < region->pages; i++, at += region->stride)
			*at = 1;
	else
		for (size_t i = 0; i < region->pages; i++)
			*page_at(region, how->visit, i) = 1;
	return (int64_t)region->pages;
}

int64_t page_read(struct region *region, const struct how *how)
{
	const volatile char *at = region->base;

	if (how->visit == VISIT_FORWARD)
		for (size_t i = 0; i < region->pages; i++, at += region->stride)
			(void)*at;
	else
		for (size_t i = 0; i < region->pages; i++)
			(void)*page_at(region, how->visit, i);
	return (int64_t)region->pages;
}
