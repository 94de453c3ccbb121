// SPDX-License-Identifier: GPL-3.0-or-later
#include "affinity.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "fixture.h"

static void the_mask_is_what_the_kernel_says(void **state)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	struct complaint c;
	cpu_set_t mask;

	(void)state;
	assert_int_equal(affinity_allowed(set, &c), 0);
	assert_int_equal(sched_getaffinity(0, sizeof(mask), &mask), 0);
	assert_int_equal(hwloc_bitmap_weight(set), CPU_COUNT(&mask));
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
		assert_int_equal(hwloc_bitmap_isset(set, cpu), CPU_ISSET(cpu, &mask) != 0);
	hwloc_bitmap_free(set);
}

/* Checks what is said of the CPUs `asked` on the machine in the fixture. */
static void assert_complaint(struct fixture *fixture, const char *asked, const char *allowed,
                             const char *expected)
{
	hwloc_bitmap_t want = hwloc_bitmap_alloc(), have = hwloc_bitmap_alloc();
	struct complaint c = {0};

	hwloc_bitmap_list_sscanf(want, asked);
	hwloc_bitmap_list_sscanf(have, allowed);
	assert_int_equal(affinity_check_in(fixture->root, want, have, &c), expected ? -1 : 0);
	if (expected) {
		assert_int_equal(c.status, EXIT_USAGE);
		assert_string_equal(c.text, expected);
	}
	hwloc_bitmap_free(want);
	hwloc_bitmap_free(have);
}

static void each_bad_cpu_has_its_reason(void **state)
{
	fixture_write(*state, "present", "0-3\n");
	fixture_write(*state, "online", "0,2-3\n");
	assert_complaint(*state, "0,2", "0,2-3", NULL);
	assert_complaint(*state, "1", "0,2-3",
	                 "CPU 1 is offline\nallowed by taskset and cpuset: 0,2-3");
	assert_complaint(*state, "0,5", "0,2-3",
	                 "CPU 5 does not exist\nallowed by taskset and cpuset: 0,2-3");
	assert_complaint(*state, "3", "0",
	                 "CPU 3 is not allowed\nallowed by taskset and cpuset: 0");
	assert_complaint(*state, "0-9", "0",
	                 "CPUs 4-9 do not exist; CPU 1 is offline; CPUs 2-3 are not allowed\n"
	                 "allowed by taskset and cpuset: 0");
}

/* CPUs that sysfs calls offline while they are allowed are the kernel's affair. */
static void allowed_cpus_are_not_questioned(void **state)
{
	fixture_write(*state, "present", "0\n");
	fixture_write(*state, "online", "0\n");
	assert_complaint(*state, "0-3", "0-3", NULL);
}

static void without_sysfs_it_is_not_allowed(void **state)
{
	assert_complaint(*state, "1,7", "0",
	                 "CPUs 1,7 are not allowed\nallowed by taskset and cpuset: 0");
	fixture_write(*state, "online", "0-1\n");
	assert_complaint(*state, "1,7", "0",
	                 "CPU 7 is offline; CPU 1 is not allowed\n"
	                 "allowed by taskset and cpuset: 0");
}

static void long_lists_fit(void **state)
{
	char asked[4096] = "0";
	hwloc_bitmap_t want = hwloc_bitmap_alloc(), have = hwloc_bitmap_alloc();
	struct complaint c = {0};

	for (int cpu = 2; cpu < 1000; cpu += 2)
		sprintf(asked + strlen(asked), ",%d", cpu);
	hwloc_bitmap_list_sscanf(want, asked);
	fixture_write(*state, "present", "0-999\n");
	fixture_write(*state, "online", "500-999\n");
	assert_int_equal(affinity_check_in(((struct fixture *)*state)->root, want, have, &c), -1);
	assert_non_null(strstr(c.text, "CPUs 0,2,4,"));
	assert_non_null(strstr(c.text, "are offline"));
	assert_non_null(strstr(c.text, "are not allowed"));
	assert_non_null(strstr(c.text, "allowed by"));
	hwloc_bitmap_free(want);
	hwloc_bitmap_free(have);
}

static void offline_and_allowed_do_not_meet(void **state)
{
	hwloc_bitmap_t allowed = hwloc_bitmap_alloc(), offline = hwloc_bitmap_alloc();
	struct complaint c;

	(void)state;
	assert_int_equal(affinity_allowed(allowed, &c), 0);
	affinity_offline(offline);
	assert_false(hwloc_bitmap_intersects(allowed, offline));
	hwloc_bitmap_free(allowed);
	hwloc_bitmap_free(offline);
}

/* In a child, so that this process keeps its mask: returns its exit status. */
static int in_child(int (*body)(int cpu), int cpu)
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(body(cpu));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int pin_and_look(int cpu)
{
	if (affinity_pin(cpu))
		return 1;
	if (!affinity_holds(cpu) || sched_getcpu() != cpu)
		return 2;
	return affinity_holds(cpu + 1) || affinity_holds(cpu + 64) || affinity_holds(-1) ? 3 : 0;
}

static void every_allowed_cpu_can_be_pinned(void **state)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	struct complaint c;

	(void)state;
	assert_int_equal(affinity_allowed(set, &c), 0);
	for (int cpu = hwloc_bitmap_first(set); cpu >= 0; cpu = hwloc_bitmap_next(set, cpu))
		assert_int_equal(in_child(pin_and_look, cpu), 0);
	if (hwloc_bitmap_weight(set) > 1)
		assert_false(affinity_holds(sched_getcpu()));
	hwloc_bitmap_free(set);
}

static int pin_error(int cpu)
{
	return affinity_pin(cpu) ? errno : 0;
}

static void cpus_that_cannot_be_pinned(void **state)
{
	static const int cpus[] = {-1, 8191, 65535, 65536, INT_MAX, INT_MIN};

	(void)state;
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
		assert_int_equal(in_child(pin_error, cpus[i]), EINVAL);
}

#define FIXTURE_TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_mask_is_what_the_kernel_says),
	        FIXTURE_TEST(each_bad_cpu_has_its_reason),
	        FIXTURE_TEST(allowed_cpus_are_not_questioned),
	        FIXTURE_TEST(without_sysfs_it_is_not_allowed),
	        FIXTURE_TEST(long_lists_fit),
	        cmocka_unit_test(offline_and_allowed_do_not_meet),
	        cmocka_unit_test(every_allowed_cpu_can_be_pinned),
	        cmocka_unit_test(cpus_that_cannot_be_pinned),
	};

	return cmocka_run_group_tests_name("affinity", tests, NULL, NULL);
}
