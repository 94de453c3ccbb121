// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Clock readings may cost this share of the time of the laps. */
#define CLOCK_SHARE 0.002

/*
 * A step that acts from user space is run in parts, between which time is looked at: of 2 MiB, and
 * in a slice of a duel of about so much time.
 */
#define PART_BYTES ((size_t)2 << 20)
#define SLICE_PART_NS 250000.0

void futex_wait(_Atomic uint32_t *word, uint32_t value)
{
	syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

void futex_wake_all(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

bool worker_count_in(struct worker *worker, _Atomic uint32_t *count)
{
	return atomic_fetch_add(count, 1) + 1 == worker->point->workers;
}

void worker_wake_parent(const struct worker *worker)
{
	uint64_t one = 1;

	while (write(worker->wake_fd, &one, sizeof(one)) < 0 && errno == EINTR)
		;
}

/* The smallest prime that is at least n: a period that no other period is a multiple of. */
static uint64_t prime_from(uint64_t n)
{
	for (uint64_t divisor = 2; divisor * divisor <= n; divisor++)
		if (n % divisor == 0) {
			n++;
			divisor = 1;
		}
	return n;
}

/* In a window edges fall inside a lap only where it takes more than 1/20 of the window. */
static enum edges worker_edges(const struct worker *worker)
{
	const struct options *options = &worker->point->options;

	switch (worker->arena->board->turn) {
	case TURN_SLICE:
		return EDGES_PASSES;
	case TURN_SLICE_PARTED:
		return EDGES_PARTS;
	case TURN_WINDOW:
		break;
	}
	if (options->laps || worker->pass_ns * worker->passes * 20 <= (double)options->duration)
		return EDGES_LAPS;
	return EDGES_PARTS;
}

/* Bytes of a part: a power of two, not less than a page or a block that is copied. */
static size_t part_bytes(const struct worker *worker)
{
	const struct point *point = worker->point;
	bool copies = workload_step_with(&point->workload, NEEDS_BLOCK);
	size_t least =
	        copies && point->options.block > point->page ? point->options.block : point->page;
	double wanted =
	        (double)(worker->pass_pages * point->page) * SLICE_PART_NS / worker->pass_ns;
	size_t bytes = PART_BYTES;

	while (worker->arena->board->turn == TURN_SLICE_PARTED && bytes / 2 >= least &&
	       (double)bytes > wanted)
		bytes /= 2;
	return bytes;
}

/* A step is whole that is a system call, or a copy in blocks that a part would cut. */
static void worker_part(struct worker *worker)
{
	const struct point *point = worker->point;
	size_t bytes = part_bytes(worker);

	worker->parted = false;
	for (unsigned s = 0; s < worker->steps; s++) {
		const struct step *step = point->workload.loop[s].step;
		bool cuts = step->traits & NEEDS_BLOCK && bytes % point->options.block;

		worker->act[s].part_pages = 0;
		if (step->traits & DIVISIBLE && !cuts)
			worker->act[s].part_pages = point->page < bytes ? bytes / point->page : 1;
		worker->parted |=
		        worker->act[s].part_pages && worker->act[s].part_pages < worker->pass_pages;
	}
}

void worker_calibrate(struct worker *worker, double pass_ns)
{
	double readings = worker->steps + 1;
	double needed = readings * worker->clock_cost / CLOCK_SHARE / pass_ns;

	worker->pass_ns = pass_ns;
	worker->plain = needed > 1 ? prime_from((uint64_t)needed) : 0;
	worker->edges = worker_edges(worker);
	worker_part(worker);
}
