// SPDX-License-Identifier: GPL-3.0-or-later
/* Copies of a block into the region, as a program does that fills a buffer record by record. */
#include "verbs.h"

#include <string.h>

/*
 * The pointer is volatile: it is read anew for each copy, so that the call is always the C
 * library's memcpy (its IFUNC choice for this CPU) and never an inlined, merged or hoisted copy.
 */
static void *(*volatile const library_memcpy)(void *, const void *, size_t) = memcpy;

/* The last copy is cut where the span ends. */
static int span_fill(char *at, size_t bytes, const struct region *region, const struct how *how)
{
	size_t block = region->block_bytes;
	size_t whole = bytes / block * block;

	(void)how;
	for (size_t done = 0; done < whole; done += block)
		library_memcpy(at + done, region->block, block);
	if (whole < bytes)
		library_memcpy(at + whole, region->block, bytes - whole);
	return 0;
}

int64_t block_copy(struct region *region, const struct how *how)
{
	int64_t pages = region_call(region, how, span_fill);

	return pages * (int64_t)region->page;
}
