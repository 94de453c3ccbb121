// SPDX-License-Identifier: GPL-3.0-or-later
#include "layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Regions are not aligned to more than this, so that many fit into the address space. */
#define REACH_MOST ((size_t)64 << 30)

/*
 * Bytes that one page table of the level that holds entries for such pages maps: a base page full
 * of 8-byte entries (2 MiB with 4 KiB pages, 512 MiB with 64 KiB pages on arm64, 1 GiB with huge
 * pages of 2 MiB).
 */
static size_t table_reach(size_t page)
{
	size_t reach = (size_t)sysconf(_SC_PAGESIZE) / 8 * page;

	return reach <= REACH_MOST ? reach : page;
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

static unsigned layout_sources(const struct layout *layout)
{
	return layout->source_each ? layout->members : 1;
}

/* Makes the source of one member, or of all. */
static int source_make(const struct layout *layout, struct source *source, int one_file)
{
	const struct point *point = layout->point;

	*source = (struct source){
	        .fd = one_file,
	        .flags = point->backing.map_flags,
	        .own = layout->source_each,
	        .bytes = layout->pages * point->page,
	};
	if (!layout->source_each)
		return 0;
	source->fd = backing_open(&point->backing, &point->options, source->bytes);
	return source->fd < 0 ? -1 : 0;
}

int layout_supply(struct layout *layout, unsigned first, int one_file)
{
	const struct backing *backing = &layout->point->backing;

	layout->first = first;
	if (backing->kind == BACKING_ANON)
		return 0;
	layout->source_each = backing->descriptor && one_file < 0;
	layout->offset = one_file < 0 ? 0 : first * layout->pages * layout->point->page;
	layout->sources = calloc(layout_sources(layout), sizeof(*layout->sources));
	for (unsigned i = 0; layout->sources && i < layout_sources(layout); i++)
		if (source_make(layout, &layout->sources[i], one_file))
			return -1;
	return layout->sources ? 0 : -1;
}

void layout_release(struct layout *layout)
{
	munmap(layout->reserved, layout->reserved_bytes);
	for (unsigned i = 0; layout->source_each && i < layout->members; i++)
		close(layout->sources[i].fd);
}

bool layout_dealt(const struct layout *layout)
{
	return layout->point->options.layout == LAYOUT_INTERLEAVED;
}

struct region layout_region(const struct layout *layout, unsigned member)
{
	const struct options *options = &layout->point->options;
	size_t page = layout->point->page;
	bool each = layout->source_each;

	return (struct region){
	        .base = layout->base + member * layout->step,
	        .page = page,
	        .pages = layout->pages,
	        .stride = layout_dealt(layout) ? layout->members * page : page,
	        .huge = options->thp == THP_ALWAYS,
	        .block_bytes = options->block,
	        .copy = (enum copy_method)options->copy,
	        .source = layout->sources ? &layout->sources[each ? member : 0] : NULL,
	        .offset = each ? 0
	                       : layout->offset + (layout_dealt(layout)
	                                                   ? member * page
	                                                   : member * layout->pages * page),
	        .seed = layout->first + member + 1,
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
