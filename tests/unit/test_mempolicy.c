// SPDX-License-Identifier: GPL-3.0-or-later
/* Memory policies on made-up machines: gaps in node ids, nodes without memory, cpusets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mempolicy.h"

#include "fixture.h"

/* A line of nodes: the further apart in number, the farther. */
static int distance_line(int from, int to)
{
	return 10 + 10 * abs(to - from);
}

/* As QEMU and many machines say it: all others are as far. */
static int distance_flat(int from, int to)
{
	return from == to ? 10 : 20;
}

static int distance_unknown(int from, int to)
{
	(void)from;
	(void)to;
	return 0;
}

static hwloc_bitmap_t list(const char *text)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();

	assert_int_equal(hwloc_bitmap_list_sscanf(set, text), 0);
	return set;
}

/* A machine from lists of online nodes, nodes with memory and Mems_allowed. */
static struct mem_machine machine_of(void **state, const char *online, const char *has_memory,
                                     const char *mems_allowed, int (*distance)(int, int))
{
	struct fixture *fixture = *state;
	hwloc_bitmap_t allowed = list(mems_allowed);
	struct mem_machine machine;

	fixture_write(fixture, "online", online);
	fixture_write(fixture, "has_memory", has_memory);
	assert_int_equal(mem_machine_read_in(&machine, fixture->root, allowed), 0);
	machine.distance = distance;
	hwloc_bitmap_free(allowed);
	return machine;
}

/* The nodes of a policy as a list. */
static const char *nodes_of(const struct mempolicy *policy)
{
	static char text[256];
	hwloc_bitmap_t set = hwloc_bitmap_alloc();

	for (int node = 0; node < MEMPOLICY_NODES; node++)
		if (node_in(&policy->nodes, node))
			hwloc_bitmap_set(set, (unsigned)node);
	hwloc_bitmap_list_snprintf(text, sizeof(text), set);
	hwloc_bitmap_free(set);
	return text;
}

/* The policy of one worker on node `own`. */
static struct mempolicy make(const struct mem_machine *machine, const char *text, int own)
{
	struct complaint c = {0};
	struct mempolicy policy;

	if (mempolicy_make(machine, text, &policy, &own, 1, &c))
		fail_msg("%s: %s", text, c.text);
	return policy;
}

static void refuse(const struct mem_machine *machine, const char *text, int own,
                   enum exit_status status, const char *why)
{
	struct mempolicy policy;
	struct complaint c = {0};

	assert_int_equal(mempolicy_make(machine, text, &policy, &own, 1, &c), -1);
	assert_int_equal(c.status, status);
	if (!strstr(c.text, why))
		fail_msg("%s: expected '%s' in '%s'", text, why, c.text);
}

static void gaps_in_node_ids(void **state)
{
	struct mem_machine machine = machine_of(state, "4-7", "4-5,7", "0-7", distance_line);
	struct mempolicy policy = make(&machine, "interleave", 4);

	assert_int_equal(policy.kind, MEM_INTERLEAVE);
	assert_string_equal(nodes_of(&policy), "4-5,7");
	policy = make(&machine, "remote", 5);
	assert_string_equal(nodes_of(&policy), "7");
	policy = make(&machine, "remote", 7);
	assert_string_equal(nodes_of(&policy), "4");
	policy = make(&machine, "bind:7,4", 5);
	assert_string_equal(nodes_of(&policy), "4,7");
	refuse(&machine, "bind:0", 4, EXIT_USAGE, "node 0: no such node\nto bind to: node 4-5,7");
	refuse(&machine, "bind:4,6", 4, EXIT_USAGE, "node 6: no memory there");
	mem_machine_free(&machine);
}

static void local_on_a_node_without_memory_is_the_nearest(void **state)
{
	struct mem_machine machine = machine_of(state, "0-4", "0,2-4", "0-4", distance_line);
	struct mempolicy policy = make(&machine, "local", 1);

	assert_int_equal(policy.own, 1);
	assert_string_equal(nodes_of(&policy), "0,2");
	policy = make(&machine, "local", 3);
	assert_string_equal(nodes_of(&policy), "3");
	policy = make(&machine, "local", -1);
	assert_string_equal(nodes_of(&policy), "");
	mem_machine_free(&machine);
}

static void remote_spreads_over_nodes_as_far(void **state)
{
	struct mem_machine machine = machine_of(state, "0-3", "0-3", "0-3", distance_flat);
	int own[] = {0, 1, 2, 3};
	struct mempolicy policies[4];
	struct complaint c;

	assert_int_equal(mempolicy_make(&machine, "remote", policies, own, 4, &c), 0);
	for (int i = 0; i < 4; i++)
		assert_true(node_in(&policies[i].nodes, (i + 1) % 4));
	machine.distance = distance_unknown;
	assert_int_equal(mem_machine_farthest(&machine, 2), 3);
	mem_machine_free(&machine);
}

static void remote_needs_another_node(void **state)
{
	struct mem_machine machine = machine_of(state, "0-1", "0-1", "1", distance_flat);

	refuse(&machine, "remote", 1, EXIT_UNSUPPORTED, "node 1 has no other");
	refuse(&machine, "remote", -1, EXIT_USAGE, "--no-pin");
	/* From a node outside of the cpuset's memory there is one. */
	assert_int_equal(mem_machine_farthest(&machine, 0), 1);
	mem_machine_free(&machine);
}

static void a_cpuset_is_a_wall(void **state)
{
	struct mem_machine machine = machine_of(state, "0-3", "0-3", "1-2", distance_flat);
	struct mempolicy policy = make(&machine, "interleave", 1);

	assert_string_equal(nodes_of(&policy), "1-2");
	refuse(&machine, "bind:1-3", 1, EXIT_USAGE, "node 3: not allowed");
	mem_machine_free(&machine);
}

static void texts_that_are_no_policy(void **state)
{
	struct mem_machine machine = machine_of(state, "0", "0", "0", distance_flat);

	refuse(&machine, "", 0, EXIT_USAGE, "'' is not one of");
	refuse(&machine, "locale", 0, EXIT_USAGE, "'locale' is not one of");
	refuse(&machine, "bind", 0, EXIT_USAGE, "'bind' is not one of");
	refuse(&machine, "bind:", 0, EXIT_USAGE, "--mem: bind: ");
	refuse(&machine, "bind:x", 0, EXIT_USAGE, "x");
	refuse(&machine, "bind:0-4294967294", 0, EXIT_USAGE, "4294967294");
	mem_machine_free(&machine);
}

/* Without sysfs, as on a kernel without NUMA, what is allowed stands for all. */
static void no_node_directory(void **state)
{
	struct fixture *fixture = *state;
	hwloc_bitmap_t allowed = list("0");
	struct mem_machine machine;
	struct mempolicy policy;

	assert_int_equal(mem_machine_read_in(&machine, fixture->root, allowed), 0);
	machine.distance = distance_flat;
	policy = make(&machine, "bind:0", -1);
	assert_string_equal(nodes_of(&policy), "0");
	mem_machine_free(&machine);
	hwloc_bitmap_free(allowed);
}

static void the_mask_has_ends(void **state)
{
	struct mem_machine machine =
	        machine_of(state, "0,63-64,1023", "0,63-64,1023", "0,63-64,1023", distance_line);
	struct mempolicy policy = make(&machine, "interleave", 0);

	assert_string_equal(nodes_of(&policy), "0,63-64,1023");
	assert_false(node_in(&policy.nodes, -1));
	assert_false(node_in(&policy.nodes, MEMPOLICY_NODES));
	policy = make(&machine, "remote", 0);
	assert_string_equal(nodes_of(&policy), "1023");
	mem_machine_free(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(gaps_in_node_ids, fixture_setup, fixture_teardown),
	        cmocka_unit_test_setup_teardown(local_on_a_node_without_memory_is_the_nearest,
	                                        fixture_setup, fixture_teardown),
	        cmocka_unit_test_setup_teardown(remote_spreads_over_nodes_as_far, fixture_setup,
	                                        fixture_teardown),
	        cmocka_unit_test_setup_teardown(remote_needs_another_node, fixture_setup,
	                                        fixture_teardown),
	        cmocka_unit_test_setup_teardown(a_cpuset_is_a_wall, fixture_setup,
	                                        fixture_teardown),
	        cmocka_unit_test_setup_teardown(texts_that_are_no_policy, fixture_setup,
	                                        fixture_teardown),
	        cmocka_unit_test_setup_teardown(no_node_directory, fixture_setup, fixture_teardown),
	        cmocka_unit_test_setup_teardown(the_mask_has_ends, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests_name("mempolicy", tests, NULL, NULL);
}
