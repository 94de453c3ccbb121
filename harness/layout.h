// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Where the workers of one process have their memory.
 *
 *   guarded      a slot each, which no other worker shares a VMA or a page-table page with: it
 *                begins on the border of a page table's reach (2 MiB with 4 KiB pages) and
 * inaccessible guards keep the kernel from merging it with a neighbour merged       slots side by
 * side, all mapped before anyone touches: one VMA interleaved  one mapping, its pages dealt round
 * robin: also shared page-table pages
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "point.h"

struct layout {
	const struct point *point;
	unsigned members; /* workers of this process */
	size_t pages;     /* of each worker in this layout */
	char *reserved;   /* the whole reservation */
	size_t reserved_bytes;
	char *base;             /* the first region's first page */
	size_t step;            /* bytes between the regions of two workers (guarded, merged) */
	struct source *sources; /* what is behind it; NULL for private anonymous memory */
	bool source_each;       /* one for each member, else one for all */
	uint64_t offset;        /* of the first member in the file */
	unsigned first;         /* number of the first member in the crew */
};

/*
 * Reserves address space (PROT_NONE) for `members` workers with `pages` pages each.  Returns 0, or
 * -1 with errno.  Nothing is mapped that a worker could use: that is what the `map` step does.
 */
int layout_reserve(struct layout *layout, const struct point *point, unsigned members,
                   size_t pages);

/*
 * Gets what is to be behind the memory: files of the members' own, made here, or their part of the
 * open file `one_file`.  `first` is the first member's number in the crew.  Returns 0, or -1 with
 * errno.
 */
int layout_supply(struct layout *layout, unsigned first, int one_file);

/* True if pages are dealt to the members round robin (interleaved). */
bool layout_dealt(const struct layout *layout);

/* Gives all of it back, whatever has been mapped there. */
void layout_release(struct layout *layout);

/* The region of one of the process's workers, and the region of all of them together. */
struct region layout_region(const struct layout *layout, unsigned member);
struct region layout_whole(const struct layout *layout);

/*
 * Asks the kernel (/proc/self/maps) whether memory that is mapped now lies as the layout says:
 * guarded: each region is a VMA of its own; merged, interleaved: one VMA holds all.  `mapped` tells
 * whether the regions are mapped at this point at all.  False if it does not, or cannot be told.
 */
bool layout_holds(const struct layout *layout, bool mapped);

#endif
