// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Copies between the block and the region, as a program does that fills or reads a buffer record by
 * record.
 */
#include "verbs.h"

#include <errno.h>

/* Copies one record: `bytes` bytes at `at` in the region. */
typedef void record_call(char *at, size_t bytes, const struct region *region);

static void record_in(char *at, size_t bytes, const struct region *region)
{
	copy_calls[region->copy](at, region->block, bytes);
}

static void record_out(char *at, size_t bytes, const struct region *region)
{
	copy_calls[region->copy](region->block, at, bytes);
}

/* All records of a span in the order of the step; the last record is cut where the span ends. */
static void span_copy(char *at, size_t bytes, const struct region *region, const struct how *how,
                      record_call *call)
{
	size_t block = region->block_bytes, records = (bytes + block - 1) / block;

	for (size_t i = 0; i < records; i++) {
		size_t done = visit_place(how->visit, i, records, region->seed) * block;

		call(at + done, bytes - done < block ? bytes - done : block, region);
	}
}

/*
 * In in ascending order, with nothing between two copies but the next address: one instruction more
 * costs a percent and more of copies of 1 KiB.  What the pointer points to no compiler can know.
 */
static void span_fill(char *at, size_t bytes, const struct region *region)
{
	copy_call *const copy = copy_calls[region->copy];
	const size_t block = region->block_bytes;
	const char *from = region->block;
	char *const end = at + bytes / block * block;

	for (; at < end; at += block)
		copy(at, from, block);
	if (bytes % block)
		copy(at, from, bytes % block);
}

static int span_in(char *at, size_t bytes, const struct region *region, const struct how *how)
{
	if (how->visit == VISIT_FORWARD)
		span_fill(at, bytes, region);
	else
		span_copy(at, bytes, region, how, record_in);
	return 0;
}

static int span_out(char *at, size_t bytes, const struct region *region, const struct how *how)
{
	span_copy(at, bytes, region, how, record_out);
	return 0;
}

int64_t block_copy(struct region *region, const struct how *how)
{
	return region_call(region, how, span_in) * (int64_t)region->page;
}

int64_t block_copy_out(struct region *region, const struct how *how)
{
	return region_call(region, how, span_out) * (int64_t)region->page;
}

int64_t block_copy_half(struct region *region, const struct how *how)
{
	size_t half = region->pages / 2 * region->page, block = region->block_bytes;

	(void)how;
	if (!region_contiguous(region) || !half) {
		errno = EINVAL;
		return -1;
	}
	for (size_t done = 0; done < half; done += block)
		copy_calls[region->copy](region->base + half + done, region->base + done,
		                         half - done < block ? half - done : block);
	return (int64_t)half;
}
