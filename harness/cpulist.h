// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Lists of CPUs in the grammar of the kernel (Documentation/admin-guide/kernel-parameters.rst, "cpu
 * lists"; bitmap_parselist() in lib/bitmap-str.c, 6.18), as sysfs, taskset and cpusets use it.
 */
#ifndef CPULIST_H
#define CPULIST_H

#include <hwloc.h>
#include <stddef.h>

#include "complaint.h"

/*
 * Fills `set` with the CPUs that `text` lists.  Items are separated by commas:
 *
 *	A              one CPU
 *	A-B            A to B, both included
 *	A-B:USED/GROUP the first USED of every GROUP CPUs from A to B
 *	A-B:STRIDE     every STRIDEth CPU from A on, as taskset writes it
 *
 * `highest` is the highest id that is possible on this machine; nothing above it is expanded.
 * Stricter than the kernel: an empty list, a blank and a CPU that is listed twice are refused,
 * since on a command line they are mistakes.  Returns 0, or -1 with an EXIT_USAGE complaint that
 * names the item; what `set` holds then is undefined.
 */
int cpulist_parse(const char *text, unsigned highest, hwloc_bitmap_t set, struct complaint *c);

/*
 * Writes `set` as a list such as "0,2-3", "" if it is empty.  Returns 0, or -1 if it does not fit
 * into `size` bytes; `out` then holds its beginning.
 */
int cpulist_format(hwloc_const_bitmap_t set, char *out, size_t size);

#endif
