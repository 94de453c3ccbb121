// SPDX-License-Identifier: GPL-3.0-or-later
/* How a duel's time is divided. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "score.h"

#define MS UINT64_C(1000000)

static void launches_measure_a_quarter_of_a_second(void **state)
{
	(void)state;
	assert_int_equal(score_division(5000 * MS, 50 * MS), 20);
	assert_int_equal(score_division(60000 * MS, 50 * MS), 240);
	assert_int_equal(score_division(2740 * MS, 50 * MS), 10);
	assert_int_equal(score_division(2750 * MS, 50 * MS), 11);
}

static void launches_measure_as_long_as_they_take_to_start(void **state)
{
	(void)state;
	assert_int_equal(score_division(10000 * MS, 600 * MS), 16);
	assert_int_equal(score_division(10000 * MS, 800 * MS), 12);
}

static void launches_are_ten_at_least(void **state)
{
	(void)state;
	assert_int_equal(score_division(1, 0), 10);
	assert_int_equal(score_division(2000 * MS, 50 * MS), 10);
	assert_int_equal(score_division(10000 * MS, 30000 * MS), 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(launches_measure_a_quarter_of_a_second),
	        cmocka_unit_test(launches_measure_as_long_as_they_take_to_start),
	        cmocka_unit_test(launches_are_ten_at_least),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
