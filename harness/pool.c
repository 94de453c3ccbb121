// SPDX-License-Identifier: GPL-3.0-or-later
#include "pool.h"

#include "affinity.h"
#include "cpulist.h"

#include <numa.h>

/* CPUs asked for that a foreign topology does not have. */
static int foreign_check(hwloc_const_bitmap_t asked, hwloc_const_bitmap_t pool, struct complaint *c)
{
	hwloc_bitmap_t missing;
	char list[128];

	if (hwloc_bitmap_isincluded(asked, pool))
		return 0;
	missing = hwloc_bitmap_alloc();
	hwloc_bitmap_andnot(missing, asked, pool);
	cpulist_format(missing, list, sizeof(list));
	hwloc_bitmap_free(missing);
	return complain(c, EXIT_USAGE, "the topology has no CPU %s\nname others", list);
}

/* Cuts the pool down to the list. */
static int pool_restrict(bool here, const char *cpus, hwloc_bitmap_t pool, struct complaint *c)
{
	int last = hwloc_bitmap_last(pool);
	unsigned bits = (unsigned)numa_num_possible_cpus(); /* of the kernel's CPU masks */
	unsigned highest = last >= 0 && (unsigned)last >= bits ? (unsigned)last : bits - 1;
	hwloc_bitmap_t asked = hwloc_bitmap_alloc();
	int result = -1;

	if (cpulist_parse(cpus, highest, asked, c) == 0 &&
	    (here ? affinity_check(asked, pool, c) : foreign_check(asked, pool, c)) == 0) {
		hwloc_bitmap_copy(pool, asked);
		result = 0;
	}
	hwloc_bitmap_free(asked);
	return result;
}

int pool_choose(const struct topology *topology, const char *cpus, hwloc_bitmap_t pool,
                struct complaint *c)
{
	bool here = topology_is_here(topology);
	struct complaint why;

	if (here) {
		if (affinity_allowed(pool, c))
			return -1;
	} else if (topology_pool(topology, pool)) {
		return complain(c, EXIT_FAILED, "no memory for the topology's CPUs");
	}
	if (!*cpus || pool_restrict(here, cpus, pool, &why) == 0)
		return 0;
	return complain(c, why.status, "--cpus: %s", why.text);
}
