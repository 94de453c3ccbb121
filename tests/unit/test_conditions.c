// SPDX-License-Identifier: GPL-3.0-or-later
#include "conditions.h"

#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct meta_row then[] = {
        {"schema", "1"},
        {"build_id", "abc"},
        {"kernel_release", "6.18.0"},
        {"kernel_version", "#1 SMP"},
        {"kernel_cmdline", "quiet, \"ro\""},
        {"cpu_model", "A CPU"},
        {"thp", "madvise"},
        {"start_utc", "2026-01-01T00:00:00Z"},
};

enum { ROWS = sizeof(then) / sizeof(then[0]) };

static int written_setup(void **state)
{
	struct fixture *fixture;
	struct complaint c;

	if (fixture_setup(state))
		return -1;
	fixture = *state;
	return conditions_write(fixture_path(fixture, "meta.csv"), then, ROWS, &c);
}

static void the_same_conditions_pass(void **state)
{
	struct complaint c;

	assert_int_equal(conditions_check(fixture_path(*state, "meta.csv"), then, ROWS, &c), 0);
}

static void what_may_change_may(void **state)
{
	struct meta_row now[ROWS];
	struct complaint c;

	memcpy(now, then, sizeof(now));
	now[7].value = "2027-01-01T00:00:00Z";
	assert_int_equal(conditions_check(fixture_path(*state, "meta.csv"), now, ROWS, &c), 0);
}

static void each_difference_is_named(void **state)
{
	static const char *const names[ROWS] = {
	        [1] = "build of faultscale", [2] = "kernel release", [3] = "kernel build",
	        [4] = "kernel command line", [5] = "CPU model",      [6] = "transparent huge pages",
	};

	for (int i = 1; i <= 6; i++) {
		struct meta_row now[ROWS];
		struct complaint c;

		memcpy(now, then, sizeof(now));
		now[i].value = "other";
		assert_int_equal(conditions_check(fixture_path(*state, "meta.csv"), now, ROWS, &c),
		                 -1);
		assert_int_equal(c.status, EXIT_FAILED);
		assert_non_null(strstr(c.text, names[i]));
		assert_non_null(strstr(c.text, "'other'"));
	}
}

static void a_file_that_is_not_there_says_nothing(void **state)
{
	struct complaint c;

	assert_int_equal(conditions_check(fixture_path(*state, "none"), then, ROWS, &c), 0);
}

static void half_a_file_is_an_error(void **state)
{
	struct complaint c;

	fixture_write(*state, "meta.csv", "key,value\nthp\n");
	assert_int_equal(conditions_check(fixture_path(*state, "meta.csv"), then, ROWS, &c), -1);
}

static void facts_are_read(void **state)
{
	char value[64];

	conditions_fact(fixture_path(*state, "meta.csv"), "kernel_cmdline", value, sizeof(value));
	assert_string_equal(value, "quiet, \"ro\"");
	conditions_fact(fixture_path(*state, "meta.csv"), "seed", value, sizeof(value));
	assert_string_equal(value, "");
}

#define WRITTEN(test) cmocka_unit_test_setup_teardown(test, written_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        WRITTEN(the_same_conditions_pass), WRITTEN(what_may_change_may),
	        WRITTEN(each_difference_is_named), WRITTEN(a_file_that_is_not_there_says_nothing),
	        WRITTEN(half_a_file_is_an_error),  WRITTEN(facts_are_read),
	};

	return cmocka_run_group_tests_name("conditions", tests, NULL, NULL);
}
