// SPDX-License-Identifier: GPL-3.0-or-later
/* The CPUs that workers may be given. */
#ifndef POOL_H
#define POOL_H

#include "topology.h"

/*
 * Sets `pool` to the inherited affinity mask (for a topology that is not this machine's: to all its
 * allowed CPUs), cut down to the list `cpus` unless that is "".  EXIT_USAGE names each CPU of the
 * list that cannot be used, and why.
 */
int pool_choose(const struct topology *topology, const char *cpus, hwloc_bitmap_t pool,
                struct complaint *c);

#endif
