// SPDX-License-Identifier: GPL-3.0-or-later
#include "mempolicy.h"

#include "cpulist.h"
#include "procfile.h"

#include <errno.h>
#include <numa.h>
#include <numaif.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NODE_SYSFS "/sys/devices/system/node"

/* libnuma's own calls print errors and exit; these are the bare system calls of numaif.h. */
int mempolicy_probe(void)
{
	return set_mempolicy(MPOL_LOCAL, NULL, 0) ? errno : 0;
}

void mempolicy_state(char *out, size_t size)
{
	int error = mempolicy_probe();

	if (error == 0)
		snprintf(out, size, "yes");
	else if (error == EPERM)
		snprintf(out, size, "denied(EPERM)");
	else if (error != ENOSYS)
		snprintf(out, size, "denied(%s)", strerror(error));
	else /* a filter may answer so, too */
		snprintf(out, size, access(NODE_SYSFS, F_OK) ? "no" : "denied(ENOSYS)");
}

/* One of the kernel's lists of nodes; false when there is none.  An empty one is a list. */
static bool list_read(const char *sysfs, const char *name, hwloc_bitmap_t set)
{
	char path[PATH_MAX], text[4096];

	snprintf(path, sizeof(path), "%s/%s", sysfs, name);
	return procfile_line(path, text, sizeof(text)) == 0 &&
	       hwloc_bitmap_list_sscanf(set, text) == 0;
}

/*
 * has_memory is N_MEMORY (Linux 3.13; before, "has_normal_memory").  Where the file is missing the
 * kernel has no NUMA, or an older name for it: then Mems_allowed alone must do.
 */
int mem_machine_read_in(struct mem_machine *machine, const char *sysfs,
                        hwloc_const_bitmap_t mems_allowed)
{
	*machine = (struct mem_machine){
	        .online = hwloc_bitmap_alloc(),
	        .has_memory = hwloc_bitmap_alloc(),
	        .allowed = hwloc_bitmap_dup(mems_allowed),
	        .distance = numa_distance,
	};
	if (!machine->online || !machine->has_memory || !machine->allowed) {
		mem_machine_free(machine);
		return -1;
	}
	if (!list_read(sysfs, "online", machine->online))
		hwloc_bitmap_copy(machine->online, mems_allowed);
	if (!list_read(sysfs, "has_memory", machine->has_memory))
		hwloc_bitmap_copy(machine->has_memory, mems_allowed);
	hwloc_bitmap_and(machine->allowed, machine->allowed, machine->has_memory);
	return 0;
}

/* numa_all_nodes_ptr is Mems_allowed as it was when the program started. */
int mem_machine_read(struct mem_machine *machine)
{
	hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
	int result = -1;

	for (unsigned node = 0; allowed && node < numa_all_nodes_ptr->size; node++)
		if (numa_bitmask_isbitset(numa_all_nodes_ptr, node))
			hwloc_bitmap_set(allowed, node);
	if (allowed)
		result = mem_machine_read_in(machine, NODE_SYSFS, allowed);
	hwloc_bitmap_free(allowed);
	return result;
}

void mem_machine_free(struct mem_machine *machine)
{
	hwloc_bitmap_free(machine->online);
	hwloc_bitmap_free(machine->has_memory);
	hwloc_bitmap_free(machine->allowed);
	*machine = (struct mem_machine){0};
}

/* The allowed node after `node`, going round; `node` itself comes last. */
static int node_after(hwloc_const_bitmap_t nodes, int node)
{
	int next = hwloc_bitmap_next(nodes, node);

	return next >= 0 ? next : hwloc_bitmap_first(nodes);
}

int mem_machine_farthest(const struct mem_machine *machine, int from)
{
	int left = hwloc_bitmap_weight(machine->allowed), best = -1, most = -1;

	for (int node = from; left-- > 0;) {
		node = node_after(machine->allowed, node);
		if (node != from && machine->distance(from, node) > most) {
			most = machine->distance(from, node);
			best = node;
		}
	}
	return best;
}

/* The nodes that MPOL_LOCAL takes on `from`: itself, or those nearest where it has no memory. */
static void nodes_nearest(const struct mem_machine *machine, int from, hwloc_bitmap_t nearest)
{
	int node = -1, least = INT_MAX;

	hwloc_bitmap_zero(nearest);
	if (from < 0)
		return;
	if (hwloc_bitmap_isset(machine->allowed, (unsigned)from)) {
		hwloc_bitmap_set(nearest, (unsigned)from);
		return;
	}
	while ((node = hwloc_bitmap_next(machine->allowed, node)) >= 0) {
		int distance = machine->distance(from, node);

		if (distance < least) {
			least = distance;
			hwloc_bitmap_zero(nearest);
		}
		if (distance == least)
			hwloc_bitmap_set(nearest, (unsigned)node);
	}
}

static void mask_fill(struct node_mask *mask, hwloc_const_bitmap_t nodes)
{
	const int bits = sizeof(mask->word[0]) * CHAR_BIT;

	*mask = (struct node_mask){0};
	for (int node = -1; (node = hwloc_bitmap_next(nodes, node)) >= 0 && node < MEMPOLICY_NODES;)
		mask->word[node / bits] |= 1UL << node % bits;
}

/* Refuses the nodes of `asked` that are not in `good`, saying what is wrong with them. */
static int nodes_refuse(hwloc_const_bitmap_t asked, hwloc_const_bitmap_t good, const char *wrong,
                        const struct mem_machine *machine, struct complaint *c)
{
	hwloc_bitmap_t bad = hwloc_bitmap_alloc();
	char list[128], usable[128];
	int result = 0;

	hwloc_bitmap_andnot(bad, asked, good);
	if (!hwloc_bitmap_iszero(bad)) {
		cpulist_format(bad, list, sizeof(list));
		cpulist_format(machine->allowed, usable, sizeof(usable));
		result = complain(c, EXIT_USAGE, "--mem: node%s %s: %s\nto bind to: node %s",
		                  hwloc_bitmap_weight(bad) == 1 ? "" : "s", list, wrong, usable);
	}
	hwloc_bitmap_free(bad);
	return result;
}

static int bind_parse(const struct mem_machine *machine, const char *list, hwloc_bitmap_t nodes,
                      struct complaint *c)
{
	struct complaint why;

	if (cpulist_parse(list, MEMPOLICY_NODES - 1, nodes, &why))
		return complain(c, EXIT_USAGE, "--mem: bind: %s", why.text);
	if (nodes_refuse(nodes, machine->online, "no such node", machine, c) ||
	    nodes_refuse(nodes, machine->has_memory, "no memory there", machine, c) ||
	    nodes_refuse(nodes, machine->allowed, "not allowed by the cpuset (Mems_allowed)",
	                 machine, c))
		return -1;
	return 0;
}

static int remote_find(const struct mem_machine *machine, int own, hwloc_bitmap_t nodes,
                       struct complaint *c)
{
	int node = own < 0 ? -1 : mem_machine_farthest(machine, own);
	char usable[128];

	if (own < 0)
		return complain(c, EXIT_USAGE,
		                "--mem=remote: from where? a worker's node is not known\n"
		                "do without --no-pin, or use --mem=bind:LIST");
	if (node < 0) {
		cpulist_format(machine->allowed, usable, sizeof(usable));
		return complain(c, EXIT_UNSUPPORTED,
		                "--mem=remote: node %d has no other to be remote from\n"
		                "nodes with memory that this process may use: %s",
		                own, usable);
	}
	hwloc_bitmap_only(nodes, (unsigned)node);
	return 0;
}

static int kind_parse(const char *text, enum mem_kind *kind, const char **list, struct complaint *c)
{
	static const struct {
		const char *name;
		enum mem_kind kind;
	} kinds[] = {{"local", MEM_LOCAL}, {"interleave", MEM_INTERLEAVE}, {"remote", MEM_REMOTE}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(text, kinds[i].name) == 0) {
			*kind = kinds[i].kind;
			return 0;
		}
	if (strncmp(text, "bind:", 5) != 0)
		return complain(c, EXIT_USAGE,
		                "--mem: '%s' is not one of local, interleave, remote, bind:LIST",
		                text);
	*kind = MEM_BIND;
	*list = text + 5;
	return 0;
}

static int policies_fill(const struct mem_machine *machine, enum mem_kind kind,
                         hwloc_bitmap_t nodes, struct mempolicy *policies, const int *own,
                         size_t count, struct complaint *c)
{
	for (size_t i = 0; i < count; i++) {
		policies[i].kind = kind;
		policies[i].own = own[i];
		if (kind == MEM_LOCAL)
			nodes_nearest(machine, own[i], nodes);
		if (kind == MEM_REMOTE && remote_find(machine, own[i], nodes, c))
			return -1;
		mask_fill(&policies[i].nodes, nodes);
	}
	return 0;
}

int mempolicy_make(const struct mem_machine *machine, const char *text, struct mempolicy *policies,
                   const int *own, size_t count, struct complaint *c)
{
	hwloc_bitmap_t nodes = hwloc_bitmap_dup(machine->allowed);
	const char *list = NULL;
	enum mem_kind kind = MEM_LOCAL;
	int result = -1;

	if (!nodes)
		return complain(c, EXIT_FAILED, "no memory for a set of nodes");
	if (kind_parse(text, &kind, &list, c) == 0 &&
	    (!list || bind_parse(machine, list, nodes, c) == 0))
		result = policies_fill(machine, kind, nodes, policies, own, count, c);
	hwloc_bitmap_free(nodes);
	return result;
}

int mempolicy_set(const struct mempolicy *policy)
{
	static const int modes[] = {
	        [MEM_LOCAL] = MPOL_LOCAL,
	        [MEM_INTERLEAVE] = MPOL_INTERLEAVE,
	        [MEM_REMOTE] = MPOL_BIND,
	        [MEM_BIND] = MPOL_BIND,
	};

	/* The kernel takes one bit less than it is told (get_nodes() in mm/mempolicy.c, 6.18). */
	if (policy->kind == MEM_LOCAL)
		return set_mempolicy(MPOL_LOCAL, NULL, 0) ? -1 : 0;
	return set_mempolicy(modes[policy->kind], policy->nodes.word, MEMPOLICY_NODES + 1) ? -1 : 0;
}
