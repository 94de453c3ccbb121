// SPDX-License-Identifier: GPL-3.0-or-later
#include "point.h"

#include "pool.h"
#include "procfile.h"
#include "survey.h"
#include "units.h"

#include <stdlib.h>
#include <string.h>

bool point_may_be_huge(const struct point *point)
{
	return point->huge || point->backing.kind != BACKING_ANON;
}

const char *point_mode(const struct point *point)
{
	/* One worker alone is both: then it is what was asked for. */
	if (!point->options.per_process)
		return point->options.mode == MODE_THREAD ? "thread" : "process";
	if (point->per_process == 1)
		return "process";
	return point->per_process >= point->workers ? "thread" : "hybrid";
}

unsigned point_first(const struct point *point, unsigned process)
{
	return process * point->per_process;
}

unsigned point_members(const struct point *point, unsigned process)
{
	unsigned left = point->workers - point_first(point, process);

	return left < point->per_process ? left : point->per_process;
}

static size_t pages_of(uint64_t bytes, size_t page)
{
	return (size_t)((bytes + page - 1) / page);
}

/* Sizes in whole pages; says so when that is more than was asked. */
static int point_measure_out(struct point *point, struct complaint *c)
{
	struct options *options = &point->options;
	uint64_t asked =
	        options->total_bytes ? options->total_bytes / point->workers : options->bytes;
	char was[UNIT_TEXT], is[UNIT_TEXT];

	point->page = point->backing.page;
	point->pages = pages_of(asked ? asked : 1, point->page);
	point->pass_pages = options->piece ? pages_of(options->piece, point->page) : point->pages;
	options->bytes = point->pages * point->page;
	if (options->bytes != asked)
		snprintf(point->note, sizeof(point->note), "%s a worker rounded up to %s",
		         size_format(asked, was), size_format(options->bytes, is));
	if (point->pages % point->pass_pages || point->pages / point->pass_pages > 1u << 30)
		return complain(c, EXIT_USAGE,
		                "--piece=%s does not divide the %s of each worker\n"
		                "choose a piece that goes in a whole number of times",
		                size_format(options->piece, was), size_format(options->bytes, is));
	point->passes = (unsigned)(point->pages / point->pass_pages);
	return 0;
}

/* With fixed work the memory must be cold: workers rehearse on a few pages elsewhere. */
static void point_rehearsal(struct point *point)
{
	/* Of huge pages, transparent ones included, one or two; of base pages some dozens. */
	size_t few = point->backing.kind == BACKING_HUGETLB ? 1 : point->exact ? 64 : 1024;

	point->rehearsal_pages = !point->options.laps ? 0 : point->pages < few ? point->pages : few;
}

/*
 * True if the kernel may back anonymous memory that gives no advice with huge pages: the switch for
 * all sizes says so, or that of one size (Linux 6.8, Documentation/admin-guide/mm/transhuge.rst).
 */
static bool thp_by_default(void)
{
	static const char directory[] = "/sys/kernel/mm/transparent_hugepage";
	char path[128], text[512];

	snprintf(path, sizeof(path), "%s/enabled", directory);
	if (procfile_line(path, text, sizeof(text)) == 0 && strstr(text, "[always]"))
		return true;
	survey_mthp(directory, text, sizeof(text));
	return strstr(text, ":always") != NULL;
}

static int point_events(struct point *point, struct complaint *c)
{
	struct complaint why;

	if (events_parse(point->options.events, &point->events, &why))
		return complain(c, why.status, "--events: %s", why.text);
	return 0;
}

/* Brings options that can ask for the same point in several ways into one, for its key. */
static void point_settle_options(struct point *point)
{
	struct options *options = &point->options;
	bool threads = point->per_process > 1 && point->per_process == point->workers;
	bool hybrid = point->per_process > 1 && !threads;

	/* One worker alone is in the mode that was asked for: the first point of both curves. */
	if (point->workers > 1)
		options->mode = threads ? MODE_THREAD : MODE_PROCESS;
	options->per_process = hybrid ? point->per_process : 0;
	point->total_bytes = options->total_bytes;
	options->total_bytes = 0;
	options->piece = point->passes > 1 ? point->pass_pages * point->page : 0;
	options->oversubscribe = point->oversubscribed;
	if (!options->preset)
		snprintf(options->operand, sizeof(options->operand), "%s", point->workload.text);
}

/* All that needs neither this machine's CPUs nor its memory. */
static int point_resolve(const struct options *options, const struct topology *topology,
                         hwloc_bitmap_t pool, struct point *point, struct complaint *c)
{
	*point = (struct point){.options = *options};
	options = &point->options;
	if (backing_resolve(&point->options, &point->backing, c) ||
	    workload_parse_on(&point->backing.ground, options_workload(options), &point->workload,
	                      c) ||
	    point_events(point, c) || point_check_layout(point, c) ||
	    pool_choose(topology, options->cpus, pool, c) || point_count(point, pool, c) ||
	    point_measure_out(point, c))
		return -1;
	point->per_process = (unsigned)options->per_process;
	if (!point->per_process)
		point->per_process = options->mode == MODE_THREAD ? point->workers : 1;
	if (point->per_process > point->workers)
		point->per_process = point->workers;
	point->processes = (point->workers + point->per_process - 1) / point->per_process;
	if (point_check_process(point, c) || point_check_memcg(point, c))
		return -1;
	point->huge =
	        options->thp == THP_ALWAYS || (options->thp == THP_DEFAULT && thp_by_default());
	point->exact = !point->backing.shared && !point->backing.descriptor &&
	               (!point->huge || point->backing.kind == BACKING_HUGETLB);
	point_rehearsal(point);
	point_settle_options(point);
	options_key(options, point->key);
	return 0;
}

int point_plan(const struct options *options, const struct topology *topology, struct point *point,
               struct complaint *c)
{
	hwloc_bitmap_t pool = hwloc_bitmap_alloc();
	int result = point_resolve(options, topology, pool, point, c);

	hwloc_bitmap_free(pool);
	return result;
}

int point_make(const struct options *options, const struct topology *topology, struct point *point,
               struct complaint *c)
{
	hwloc_bitmap_t pool = hwloc_bitmap_alloc();
	int result = point_resolve(options, topology, pool, point, c);

	if (result == 0)
		result = point_seats(point, topology, pool, c);
	if (result == 0)
		result = point_policies(point, c);
	if (result == 0)
		result = point_check_needs(point, c);
	hwloc_bitmap_free(pool);
	if (result)
		point_free(point);
	return result;
}

void point_free(struct point *point)
{
	free(point->seats);
	free(point->policies);
	point->seats = NULL;
	point->policies = NULL;
}
