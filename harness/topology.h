// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The machine's CPUs as hwloc sees them, and the orders in which workers take them.  Numbering of
 * SMT siblings and nodes differs from machine to machine, so an order is always explicit (field
 * case 10).  HWLOC_SYNTHETIC and HWLOC_XMLFILE put another machine in place of this one.
 */
#ifndef TOPOLOGY_H
#define TOPOLOGY_H

#include "complaint.h"

#include <hwloc.h>
#include <stdbool.h>
#include <stddef.h>

enum order {
	ORDER_CORES,    /* one worker per core, node by node; siblings once every core has one */
	ORDER_SIBLINGS, /* all threads of a core before the next core */
	ORDER_SPREAD,   /* in turn one from each node, cores first inside each */
	ORDER_NUMERIC,  /* by CPU number */
};

/*
 * One CPU and where it is; -1 where hwloc does not know.  `cpu` and `node` are the kernel's
 * numbers, the others hwloc's logical indexes.  `cache` is the CPU's last-level data cache, `node`
 * the smallest NUMA node that contains the CPU (of several alike, the lowest-numbered), which is
 * the kernel's numa_node_id() also where a node has no memory, or memory has no CPUs.
 */
struct seat {
	int cpu, core, cache, node, package;
};

/* How much there is of the whole machine, allowed or not; 0 where hwloc does not know. */
struct topology_size {
	int packages, cores, threads, nodes;
};

struct topology;

/* Loads the topology; EXIT_USAGE for a bad HWLOC_* variable, EXIT_FAILED when hwloc fails. */
int topology_load(struct topology **topology, struct complaint *c);
void topology_free(struct topology *topology);

/* False if a synthetic or stored topology stands in: then no worker can be pinned by it. */
bool topology_is_here(const struct topology *topology);

/* Sets `pool` to all CPUs that cpuset and kernel allow (not: taskset).  -1: no memory. */
int topology_pool(const struct topology *topology, hwloc_bitmap_t pool);

void topology_size(const struct topology *topology, struct topology_size *size);

/* What hwloc calls the processor, or NULL. */
const char *topology_cpu_model(const struct topology *topology);

/*
 * How many kinds of core (performance and efficient cores, or different top frequencies) the pool
 * mixes; 0 if hwloc does not know.  More than 1 puts a knee into a scaling curve (field case 9).
 */
int topology_kinds(const struct topology *topology, hwloc_const_bitmap_t pool);

/*
 * The CPUs of `pool` in the order in which workers take them: *seats, to be freed by the caller,
 * has *count elements.  Refuses (EXIT_USAGE) an empty pool and CPUs the topology does not have.
 */
int topology_seats(const struct topology *topology, hwloc_const_bitmap_t pool, enum order order,
                   struct seat **seats, size_t *count, struct complaint *c);

/*
 * The worker counts worth a point: those at which the topology changes when workers take seats in
 * this order.  Ascending and each once: 1; the threads of a core; as many as fit before the first
 * worker in another cache, in another node, in each further package; one on each node (spread);
 * multiples of a package's cores, if those are more than one; all cores; all CPUs.  *counts, to be
 * freed by the caller, has *size elements.  -1: a pool that topology_seats() refuses, or no memory.
 */
int topology_counts(const struct topology *topology, hwloc_const_bitmap_t pool, enum order order,
                    unsigned **counts, size_t *size);

#endif
