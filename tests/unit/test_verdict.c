// SPDX-License-Identifier: GPL-3.0-or-later
#include "verdict.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define UNKNOWN ((double)NAN)

struct expected {
	struct interval ratio;
	enum better better;
	const char *word, *text;
};

static void assert_verdicts(const struct expected rows[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct verdict verdict = verdict_make(&rows[i].ratio, 0.05, 0.01, rows[i].better);
		char text[VERDICT_TEXT];

		assert_string_equal(verdict_word(&verdict), rows[i].word);
		assert_string_equal(verdict_text(&verdict, "B", text), rows[i].text);
	}
}

#define ASSERT_VERDICTS(rows) assert_verdicts(rows, sizeof(rows) / sizeof(*(rows)))

static void differences_are_called(void **state)
{
	static const struct expected rows[] = {
	        {{1.031, 1.028, 1.034},
	         BETTER_HIGH,
	         "faster",
	         "B is 3.1 % faster (95 % CI 2.8 to 3.4)"},
	        {{0.969, 0.966, 0.972},
	         BETTER_HIGH,
	         "slower",
	         "B is 3.1 % slower (95 % CI 2.8 to 3.4)"},
	        {{0.969, 0.966, 0.972},
	         BETTER_LOW,
	         "faster",
	         "B needs 3.1 % less (95 % CI 2.8 to 3.4)"},
	        {{1.031, 1.028, 1.034},
	         BETTER_LOW,
	         "slower",
	         "B needs 3.1 % more (95 % CI 2.8 to 3.4)"},
	        /* An interval across the margin is a difference all the same. */
	        {{1.009, 1.002, 1.016},
	         BETTER_HIGH,
	         "faster",
	         "B is 0.9 % faster (95 % CI 0.2 to 1.6)"},
	        {{1.01230, 1.01228, 1.01232},
	         BETTER_HIGH,
	         "faster",
	         "B is 1.230 % faster (95 % CI 1.228 to 1.232)"},
	        {{9.22, 9.0, 9.5},
	         BETTER_HIGH,
	         "faster",
	         "B is 822.0 % faster (95 % CI 800.0 to 850.0)"},
	};

	(void)state;
	ASSERT_VERDICTS(rows);
}

static void what_lies_inside_the_margin_is_the_same(void **state)
{
	static const struct expected rows[] = {
	        {{1.001, 0.998, 1.004}, BETTER_HIGH, "same", "no difference larger than 0.4 %"},
	        /* also where it is a difference, of no matter */
	        {{1.003, 1.002, 1.004}, BETTER_HIGH, "same", "no difference larger than 0.4 %"},
	        {{0.997, 0.9959, 0.998}, BETTER_LOW, "same", "no difference larger than 0.5 %"},
	        {{1, 1 / 1.01, 1.01}, BETTER_HIGH, "same", "no difference larger than 1.0 %"},
	        {{1, 0.99965, 1.0003}, BETTER_HIGH, "same", "no difference larger than 0.04 %"},
	        {{1, 1, 1}, BETTER_HIGH, "same", "no difference larger than 0.0 %"},
	};

	(void)state;
	ASSERT_VERDICTS(rows);
}

static void the_rest_cannot_be_told(void **state)
{
	static const struct expected rows[] = {
	        {{1.003, 0.995, 1.011},
	         BETTER_HIGH,
	         "unknown",
	         "cannot tell: +0.3 % (-0.5 to +1.1)"},
	        {{1.003, UNKNOWN, UNKNOWN},
	         BETTER_HIGH,
	         "unknown",
	         "cannot tell: +0.3 %, too few values for an interval"},
	        {{UNKNOWN, UNKNOWN, UNKNOWN},
	         BETTER_LOW,
	         "unknown",
	         "cannot tell: no ratio, since a value is not above 0"},
	};

	(void)state;
	ASSERT_VERDICTS(rows);
}

/* Whichever side is called A, the answer is the same. */
static void sides_can_be_swapped(void **state)
{
	static const enum verdict_kind swapped[] = {
	        [VERDICT_FASTER] = VERDICT_SLOWER,
	        [VERDICT_SLOWER] = VERDICT_FASTER,
	        [VERDICT_SAME] = VERDICT_SAME,
	        [VERDICT_UNKNOWN] = VERDICT_UNKNOWN,
	};

	(void)state;
	for (double low = 0.97; low < 1.03; low += 0.00113)
		for (double high = low; high < 1.03; high += 0.00127) {
			struct interval ratio = {sqrt(low * high), low, high};
			struct interval inverse = {1 / ratio.value, 1 / high, 1 / low};
			struct verdict a = verdict_make(&ratio, 0.05, 0.01, BETTER_HIGH);
			struct verdict b = verdict_make(&inverse, 0.05, 0.01, BETTER_HIGH);

			assert_int_equal(b.kind, swapped[a.kind]);
		}
}

static void a_difference_can_be_withheld(void **state)
{
	struct verdict verdict =
	        verdict_make(&(struct interval){1.03, 1.02, 1.04}, 0.05, 0.01, BETTER_HIGH);
	char text[VERDICT_TEXT];

	(void)state;
	verdict_withhold(&verdict);
	assert_string_equal(verdict_text(&verdict, "B", text),
	                    "cannot tell: +3.0 % (+2.0 to +4.0)");
	verdict = verdict_make(&(struct interval){1, 0.999, 1.001}, 0.05, 0.01, BETTER_HIGH);
	verdict_withhold(&verdict);
	assert_string_equal(verdict_word(&verdict), "same");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(differences_are_called),
	        cmocka_unit_test(what_lies_inside_the_margin_is_the_same),
	        cmocka_unit_test(the_rest_cannot_be_told),
	        cmocka_unit_test(sides_can_be_swapped),
	        cmocka_unit_test(a_difference_can_be_withheld),
	};

	return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
