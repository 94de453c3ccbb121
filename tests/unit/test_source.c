// SPDX-License-Identifier: GPL-3.0-or-later
#include "source.h"

#include "fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* Opens a table of one row and reads it. */
static void opened(struct csv_reader *reader, struct fixture *fixture)
{
	struct complaint c = {0};

	fixture_write(fixture, "table.csv", "a,b,sd_percent,e,bad\n10,20%,3,,x\n");
	assert_int_equal(csv_reader_open(reader, fixture_path(fixture, "table.csv"), &c), 0);
	assert_int_equal(csv_reader_next(reader, &c), 1);
}

/* The value of one part of a list; NAN if it is refused or unknown. */
static double value_of(const struct csv_reader *reader, const char *list, size_t place,
                       bool *percent)
{
	struct complaint c = {0};
	struct source source;
	double value = (double)NAN;

	if (source_find(reader, "n", list, place, &source, &c) ||
	    source_read(reader, &source, &value, percent, &c))
		return (double)NAN;
	return value;
}

static void numbers_come_from_columns_and_constants(void **state)
{
	struct csv_reader reader;
	bool percent = false;

	opened(&reader, *state);
	assert_true(value_of(&reader, "a,b", 0, &percent) == 10 && !percent);
	assert_true(value_of(&reader, "a,b", 1, &percent) == 20 && percent);
	assert_true(value_of(&reader, "a", 1, &percent) == 10);
	assert_true(value_of(&reader, "5", 0, &percent) == 5 && !percent);
	assert_true(value_of(&reader, "a%", 0, &percent) == 10 && percent);
	assert_true(value_of(&reader, "sd_percent", 0, &percent) == 3 && percent);
	assert_true(isnan(value_of(&reader, "e", 0, &percent)));
	assert_true(isnan(value_of(&reader, "", 0, &percent)));
	csv_reader_close(&reader);
}

static void what_is_no_number_or_column_is_named(void **state)
{
	struct complaint c = {0};
	struct csv_reader reader;
	struct source source;
	double value = (double)NAN;
	bool percent = false;

	opened(&reader, *state);
	assert_int_equal(source_find(&reader, "n", "bad", 0, &source, &c), 0);
	assert_int_equal(source_read(&reader, &source, &value, &percent, &c), -1);
	assert_int_equal(c.status, EXIT_FAILED);
	assert_non_null(strstr(c.text, "line 2, column 'bad': 'x' is no number"));
	assert_int_equal(source_find(&reader, "n", "none", 0, &source, &c), -1);
	assert_int_equal(c.status, EXIT_USAGE);
	assert_non_null(strstr(c.text, "--n: "));
	csv_reader_close(&reader);
}

static void lists_have_parts(void **state)
{
	char part[SOURCE_NAME];

	(void)state;
	assert_true(source_part("one,two", 1, part));
	assert_string_equal(part, "two");
	assert_false(source_part("one,two", 2, part));
	assert_false(source_part(",two", 0, part));
}

#define FILED(test) cmocka_unit_test_setup_teardown(test, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        FILED(numbers_come_from_columns_and_constants),
	        FILED(what_is_no_number_or_column_is_named),
	        cmocka_unit_test(lists_have_parts),
	};

	return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
