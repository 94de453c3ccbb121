// SPDX-License-Identifier: GPL-3.0-or-later
#include "verbs.h"

int64_t region_call(struct region *region, const struct how *how, span_call *call)
{
	bool contiguous = region_contiguous(region);
	size_t calls = contiguous ? 1 : region->pages;
	size_t bytes = contiguous ? region->pages * region->page : region->page;

	for (size_t i = 0; i < calls; i++)
		if (call(region->base + i * region->stride, bytes, region, how))
			return -1;
	return (int64_t)region->pages;
}
