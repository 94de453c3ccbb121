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
	assert_int_equal(score_division(4500 * MS, 50 * MS), 18);
	assert_int_equal(score_division(54000 * MS, 50 * MS), 216);
	assert_int_equal(score_division(2490 * MS, 50 * MS), 9);
	assert_int_equal(score_division(2500 * MS, 50 * MS), 10);
}

static void launches_measure_as_long_as_they_take_to_start(void **state)
{
	(void)state;
	assert_int_equal(score_division(9000 * MS, 600 * MS), 15);
	assert_int_equal(score_division(9000 * MS, 800 * MS), 11);
}

static void launches_are_nine_more_at_least(void **state)
{
	(void)state;
	assert_int_equal(score_division(1, 0), 9);
	assert_int_equal(score_division(1800 * MS, 50 * MS), 9);
	assert_int_equal(score_division(9000 * MS, 30000 * MS), 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(launches_measure_a_quarter_of_a_second),
	        cmocka_unit_test(launches_measure_as_long_as_they_take_to_start),
	        cmocka_unit_test(launches_are_nine_more_at_least),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
