// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Access from user space, one byte per page.  The accesses are volatile, so that no compiler may
 * drop, merge or reorder them (field case 46: optimised-away reads).
 */
#include "verbs.h"

int64_t page_write(struct region *region, const struct how *how)
{
	volatile char *at = region->base;

	(void)how;
	for (size_t i = 0; i < region->pages; i++, at += region->stride)
		*at = 1;
	return (int64_t)region->pages;
}

int64_t page_read(struct region *region, const struct how *how)
{
	const volatile char *at = region->base;

	(void)how;
	for (size_t i = 0; i < region->pages; i++, at += region->stride)
		(void)*at;
	return (int64_t)region->pages;
}
