// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement.h"

#include <errno.h>
#include <numaif.h>

/* As many pages as 2 MiB have at most: a default region is looked at page by page. */
enum { SAMPLE_PAGES = 512 };

#define LAP_BYTES ((size_t)2 << 20)

/* Counts a page in; a node beyond those there is room for has no count of its own. */
static void page_count(struct placement *placement, const struct mempolicy *policy, int node)
{
	unsigned i = 0;

	placement->sampled++;
	placement->local += node == policy->own;
	placement->asked += node_in(&policy->nodes, node);
	while (i < placement->nodes && placement->on[i].node != node)
		i++;
	if (i == PLACEMENT_NODES)
		return;
	placement->on[i].node = (uint16_t)node;
	placement->on[i].pages++;
	if (i == placement->nodes)
		placement->nodes++;
}

/*
 * The i-th page of a sample: the first of its share of the region, or another of it, chosen by a
 * multiplicative hash (Knuth).  Even steps would meet only some nodes of an interleaved region.
 */
static size_t page_choose(const struct region *region, size_t i, size_t sample)
{
	size_t share = region->pages / sample;

	return i * share + (share > 1 ? (uint64_t)i * 2654435761u % share : 0);
}

/* Asks on which nodes up to SAMPLE_PAGES pages all over the region are. */
static int nodes_sample(struct worker *worker, const struct region *region)
{
	const struct mempolicy *policy = &worker->point->policies[worker->index];
	size_t sample = region->pages < SAMPLE_PAGES ? region->pages : SAMPLE_PAGES;
	void *pages[SAMPLE_PAGES];
	int nodes[SAMPLE_PAGES];

	for (size_t i = 0; i < sample; i++) {
		pages[i] = region->base + page_choose(region, i, sample) * region->stride;
		nodes[i] = -1;
	}
	if (move_pages(0, sample, pages, NULL, nodes, 0) < 0) {
		if (policy->kind == MEM_LOCAL)
			return 0;
		slot_fail(worker->slot, FAILURE_NODES, errno, 0);
		return -1;
	}
	for (size_t i = 0; i < sample; i++)
		if (nodes[i] >= 0)
			page_count(&worker->slot->placement, policy, nodes[i]);
	return 0;
}

/*
 * How much of the memory is mapped by huge pages: read once the windows are closed, by the first
 * worker of each process, whose maps all its threads share.  What cannot be read stays unknown.
 */
static void smaps_sample(struct worker *worker, const struct region *region)
{
	uintptr_t start = (uintptr_t)region->base;
	struct smaps *smaps = &worker->slot->smaps;

	if (!atomic_load(&worker->arena->board->leave) || !point_may_be_huge(worker->point) ||
	    worker->index % worker->point->per_process)
		return;
	if (smaps_read("/proc/thread-self/smaps", start, start + region->pages * region->stride,
	               smaps))
		*smaps = (struct smaps){0};
}

static int region_sample(struct worker *worker, const struct region *region)
{
	smaps_sample(worker, region);
	return worker->point->numa_error ? 0 : nodes_sample(worker, region);
}

/* The last loop step that leaves pages present, or -1. */
static int stage_present(const struct workload *workload)
{
	int last = -1;

	for (unsigned s = 0; s < workload->loop_steps; s++)
		if (workload->loop[s].facts & PRESENT)
			last = (int)s;
	return last;
}

/* One lap, with a look at the pages after step `look`. */
static int lap_look(struct worker *worker, struct region *region, int look)
{
	const struct workload *workload = &worker->point->workload;

	for (unsigned s = 0; s < workload->loop_steps; s++) {
		const struct step *step = workload->loop[s].step;

		if (step->verb(region, &step->how) < 0) {
			slot_fail(worker->slot, FAILURE_STEP, errno, s);
			return -1;
		}
		if ((int)s == look && region_sample(worker, region))
			return -1;
	}
	return 0;
}

int placement_look(struct worker *worker, const struct region *region, bool midway)
{
	const struct point *point = worker->point;
	size_t pages = point->pass_pages < LAP_BYTES / point->page ? point->pass_pages
	                                                           : LAP_BYTES / point->page;
	int look = stage_present(&point->workload);
	struct region part;

	if (point->numa_error && !point_may_be_huge(point))
		return 0;
	if (midway || point->workload.facts & PRESENT)
		return region_sample(worker, region);
	if (look < 0)
		return 0;
	part = region_part(region, 0, pages ? pages : 1);
	return lap_look(worker, &part, look);
}
