// SPDX-License-Identifier: GPL-3.0-or-later
#include "point.h"

#include "affinity.h"
#include "cpulist.h"
#include "limit.h"
#include "pool.h"
#include "procfile.h"
#include "survey.h"
#include "units.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static int point_count(struct point *point, hwloc_const_bitmap_t pool, struct complaint *c)
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

/* Gives each worker its seat, going round when there are more workers than CPUs. */
static int point_seats(struct point *point, const struct topology *topology,
                       hwloc_const_bitmap_t pool, struct complaint *c)
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

/*
 * The policy of each worker's memory.  Where the kernel forbids to set one, or has no NUMA, the run
 * goes on without, unless the command line asks for one.
 */
static int point_policies(struct point *point, struct complaint *c)
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

/* A process is in one memory cgroup; a limit must leave room for what is to be in it. */
static int point_check_memcg(const struct point *point, struct complaint *c)
{
	const struct options *options = &point->options;
	unsigned together = options->memcg == MEMCG_EACH ? 1 : point->workers;
	char limit[UNIT_TEXT], each[UNIT_TEXT];

	if (options->memcg == MEMCG_EACH && point->per_process > 1)
		return complain(c, EXIT_USAGE,
		                "--memcg=each: the threads of a process are in one memory cgroup\n"
		                "use --memcg=one, or --mode=process");
	if (options->memcg == MEMCG_NONE && options->memcg_max)
		return complain(c, EXIT_USAGE,
		                "--memcg-max without --memcg\nadd --memcg=one or each");
	if (!options->memcg_max || options->bytes < options->memcg_max / together)
		return 0;
	return complain(c, EXIT_FAILED,
	                "--memcg-max=%s is too small for %u x %s in a group\n"
	                "raise it, or ask for less",
	                size_format(options->memcg_max, limit), together,
	                size_format(options->bytes, each));
}

/* A step that acts on the whole process needs one for each worker. */
static int point_check_process(const struct point *point, struct complaint *c)
{
	const struct step *step = workload_step_with(&point->workload, PROCESS_ONLY);

	if (!step || (point->per_process == 1 && point->options.layout == LAYOUT_GUARDED))
		return 0;
	return complain(c, EXIT_USAGE,
	                "'%s' acts on a whole process: it needs one for each worker\n"
	                "use --mode=process and --layout=guarded",
	                step->name);
}

/*
 * In the merged and interleaved layouts the workers of a process share a VMA; a step that changes
 * VMAs would take it apart (and a 2nd "map" would meet the neighbour's memory).
 */
static int point_check_layout(const struct point *point, struct complaint *c)
{
	const struct workload *workload = &point->workload;

	if (point->options.layout == LAYOUT_GUARDED)
		return 0;
	if (workload_has_trait(workload, CHANGES_VMAS, false) ||
	    workload_has_trait(workload, CHANGES_VMAS, true))
		return complain(
		        c, EXIT_USAGE,
		        "'%s' changes VMAs, which workers share in this layout\n"
		        "use --layout=guarded, or a workload with only 'map' of such steps, "
		        "first in the setup",
		        workload->text);
	if (workload->setup_steps && workload->setup[0].step->gains & MAPPED)
		return 0;
	return complain(c, EXIT_USAGE,
	                "'%s' maps nothing before it starts\n"
	                "with this layout the setup must begin with 'map'",
	                workload->text);
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

/* What is to be had before a worker is started. */
static int point_check_needs(struct point *point, struct complaint *c)
{
	const struct backing_need need = {
	        .workers = point->workers,
	        .per_process = point->per_process,
	        .bytes = point->options.bytes,
	        .rehearsal = point->rehearsal_pages * point->page,
	        .block = workload_step_with(&point->workload, NEEDS_BLOCK) ? point->options.block
	                                                                   : 0,
	};

	if (!copy_supported((enum copy_method)point->options.copy))
		return complain(c, EXIT_UNSUPPORTED,
		                "this CPU has no such way to copy (--copy)\nuse --copy=libc");
	if (backing_check(&point->backing, &point->options, &need, c))
		return -1;
	point->band = backing_band(&point->backing, &point->workload, point->huge);
	if (!workload_step_gaining(&point->workload, LOCKED))
		return 0;
	return limits_check_lock(point->options.bytes, point->per_process, c);
}

int point_make(const struct options *options, const struct topology *topology, struct point *point,
               struct complaint *c)
{
	hwloc_bitmap_t pool = hwloc_bitmap_alloc();
	int result = point_resolve(options, topology, pool, point, c);

	if (result == 0) {
		point->seats = calloc(point->workers, sizeof(*point->seats));
		result = point->seats ? point_seats(point, topology, pool, c)
		                      : complain(c, EXIT_FAILED, "no memory for %u workers",
		                                 point->workers);
	}
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
