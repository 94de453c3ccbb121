// SPDX-License-Identifier: GPL-3.0-or-later
#include "noise.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixture.h"

/* A point of workers on CPUs 0, 1, ... */
static struct point point_on(struct seat *seats, unsigned workers)
{
	for (unsigned i = 0; i < workers; i++)
		seats[i] = (struct seat){.cpu = (int)i};
	return (struct point){.seats = seats, .workers = workers};
}

static void lines_are_added_up(void **state)
{
	struct fixture *fixture = *state;
	struct noise_row row = {.throttled_periods = 7};

	fixture_write(fixture, "vmstat",
	              "nr_free_pages 1\npswpin 3\npswpinned 1000\nzswpin 4\n"
	              "numa_hint_faults 18446744073709551614\nnuma_hint_faults_local 5\n"
	              "compact_stall 0\n");
	noise_vmstat_in(fixture_path(fixture, "vmstat"), &row);
	assert_int_equal(row.swap_in_pages, 7);
	assert_true(row.numa_hint_faults == UINT64_MAX - 1);
	assert_int_equal(row.compaction_stalls, 0);
	assert_int_equal(row.throttled_periods, 7);
}

static void lines_that_are_missing_are_unknown(void **state)
{
	struct fixture *fixture = *state;
	struct noise_row row = {.swap_out_pages = 1};

	fixture_write(fixture, "vmstat", "pswpin 3\nthp_fault_alloc\ncompact_stall -1 x\n");
	noise_vmstat_in(fixture_path(fixture, "vmstat"), &row);
	assert_int_equal(row.swap_in_pages, 3);
	assert_true(row.swap_out_pages == UNKNOWN_COUNT);
	assert_true(row.thp_fault_alloc == UNKNOWN_COUNT);
	noise_vmstat_in("/nonexistent/vmstat", &row);
	assert_true(row.swap_in_pages == UNKNOWN_COUNT);
	assert_true(row.numa_hint_faults == UNKNOWN_COUNT);
}

static void frequency_is_the_mean_of_the_workers_cpus(void **state)
{
	struct fixture *fixture = *state;
	struct seat seats[3];
	struct point point = point_on(seats, 2);

	fixture_write(fixture, "cpu0/cpufreq/scaling_cur_freq", "2000000\n");
	fixture_write(fixture, "cpu1/cpufreq/scaling_cur_freq", "3000000\n");
	assert_true(noise_frequency_in(fixture->root, &point) == 2.5e9);
	point = point_on(seats, 3);
	assert_true(isnan(noise_frequency_in(fixture->root, &point)));
	seats[0].cpu = -1; /* not pinned */
	point.workers = 1;
	assert_true(isnan(noise_frequency_in(fixture->root, &point)));
}

static void differences_are_unknown_if_they_ran_backwards(void **state)
{
	struct seat seats[1];
	struct point point = point_on(seats, 1);
	struct noise_reading before = {.ns = 0, .steal_ticks = 100, .oom_kills = 1};
	struct noise_reading after = {.ns = 1000000000, .steal_ticks = 90, .oom_kills = 3};
	struct noise noise;

	(void)state;
	before.row.swap_in_pages = 10;
	after.row.swap_in_pages = 15;
	before.row.numa_hint_faults = 10;
	after.row.numa_hint_faults = 3;
	before.row.throttled_periods = UNKNOWN_COUNT;
	after.row.frequency_hz = 1e9;
	noise_between(&before, &after, &point, &noise);
	assert_true(noise.ns == 1000000000);
	assert_true(isnan(noise.steal));
	assert_int_equal(noise.oom_kills, 2);
	assert_int_equal(noise.row.swap_in_pages, 5);
	assert_true(noise.row.numa_hint_faults == UNKNOWN_COUNT);
	assert_true(noise.row.throttled_periods == UNKNOWN_COUNT);
	assert_true(noise.row.frequency_hz == 1e9);
	after.steal_ticks = 100 + (uint64_t)sysconf(_SC_CLK_TCK) / 4;
	before.oom_kills = UNKNOWN_COUNT;
	noise_between(&before, &after, &point, &noise);
	assert_true(noise.steal == 0.25);
	assert_int_equal(noise.oom_kills, 0);
}

static void this_machine_can_be_read(void **state)
{
	struct seat seats[1];
	struct point point = point_on(seats, 1);
	struct noise_reading before, after;
	struct noise noise;

	(void)state;
	noise_read(&before, &point);
	noise_read(&after, &point);
	noise_between(&before, &after, &point, &noise);
	assert_true(after.ns > before.ns);
	assert_true(after.parent_cpu_ns > before.parent_cpu_ns);
	assert_string_equal(noise.row.clock_source, noise.row.clock_source_after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(lines_are_added_up, fixture_setup,
	                                        fixture_teardown),
	        cmocka_unit_test_setup_teardown(lines_that_are_missing_are_unknown, fixture_setup,
	                                        fixture_teardown),
	        cmocka_unit_test_setup_teardown(frequency_is_the_mean_of_the_workers_cpus,
	                                        fixture_setup, fixture_teardown),
	        cmocka_unit_test(differences_are_unknown_if_they_ran_backwards),
	        cmocka_unit_test(this_machine_can_be_read),
	};

	return cmocka_run_group_tests_name("noise", tests, NULL, NULL);
}
