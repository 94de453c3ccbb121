// SPDX-License-Identifier: GPL-3.0-or-later
#include "counts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The machine of the judged example: 80 CPUs. */
struct machine {
	struct topology *topology;
	hwloc_bitmap_t pool;
};

static int machine_setup(void **state)
{
	struct machine *machine = calloc(1, sizeof(*machine));
	struct complaint c;

	assert_non_null(machine);
	assert_int_equal(setenv("HWLOC_SYNTHETIC", "pack:4 core:10 pu:2", 1), 0);
	assert_int_equal(topology_load(&machine->topology, &c), 0);
	unsetenv("HWLOC_SYNTHETIC");
	machine->pool = hwloc_bitmap_alloc();
	assert_int_equal(topology_pool(machine->topology, machine->pool), 0);
	*state = machine;
	return 0;
}

static int machine_teardown(void **state)
{
	struct machine *machine = *state;

	topology_free(machine->topology);
	hwloc_bitmap_free(machine->pool);
	free(machine);
	return 0;
}

static void assert_counts(void **state, const char *text, const char *expected)
{
	const struct machine *machine = *state;
	const struct counts_machine where = {machine->topology, machine->pool, ORDER_CORES};
	struct complaint c = {0};
	char got[512] = "";
	unsigned *counts;
	size_t size;

	if (counts_parse(text, &where, &counts, &size, &c))
		fail_msg("'%s' was refused: %s", text, c.text);
	for (size_t i = 0; i < size; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%u", i ? "," : "",
		         counts[i]);
	assert_string_equal(got, expected);
	free(counts);
}

static void assert_refused(void **state, const char *text, const char *says)
{
	const struct machine *machine = *state;
	const struct counts_machine where = {machine->topology, machine->pool, ORDER_CORES};
	struct complaint c = {0};
	unsigned *counts;
	size_t size;

	if (!counts_parse(text, &where, &counts, &size, &c))
		fail_msg("'%s' was accepted", text);
	assert_int_equal(c.status, EXIT_USAGE);
	if (!strstr(c.text, says))
		fail_msg("'%s': '%s' lacks '%s'", text, c.text, says);
}

static void one_is_always_in(void **state)
{
	assert_counts(state, "1", "1");
	assert_counts(state, "4", "1,4");
	assert_counts(state, "8,2", "1,2,8");
}

static void ranges_as_in_lists_of_cpus(void **state)
{
	assert_counts(state, "1-4", "1,2,3,4");
	assert_counts(state, "10-40:10", "1,10,20,30,40");
	assert_counts(state, "1-8:2/4", "1,2,5,6");
}

static void a_count_may_be_given_twice(void **state)
{
	assert_counts(state, "2,1-3,2", "1,2,3");
}

static void words(void **state)
{
	assert_counts(state, "all", "1,80");
	assert_counts(state, "pow2", "1,2,4,8,16,32,64");
	assert_counts(state, "pow2,all", "1,2,4,8,16,32,64,80");
	assert_counts(state, "topo", "1,2,10,20,30,40,50,60,70,80");
	assert_counts(state, "topo,5", "1,2,5,10,20,30,40,50,60,70,80");
}

static void what_is_no_list_is_refused(void **state)
{
	assert_refused(state, "", "bad counts ''");
	assert_refused(state, "1,,2", "bad counts ''");
	assert_refused(state, "x", "bad counts 'x'");
	assert_refused(state, "pow", "bad counts 'pow'");
	assert_refused(state, "all2", "bad counts 'all2'");
	assert_refused(state, "0", "from 1");
	assert_refused(state, "1-65537", "to 65536");
	assert_refused(state, "99999999999999999999", "to 65536");
	assert_refused(state, "4-1", "write 1-4");
	assert_refused(state, "1-8:0", "stride of at least 1");
	assert_refused(state, " 1", "bad counts ' 1'");
	assert_refused(state, "-1", "bad counts '-1'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(one_is_always_in),
	        cmocka_unit_test(ranges_as_in_lists_of_cpus),
	        cmocka_unit_test(a_count_may_be_given_twice),
	        cmocka_unit_test(words),
	        cmocka_unit_test(what_is_no_list_is_refused),
	};

	return cmocka_run_group_tests_name("counts", tests, machine_setup, machine_teardown);
}
