// SPDX-License-Identifier: GPL-3.0-or-later
#include "board.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

static size_t align_up(size_t bytes, size_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

/* Where the histograms begin in a slot. */
static size_t histogram_offset(unsigned steps)
{
	return align_up(offsetof(struct slot, ring) + ring_size(steps), 128);
}

int arena_make(struct arena *arena, unsigned slots, unsigned steps)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes;
	void *memory;

	arena->slots = slots;
	arena->steps = steps;
	arena->slot_bytes =
	        align_up(histogram_offset(steps) + (steps + 1) * sizeof(struct histogram), page);
	bytes = align_up(sizeof(struct board), page) + slots * arena->slot_bytes;
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -1;
	arena->board = memory;
	return 0;
}

void arena_free(struct arena *arena)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	munmap(arena->board,
	       align_up(sizeof(struct board), page) + arena->slots * arena->slot_bytes);
}

static char *slot_bytes(const struct arena *arena, unsigned worker)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (char *)arena->board + align_up(sizeof(struct board), page) +
	       worker * arena->slot_bytes;
}

struct slot *arena_slot(const struct arena *arena, unsigned worker)
{
	return (struct slot *)(void *)slot_bytes(arena, worker);
}

void slot_clear(const struct arena *arena, unsigned worker)
{
	char *bytes = slot_bytes(arena, worker);

	/* One call in place of a fault for each page; where it is unknown, memset faults them in.
	 */
	madvise(bytes, arena->slot_bytes, MADV_POPULATE_WRITE);
	memset(bytes, 0, arena->slot_bytes);
	/* By compiled code too, so that a sanitizer's shadow of it is present as well. */
	for (size_t at = 0; at < arena->slot_bytes; at += 512)
		*(volatile char *)(bytes + at) = 0;
}

struct histogram *slot_histogram(const struct arena *arena, unsigned worker, unsigned step)
{
	char *first = slot_bytes(arena, worker) + histogram_offset(arena->steps);

	return (struct histogram *)(void *)first + step;
}

void slot_fail(struct slot *slot, enum failure_kind kind, int error, unsigned step)
{
	if (atomic_load(&slot->failure.kind) != FAILURE_NONE)
		return;
	slot->failure.error = error;
	slot->failure.step = step;
	atomic_store_explicit(&slot->failure.kind, kind, memory_order_release);
}
