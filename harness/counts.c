// SPDX-License-Identifier: GPL-3.0-or-later
#include "counts.h"

#include "range.h"

#include <stdlib.h>
#include <string.h>

/* One item of a list, not terminated; messages show its beginning. */
struct item {
	const char *text, *end;
};

static int shown(struct item item)
{
	return item.end - item.text < 60 ? (int)(item.end - item.text) : 60;
}

static int all_add(const struct counts_machine *machine, hwloc_bitmap_t set)
{
	return hwloc_bitmap_set(set, (unsigned)hwloc_bitmap_weight(machine->pool));
}

static int pow2_add(const struct counts_machine *machine, hwloc_bitmap_t set)
{
	unsigned cpus = (unsigned)hwloc_bitmap_weight(machine->pool);

	for (unsigned n = 1; n <= cpus; n *= 2)
		if (hwloc_bitmap_set(set, n))
			return -1;
	return 0;
}

static int topo_add(const struct counts_machine *machine, hwloc_bitmap_t set)
{
	unsigned *counts;
	size_t size;
	int result =
	        topology_counts(machine->topology, machine->pool, machine->order, &counts, &size);

	for (size_t i = 0; result == 0 && i < size; i++)
		result = hwloc_bitmap_set(set, counts[i]);
	free(counts);
	return result;
}

static const struct {
	const char *name;
	int (*add)(const struct counts_machine *machine, hwloc_bitmap_t set);
} words[] = {{"all", all_add}, {"pow2", pow2_add}, {"topo", topo_add}};

static int range_add(const struct range *range, struct item item, hwloc_bitmap_t set,
                     struct complaint *c)
{
	if (!range->first || range->last > COUNTS_HIGHEST)
		return complain(c, EXIT_USAGE, "bad count '%.*s': from 1 to %d workers",
		                shown(item), item.text, COUNTS_HIGHEST);
	if (range->first > range->last)
		return complain(c, EXIT_USAGE, "bad counts '%.*s': write %llu-%llu", shown(item),
		                item.text, range->last, range->first);
	if (!range->used || range->used > range->group)
		return complain(c, EXIT_USAGE,
		                "bad counts '%.*s': after ':' expected a stride of at least 1, or "
		                "USED/GROUP with USED from 1 to GROUP",
		                shown(item), item.text);
	for (unsigned n = (unsigned)range->first; n <= range->last; n++)
		if ((n - range->first) % range->group < range->used && hwloc_bitmap_set(set, n))
			return complain(c, EXIT_FAILED, "no memory for the worker counts");
	return 0;
}

static int item_add(struct item item, const struct counts_machine *machine, hwloc_bitmap_t set,
                    struct complaint *c)
{
	size_t length = (size_t)(item.end - item.text);
	struct range range;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].name) != length ||
		    strncmp(words[i].name, item.text, length) != 0)
			continue;
		return words[i].add(machine, set) == 0
		               ? 0
		               : complain(c, EXIT_FAILED, "no counts for '%s'", words[i].name);
	}
	if (range_read(item.text, item.end, &range))
		return range_add(&range, item, set, c);
	return complain(c, EXIT_USAGE,
	                "bad counts '%.*s': expected N, A-B, A-B:STRIDE, all, pow2 or topo, "
	                "separated by commas",
	                shown(item), item.text);
}

static int list_add(const char *text, const struct counts_machine *machine, hwloc_bitmap_t set,
                    struct complaint *c)
{
	for (;;) {
		const char *end = strchrnul(text, ',');

		if (item_add((struct item){text, end}, machine, set, c))
			return -1;
		if (!*end)
			return 0;
		text = end + 1;
	}
}

int counts_parse(const char *text, const struct counts_machine *machine, unsigned **counts,
                 size_t *size, struct complaint *c)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	size_t used = 0;
	int result;

	*counts = NULL;
	if (!set || hwloc_bitmap_set(set, 1))
		result = complain(c, EXIT_FAILED, "no memory for the worker counts");
	else
		result = list_add(text, machine, set, c);
	if (result == 0) {
		*counts = calloc((size_t)hwloc_bitmap_weight(set), sizeof(**counts));
		if (!*counts)
			result = complain(c, EXIT_FAILED, "no memory for the worker counts");
	}
	for (int n = *counts ? hwloc_bitmap_first(set) : -1; n >= 0; n = hwloc_bitmap_next(set, n))
		(*counts)[used++] = (unsigned)n;
	*size = used;
	hwloc_bitmap_free(set);
	return result;
}
