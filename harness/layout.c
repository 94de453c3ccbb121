// SPDX-License-Identifier: GPL-3.0-or-later
#include "layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>

/*
 * Bytes that one lowest-level page table maps: a page full of 8-byte entries, each for one page
 * (2 MiB with 4 KiB pages, 512 MiB with 64 KiB pages on arm64).
 */
static size_t table_reach(size_t page)
{
	return page / 8 * page;
}

static size_t align_up(size_t bytes, size_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

int layout_reserve(struct layout *layout, const struct point *point, unsigned members, size_t pages)
{
	size_t reach = table_reach(point->page);
	size_t bytes = pages * point->page;
	size_t inside;

	*layout = (struct layout){.point = point, .members = members, .pages = pages};
	switch ((enum layout_kind)point->options.layout) {
	case LAYOUT_GUARDED:
		layout->step = align_up(bytes + point->page, reach);
		break;
	case LAYOUT_MERGED:
		layout->step = bytes;
		break;
	case LAYOUT_INTERLEAVED:
		layout->step = point->page;
		break;
	}
	inside = point->options.layout == LAYOUT_GUARDED ? members * layout->step : members * bytes;
	/* One reach in front for the alignment and the first guard, a page behind for the last. */
	layout->reserved_bytes = inside + 2 * reach;
	layout->reserved = mmap(NULL, layout->reserved_bytes, PROT_NONE,
	                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (layout->reserved == MAP_FAILED)
		return -1;
	layout->base = layout->reserved +
	               (reach - (uintptr_t)layout->reserved % reach); /* at least a page further */
	return 0;
}

void layout_release(struct layout *layout)
{
	munmap(layout->reserved, layout->reserved_bytes);
}

struct region layout_region(const struct layout *layout, unsigned member)
{
	bool dealt = layout->point->options.layout == LAYOUT_INTERLEAVED;
	size_t page = layout->point->page;

	return (struct region){
	        .base = layout->base + member * layout->step,
	        .page = page,
	        .pages = layout->pages,
	        .stride = dealt ? layout->members * page : page,
	        .huge = layout->point->options.thp == THP_ALWAYS,
	        .block_bytes = layout->point->options.block,
	};
}

struct region layout_whole(const struct layout *layout)
{
	struct region whole = layout_region(layout, 0);

	whole.stride = whole.page;
	whole.pages = layout->members * layout->pages;
	return whole;
}

/* The kernel's VMA, readable and writable, that holds `at`; false if there is none. */
static bool vma_find(FILE *maps, uintptr_t at, uintptr_t *start, uintptr_t *end)
{
	char line[512], access[5];

	rewind(maps);
	while (fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", start, end, access) == 3 &&
		    *start <= at && at < *end)
			return access[0] == 'r' && access[1] == 'w';
	}
	return false;
}

/* True if a VMA begins and ends where the region does. */
static bool region_is_vma(FILE *maps, const struct region *region)
{
	uintptr_t base = (uintptr_t)region->base, start, end;

	return vma_find(maps, base, &start, &end) && start == base &&
	       end == base + region->pages * region->page;
}

static bool region_is_unmapped(FILE *maps, const struct region *region)
{
	uintptr_t start, end;

	return !vma_find(maps, (uintptr_t)region->base, &start, &end);
}

bool layout_holds(const struct layout *layout, bool mapped)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	bool holds = maps != NULL;
	struct region region;

	if (layout->point->options.layout == LAYOUT_GUARDED) {
		for (unsigned i = 0; holds && i < layout->members; i++) {
			region = layout_region(layout, i);
			holds = mapped ? region_is_vma(maps, &region)
			               : region_is_unmapped(maps, &region);
		}
	} else if (holds) {
		region = layout_whole(layout);
		holds = region_is_vma(maps, &region);
	}
	if (maps)
		fclose(maps);
	return holds;
}
