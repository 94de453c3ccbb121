// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology.h"

#include "cpulist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct topology {
	hwloc_topology_t hwloc;
};

/* A seat with what it is sorted by: `rank` first, then hwloc's own order, which follows the tree.
 */
struct place {
	struct seat seat;
	int rank;
	unsigned logical;
};

/*
 * hwloc reads these variables by itself, but passes over one it cannot use without a word and then
 * describes this machine.
 */
static int source_set(hwloc_topology_t hwloc, struct complaint *c)
{
	const char *synthetic = getenv("HWLOC_SYNTHETIC"), *xml = getenv("HWLOC_XMLFILE");

	if (synthetic && hwloc_topology_set_synthetic(hwloc, synthetic))
		return complain(c, EXIT_USAGE,
		                "HWLOC_SYNTHETIC: hwloc does not understand '%s'\n"
		                "see hwloc(7), or unset it to use this machine's topology",
		                synthetic);
	if (xml && hwloc_topology_set_xml(hwloc, xml))
		return complain(c, EXIT_USAGE,
		                "HWLOC_XMLFILE: hwloc cannot read '%s'\n"
		                "write one with lstopo, or unset it to use this machine's topology",
		                xml);
	return 0;
}

/* Disallowed CPUs stay in, so that they can be told from missing ones; I/O devices stay out. */
static int hwloc_load(hwloc_topology_t hwloc, struct complaint *c)
{
	if (source_set(hwloc, c))
		return -1;
	if (hwloc_topology_set_flags(hwloc, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) ||
	    hwloc_topology_set_io_types_filter(hwloc, HWLOC_TYPE_FILTER_KEEP_NONE) ||
	    hwloc_topology_load(hwloc))
		return complain(c, EXIT_FAILED, "hwloc cannot load the topology: %s",
		                strerror(errno));
	return 0;
}

int topology_load(struct topology **topology, struct complaint *c)
{
	struct topology *t = malloc(sizeof(*t));

	if (!t || hwloc_topology_init(&t->hwloc)) {
		free(t);
		return complain(c, EXIT_FAILED, "no memory for the topology");
	}
	if (hwloc_load(t->hwloc, c)) {
		topology_free(t);
		return -1;
	}
	*topology = t;
	return 0;
}

void topology_free(struct topology *topology)
{
	if (!topology)
		return;
	hwloc_topology_destroy(topology->hwloc);
	free(topology);
}

bool topology_is_here(const struct topology *topology)
{
	return hwloc_topology_is_thissystem(topology->hwloc) == 1;
}

int topology_pool(const struct topology *topology, hwloc_bitmap_t pool)
{
	return hwloc_bitmap_and(pool, hwloc_topology_get_topology_cpuset(topology->hwloc),
	                        hwloc_topology_get_allowed_cpuset(topology->hwloc));
}

static int object_count(hwloc_topology_t hwloc, hwloc_obj_type_t type)
{
	int count = hwloc_get_nbobjs_by_type(hwloc, type);

	return count > 0 ? count : 0;
}

void topology_size(const struct topology *topology, struct topology_size *size)
{
	size->packages = object_count(topology->hwloc, HWLOC_OBJ_PACKAGE);
	size->cores = object_count(topology->hwloc, HWLOC_OBJ_CORE);
	size->threads = object_count(topology->hwloc, HWLOC_OBJ_PU);
	size->nodes = object_count(topology->hwloc, HWLOC_OBJ_NUMANODE);
}

const char *topology_cpu_model(const struct topology *topology)
{
	hwloc_obj_t package = hwloc_get_obj_by_type(topology->hwloc, HWLOC_OBJ_PACKAGE, 0);

	return package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
}

int topology_kinds(const struct topology *topology, hwloc_const_bitmap_t pool)
{
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
	int kinds = hwloc_cpukinds_get_nr(topology->hwloc, 0), mixed = 0;

	for (int i = 0; cpus && i < kinds; i++)
		if (hwloc_cpukinds_get_info(topology->hwloc, (unsigned)i, cpus, NULL, NULL, NULL,
		                            0) == 0)
			mixed += hwloc_bitmap_intersects(cpus, pool) ? 1 : 0;
	hwloc_bitmap_free(cpus);
	return mixed;
}

static int ancestor_index(hwloc_topology_t hwloc, hwloc_obj_type_t type, hwloc_obj_t pu)
{
	hwloc_obj_t object = hwloc_get_ancestor_obj_by_type(hwloc, type, pu);

	return object ? (int)object->logical_index : -1;
}

static int last_cache_index(hwloc_obj_t pu)
{
	int index = -1;

	for (hwloc_obj_t object = pu->parent; object; object = object->parent)
		if (hwloc_obj_type_is_dcache(object->type))
			index = (int)object->logical_index;
	return index;
}

/*
 * hwloc gives memory without CPUs the CPUs of where it hangs in the tree, so several nodes may
 * contain one CPU: the machine-wide ones are the larger, HBM beside DRAM has the higher number.
 */
static int nearest_node(hwloc_topology_t hwloc, unsigned cpu)
{
	hwloc_obj_t node = NULL;
	int best = -1, least = 0;

	while ((node = hwloc_get_next_obj_by_type(hwloc, HWLOC_OBJ_NUMANODE, node))) {
		int weight = hwloc_bitmap_weight(node->cpuset);

		if (!hwloc_bitmap_isset(node->cpuset, cpu))
			continue;
		if (best < 0 || weight < least || (weight == least && (int)node->os_index < best)) {
			best = (int)node->os_index;
			least = weight;
		}
	}
	return best;
}

/* Fills in the pool's CPUs in hwloc's order, ranked by how many of their core came before. */
static void places_fill(hwloc_topology_t hwloc, hwloc_const_bitmap_t pool, struct place *place)
{
	hwloc_obj_t pu = NULL;
	int core = -1, thread = 0;

	while ((pu = hwloc_get_next_obj_by_type(hwloc, HWLOC_OBJ_PU, pu))) {
		if (!hwloc_bitmap_isset(pool, pu->os_index))
			continue;
		place->seat.cpu = (int)pu->os_index;
		place->seat.core = ancestor_index(hwloc, HWLOC_OBJ_CORE, pu);
		place->seat.cache = last_cache_index(pu);
		place->seat.node = nearest_node(hwloc, pu->os_index);
		place->seat.package = ancestor_index(hwloc, HWLOC_OBJ_PACKAGE, pu);
		thread = place->seat.core >= 0 && place->seat.core == core ? thread + 1 : 0;
		core = place->seat.core;
		place->rank = thread;
		place->logical = pu->logical_index;
		place++;
	}
}

static int place_compare(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return (a->logical > b->logical) - (a->logical < b->logical);
}

/* Ranks each place, which are in order, by how many of its node came before. */
static void places_deal(struct place *places, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		places[i].rank = 0;
		for (size_t j = 0; j < i; j++)
			places[i].rank += places[j].seat.node == places[i].seat.node;
	}
}

static void places_sort(struct place *places, size_t count, enum order order)
{
	for (size_t i = 0; i < count; i++) {
		if (order == ORDER_SIBLINGS)
			places[i].rank = 0;
		else if (order == ORDER_NUMERIC)
			places[i].rank = places[i].seat.cpu;
	}
	qsort(places, count, sizeof(*places), place_compare);
	if (order == ORDER_SPREAD) {
		places_deal(places, count);
		qsort(places, count, sizeof(*places), place_compare);
	}
}

static int pool_check(hwloc_topology_t hwloc, hwloc_const_bitmap_t pool, struct complaint *c)
{
	hwloc_const_bitmap_t all = hwloc_topology_get_topology_cpuset(hwloc);
	int cpu = hwloc_bitmap_first(pool);
	char list[200];

	if (cpu < 0)
		return complain(c, EXIT_USAGE, "no CPU to run on\nname at least one");
	while (cpu >= 0 && hwloc_bitmap_isset(all, (unsigned)cpu))
		cpu = hwloc_bitmap_next(pool, cpu);
	if (cpu < 0)
		return 0;
	cpulist_format(all, list, sizeof(list));
	return complain(c, EXIT_USAGE, "CPU %d is not in the topology\nit has CPUs %s", cpu, list);
}

int topology_seats(const struct topology *topology, hwloc_const_bitmap_t pool, enum order order,
                   struct seat **seats, size_t *count, struct complaint *c)
{
	struct place *places;
	size_t cpus;

	if (pool_check(topology->hwloc, pool, c))
		return -1;
	cpus = (size_t)hwloc_bitmap_weight(pool);
	places = calloc(cpus, sizeof(*places));
	*seats = calloc(cpus, sizeof(**seats));
	if (!places || !*seats) {
		free(places);
		free(*seats);
		return complain(c, EXIT_FAILED, "no memory for %zu CPUs", cpus);
	}
	places_fill(topology->hwloc, pool, places);
	places_sort(places, cpus, order);
	for (size_t i = 0; i < cpus; i++)
		(*seats)[i] = places[i].seat;
	free(places);
	*count = cpus;
	return 0;
}
