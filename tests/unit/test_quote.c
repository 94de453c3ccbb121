// SPDX-License-Identifier: GPL-3.0-or-later
#include "quote.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_quoted(const char *word, const char *expected)
{
	char out[256] = "";

	assert_int_equal(quote_word(word, out, sizeof(out)), 0);
	assert_string_equal(out, expected);
}

static void plain_words_stay(void **state)
{
	(void)state;
	assert_quoted("--workers=4", "--workers=4");
	assert_quoted("multi-fault", "multi-fault");
	assert_quoted("/tmp/a.b,c:d+e%f@g_h", "/tmp/a.b,c:d+e%f@g_h");
}

static void others_are_quoted(void **state)
{
	(void)state;
	assert_quoted("", "''");
	assert_quoted("map: fault", "'map: fault'");
	assert_quoted("$(id)", "'$(id)'");
	assert_quoted("a;b&c|d", "'a;b&c|d'");
	assert_quoted("it's", "'it'\\''s'");
	assert_quoted("'", "''\\'''");
	assert_quoted("~root", "'~root'");
	assert_quoted("a\nb", "'a\nb'");
	assert_quoted("caf\xc3\xa9", "'caf\xc3\xa9'");
}

static void words_are_appended(void **state)
{
	char out[16] = "";

	(void)state;
	assert_int_equal(quote_word("run", out, sizeof(out)), 0);
	assert_int_equal(quote_word("a b", out, sizeof(out)), 0);
	assert_string_equal(out, "run 'a b'");
}

static void a_word_without_room_changes_nothing(void **state)
{
	char out[8] = "run";

	(void)state;
	assert_int_equal(quote_word("'''", out, sizeof(out)), -1);
	assert_string_equal(out, "run");
	assert_int_equal(quote_word("abcd", out, sizeof(out)), -1);
	assert_int_equal(quote_word("abc", out, sizeof(out)), 0);
	assert_string_equal(out, "run abc");
}

/* What the shell makes of a line, one word a line, must be what we make of it. */
static void a_shell_reads_the_same(void **state)
{
	static const char *const words[] = {"a",     "",    "it's", "$(echo no)", "`id`", "x\\y",
	                                    "\"q\"", "* ?", "!!",   "#",          "''",   " "};
	char line[1024] = "", script[1200], got[1024] = "", expected[1024] = "";
	FILE *shell;

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		assert_int_equal(quote_word(words[i], line, sizeof(line)), 0);
		strcat(expected, words[i]);
		strcat(expected, "|");
	}
	snprintf(script, sizeof(script), "printf '%%s|' %s", line);
	shell = popen(script, "r"); /* NOLINT(cert-env33-c): what a shell makes of it is the test */
	assert_non_null(shell);
	assert_true(fread(got, 1, sizeof(got) - 1, shell) > 0);
	pclose(shell);
	assert_string_equal(got, expected);
}

static void what_is_quoted_can_be_split(void **state)
{
	static const char *const words[] = {"faultscale", "run", "--dir=/a b", "it's",
	                                    "",           "'",   "''x"};
	char line[256] = "";
	char *got[16];

	(void)state;
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(quote_word(words[i], line, sizeof(line)), 0);
	assert_int_equal(quote_split(line, got, 16), 7);
	for (size_t i = 0; i < 7; i++)
		assert_string_equal(got[i], words[i]);
}

static void assert_not_split(const char *text)
{
	char line[256];
	char *got[3];

	snprintf(line, sizeof(line), "%s", text);
	if (quote_split(line, got, 3) >= 0)
		fail_msg("'%s' was split", text);
}

static void what_a_shell_would_act_on_is_refused(void **state)
{
	(void)state;
	assert_not_split("run $x");
	assert_not_split("run a;b");
	assert_not_split("run 'open");
	assert_not_split("run \\n");
	assert_not_split("run \"a\"");
	assert_not_split("run a\tb");
	assert_not_split("run ");
	assert_not_split("a b c d");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(plain_words_stay),
	        cmocka_unit_test(others_are_quoted),
	        cmocka_unit_test(words_are_appended),
	        cmocka_unit_test(a_word_without_room_changes_nothing),
	        cmocka_unit_test(a_shell_reads_the_same),
	        cmocka_unit_test(what_is_quoted_can_be_split),
	        cmocka_unit_test(what_a_shell_would_act_on_is_refused),
	};

	return cmocka_run_group_tests_name("quote", tests, NULL, NULL);
}
