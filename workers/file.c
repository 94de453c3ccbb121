// SPDX-License-Identifier: GPL-3.0-or-later
/* Calls on the file behind the region, through its descriptor or its mapping. */
#include "verbs.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Where in the file the region's memory at `at` is. */
static off_t file_place(const struct region *region, const char *at)
{
	return (off_t)(region->offset + (uint64_t)(at - region->base));
}

/* Writes one record; a short write goes on where it ended. */
static int record_write(const struct region *region, size_t bytes, off_t place)
{
	while (bytes) {
		ssize_t done = pwrite(region->source->fd, region->block, bytes, place);

		if (done <= 0)
			return -1;
		bytes -= (size_t)done;
		place += done;
	}
	return 0;
}

static int span_write(char *at, size_t bytes, const struct region *region, const struct how *how)
{
	size_t block = region->block_bytes;

	(void)how;
	for (size_t done = 0; done < bytes; done += block)
		if (record_write(region, bytes - done < block ? bytes - done : block,
		                 file_place(region, at + done)))
			return -1;
	return 0;
}

int64_t file_write(struct region *region, const struct how *how)
{
	int64_t pages = region_call(region, how, span_write);

	return pages < 0 ? -1 : pages * (int64_t)region->page;
}

static int span_punch(char *at, size_t bytes, const struct region *region, const struct how *how)
{
	(void)how;
	return fallocate(region->source->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
	                 file_place(region, at), (off_t)bytes);
}

int64_t file_punch(struct region *region, const struct how *how)
{
	return region_call(region, how, span_punch);
}

int64_t file_truncate(struct region *region, const struct how *how)
{
	const struct source *source = region->source;

	(void)how;
	if (ftruncate(source->fd, 0) || ftruncate(source->fd, (off_t)source->bytes))
		return -1;
	return (int64_t)region->pages;
}

static int span_readahead(char *at, size_t bytes, const struct region *region,
                          const struct how *how)
{
	(void)how;
	return (int)readahead(region->source->fd, file_place(region, at), bytes);
}

int64_t file_readahead(struct region *region, const struct how *how)
{
	return region_call(region, how, span_readahead);
}

static int span_sync(char *at, size_t bytes, const struct region *region, const struct how *how)
{
	(void)region;
	return msync(at, bytes, how->argument);
}

int64_t file_sync(struct region *region, const struct how *how)
{
	return region_call(region, how, span_sync);
}
