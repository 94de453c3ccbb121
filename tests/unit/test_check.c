// SPDX-License-Identifier: GPL-3.0-or-later
#include "check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fixture.h"

static const struct check *check_named(const char *name)
{
	for (const struct check *check = checks; check->name; check++)
		if (strcmp(check->name, name) == 0)
			return check;
	fail_msg("no check '%s'", name);
	return NULL;
}

/* What a check finds on a machine made of a fixture's files, two CPUs, and facts. */
static struct finding found(struct fixture *fixture, const char *name, const char *key,
                            const char *value)
{
	struct machine_fact facts[] = {{.key = "nodes", .value = "2"}, {.key = key ? key : "none"}};
	struct subject subject = {
	        .root = fixture->root, .cpus = 2, .facts = facts, .fact_count = 2};

	if (value)
		strcpy(facts[1].value, value);
	return check_find(check_named(name), &subject);
}

static void assert_found(struct finding finding, enum check_status status, const char *value)
{
	assert_string_equal(check_status_name(finding.status), check_status_name(status));
	assert_string_equal(finding.value, value);
}

static void rows_are_complete(void **state)
{
	(void)state;
	for (const struct check *check = checks; check->name; check++) {
		assert_non_null(check->look);
		assert_non_null(check->command);
		assert_true(strlen(check->name) < 19);
		assert_true(strlen(check->meaning) > 20);
		assert_int_equal(check->meaning[strlen(check->meaning) - 1], '.');
		assert_true(!check->good || check->or_else >= CHECK_NOTE);
		for (const struct check *other = checks; other < check; other++)
			assert_string_not_equal(other->name, check->name);
	}
}

static void this_machine_can_be_examined(void **state)
{
	struct examination examination;
	struct complaint c;

	(void)state;
	assert_int_equal(examination_begin(&examination, &c), 0);
	for (const struct check *check = checks; check->name; check++) {
		struct finding finding = check_find(check, &examination.subject);

		assert_true(finding.status == CHECK_UNKNOWN || *finding.value);
		assert_true(finding.status != CHECK_UNKNOWN || !*finding.value);
		assert_null(strchr(finding.value, '\n'));
	}
	examination_end(&examination);
}

static void facts_are_judged(void **state)
{
	assert_found(found(*state, "thp", "thp", "madvise"), CHECK_OK, "madvise");
	assert_found(found(*state, "thp", "thp", "always"), CHECK_NOTE, "always");
	assert_found(found(*state, "governor", "governor", "performance"), CHECK_OK, "performance");
	assert_found(found(*state, "governor", "governor", "performance powersave"), CHECK_SPOILS,
	             "performance powersave");
	assert_found(found(*state, "governor", "governor", "perform"), CHECK_SPOILS, "perform");
	assert_found(found(*state, "ksm", "ksm", "1"), CHECK_SPOILS, "1");
	assert_found(found(*state, "damon", "damon", "on"), CHECK_SPOILS, "on");
	assert_found(found(*state, "aslr", "aslr", "0"), CHECK_NOTE, "0");
	assert_found(found(*state, "numa-balancing", "numa_balancing", "1"), CHECK_SPOILS, "1");
	assert_found(found(*state, "numa-balancing", "numa_balancing", "0"), CHECK_OK, "0");
	assert_found(found(*state, "mthp", "mthp", "64kB:always 2048kB:inherit"), CHECK_NOTE,
	             "64kB:always 2048kB:inherit");
	assert_found(found(*state, "mthp", "mthp", "2048kB:inherit"), CHECK_OK, "2048kB:inherit");
}

static void what_cannot_be_read_is_unknown_and_what_is_not_there_is_well(void **state)
{
	assert_found(found(*state, "governor", NULL, NULL), CHECK_OK, "not there");
	assert_found(found(*state, "nmi-watchdog", NULL, NULL), CHECK_OK, "not there");
	assert_found(found(*state, "turbo", NULL, NULL), CHECK_OK, "not there");
	assert_found(found(*state, "memory", NULL, NULL), CHECK_UNKNOWN, "");
	assert_found(found(*state, "load", NULL, NULL), CHECK_UNKNOWN, "");
	assert_found(found(*state, "debug-kernel", NULL, NULL), CHECK_UNKNOWN, "");
	fixture_write(*state, "sys/devices/system/cpu/cpu0/cpufreq/x", "");
	assert_found(found(*state, "governor", NULL, NULL), CHECK_UNKNOWN, "");
	fixture_write(*state, "proc/stat", "cpu  1 2 3 4 5 6 7\n");
	assert_found(found(*state, "steal", NULL, NULL), CHECK_UNKNOWN, "");
}

static void memory_is_judged(void **state)
{
	fixture_write(*state, "proc/meminfo",
	              "MemTotal:       24576000 kB\nMemAvailable:   20480000 kB\n"
	              "SwapTotal:             0 kB\nSwapFree:              0 kB\n"
	              "HugePages_Total:       4\nHugePages_Free:        3\n");
	assert_found(found(*state, "memory", NULL, NULL), CHECK_OK, "20000M of 24000M available");
	assert_found(found(*state, "swap", NULL, NULL), CHECK_OK, "none");
	assert_found(found(*state, "hugetlb-pool", NULL, NULL), CHECK_OK, "3 of 4 pages free");
	fixture_write(*state, "proc/meminfo",
	              "MemTotal:       24576000 kB\nMemAvailable:    1024000 kB\n"
	              "SwapTotal:      2097152 kB\nSwapFree:        1048576 kB\n"
	              "HugePages_Total:       0\nHugePages_Free:        0\n");
	assert_found(found(*state, "memory", NULL, NULL), CHECK_SPOILS,
	             "1000M of 24000M available");
	assert_found(found(*state, "swap", NULL, NULL), CHECK_NOTE, "1G of 2G used");
	assert_found(found(*state, "hugetlb-pool", NULL, NULL), CHECK_NOTE, "0 of 0 pages free");
	fixture_write(*state, "proc/meminfo", "MemTotal: 1024 kB\nMemAvailable: 1024 kB\n");
	assert_found(found(*state, "memory", NULL, NULL), CHECK_PREVENTS, "1M of 1M available");
}

static void other_load_is_seen(void **state)
{
	fixture_write(*state, "proc/loadavg", "0.01 0.50 0.90 1/93 8152\n");
	assert_found(found(*state, "load", NULL, NULL), CHECK_OK,
	             "0 running now, load 0.01, 0.0 % of the last 10 s with a task waiting");
	fixture_write(*state, "proc/pressure/cpu",
	              "some avg10=2.50 avg60=0.00 avg300=0.00 total=1\n");
	assert_found(found(*state, "load", NULL, NULL), CHECK_SPOILS,
	             "0 running now, load 0.01, 2.5 % of the last 10 s with a task waiting");
	fixture_write(*state, "proc/pressure/cpu", "");
	fixture_write(*state, "proc/loadavg", "0.01 0.50 0.90 3/93 8152\n");
	assert_found(found(*state, "load", NULL, NULL), CHECK_SPOILS,
	             "2 running now, load 0.01, 0.0 % of the last 10 s with a task waiting");
}

static void steal_and_turbo_are_seen(void **state)
{
	fixture_write(*state, "proc/stat",
	              "cpu  100 0 100 795 0 0 0 5 0 0\ncpu0 1 1 1 1 1 1 1 1\n");
	assert_found(found(*state, "steal", NULL, NULL), CHECK_OK, "0.50 % since boot");
	fixture_write(*state, "proc/stat", "cpu  100 0 100 750 0 0 0 50 0 0\n");
	assert_found(found(*state, "steal", NULL, NULL), CHECK_SPOILS, "5.00 % since boot");
	fixture_write(*state, "sys/devices/system/cpu/cpufreq/boost", "1\n");
	assert_found(found(*state, "turbo", NULL, NULL), CHECK_NOTE, "on");
	fixture_write(*state, "sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
	assert_found(found(*state, "turbo", NULL, NULL), CHECK_OK, "off");
}

static void configurations_are_read_by_whole_options(void **state)
{
	struct subject subject = {
	        .root = "",
	        .config = "CONFIG_HAVE_ARCH_KASAN=y\n# CONFIG_KASAN is not set\n"
	                  "CONFIG_DEBUG_VM_PGTABLE=y\nCONFIG_PER_VMA_LOCK_STATS=y\n",
	};

	(void)state;
	assert_found(check_find(check_named("debug-kernel"), &subject), CHECK_OK, "none");
	assert_found(check_find(check_named("per-vma-locks"), &subject), CHECK_NOTE,
	             "CONFIG_PER_VMA_LOCK=n");
	subject.config = "CONFIG_PER_VMA_LOCK=y\nCONFIG_KASAN=y\nCONFIG_DEBUG_VM=y";
	assert_found(check_find(check_named("per-vma-locks"), &subject), CHECK_OK,
	             "CONFIG_PER_VMA_LOCK=y");
	assert_found(check_find(check_named("debug-kernel"), &subject), CHECK_SPOILS,
	             "CONFIG_KASAN CONFIG_DEBUG_VM");
}

/* Two CPUs of one core, and four of which two may be used. */
static void shared_cores_and_forbidden_cpus_are_seen(void **state)
{
	struct fixture *fixture = *state;
	hwloc_bitmap_t pool = hwloc_bitmap_alloc();
	struct subject subject = {.root = fixture->root, .pool = pool, .cpus = 2};
	struct topology *topology;
	struct complaint c;

	assert_int_equal(setenv("HWLOC_SYNTHETIC", "core:2 pu:2", 1), 0);
	assert_int_equal(topology_load(&topology, &c), 0);
	unsetenv("HWLOC_SYNTHETIC");
	subject.topology = topology;
	hwloc_bitmap_list_sscanf(pool, "0-1");
	assert_found(check_find(check_named("smt"), &subject), CHECK_NOTE, "2 CPUs on 1 cores");
	fixture_write(fixture, "sys/devices/system/cpu/online", "0-3\n");
	assert_found(check_find(check_named("allowed-cpus"), &subject), CHECK_NOTE, "0-1 of 0-3");
	hwloc_bitmap_list_sscanf(pool, "0,2");
	assert_found(check_find(check_named("smt"), &subject), CHECK_OK, "2 CPUs on 2 cores");
	hwloc_bitmap_list_sscanf(pool, "0-3");
	assert_found(check_find(check_named("allowed-cpus"), &subject), CHECK_OK, "0-3 of 0-3");
	topology_free(topology);
	hwloc_bitmap_free(pool);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(rows_are_complete),
	        cmocka_unit_test(this_machine_can_be_examined),
	        WITH_FIXTURE(facts_are_judged),
	        WITH_FIXTURE(what_cannot_be_read_is_unknown_and_what_is_not_there_is_well),
	        WITH_FIXTURE(memory_is_judged),
	        WITH_FIXTURE(other_load_is_seen),
	        WITH_FIXTURE(steal_and_turbo_are_seen),
	        cmocka_unit_test(configurations_are_read_by_whole_options),
	        WITH_FIXTURE(shared_cores_and_forbidden_cpus_are_seen),
	};

	return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
