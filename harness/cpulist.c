// SPDX-License-Identifier: GPL-3.0-or-later
#include "cpulist.h"

#include "range.h"

#include <string.h>

/* One item of a list, not terminated; messages show its beginning. */
struct item {
	const char *text;
	int shown;
};

static int range_check(const struct range *range, unsigned highest, struct item item,
                       struct complaint *c)
{
	if (range->first > range->last)
		return complain(c, EXIT_USAGE,
		                "bad CPU list item '%.*s': the range descends, write %llu-%llu",
		                item.shown, item.text, range->last, range->first);
	if (!range->used || range->used > range->group)
		return complain(c, EXIT_USAGE,
		                "bad CPU list item '%.*s': after ':' expected a stride of at least "
		                "1, or USED/GROUP with USED from 1 to GROUP",
		                item.shown, item.text);
	if (range->last > highest)
		return complain(c, EXIT_USAGE,
		                "bad CPU list item '%.*s': CPU %llu is not possible here, the "
		                "highest is %u",
		                item.shown, item.text, range->last, highest);
	return 0;
}

/* Adds a range that range_check() has passed: all its ids fit into an unsigned. */
static int range_add(const struct range *range, hwloc_bitmap_t set, struct item item,
                     struct complaint *c)
{
	for (unsigned long long id = range->first; id <= range->last; id++) {
		if ((id - range->first) % range->group >= range->used)
			continue;
		if (hwloc_bitmap_isset(set, (unsigned)id))
			return complain(c, EXIT_USAGE,
			                "bad CPU list item '%.*s': CPU %llu is already in the list",
			                item.shown, item.text, id);
		if (hwloc_bitmap_set(set, (unsigned)id))
			return complain(c, EXIT_FAILED, "out of memory for the CPU list");
	}
	return 0;
}

static int item_parse(struct item item, const char *end, unsigned highest, hwloc_bitmap_t set,
                      struct complaint *c)
{
	struct range range;

	if (!range_read(item.text, end, &range))
		return complain(c, EXIT_USAGE,
		                "bad CPU list item '%.*s': expected A, A-B, A-B:STRIDE or "
		                "A-B:USED/GROUP, like 0,2-3",
		                item.shown, item.text);
	if (range_check(&range, highest, item, c))
		return -1;
	return range_add(&range, set, item, c);
}

int cpulist_parse(const char *text, unsigned highest, hwloc_bitmap_t set, struct complaint *c)
{
	const char *start = text, *end;

	if (!*text)
		return complain(c, EXIT_USAGE, "the CPU list is empty: expected one like 0,2-3");
	hwloc_bitmap_zero(set);
	for (;; start = end + 1) {
		end = strchrnul(start, ',');
		if (end == start)
			return complain(c, EXIT_USAGE,
			                "bad CPU list '%.60s': nothing before or after a comma",
			                text);
		if (item_parse((struct item){start, end - start < 60 ? (int)(end - start) : 60},
		               end, highest, set, c))
			return -1;
		if (!*end)
			return 0;
	}
}

int cpulist_format(hwloc_const_bitmap_t set, char *out, size_t size)
{
	int length = hwloc_bitmap_list_snprintf(out, size, set);

	return length >= 0 && (size_t)length < size ? 0 : -1;
}
