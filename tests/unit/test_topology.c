// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct topology *synthetic(const char *description)
{
	struct topology *topology;
	struct complaint c = {0};

	assert_int_equal(setenv("HWLOC_SYNTHETIC", description, 1), 0);
	if (topology_load(&topology, &c))
		fail_msg("%s: %s", description, c.text);
	unsetenv("HWLOC_SYNTHETIC");
	return topology;
}

/* The pool of a list such as "0,2-3", or of the whole topology for NULL. */
static hwloc_bitmap_t pool_of(const struct topology *topology, const char *list)
{
	hwloc_bitmap_t pool = hwloc_bitmap_alloc();

	assert_non_null(pool);
	if (list)
		assert_int_equal(hwloc_bitmap_list_sscanf(pool, list), 0);
	else
		assert_int_equal(topology_pool(topology, pool), 0);
	return pool;
}

static struct seat *seats_of(const struct topology *topology, const char *list, enum order order,
                             size_t *count)
{
	hwloc_bitmap_t pool = pool_of(topology, list);
	struct complaint c = {0};
	struct seat *seats;

	if (topology_seats(topology, pool, order, &seats, count, &c))
		fail_msg("%s", c.text);
	assert_int_equal(*count, hwloc_bitmap_weight(pool));
	hwloc_bitmap_free(pool);
	return seats;
}

/* Checks that the pool's CPUs come in this order, written with blanks between them. */
static void assert_order(const char *description, const char *list, enum order order,
                         const char *expected)
{
	struct topology *topology = synthetic(description);
	char text[1024] = "";
	struct seat *seats;
	size_t count;

	seats = seats_of(topology, list, order, &count);
	for (size_t i = 0; i < count; i++)
		sprintf(text + strlen(text), "%s%d", i ? " " : "", seats[i].cpu);
	assert_string_equal(text, expected);
	free(seats);
	topology_free(topology);
}

static void assert_counts(const char *description, const char *list, enum order order,
                          const char *expected)
{
	struct topology *topology = synthetic(description);
	hwloc_bitmap_t pool = pool_of(topology, list);
	char text[1024] = "";
	unsigned *counts;
	size_t size;

	assert_int_equal(topology_counts(topology, pool, order, &counts, &size), 0);
	for (size_t i = 0; i < size; i++)
		sprintf(text + strlen(text), "%s%u", i ? " " : "", counts[i]);
	assert_string_equal(text, expected);
	free(counts);
	hwloc_bitmap_free(pool);
	topology_free(topology);
}

/* Siblings numbered one after the other, as hwloc does by default, and as Linux on x86 does. */
#define NEIGHBOURS "pack:2 core:2 pu:2"
#define LINUX_X86 "pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)"
#define NODES "pack:2 [numa] core:2 pu:2"

static void cores_come_before_siblings(void **state)
{
	(void)state;
	assert_order(NEIGHBOURS, NULL, ORDER_CORES, "0 2 4 6 1 3 5 7");
	assert_order(LINUX_X86, NULL, ORDER_CORES, "0 1 2 3 4 5 6 7");
	assert_order(NODES, NULL, ORDER_CORES, "0 2 4 6 1 3 5 7");
	assert_order("pack:1 core:2 pu:4", NULL, ORDER_CORES, "0 4 1 5 2 6 3 7");
}

static void siblings_stay_together(void **state)
{
	(void)state;
	assert_order(NEIGHBOURS, NULL, ORDER_SIBLINGS, "0 1 2 3 4 5 6 7");
	assert_order(LINUX_X86, NULL, ORDER_SIBLINGS, "0 4 1 5 2 6 3 7");
}

static void spread_goes_round_the_nodes(void **state)
{
	(void)state;
	assert_order(NODES, NULL, ORDER_SPREAD, "0 4 2 6 1 5 3 7");
	/* Without nodes there is nothing to go round. */
	assert_order(NEIGHBOURS, NULL, ORDER_SPREAD, "0 2 4 6 1 3 5 7");
	/* The second node runs out first. */
	assert_order(NODES, "0-4", ORDER_SPREAD, "0 4 2 1 3");
}

static void numeric_goes_by_number(void **state)
{
	(void)state;
	assert_order(LINUX_X86, NULL, ORDER_NUMERIC, "0 1 2 3 4 5 6 7");
	assert_order(NODES, "5,1,3", ORDER_NUMERIC, "1 3 5");
}

static void pools_may_have_gaps(void **state)
{
	(void)state;
	assert_order(NEIGHBOURS, "1,3,6-7", ORDER_CORES, "1 3 6 7");
	assert_order(NEIGHBOURS, "0-1,5", ORDER_CORES, "0 5 1");
	assert_order(LINUX_X86, "1,4-5", ORDER_SIBLINGS, "4 1 5");
	assert_order(NEIGHBOURS, "7", ORDER_CORES, "7");
}

static void one_cpu_is_enough(void **state)
{
	(void)state;
	for (enum order order = ORDER_CORES; order <= ORDER_NUMERIC; order++) {
		assert_order("pu:1", NULL, order, "0");
		assert_counts("pu:1", NULL, order, "1");
	}
}

static void seats_say_where_they_are(void **state)
{
	struct topology *topology = synthetic("pack:2 [numa] l3:2 core:2 pu:2");
	struct topology_size size;
	struct seat *seats;
	size_t count;

	(void)state;
	seats = seats_of(topology, NULL, ORDER_NUMERIC, &count);
	assert_int_equal(count, 16);
	for (int cpu = 0; cpu < 16; cpu++) {
		assert_int_equal(seats[cpu].cpu, cpu);
		assert_int_equal(seats[cpu].core, cpu / 2);
		assert_int_equal(seats[cpu].cache, cpu / 4);
		assert_int_equal(seats[cpu].node, cpu / 8);
		assert_int_equal(seats[cpu].package, cpu / 8);
	}
	topology_size(topology, &size);
	assert_int_equal(size.packages, 2);
	assert_int_equal(size.cores, 8);
	assert_int_equal(size.threads, 16);
	assert_int_equal(size.nodes, 2);
	free(seats);
	topology_free(topology);
}

static void the_last_level_cache_is_meant(void **state)
{
	struct topology *topology = synthetic("pack:1 l3:1 l2:2 l1d:2 core:1 pu:1");
	struct seat *seats;
	size_t count;

	(void)state;
	seats = seats_of(topology, NULL, ORDER_NUMERIC, &count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(seats[i].cache, 0);
	free(seats);
	topology_free(topology);
}

static void unknown_levels_are_minus_one(void **state)
{
	struct topology *topology = synthetic("pu:4");
	struct seat *seats;
	size_t count;

	(void)state;
	seats = seats_of(topology, NULL, ORDER_CORES, &count);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(seats[i].cpu, i);
		assert_int_equal(seats[i].core, -1);
		assert_int_equal(seats[i].cache, -1);
		assert_int_equal(seats[i].package, -1);
	}
	free(seats);
	topology_free(topology);
}

static void the_nearest_node_is_the_smallest(void **state)
{
	/* A node for the whole machine beside one for each package; the machine's is node 2. */
	struct topology *topology =
	        synthetic("[numa(indexes=2)] pack:2 [numa(indexes=0,1)] core:2 pu:1");
	struct seat *seats;
	size_t count;

	(void)state;
	seats = seats_of(topology, NULL, ORDER_NUMERIC, &count);
	for (int cpu = 0; cpu < 4; cpu++)
		assert_in_range(seats[cpu].node, 0, 1);
	assert_int_not_equal(seats[0].node, seats[2].node);
	free(seats);
	topology_free(topology);
}

static void node_numbers_may_have_gaps(void **state)
{
	struct topology *topology = synthetic("pack:2 [numa(indexes=4,7)] core:1 pu:1");
	struct seat *seats;
	size_t count;

	(void)state;
	seats = seats_of(topology, NULL, ORDER_SPREAD, &count);
	assert_int_equal(seats[0].node, 4);
	assert_int_equal(seats[1].node, 7);
	free(seats);
	topology_free(topology);
}

static void large_machines_work(void **state)
{
	struct topology *topology = synthetic("pack:8 [numa] core:128 pu:2");
	struct seat *seats;
	size_t count;

	(void)state;
	seats = seats_of(topology, NULL, ORDER_SPREAD, &count);
	assert_int_equal(count, 2048);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(seats[i].node, i % 8);
		assert_int_equal(seats[i].cpu % 2, i / 1024);
	}
	free(seats);
	seats = seats_of(topology, "1000-1047", ORDER_CORES, &count);
	assert_int_equal(seats[0].cpu, 1000);
	assert_int_equal(seats[24].cpu, 1001);
	free(seats);
	topology_free(topology);
	assert_counts("pack:8 [numa] core:128 pu:2", NULL, ORDER_CORES,
	              "1 2 128 256 384 512 640 768 896 1024 1152 1280 1408 1536 1664 1792 1920 "
	              "2048");
}

static void counts_follow_the_topology(void **state)
{
	(void)state;
	assert_counts("pack:4 core:10 pu:2", NULL, ORDER_CORES, "1 2 10 20 30 40 50 60 70 80");
	assert_counts("pack:4 core:10 pu:2", NULL, ORDER_SIBLINGS, "1 2 10 20 30 40 50 60 70 80");
	assert_counts("pack:2 [numa] l3:2 core:4 pu:1", NULL, ORDER_CORES, "1 4 8 16");
	assert_counts("pack:2 [numa] l3:2 core:4 pu:2", NULL, ORDER_SIBLINGS, "1 2 8 16 24 32");
	assert_counts("pack:1 core:6 pu:1", NULL, ORDER_CORES, "1 6");
}

static void counts_follow_the_order(void **state)
{
	(void)state;
	/* Seat 4 is the first on another node; spread has all four nodes in use at 4 workers. */
	assert_counts("pack:1 group:4 [numa] core:4 pu:1", NULL, ORDER_CORES, "1 4 16");
	assert_counts("pack:1 group:8 [numa] core:2 pu:1", NULL, ORDER_SPREAD, "1 8 16");
}

static void counts_follow_the_pool(void **state)
{
	(void)state;
	/* Two cores of the first package, three of the second, one with both threads. */
	assert_counts("pack:2 core:4 pu:2", "0,2,8-10,12", ORDER_CORES, "1 2 4 5 6");
	/* Every CPU a package of its own, as some hypervisors show. */
	assert_counts("pack:32 core:1 pu:1", NULL, ORDER_CORES, "1 32");
}

static void other_machines_are_not_here(void **state)
{
	struct topology *topology = synthetic(NEIGHBOURS);
	struct complaint c;

	(void)state;
	assert_false(topology_is_here(topology));
	topology_free(topology);
	assert_int_equal(topology_load(&topology, &c), 0);
	assert_true(topology_is_here(topology));
	topology_free(topology);
}

static void assert_load_refused(const char *variable, const char *value)
{
	struct topology *topology;
	struct complaint c = {0};

	assert_int_equal(setenv(variable, value, 1), 0);
	assert_int_equal(topology_load(&topology, &c), -1);
	unsetenv(variable);
	assert_int_equal(c.status, EXIT_USAGE);
	assert_non_null(strstr(c.text, variable));
	assert_non_null(strstr(c.text, value));
}

/* hwloc itself would describe this machine instead. */
static void bad_descriptions_are_refused(void **state)
{
	(void)state;
	assert_load_refused("HWLOC_SYNTHETIC", "garbage");
	assert_load_refused("HWLOC_XMLFILE", "/nonexistent.xml");
}

static void assert_seats_refused(const char *list, const char *says)
{
	struct topology *topology = synthetic(NEIGHBOURS);
	hwloc_bitmap_t pool = pool_of(topology, list);
	struct complaint c = {0};
	struct seat *seats;
	unsigned *counts;
	size_t count;

	assert_int_equal(topology_seats(topology, pool, ORDER_CORES, &seats, &count, &c), -1);
	assert_int_equal(c.status, EXIT_USAGE);
	assert_non_null(strstr(c.text, says));
	assert_int_equal(topology_counts(topology, pool, ORDER_CORES, &counts, &count), -1);
	hwloc_bitmap_free(pool);
	topology_free(topology);
}

static void bad_pools_are_refused(void **state)
{
	(void)state;
	assert_seats_refused("", "no CPU");
	assert_seats_refused("0-1,9-10", "CPU 9 ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(cores_come_before_siblings),
	        cmocka_unit_test(siblings_stay_together),
	        cmocka_unit_test(spread_goes_round_the_nodes),
	        cmocka_unit_test(numeric_goes_by_number),
	        cmocka_unit_test(pools_may_have_gaps),
	        cmocka_unit_test(one_cpu_is_enough),
	        cmocka_unit_test(seats_say_where_they_are),
	        cmocka_unit_test(the_last_level_cache_is_meant),
	        cmocka_unit_test(unknown_levels_are_minus_one),
	        cmocka_unit_test(the_nearest_node_is_the_smallest),
	        cmocka_unit_test(node_numbers_may_have_gaps),
	        cmocka_unit_test(large_machines_work),
	        cmocka_unit_test(counts_follow_the_topology),
	        cmocka_unit_test(counts_follow_the_order),
	        cmocka_unit_test(counts_follow_the_pool),
	        cmocka_unit_test(other_machines_are_not_here),
	        cmocka_unit_test(bad_descriptions_are_refused),
	        cmocka_unit_test(bad_pools_are_refused),
	};

	return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
