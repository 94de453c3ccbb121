// SPDX-License-Identifier: GPL-3.0-or-later
#include "ring.h"

size_t sample_size(unsigned steps)
{
	return sizeof(struct sample) + steps * sizeof(struct sample_step);
}

size_t ring_size(unsigned steps)
{
	return sizeof(struct ring) + RING_ENTRIES * sample_size(steps);
}

static size_t entry_offset(uint64_t number, unsigned steps)
{
	return number % RING_ENTRIES * sample_size(steps);
}

struct sample *ring_reserve(struct ring *ring, unsigned steps)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	struct sample *sample;

	if (head - atomic_load_explicit(&ring->tail, memory_order_acquire) == RING_ENTRIES) {
		ring->coalesced++;
		return NULL;
	}
	sample = (struct sample *)(void *)(ring->entries + entry_offset(head, steps));
	sample->number = head;
	return sample;
}

void ring_publish(struct ring *ring)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);

	atomic_store_explicit(&ring->head, head + 1, memory_order_release);
}

const struct sample *ring_peek(const struct ring *ring, unsigned steps, bool *torn)
{
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	const struct sample *sample;

	if (tail == atomic_load_explicit(&ring->head, memory_order_acquire))
		return NULL;
	sample = (const struct sample *)(const void *)(ring->entries + entry_offset(tail, steps));
	*torn = sample->number != tail;
	return sample;
}

void ring_release(struct ring *ring)
{
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

	atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
}
