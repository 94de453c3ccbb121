// SPDX-License-Identifier: GPL-3.0-or-later
#include "prose.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *printed(const char *text, size_t column, size_t indent)
{
	static char out[1024];
	FILE *file;

	memset(out, 0, sizeof(out));
	file = fmemopen(out, sizeof(out), "w");
	prose_print(text, column, indent, file);
	fclose(file);
	return out;
}

static void lines_are_broken_at_blanks(void **state)
{
	(void)state;
	assert_string_equal(printed("", 0, 4), "\n");
	assert_string_equal(printed("  one  two ", 0, 4), "one two\n");
	assert_string_equal(printed("ab cd", 74, 4), "ab cd\n"); /* 79 columns */
	assert_string_equal(printed("ab cd", 75, 4), "ab\n    cd\n");
}

static void a_long_word_is_not_broken(void **state)
{
	char word[101];

	(void)state;
	memset(word, 'x', 100);
	word[100] = '\0';
	assert_int_equal(strlen(printed(word, 10, 4)), 101);
}

static void what_does_not_fit_whole_is_left_out(void **state)
{
	char list[12] = "";
	size_t used = 0;

	(void)state;
	assert_true(prose_append(list, sizeof(list), &used, "64K:%d", 1234));
	assert_false(prose_append(list, sizeof(list), &used, " 2M:%d", 5)); /* 13 with its end */
	assert_string_equal(list, "64K:1234");
	assert_true(prose_append(list, sizeof(list), &used, " x%d", 1));
	assert_string_equal(list, "64K:1234 x1");
	assert_int_equal(used, 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(lines_are_broken_at_blanks),
	        cmocka_unit_test(a_long_word_is_not_broken),
	        cmocka_unit_test(what_does_not_fit_whole_is_left_out),
	};

	return cmocka_run_group_tests_name("prose", tests, NULL, NULL);
}
