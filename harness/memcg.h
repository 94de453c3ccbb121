// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Memory cgroups made for the workers (--memcg): one for all processes, or one for each, below the
 * group that faultscale itself runs in.
 *
 *   CURRENT/faultscale.PID.N/   PID is the parent's: groups of dead runs are known by it
 *       0/ ... 0/0/...          one or each, --memcg-depth levels, workers in the deepest
 *   CURRENT/faultscale.PID/     version 2, where processes live in the leaves only: the parent
 *
 * Processes enter by themselves as their first act, so that everything they are charged for is
 * charged there.  The parent is never inside.
 */
#ifndef MEMCG_H
#define MEMCG_H

#include "cgroup.h"
#include "options.h"

struct memcg {
	struct cgroup current; /* CURRENT; version 0: there is none */
	struct cgroup base;    /* faultscale.PID.N; version 0: there is none */
	unsigned groups, depth;
};

/*
 * Makes the groups; removes those of dead runs first.  Returns 0, or -1: EXIT_UNSUPPORTED without a
 * memory controller, else EXIT_FAILED with the directory, errno and what can be done.
 */
int memcg_make(struct memcg *memcg, const struct options *options, unsigned processes,
               struct complaint *c);

/* The same below a group that is given, for tests. */
int memcg_make_in(struct memcg *memcg, const struct cgroup *found, const struct options *options,
                  unsigned processes, struct complaint *c);

/* Moves the calling process into its group.  Returns 0, or -1 with errno. */
int memcg_enter(const struct memcg *memcg, unsigned process);

/* How many tasks the OOM killer has killed in the groups; 0 without any. */
uint64_t memcg_oom_kills(const struct memcg *memcg);

/* Removes the groups, once their processes have ended. */
void memcg_remove(struct memcg *memcg);

#endif
