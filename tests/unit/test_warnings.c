// SPDX-License-Identifier: GPL-3.0-or-later
#include "warnings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A row in which nothing is known. */
static struct point_row row_unknown(void)
{
	struct point_row row = {0};

	for (const struct column *at = result_tables[RESULT_POINTS].columns; at->name; at++) {
		char *field = (char *)&row + at->offset;
		uint64_t count = UNKNOWN_COUNT;
		double real = NAN;

		if (at->kind == COLUMN_REAL)
			memcpy(field, &real, sizeof(real));
		else if (at->kind != COLUMN_TEXT)
			memcpy(field, &count, sizeof(count));
	}
	row.noise.clock_source = row.noise.clock_source_after = "tsc";
	return row;
}

static char *printed(const struct point_row *row, const struct point *point)
{
	static char text[4096];
	FILE *out;

	text[0] = '\0';
	out = fmemopen(text, sizeof(text), "w");

	warnings_print(row, point, out);
	fclose(out);
	return text;
}

static void what_is_unknown_warns_of_nothing(void **state)
{
	struct point_row row = row_unknown();
	struct point point = {.workers = 1, .exact = true};
	char list[256];

	(void)state;
	assert_string_equal(printed(&row, &point), "");
	warnings_list(&row, &point, list, sizeof(list));
	assert_string_equal(list, "");
}

static void thresholds_speak_with_their_value(void **state)
{
	struct point_row row = row_unknown();
	struct point point = {.workers = 1, .exact = true};
	char list[256];

	(void)state;
	row.steal = 0.01;
	row.noise.swap_in_pages = 0;
	row.coalesced = 3;
	assert_string_equal(printed(&row, &point),
	                    "note: 3 samples found the ring full and were added to the next\n");
	row.steal = 0.025;
	row.noise.swap_in_pages = 1234;
	assert_non_null(strstr(printed(&row, &point),
	                       "warning: the hypervisor took 2.5 % of the CPUs' time\n"));
	assert_non_null(
	        strstr(printed(&row, &point), "warning: 1,234 pages came back from swap\n"));
	warnings_list(&row, &point, list, sizeof(list));
	assert_string_equal(list, "steal swap_in_pages");
	warnings_list(&row, &point, list, 8);
	assert_string_equal(list, "steal s");
}

static void conditions_hold_rules_back(void **state)
{
	struct point_row row = row_unknown();
	struct point point = {.workers = 4, .exact = true, .oversubscribed = true};
	char list[256];

	(void)state;
	row.run_delay = 0.5;
	row.faults_per_page = 0.5;
	row.workers = 4;
	warnings_list(&row, &point, list, sizeof(list));
	assert_string_equal(list, "workers");
	point.oversubscribed = point.exact = false;
	warnings_list(&row, &point, list, sizeof(list));
	assert_string_equal(list, "faults_per_page run_delay");
}

static void drift_needs_size_and_certainty(void **state)
{
	struct point_row row = row_unknown();
	struct point point = {.workers = 1, .exact = true};

	(void)state;
	row.noise.drift = -0.1;
	row.noise.drift_error = 0.05;
	assert_string_equal(printed(&row, &point), "");
	row.noise.drift_error = 0.01;
	assert_non_null(strstr(printed(&row, &point), "drifted by -10.0 %"));
	row.noise.drift = 0.02;
	row.noise.drift_error = 0.001;
	assert_string_equal(printed(&row, &point), "");
}

static void states_are_told_in_words(void **state)
{
	struct point_row row = row_unknown();
	struct point point = {.workers = 1, .exact = true};
	char list[256];

	(void)state;
	row.noise.damon = "on";
	row.noise.clock_source_after = "hpet";
	assert_non_null(strstr(printed(&row, &point), "warning: DAMON is on"));
	warnings_list(&row, &point, list, sizeof(list));
	assert_string_equal(list, "damon clock_source_after");
	row.noise.damon = "off";
	row.noise.clock_source = "";
	assert_string_equal(printed(&row, &point), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_is_unknown_warns_of_nothing),
	        cmocka_unit_test(thresholds_speak_with_their_value),
	        cmocka_unit_test(conditions_hold_rules_back),
	        cmocka_unit_test(drift_needs_size_and_certainty),
	        cmocka_unit_test(states_are_told_in_words),
	};

	return cmocka_run_group_tests_name("warnings", tests, NULL, NULL);
}
