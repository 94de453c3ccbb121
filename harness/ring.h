// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A ring of samples in shared memory: one writer (a worker), one reader (the parent), no waiting.
 * Head and tail only grow; an entry's place is its number modulo the capacity.  When the ring is
 * full the writer keeps what it has and offers it again later, added up: time resolution is lost,
 * counts never.  An entry is published by moving the head, after it is whole, so that a writer
 * killed half way leaves nothing to read; each carries its number, which the reader checks.
 */
#ifndef RING_H
#define RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RING_ENTRIES = 32 }; /* at the default interval, 3 s without a drain */

/* What one step did since the worker's sample before. */
struct sample_step {
	uint64_t work;     /* all of it, in the step's unit */
	uint64_t timed;    /* the work of timed calls */
	uint64_t timed_ns; /* and their time */
};

struct sample {
	uint64_t number;   /* of this entry in its ring, from 0 */
	uint64_t start_ns; /* CLOCK_MONOTONIC: the sample covers start_ns to end_ns */
	uint64_t end_ns;
	uint64_t laps;             /* laps ended */
	uint64_t lap;              /* laps ended before this sample */
	uint64_t faults;           /* ru_minflt + ru_majflt */
	struct sample_step step[]; /* one for each loop step */
};

struct ring {
	/* The two sides' counters lie on cache lines of their own. */
	_Alignas(128) _Atomic uint64_t head; /* written by the writer */
	uint64_t coalesced;                  /* samples that found the ring full */
	_Alignas(128) _Atomic uint64_t tail; /* written by the reader */
	_Alignas(128) char entries[];
};

/* Bytes of a sample, and of a ring, for a loop of `steps` steps. */
size_t sample_size(unsigned steps);
size_t ring_size(unsigned steps);

/*
 * The place of the next sample to fill in, or NULL when the ring is full (counted in coalesced).
 * ring_publish then makes it readable.  Writer's side.
 */
struct sample *ring_reserve(struct ring *ring, unsigned steps);
void ring_publish(struct ring *ring);

/*
 * The oldest unread sample, or NULL when there is none; ring_release then gives its place back.
 * Sets *torn when the entry's number is not the one due: memory was overwritten.  Reader's side.
 */
const struct sample *ring_peek(const struct ring *ring, unsigned steps, bool *torn);
void ring_release(struct ring *ring);

#endif
