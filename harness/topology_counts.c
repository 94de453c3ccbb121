// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology.h"

#include <stdlib.h>

enum level { LEVEL_CORE, LEVEL_CACHE, LEVEL_NODE, LEVEL_PACKAGE };

static int seat_unit(const struct seat *seat, enum level level)
{
	switch (level) {
	case LEVEL_CORE:
		return seat->core;
	case LEVEL_CACHE:
		return seat->cache;
	case LEVEL_NODE:
		return seat->node;
	case LEVEL_PACKAGE:
		return seat->package;
	}
	return -1;
}

/* True if seat `n` is the first one in its core, cache, node or package; unknown ones are new. */
static bool seat_opens(const struct seat *seats, size_t n, enum level level)
{
	int unit = seat_unit(&seats[n], level);

	for (size_t i = 0; unit >= 0 && i < n; i++)
		if (seat_unit(&seats[i], level) == unit)
			return false;
	return true;
}

/* Adds the counts at which a further known unit is entered: every one, or the first only. */
static void counts_enter(hwloc_bitmap_t set, const struct seat *seats, size_t count,
                         enum level level, bool every)
{
	for (size_t n = 1; n < count; n++) {
		if (seat_unit(&seats[n], level) < 0 || !seat_opens(seats, n, level))
			continue;
		hwloc_bitmap_set(set, (unsigned)n);
		if (!every)
			return;
	}
}

static void counts_fill(hwloc_bitmap_t set, const struct seat *seats, size_t count,
                        enum order order)
{
	unsigned threads = 0, nodes = 0, cores = 0, package_cores = 0;

	for (size_t n = 0; n < count; n++) {
		bool opens_core = seat_opens(seats, n, LEVEL_CORE);

		threads += seats[n].core == seats[0].core;
		nodes += seat_opens(seats, n, LEVEL_NODE);
		cores += opens_core;
		package_cores += opens_core && seats[n].package == seats[0].package;
	}
	hwloc_bitmap_set(set, 1);
	if (seats[0].core >= 0)
		hwloc_bitmap_set(set, threads);
	counts_enter(set, seats, count, LEVEL_CACHE, false);
	counts_enter(set, seats, count, LEVEL_NODE, false);
	if (order == ORDER_SPREAD)
		hwloc_bitmap_set(set, nodes);
	if (package_cores > 1) { /* some hypervisors show each CPU as a package of its own */
		counts_enter(set, seats, count, LEVEL_PACKAGE, true);
		for (unsigned n = package_cores; n <= count; n += package_cores)
			hwloc_bitmap_set(set, n);
	}
	hwloc_bitmap_set(set, cores);
	hwloc_bitmap_set(set, (unsigned)count);
}

int topology_counts(const struct topology *topology, hwloc_const_bitmap_t pool, enum order order,
                    unsigned **counts, size_t *size)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	struct seat *seats = NULL;
	struct complaint ignored;
	size_t count, used = 0;

	*counts = NULL;
	if (set && topology_seats(topology, pool, order, &seats, &count, &ignored) == 0) {
		counts_fill(set, seats, count, order);
		*counts = calloc((size_t)hwloc_bitmap_weight(set), sizeof(**counts));
	}
	for (int n = hwloc_bitmap_first(set); *counts && n >= 0; n = hwloc_bitmap_next(set, n))
		(*counts)[used++] = (unsigned)n;
	*size = used;
	free(seats);
	hwloc_bitmap_free(set);
	return *counts ? 0 : -1;
}
