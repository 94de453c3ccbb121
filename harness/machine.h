// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What must be known of the machine to judge a result: the rows that meta.csv gets about it, the
 * cost of its clock, and the time the hypervisor took away.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include "topology.h"

#include <hwloc.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINE_CLOCK_SOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

enum { FACT_TEXT = 4096 };

/* One row of meta.csv: one line without blanks around it; "" if unknown, never a guess. */
struct machine_fact {
	const char *key;
	char value[FACT_TEXT];
};

/*
 * Collects the facts, in a fixed order and always all of them.  *facts is to be freed with free().
 * Returns their number, 0 if there is no memory.  Sizes are in bytes; a limit that does not exist
 * is "unlimited".  What a topology that is not this machine's says is left out.
 */
size_t machine_facts(const struct topology *topology, struct machine_fact **facts);

/* The current clock source, to be compared before and after; "" if unknown. */
void machine_clock_source(char *out, size_t size);

/* What one clock_gettime(CLOCK_MONOTONIC) costs, in ns: the median of a few batches, about 10 ms.
 */
double machine_clock_cost(void);

/*
 * The time that the hypervisor ran something else while one of these CPUs had work: the sum of
 * their steal fields in /proc/stat (proc(5)), in ticks of 1/sysconf(_SC_CLK_TCK) s (USER_HZ, 100 on
 * every architecture but old alpha and ia64).  Kernels have let it run backwards, so a negative
 * difference is to be taken as unknown.  Returns 0, or -1 if a CPU has no line (offline) or no
 * steal field.
 */
int machine_steal(hwloc_const_bitmap_t cpus, uint64_t *ticks);

/* The same from a copy of /proc/stat. */
int machine_steal_in(const char *stat, hwloc_const_bitmap_t cpus, uint64_t *ticks);

#endif
