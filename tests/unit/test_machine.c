// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine.h"
#include "survey.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture.h"

static struct topology *topology_here(void)
{
	struct topology *topology;
	struct complaint c;

	assert_int_equal(topology_load(&topology, &c), 0);
	return topology;
}

static const char *value_of(const struct machine_fact *facts, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(facts[i].key, key) == 0)
			return facts[i].value;
	fail_msg("no fact '%s'", key);
	return NULL;
}

static void facts_are_those_of_this_machine(void **state)
{
	struct topology *topology = topology_here();
	struct machine_fact *facts;
	size_t count = machine_facts(topology, &facts);
	struct utsname name;
	char text[32];

	(void)state;
	assert_int_equal(uname(&name), 0);
	assert_string_equal(value_of(facts, count, "host"), name.nodename);
	assert_string_equal(value_of(facts, count, "kernel_release"), name.release);
	assert_string_equal(value_of(facts, count, "kernel_version"), name.version);
	sprintf(text, "%ld", sysconf(_SC_PAGESIZE));
	assert_string_equal(value_of(facts, count, "page_bytes"), text);
	sprintf(text, "%u", getuid());
	assert_string_equal(value_of(facts, count, "user"), text);
	sprintf(text, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
	assert_string_equal(value_of(facts, count, "threads"), text);
	assert_int_equal(strlen(value_of(facts, count, "boot_id")), 36);
	assert_int_equal(strlen(value_of(facts, count, "start_utc")), 20);
	free(facts);
	topology_free(topology);
}

static void values_are_single_trimmed_lines(void **state)
{
	struct topology *topology = topology_here();
	struct machine_fact *facts;
	size_t count = machine_facts(topology, &facts);

	(void)state;
	assert_true(count > 0);
	for (size_t i = 0; i < count; i++) {
		const char *value = facts[i].value;
		size_t length = strlen(value);

		assert_null(strpbrk(value, "\n\r\t"));
		if (length) {
			assert_true(value[0] != ' ' && value[length - 1] != ' ');
			assert_string_not_equal(value, "nan");
		}
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(facts[i].key, facts[j].key);
	}
	free(facts);
	topology_free(topology);
}

/* Another machine's topology must not pass for this one's. */
static void other_topologies_are_left_out(void **state)
{
	struct machine_fact *facts;
	struct topology *topology;
	size_t count;

	(void)state;
	assert_int_equal(setenv("HWLOC_SYNTHETIC", "pack:4 core:10 pu:2", 1), 0);
	topology = topology_here();
	unsetenv("HWLOC_SYNTHETIC");
	count = machine_facts(topology, &facts);
	assert_string_equal(value_of(facts, count, "sockets"), "");
	assert_string_equal(value_of(facts, count, "threads"), "");
	free(facts);
	topology_free(topology);
}

static void clocks_cost_something(void **state)
{
	char source[64], fact[64];
	double cost = machine_clock_cost();

	(void)state;
	assert_true(cost > 1 && cost < 1e5);
	machine_clock_source(source, sizeof(source));
	machine_clock_source(fact, 4);
	assert_true(strlen(fact) < 4 && strncmp(source, fact, strlen(fact)) == 0);
}

static void assert_steal(struct fixture *fixture, const char *stat, const char *list,
                         int64_t expected)
{
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
	uint64_t ticks = 0;
	int result;

	fixture_write(fixture, "stat", stat);
	hwloc_bitmap_list_sscanf(cpus, list);
	result = machine_steal_in(fixture_path(fixture, "stat"), cpus, &ticks);
	assert_int_equal(result, expected < 0 ? -1 : 0);
	if (expected >= 0)
		assert_int_equal(ticks, expected);
	hwloc_bitmap_free(cpus);
}

static void steal_is_of_exactly_these_cpus(void **state)
{
	static const char stat[] = "cpu  10 20 30 40 50 60 70 999 90 100\n"
	                           "cpu0 1 2 3 4 5 6 7 100 9 10\n"
	                           "cpu2 1 2 3 4 5 6 7 20 9 10\n"
	                           "cpu10 1 2 3 4 5 6 7 3 9 10\n"
	                           "intr 1 2 3\nctxt 5\n";

	assert_steal(*state, stat, "0", 100);
	assert_steal(*state, stat, "2", 20);
	assert_steal(*state, stat, "0,10", 103);
	assert_steal(*state, stat, "0,2,10", 123);
	assert_steal(*state, stat, "", 0);
	/* CPU 1 is offline; CPU 20 is the sum's first number and no CPU. */
	assert_steal(*state, stat, "1", -1);
	assert_steal(*state, stat, "0-2", -1);
	assert_steal(*state, stat, "20", -1);
}

static void short_lines_have_no_steal(void **state)
{
	assert_steal(*state, "cpu0 1 2 3 4 5 6 7 8\n", "0", 8);
	assert_steal(*state, "cpu0 1 2 3 4 5 6 7\n", "0", -1);
	assert_steal(*state, "cpu0 1 2 3 4\ncpu1 1 2 3 4 5 6 7 8\n", "0-1", -1);
	assert_steal(*state, "cpu0\n", "0", -1);
	assert_steal(*state, "", "0", -1);
	/* The first line that is not a CPU's ends the list. */
	assert_steal(*state, "intr 1\ncpu0 1 2 3 4 5 6 7 8\n", "0", -1);
}

static void a_missing_file_has_no_steal(void **state)
{
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
	uint64_t ticks;

	assert_int_equal(machine_steal_in(fixture_path(*state, "none"), cpus, &ticks), -1);
	hwloc_bitmap_free(cpus);
}

static void assert_survey(struct fixture *fixture, survey *read, const char *directory,
                          const char *expected)
{
	char text[256] = "left over";

	read(fixture_path(fixture, directory), text, sizeof(text));
	assert_string_equal(text, expected);
}

static void mitigations(void **state)
{
	assert_survey(*state, survey_mitigations, "missing", "");
	fixture_write(*state, "cpu/l1tf", "Not affected\n");
	assert_survey(*state, survey_mitigations, "cpu", "none");
	fixture_write(*state, "cpu/meltdown", "Mitigation: PTI\n");
	fixture_write(*state, "cpu/spectre_v1", "Vulnerable\n");
	assert_survey(*state, survey_mitigations, "cpu",
	              "meltdown: Mitigation: PTI | spectre_v1: Vulnerable");
}

static void long_surveys_are_cut(void **state)
{
	char text[16];

	fixture_write(*state, "cpu/a", "0123456789\n");
	fixture_write(*state, "cpu/b", "0123456789\n");
	fixture_write(*state, "cpu/c", "0123456789\n");
	survey_mitigations(fixture_path(*state, "cpu"), text, sizeof(text));
	assert_string_equal(text, "a: 0123456789 |");
}

static void mthp_sizes(void **state)
{
	fixture_write(*state, "thp/enabled", "always [madvise] never\n");
	assert_survey(*state, survey_mthp, "thp", "");
	fixture_write(*state, "thp/hugepages-64kB/enabled", "always inherit madvise [never]\n");
	assert_survey(*state, survey_mthp, "thp", "none");
	fixture_write(*state, "thp/hugepages-2048kB/enabled", "always [inherit] madvise never\n");
	fixture_write(*state, "thp/hugepages-128kB/enabled", "[always] inherit madvise never\n");
	assert_survey(*state, survey_mthp, "thp", "128kB:always 2048kB:inherit");
}

static void governors(void **state)
{
	fixture_write(*state, "cpu/cpu0/topology/core_id", "0\n");
	fixture_write(*state, "cpu/cpufreq/policy0/scaling_governor", "wrong\n");
	assert_survey(*state, survey_governors, "cpu", "");
	fixture_write(*state, "cpu/cpu0/cpufreq/scaling_governor", "performance\n");
	fixture_write(*state, "cpu/cpu1/cpufreq/scaling_governor", "performance\n");
	assert_survey(*state, survey_governors, "cpu", "performance");
	fixture_write(*state, "cpu/cpu10/cpufreq/scaling_governor", "powersave\n");
	assert_survey(*state, survey_governors, "cpu", "performance powersave");
}

static void damon(void **state)
{
	fixture_write(*state, "kdamonds/nr_kdamonds", "0\n");
	assert_survey(*state, survey_damon, "kdamonds", "off");
	fixture_write(*state, "kdamonds/0/state", "off\n");
	fixture_write(*state, "kdamonds/1/state", "on\n");
	fixture_write(*state, "kdamonds/2/state", "on\n");
	assert_survey(*state, survey_damon, "kdamonds", "on");
}

#define FIXTURE_TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(facts_are_those_of_this_machine),
	        cmocka_unit_test(values_are_single_trimmed_lines),
	        cmocka_unit_test(other_topologies_are_left_out),
	        cmocka_unit_test(clocks_cost_something),
	        FIXTURE_TEST(steal_is_of_exactly_these_cpus),
	        FIXTURE_TEST(short_lines_have_no_steal),
	        FIXTURE_TEST(a_missing_file_has_no_steal),
	        FIXTURE_TEST(mitigations),
	        FIXTURE_TEST(long_surveys_are_cut),
	        FIXTURE_TEST(mthp_sizes),
	        FIXTURE_TEST(governors),
	        FIXTURE_TEST(damon),
	};

	return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
