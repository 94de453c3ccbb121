// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * On which NUMA nodes the workers' memory shall lie (--mem).  Nodes with CPUs, nodes with memory
 * and nodes this process may use are three different sets, with gaps in their numbers: a policy is
 * made only from nodes that have memory (sysfs has_memory) and are allowed (Mems_allowed in
 * /proc/self/status, through libnuma), never from a count (field cases 32 to 34).
 *
 *   local       MPOL_LOCAL: the node of the CPU that faults; where it has no memory, the nearest
 *   interleave  MPOL_INTERLEAVE over all allowed nodes with memory, page by page
 *   bind:LIST   MPOL_BIND to these nodes
 *   remote      MPOL_BIND to the farthest node, seen from the worker's own
 *
 * The policy is set by set_mempolicy(2) in the worker itself, with its errno looked at: libnuma's
 * numa_bind() cannot fail (field case 36).  It stands for all that the thread faults in from then
 * on, page tables included.
 */
#ifndef MEMPOLICY_H
#define MEMPOLICY_H

#include "complaint.h"

#include <hwloc.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum {
	/* Node ids lie below: 1 << NODES_SHIFT, at most 10 in every Kconfig (Linux 6.18). */
	MEMPOLICY_NODES = 1024,
	MEMPOLICY_WORDS = MEMPOLICY_NODES / (sizeof(unsigned long) * CHAR_BIT),
};

/* The kernel's form of a set of nodes; read by forked workers, which must not allocate. */
struct node_mask {
	unsigned long word[MEMPOLICY_WORDS];
};

static inline bool node_in(const struct node_mask *mask, int node)
{
	const int bits = sizeof(mask->word[0]) * CHAR_BIT;

	return node >= 0 && node < MEMPOLICY_NODES && mask->word[node / bits] >> node % bits & 1;
}

enum mem_kind { MEM_LOCAL, MEM_INTERLEAVE, MEM_REMOTE, MEM_BIND };

/* What one worker asks of the kernel. */
struct mempolicy {
	enum mem_kind kind;
	int own;                /* the worker's node, -1 if unknown */
	struct node_mask nodes; /* where its pages shall lie; empty if that is not known */
};

/* What there is to choose from; by itself so that tests can make machines up. */
struct mem_machine {
	hwloc_bitmap_t online, has_memory, allowed;
	int (*distance)(int from, int to); /* SLIT distance, 10 is local, 0 unknown */
};

/*
 * What the kernel says to set_mempolicy(2), tried by setting MPOL_LOCAL: 0, or errno.  ENOSYS: a
 * kernel without NUMA; EPERM: a seccomp filter, as in Docker's default profile (field case 35).
 */
int mempolicy_probe(void);

/* The same for meta.csv: "yes", "denied(EPERM)", or "no" without NUMA in the kernel. */
void mempolicy_state(char *out, size_t size);

/* Reads this machine's node sets.  Returns 0, or -1 when memory is out. */
int mem_machine_read(struct mem_machine *machine);

/* The same from another directory than /sys/devices/system/node and this Mems_allowed. */
int mem_machine_read_in(struct mem_machine *machine, const char *sysfs,
                        hwloc_const_bitmap_t mems_allowed);
void mem_machine_free(struct mem_machine *machine);

/*
 * The node with memory, allowed, that is farthest from `from`; of several as far, the next one up
 * from it and then from 0 again, so that the workers of different nodes spread.  Never `from`
 * itself.  -1 if there is none.
 */
int mem_machine_farthest(const struct mem_machine *machine, int from);

/*
 * Makes the policy of `count` workers on the nodes `own` (-1: not known) from the text of --mem.
 * Returns 0, or -1: EXIT_USAGE for a text that is none and for nodes that do not exist, have no
 * memory or are not allowed; EXIT_UNSUPPORTED where there is no second node for "remote".
 */
int mempolicy_make(const struct mem_machine *machine, const char *text, struct mempolicy *policies,
                   const int *own, size_t count, struct complaint *c);

/* Sets the calling thread's policy.  Returns 0, or -1 with errno.  For use after fork. */
int mempolicy_set(const struct mempolicy *policy);

#endif
