// SPDX-License-Identifier: GPL-3.0-or-later
/* On which nodes the workers' pages were found, and how many huge ones, from their slots. */
#include "outcome.h"

#include "cpulist.h"

#include <inttypes.h>
#include <stdio.h>

/* An interleaved page more or less on a node is no matter; half of its share missing is. */
#define EVEN_ENOUGH 0.5

/* Pages to expect on each node before evenness is looked at. */
#define EVEN_PAGES 16

static unsigned mask_weight(const struct node_mask *mask)
{
	unsigned weight = 0;

	for (size_t i = 0; i < MEMPOLICY_WORDS; i++)
		weight += (unsigned)__builtin_popcountl(mask->word[i]);
	return weight;
}

static double percent(uint64_t part, uint64_t whole, bool known)
{
	return known ? 100 * share(part, whole) : UNKNOWN_REAL;
}

static void nodes_format(hwloc_const_bitmap_t nodes, char out[OUTCOME_NODES])
{
	out[0] = '\0';
	if (!hwloc_bitmap_iszero(nodes))
		cpulist_format(nodes, out, OUTCOME_NODES);
}

static void placement_nodes(const struct placement *placement, hwloc_bitmap_t nodes)
{
	hwloc_bitmap_zero(nodes);
	for (unsigned i = 0; i < placement->nodes; i++)
		hwloc_bitmap_set(nodes, placement->on[i].node);
}

/* How much of the workers' memory was there, and how much of it in huge pages. */
static void outcome_sizes(struct outcome *outcome, const struct crew *crew)
{
	struct smaps sum = {0};

	for (unsigned i = 0; i < crew->point->workers; i++) {
		const struct smaps *smaps = &arena_slot(&crew->arena, i)->smaps;

		sum.resident += smaps->resident;
		sum.huge += smaps->huge;
	}
	outcome->point.sampled_bytes = sum.resident ? sum.resident : UNKNOWN_COUNT;
	outcome->point.sampled_huge_bytes = sum.resident ? sum.huge : UNKNOWN_COUNT;
}

void outcome_place(struct outcome *outcome, const struct crew *crew)
{
	const struct point *point = crew->point;
	hwloc_bitmap_t nodes = hwloc_bitmap_alloc(), all = hwloc_bitmap_alloc();
	uint64_t sampled = 0, local = 0, asked = 0;
	bool own_known = true, asked_known = true;

	outcome_sizes(outcome, crew);
	for (unsigned i = 0; i < point->workers; i++) {
		const struct placement *placement = &arena_slot(&crew->arena, i)->placement;
		const struct mempolicy *policy = &point->policies[i];
		struct worker_row *row = &outcome->workers[i];
		bool aims = mask_weight(&policy->nodes) != 0;

		placement_nodes(placement, nodes);
		nodes_format(nodes, outcome->memory_nodes[i]);
		hwloc_bitmap_or(all, all, nodes);
		row->memory_nodes = outcome->memory_nodes[i];
		row->percent_local =
		        percent(placement->local, placement->sampled, policy->own >= 0);
		row->percent_asked = percent(placement->asked, placement->sampled, aims);
		sampled += placement->sampled;
		local += placement->local;
		asked += placement->asked;
		own_known &= policy->own >= 0;
		asked_known &= aims;
	}
	nodes_format(all, outcome->memory_nodes[point->workers]);
	outcome->point.memory_nodes = outcome->memory_nodes[point->workers];
	outcome->point.percent_local = percent(local, sampled, own_known);
	outcome->point.percent_asked = percent(asked, sampled, asked_known);
	hwloc_bitmap_free(nodes);
	hwloc_bitmap_free(all);
}

bool outcome_misplaced(const struct point *point, unsigned worker,
                       const struct placement *placement, char *out, size_t size)
{
	if (point->policies[worker].kind == MEM_LOCAL || placement->asked == placement->sampled)
		return false;
	snprintf(out, size, "%u of %u sampled pages are not where --mem=%s asks for",
	         placement->sampled - placement->asked, placement->sampled, point->options.mem);
	return true;
}

/* The fewest pages that all workers together have on one of the nodes asked for. */
static uint64_t pages_least(const struct crew *crew, uint64_t *sampled)
{
	const struct node_mask *asked = &crew->point->policies[0].nodes;
	uint64_t pages[MEMPOLICY_NODES] = {0}, least = UINT64_MAX;

	*sampled = 0;
	for (unsigned i = 0; i < crew->point->workers; i++) {
		const struct placement *placement = &arena_slot(&crew->arena, i)->placement;

		for (unsigned n = 0; n < placement->nodes; n++)
			pages[placement->on[n].node] += placement->on[n].pages;
		*sampled += placement->sampled;
	}
	for (int node = 0; node < MEMPOLICY_NODES; node++)
		if (node_in(asked, node) && pages[node] < least)
			least = pages[node];
	return least;
}

bool outcome_uneven(const struct crew *crew, char *out, size_t size)
{
	const struct point *point = crew->point;
	unsigned nodes = mask_weight(&point->policies[0].nodes);
	uint64_t sampled, least;

	/* Huge pages go to a node whole, and more nodes than are told apart cannot be compared. */
	if (point->policies[0].kind != MEM_INTERLEAVE || !point->exact || nodes > PLACEMENT_NODES)
		return false;
	least = pages_least(crew, &sampled);
	if (sampled < (uint64_t)nodes * EVEN_PAGES ||
	    (double)least >= EVEN_ENOUGH * (double)sampled / nodes)
		return false;
	snprintf(out, size,
	         "--mem=interleave: of %" PRIu64 " sampled pages one of %u nodes has only %" PRIu64,
	         sampled, nodes, least);
	return true;
}
