// SPDX-License-Identifier: GPL-3.0-or-later
/* How many workers there are, where each sits, and where its memory shall lie. */
#include "point.h"

#include "affinity.h"
#include "cpulist.h"

#include <stdlib.h>
#include <string.h>

/* "; CPU 1 is offline" where some are: a reason for there being fewer than expected. */
static void offline_note(char *out, size_t size)
{
	hwloc_bitmap_t offline = hwloc_bitmap_alloc();
	bool one;
	char list[128];

	affinity_offline(offline);
	one = hwloc_bitmap_weight(offline) == 1;
	cpulist_format(offline, list, sizeof(list));
	snprintf(out, size, "; CPU%s %s %s offline", one ? "" : "s", list, one ? "is" : "are");
	if (hwloc_bitmap_iszero(offline))
		out[0] = '\0';
	hwloc_bitmap_free(offline);
}

int point_count(struct point *point, hwloc_const_bitmap_t pool, struct complaint *c)
{
	unsigned cpus = (unsigned)hwloc_bitmap_weight(pool);
	char list[256], offline[192];

	if (!point->options.workers)
		point->options.workers = cpus;
	point->workers = (unsigned)point->options.workers;
	point->oversubscribed = point->workers > cpus;
	if (!point->oversubscribed || point->options.oversubscribe)
		return 0;
	cpulist_format(pool, list, sizeof(list));
	offline_note(offline, sizeof(offline));
	return complain(c, EXIT_USAGE,
	                "%u workers, %u allowed CPU%s (%s)%s\n"
	                "use at most -n %u, or --oversubscribe to let workers share CPUs",
	                point->workers, cpus, cpus == 1 ? "" : "s", list, offline, cpus);
}

/* A CPU that this process may use and no worker does, for the parent; or -1. */
static int point_spare_cpu(const struct point *point)
{
	hwloc_bitmap_t spare = hwloc_bitmap_alloc();
	struct complaint ignored;
	int cpu = -1;

	if (affinity_allowed(spare, &ignored) == 0) {
		for (unsigned i = 0; i < point->workers; i++)
			hwloc_bitmap_clr(spare, (unsigned)point->seats[i].cpu);
		cpu = hwloc_bitmap_last(spare);
	}
	hwloc_bitmap_free(spare);
	return cpu;
}

int point_seats(struct point *point, const struct topology *topology, hwloc_const_bitmap_t pool,
                struct complaint *c)
{
	static const struct seat nowhere = {-1, -1, -1, -1, -1};
	hwloc_bitmap_t used;
	struct seat *order;
	size_t count;

	if (!topology_is_here(topology))
		return complain(
		        c, EXIT_USAGE,
		        "the topology is not this machine's (HWLOC_SYNTHETIC or HWLOC_XMLFILE)\n"
		        "unset it to measure; 'faultscale list cpus' shows such a topology");
	point->seats = calloc(point->workers, sizeof(*point->seats));
	if (!point->seats)
		return complain(c, EXIT_FAILED, "no memory for %u workers", point->workers);
	if (topology_seats(topology, pool, (enum order)point->options.order, &order, &count, c))
		return -1;
	used = hwloc_bitmap_alloc();
	for (unsigned i = 0; i < point->workers; i++) {
		point->seats[i] = point->options.no_pin ? nowhere : order[i % count];
		hwloc_bitmap_set(used, (unsigned)order[i % count].cpu);
	}
	cpulist_format(point->options.no_pin ? pool : used, point->cpus, sizeof(point->cpus));
	point->parent_cpu = point->options.no_pin ? -1 : point_spare_cpu(point);
	hwloc_bitmap_free(used);
	free(order);
	return 0;
}

int point_policies(struct point *point, struct complaint *c)
{
	const struct options *options = &point->options;
	int *own = calloc(point->workers, sizeof(*own));
	struct mem_machine machine;
	int result = -1;

	point->policies = calloc(point->workers, sizeof(*point->policies));
	point->numa_error = mempolicy_probe();
	if (!own || !point->policies || !point->seats || mem_machine_read(&machine)) {
		free(own);
		return complain(c, EXIT_FAILED, "no memory for %u workers", point->workers);
	}
	for (unsigned i = 0; i < point->workers; i++)
		own[i] = point->seats[i].node;
	if (point->numa_error && options_typed(options, "mem"))
		complain(c, EXIT_UNSUPPORTED,
		         "--mem=%s: set_mempolicy: %s\n"
		         "leave --mem out to run without a memory policy",
		         options->mem, strerror(point->numa_error));
	else
		result = mempolicy_make(&machine, options->mem, point->policies, own,
		                        point->workers, c);
	mem_machine_free(&machine);
	free(own);
	return result;
}
