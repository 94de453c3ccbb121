// SPDX-License-Identifier: GPL-3.0-or-later
#include "noise.h"

#include "cgroup.h"
#include "counters.h"
#include "machine.h"
#include "procfile.h"
#include "survey.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CPU_DIRECTORY "/sys/devices/system/cpu"
#define THP_DIRECTORY "/sys/kernel/mm/transparent_hugepage"
#define DAMON_THREADS "/sys/kernel/mm/damon/admin/kdamonds"

enum { KEYS = 4, FREQUENCY_CPUS = 16 };

/* A column that only grows, and the lines of /proc/vmstat it adds up; none: read elsewhere. */
struct counter {
	size_t offset;
	const char *keys[KEYS + 1];
};

#define COUNTER(member, ...)                        \
	{                                           \
		offsetof(struct noise_row, member), \
		{                                   \
			__VA_ARGS__                 \
		}                                   \
	}

/* clang-format off */
static const struct counter counters[] = {
	COUNTER(throttled_periods, NULL),
	COUNTER(numa_hint_faults, "numa_hint_faults"),
	COUNTER(numa_migrated_pages, "numa_pages_migrated"),
	/* khugepaged makes huge pages of small ones, or fails for want of one. */
	COUNTER(khugepaged_collapses, "thp_collapse_alloc", "thp_collapse_alloc_failed"),
	COUNTER(compaction_stalls, "compact_stall"),
	COUNTER(compaction_pages, "compact_migrate_scanned", "compact_free_scanned"),
	COUNTER(reclaim_pages, "pgscan_kswapd", "pgscan_direct", "pgscan_khugepaged",
	        "pgscan_proactive"),
	COUNTER(thp_fault_alloc, "thp_fault_alloc"),
	COUNTER(thp_fault_fallback, "thp_fault_fallback"),
	/* Pages that zswap or the map of zero pages (Linux 6.12) keeps never reach the device. */
	COUNTER(swap_in_pages, "pswpin", "zswpin", "swpin_zero"),
	COUNTER(swap_out_pages, "pswpout", "zswpout", "swpout_zero"),
};
/* clang-format on */

enum { COUNTERS = sizeof(counters) / sizeof(counters[0]) };

static uint64_t *counter_field(const struct counter *counter, struct noise_row *row)
{
	return (uint64_t *)(void *)((char *)row + counter->offset);
}

static uint64_t counter_value(const struct counter *counter, const struct noise_row *row)
{
	return *(const uint64_t *)(const void *)((const char *)row + counter->offset);
}

static uint64_t since(uint64_t to, uint64_t from)
{
	return to == UNKNOWN_COUNT || from == UNKNOWN_COUNT || to < from ? UNKNOWN_COUNT
	                                                                 : to - from;
}

/* Adds a line's value to every column that counts it. */
static void vmstat_add(struct noise_row *row, const char *key, uint64_t value)
{
	for (size_t i = 0; i < COUNTERS; i++)
		for (const char *const *name = counters[i].keys; *name; name++)
			if (strcmp(*name, key) == 0) {
				uint64_t *field = counter_field(&counters[i], row);

				*field = *field == UNKNOWN_COUNT ? value : *field + value;
			}
}

void noise_vmstat_in(const char *vmstat, struct noise_row *row)
{
	FILE *file = fopen(vmstat, "re");
	char line[128], key[64];
	uint64_t value;

	for (size_t i = 0; i < COUNTERS; i++)
		if (counters[i].keys[0])
			*counter_field(&counters[i], row) = UNKNOWN_COUNT;
	if (!file)
		return;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%63s %" SCNu64, key, &value) == 2)
			vmstat_add(row, key, value);
	fclose(file);
}

/*
 * How often the process's group and the groups above it ran out of their CPU quota (cpu.stat of
 * the cpu controller: the root of version 2 has no such line).
 */
static uint64_t throttled_periods(void)
{
	uint64_t sum = UNKNOWN_COUNT, count;
	struct cgroup group;

	if (cgroup_find("cpu", &group))
		return UNKNOWN_COUNT;
	do {
		if (cgroup_read_key(&group, "cpu.stat", "nr_throttled", &count) == 0)
			sum = sum == UNKNOWN_COUNT ? count : sum + count;
	} while (cgroup_ascend(&group) == 0);
	return sum;
}

double noise_frequency_in(const char *directory, const struct point *point)
{
	unsigned looks = point->workers < FREQUENCY_CPUS ? point->workers : FREQUENCY_CPUS;
	double sum = 0;

	for (unsigned i = 0; i < looks; i++) {
		int cpu = point->seats[(size_t)i * point->workers / looks].cpu;
		char path[256];
		uint64_t khz;

		snprintf(path, sizeof(path), "%s/cpu%d/cpufreq/scaling_cur_freq", directory, cpu);
		if (cpu < 0 || procfile_number(path, &khz) || !khz)
			return NAN;
		sum += (double)khz * 1e3;
	}
	return sum / looks;
}

/* The CPUs that workers are pinned to; to be freed. */
static hwloc_bitmap_t cpus_used(const struct point *point)
{
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc();

	for (unsigned i = 0; i < point->workers; i++)
		if (point->seats[i].cpu >= 0)
			hwloc_bitmap_set(cpus, (unsigned)point->seats[i].cpu);
	return cpus;
}

static uint64_t process_cpu_ns(void)
{
	struct timespec cpu;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	return (uint64_t)cpu.tv_sec * 1000000000 + (uint64_t)cpu.tv_nsec;
}

void noise_read(struct noise_reading *reading, const struct point *point)
{
	hwloc_bitmap_t cpus = cpus_used(point);

	*reading = (struct noise_reading){0};
	if (hwloc_bitmap_iszero(cpus) || machine_steal(cpus, &reading->steal_ticks))
		reading->steal_ticks = UNKNOWN_COUNT;
	hwloc_bitmap_free(cpus);
	if (cgroup_oom_kills(&reading->oom_kills))
		reading->oom_kills = UNKNOWN_COUNT;
	reading->row.throttled_periods = throttled_periods();
	noise_vmstat_in("/proc/vmstat", &reading->row);
	if (point_may_be_huge(point))
		mthp_read(THP_DIRECTORY, &reading->mthp);
	reading->row.frequency_hz = noise_frequency_in(CPU_DIRECTORY, point);
	machine_clock_source(reading->clock_source, sizeof(reading->clock_source));
	reading->ns = clock_ns();
	reading->parent_cpu_ns = process_cpu_ns();
}

/* The share of the CPUs' time that was stolen. */
static double steal_share(const struct noise_reading *from, const struct noise_reading *to,
                          const struct point *point)
{
	uint64_t ticks = since(to->steal_ticks, from->steal_ticks);
	hwloc_bitmap_t cpus = cpus_used(point);
	double seconds = (double)(to->ns - from->ns) / 1e9 * hwloc_bitmap_weight(cpus);

	hwloc_bitmap_free(cpus);
	if (ticks == UNKNOWN_COUNT || seconds <= 0)
		return NAN;
	return (double)ticks / (double)sysconf(_SC_CLK_TCK) / seconds;
}

static const char *damon_state(void)
{
	char state[16];

	survey_damon(DAMON_THREADS, state, sizeof(state));
	return strcmp(state, "on") == 0 ? "on" : strcmp(state, "off") == 0 ? "off" : NULL;
}

void noise_between(const struct noise_reading *before, const struct noise_reading *after,
                   const struct point *point, struct noise *noise)
{
	uint64_t kills = since(after->oom_kills, before->oom_kills);

	noise->ns = after->ns - before->ns;
	noise->steal = steal_share(before, after, point);
	noise->parent_cpu_ns = after->parent_cpu_ns - before->parent_cpu_ns;
	noise->oom_kills = kills == UNKNOWN_COUNT ? 0 : kills;
	noise->row = after->row;
	for (size_t i = 0; i < COUNTERS; i++)
		*counter_field(&counters[i], &noise->row) =
		        since(counter_value(&counters[i], &after->row),
		              counter_value(&counters[i], &before->row));
	for (int kind = 0; kind < MTHP_KINDS; kind++)
		mthp_between(&before->mthp, &after->mthp, (enum mthp_kind)kind, noise->mthp[kind]);
	noise->row.damon = damon_state();
	noise->row.clock_source = before->clock_source;
	noise->row.clock_source_after = after->clock_source;
}
