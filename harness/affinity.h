// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Which CPUs this thread may use, and pinning it to one of them.  The inherited mask is the wall
 * this program keeps to: a cpuset is enforced by the kernel, but a taskset mask is only a wish that
 * a process could widen again (field case 3), so nothing here ever asks for more than was given.
 */
#ifndef AFFINITY_H
#define AFFINITY_H

#include "complaint.h"

#include <hwloc.h>
#include <stdbool.h>

/* Where the kernel lists its CPUs: the files present and online hold lists such as "0,2-3". */
#define AFFINITY_SYSFS "/sys/devices/system/cpu"

/*
 * Sets `set` to the calling thread's affinity mask as inherited: what taskset and cpuset leave of
 * the online CPUs.  Any number of CPUs.  EXIT_FAILED when the kernel does not tell.
 */
int affinity_allowed(hwloc_bitmap_t set, struct complaint *c);

/* Sets `set` to the CPUs that are there but offline; empty when sysfs does not say. */
void affinity_offline(hwloc_bitmap_t set);

/*
 * Refuses (EXIT_USAGE) every CPU of `asked` that is not in `allowed`, each with its reason: it does
 * not exist, is offline, or is not allowed.  The second line says what is allowed.  Without sysfs
 * the reason is always "not allowed".
 */
int affinity_check(hwloc_const_bitmap_t asked, hwloc_const_bitmap_t allowed, struct complaint *c);

/* The same with the lists of another directory than AFFINITY_SYSFS. */
int affinity_check_in(const char *sysfs, hwloc_const_bitmap_t asked, hwloc_const_bitmap_t allowed,
                      struct complaint *c);

/*
 * Pins the calling thread to one CPU and verifies it.  Returns 0, or -1 with errno: that of
 * sched_setaffinity (EINVAL: offline, forbidden or no such CPU), EXDEV when the kernel said yes but
 * the mask read back or the CPU run on is another.  Allocates nothing; for use after fork.
 */
int affinity_pin(int cpu);

/* True if the calling thread's mask is exactly this CPU and it runs there now. */
bool affinity_holds(int cpu);

#endif
