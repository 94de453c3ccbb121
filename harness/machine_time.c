// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine.h"

#include "procfile.h"

#include <ctype.h>
#include <gsl/gsl_statistics_double.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCHES = 11, BATCH_READS = 1000 };

void machine_clock_source(char *out, size_t size)
{
	if (procfile_line(MACHINE_CLOCK_SOURCE, out, size))
		out[0] = '\0';
}

static double batch_ns(void)
{
	struct timespec first, last;

	clock_gettime(CLOCK_MONOTONIC, &first);
	for (int i = 0; i < BATCH_READS; i++)
		clock_gettime(CLOCK_MONOTONIC, &last);
	return (double)(last.tv_sec - first.tv_sec) * 1e9 + (double)(last.tv_nsec - first.tv_nsec);
}

double machine_clock_cost(void)
{
	double batches[BATCHES];

	for (int i = 0; i < BATCHES; i++)
		batches[i] = batch_ns() / BATCH_READS;
	return gsl_stats_median(batches, 1, BATCHES);
}

/*
 * Reads "cpuN user nice system idle iowait irq softirq steal ...": steal is the eighth number.  The
 * line "cpu" without a number, the sum over all, is not one.
 */
static bool steal_parse(const char *line, unsigned *cpu, uint64_t *steal)
{
	return isdigit((unsigned char)line[3]) &&
	       sscanf(line, "cpu%u %*u %*u %*u %*u %*u %*u %*u %" SCNu64, cpu, steal) == 2;
}

/* Adds up the steal of those CPUs and takes each found out of the set. */
static uint64_t steal_sum(FILE *file, hwloc_bitmap_t cpus)
{
	uint64_t steal, sum = 0;
	char *line = NULL;
	size_t room = 0;
	unsigned cpu;

	while (getline(&line, &room, file) >= 0 && strncmp(line, "cpu", 3) == 0) {
		if (!steal_parse(line, &cpu, &steal) || !hwloc_bitmap_isset(cpus, cpu))
			continue;
		hwloc_bitmap_clr(cpus, cpu);
		sum += steal;
	}
	free(line);
	return sum;
}

int machine_steal_in(const char *stat, hwloc_const_bitmap_t cpus, uint64_t *ticks)
{
	hwloc_bitmap_t missing = hwloc_bitmap_dup(cpus);
	FILE *file = fopen(stat, "re");
	bool found = false;

	if (file && missing) {
		*ticks = steal_sum(file, missing);
		found = hwloc_bitmap_iszero(missing);
	}
	if (file)
		fclose(file);
	hwloc_bitmap_free(missing);
	return found ? 0 : -1;
}

int machine_steal(hwloc_const_bitmap_t cpus, uint64_t *ticks)
{
	return machine_steal_in("/proc/stat", cpus, ticks);
}
