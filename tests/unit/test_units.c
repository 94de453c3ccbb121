// SPDX-License-Identifier: GPL-3.0-or-later
#include "units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef int parser(const char *text, uint64_t *value, struct complaint *c);

struct good {
	const char *text;
	uint64_t value;
};

struct bad {
	const char *text;
	const char *says;
};

static const uint64_t untouched = 0x5ca1ab1e;

static void assert_good(parser *parse, const struct good *good, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		struct complaint c = {0};
		uint64_t value = untouched;

		if (parse(good[i].text, &value, &c))
			fail_msg("'%s' was refused: %s", good[i].text, c.text);
		if (value != good[i].value)
			fail_msg("'%s' gave %ju", good[i].text, (uintmax_t)value);
	}
}

static void assert_bad(parser *parse, const struct bad *bad, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		struct complaint c = {0};
		uint64_t value = untouched;

		if (!parse(bad[i].text, &value, &c))
			fail_msg("'%s' was accepted as %ju", bad[i].text, (uintmax_t)value);
		assert_int_equal(c.status, EXIT_USAGE);
		assert_int_equal(value, untouched);
		if (!strstr(c.text, bad[i].says))
			fail_msg("'%s': '%s' lacks '%s'", bad[i].text, c.text, bad[i].says);
	}
}

#define ASSERT_GOOD(parse, rows) assert_good(parse, rows, sizeof(rows) / sizeof(*(rows)))
#define ASSERT_BAD(parse, rows) assert_bad(parse, rows, sizeof(rows) / sizeof(*(rows)))

static void sizes_are_read(void **state)
{
	static const struct good good[] = {
	        {"0", 0},
	        {"0K", 0},
	        {"0.0", 0},
	        {"10000", 10000},
	        {"010", 10},
	        {"7B", 7},
	        {"64K", 65536},
	        {"64k", 65536},
	        {"1.5G", UINT64_C(1610612736)},
	        {".5k", 512},
	        {"2M", 2097152},
	        {"2MB", 2097152},
	        {"2MiB", 2097152},
	        {"2mib", 2097152},
	        {"4T", UINT64_C(4398046511104)},
	        {"0.0009765625K", 1},
	        {"1.50000000000000000000000000K", 1536},
	        {"18446744073709551615", UINT64_MAX},
	        {"16777215T", UINT64_C(16777215) << 40},
	        {"16777215.9990234375T", (UINT64_C(1) << 54) * 1024 - (UINT64_C(1) << 30)},
	};

	(void)state;
	ASSERT_GOOD(size_parse, good);
}

static void bad_sizes_are_refused(void **state)
{
	static const struct bad bad[] = {
	        {"2Q", "bad size '2Q': expected a number with K, M, G or T, like 2M"},
	        {"", "bad size '': expected"},
	        {"-1", "bad size '-1': expected"},
	        {"+1", "expected"},
	        {"K", "expected"},
	        {".", "expected"},
	        {".K", "expected"},
	        {"1.", "expected"},
	        {"1.K", "expected"},
	        {"1.2.3", "expected"},
	        {"1,5G", "expected"},
	        {"1e3", "bad size '1e3': expected"},
	        {"nan", "expected"},
	        {"inf", "expected"},
	        {"0x10", "expected"},
	        {" 3", "expected"},
	        {"3 ", "expected"},
	        {"3 K", "expected"},
	        {"3KK", "expected"},
	        {"3iB", "expected"},
	        {"3Ki", "expected"},
	        {"99999999999999999999Q", "expected"},
	        {"18446744073709551616", "too large, at most 16777215T"},
	        {"16777216T", "bad size '16777216T': too large"},
	        {"99999999999999999999999T", "too large"},
	        {"0.1K", "bad size '0.1K': not a whole number of bytes"},
	        {"1.5", "not a whole number of bytes"},
	        {"0.00000000000000000000000001T", "not a whole number of bytes"},
	        {"0.33333333333333333333333333T", "not a whole number of bytes"},
	};

	(void)state;
	ASSERT_BAD(size_parse, bad);
}

static void times_are_read(void **state)
{
	static const struct good good[] = {
	        {"0", 0},
	        {"5", UINT64_C(5000000000)},
	        {"5s", UINT64_C(5000000000)},
	        {"0.5", 500000000},
	        {".5", 500000000},
	        {"0.5us", 500},
	        {"10ms", 10000000},
	        {"100us", 100000},
	        {"7ns", 7},
	        {"2m", UINT64_C(120000000000)},
	        {"0.1m", UINT64_C(6000000000)},
	        {"1.000000001s", 1000000001},
	        {"18446744073709551615ns", UINT64_MAX},
	        {"18446744073.709551615", UINT64_MAX},
	        {"307445734m", UINT64_C(307445734) * 60000000000},
	};

	(void)state;
	ASSERT_GOOD(time_parse, good);
}

static void bad_times_are_refused(void **state)
{
	static const struct bad bad[] = {
	        {"5x", "bad time '5x': expected a number with us, ms, s or m, like 10ms"},
	        {"", "expected"},
	        {"-5", "bad time '-5': expected"},
	        {"s", "expected"},
	        {"5S", "expected"},
	        {"5M", "expected"},
	        {"5 s", "expected"},
	        {"5s ", "expected"},
	        {"1e3s", "expected"},
	        {"0,5", "expected"},
	        {"nan", "expected"},
	        {"inf", "expected"},
	        {"1:30", "expected"},
	        {"0.5ns", "not a whole number of nanoseconds"},
	        {"0.0000000001", "not a whole number of nanoseconds"},
	        {"18446744073.70955162", "too large, at most 307445734m"},
	        {"307445735m", "too large"},
	        {"99999999999999999999", "too large"},
	};

	(void)state;
	ASSERT_BAD(time_parse, bad);
}

static int parse_up_to_4096(const char *text, uint64_t *value, struct complaint *c)
{
	return count_parse(text, 1, 4096, value, c);
}

static int parse_all_counts(const char *text, uint64_t *value, struct complaint *c)
{
	return count_parse(text, 0, UINT64_MAX, value, c);
}

static int parse_any_count(const char *text, uint64_t *value, struct complaint *c)
{
	return count_parse(text, 3, UINT64_MAX, value, c);
}

static void counts_are_read(void **state)
{
	static const struct good good[] = {{"1", 1}, {"4096", 4096}, {"007", 7}};
	static const struct good wide[] = {{"0", 0}, {"18446744073709551615", UINT64_MAX}};

	(void)state;
	ASSERT_GOOD(parse_up_to_4096, good);
	ASSERT_GOOD(parse_all_counts, wide);
}

static void bad_counts_are_refused(void **state)
{
	static const struct bad bad[] = {
	        {"1e3", "bad count '1e3': expected a whole number from 1 to 4096"},
	        {"0", "bad count '0'"},
	        {"4097", "bad count '4097'"},
	        {"", "bad count ''"},
	        {"-1", "bad count '-1'"},
	        {"+1", "bad count '+1'"},
	        {"0x10", "bad count '0x10'"},
	        {" 3", "bad count ' 3'"},
	        {"3 ", "bad count '3 '"},
	        {"1.0", "bad count '1.0'"},
	        {"1K", "bad count '1K'"},
	        {"18446744073709551617", "from 1 to 4096"}, /* 2^64 + 1 */
	        {"99999999999999999999999999", "from 1 to 4096"},
	};
	static const struct bad unbounded[] = {
	        {"2", "bad count '2': expected a whole number of at least 3"},
	        {"18446744073709551616", "at least 3"},
	};

	(void)state;
	ASSERT_BAD(parse_up_to_4096, bad);
	ASSERT_BAD(parse_any_count, unbounded);
}

static void long_tokens_leave_room_for_the_advice(void **state)
{
	char text[4000];
	struct complaint c;
	uint64_t value;
	double fraction;

	(void)state;
	memset(text, '9', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(count_parse(text, 1, 2, &value, &c), -1);
	assert_non_null(strstr(c.text, "from 1 to 2"));
	assert_int_equal(size_parse(text, &value, &c), -1);
	assert_non_null(strstr(c.text, "too large, at most"));
	memset(text, '%', sizeof(text) - 1);
	assert_int_equal(percent_parse(text, &fraction, &c), -1);
	assert_non_null(strstr(c.text, "like 1%"));
}

static void percentages_are_read(void **state)
{
	static const struct {
		const char *text;
		double fraction;
	} good[] = {
	        {"0%", 0},      {"1%", 0.01},     {"0.5%", 0.005}, {".5%", 0.005},
	        {"3.0%", 0.03}, {"33.3%", 0.333}, {"100%", 1},     {"0.1%", 0.001},
	};
	struct complaint c;
	double fraction;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_int_equal(percent_parse(good[i].text, &fraction, &c), 0);
		if (fraction != good[i].fraction)
			fail_msg("'%s' gave %.17g", good[i].text, fraction);
	}
}

static void bad_percentages_are_refused(void **state)
{
	static const struct bad bad[] = {
	        {"1", "bad percentage '1': the sign is missing, write 1%"},
	        {"0.5", "write 0.5%"},
	        {"", "bad percentage '': expected a number with %, like 1%"},
	        {"%", "expected a number"},
	        {"-1%", "expected a number"},
	        {"1 %", "expected a number"},
	        {"1%%", "expected a number"},
	        {"1e1%", "expected a number"},
	        {"nan%", "expected a number"},
	        {"1,5%", "expected a number"},
	        {"100.1%", "bad percentage '100.1%': expected 0% to 100%"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct complaint c = {0};
		double fraction = -7;

		assert_int_equal(percent_parse(bad[i].text, &fraction, &c), -1);
		assert_int_equal(c.status, EXIT_USAGE);
		assert_true(fraction == -7);
		if (!strstr(c.text, bad[i].says))
			fail_msg("'%s': '%s' lacks '%s'", bad[i].text, c.text, bad[i].says);
	}
}

static void sizes_and_times_are_written(void **state)
{
	char out[UNIT_TEXT];

	(void)state;
	assert_string_equal(size_format(0, out), "0");
	assert_string_equal(size_format(2097152, out), "2M");
	assert_string_equal(size_format(1 << 30, out), "1G");
	assert_string_equal(size_format(10000, out), "10000");
	assert_string_equal(size_format(1536, out), "1536");
	assert_string_equal(size_format(1536 << 10, out), "1536K");
	assert_string_equal(size_format(UINT64_C(1) << 63, out), "8388608T");
	assert_string_equal(size_format(UINT64_MAX, out), "18446744073709551615");
	assert_ptr_equal(size_format(1, out), out);
	assert_string_equal(time_format(0, out), "0");
	assert_string_equal(time_format(5000000000, out), "5s");
	assert_string_equal(time_format(100000000, out), "100ms");
	assert_string_equal(time_format(1500000, out), "1500us");
	assert_string_equal(time_format(120000000000, out), "2m");
	assert_string_equal(time_format(90000000000, out), "90s");
	assert_string_equal(time_format(1000000001, out), "1000000001ns");
}

static void what_is_written_can_be_read_back(void **state)
{
	unsigned short seed[3] = {1, 2, 3};
	struct complaint c;
	char out[UNIT_TEXT];
	uint64_t back;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t value = (uint64_t)nrand48(seed) << 33 ^ (uint64_t)nrand48(seed);

		value >>= nrand48(seed) % 64;
		value &= UINT64_MAX << nrand48(seed) % 64;
		assert_int_equal(size_parse(size_format(value, out), &back, &c), 0);
		assert_int_equal(back, value);
		assert_int_equal(time_parse(time_format(value, out), &back, &c), 0);
		assert_int_equal(back, value);
	}
}

static void counts_are_written(void **state)
{
	static const struct {
		double count;
		const char *text;
	} rows[] = {
	        {0, "0"},
	        {999, "999"},
	        {1000, "1,000"},
	        {45256919, "45,256,919"},
	        {999.5, "1,000"},
	        {0.49, "0"},
	        {-0.3, "0"},
	        {-123, "-123"},
	        {-1234.5, "-1,235"},
	        {9007199254740992, "9,007,199,254,740,992"},
	        {999999999999999872., "999,999,999,999,999,872"},
	        {-999999999999999872., "-999,999,999,999,999,872"},
	        {1e18, "1e+18"},
	        {-1.79e308, "-1.79e+308"},
	        {INFINITY, "-"},
	        {NAN, "-"},
	};
	char out[UNIT_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(count_format(rows[i].count, out), rows[i].text);
}

static void durations_are_written(void **state)
{
	static const struct {
		double ns;
		const char *text;
	} rows[] = {
	        {0, "0 ns"},           {0.0813, "0.0813 ns"}, {0.25, "0.250 ns"},
	        {1, "1.00 ns"},        {12.34, "12.3 ns"},    {99.96, "100 ns"},
	        {812, "812 ns"},       {999.4, "999 ns"},     {999.6, "1.00 us"},
	        {10004, "10.0 us"},    {5.63e6, "5.63 ms"},   {5.636e6, "5.64 ms"},
	        {999999999, "1.00 s"}, {1.2e9, "1.20 s"},     {60e9, "60.0 s"},
	        {3600e9, "3600 s"},    {-5.63e6, "-5.63 ms"}, {NAN, "-"},
	        {INFINITY, "-"},
	};
	char out[UNIT_TEXT];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(duration_format(rows[i].ns, out), rows[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(sizes_are_read),
	        cmocka_unit_test(bad_sizes_are_refused),
	        cmocka_unit_test(times_are_read),
	        cmocka_unit_test(bad_times_are_refused),
	        cmocka_unit_test(counts_are_read),
	        cmocka_unit_test(bad_counts_are_refused),
	        cmocka_unit_test(long_tokens_leave_room_for_the_advice),
	        cmocka_unit_test(percentages_are_read),
	        cmocka_unit_test(bad_percentages_are_refused),
	        cmocka_unit_test(sizes_and_times_are_written),
	        cmocka_unit_test(what_is_written_can_be_read_back),
	        cmocka_unit_test(counts_are_written),
	        cmocka_unit_test(durations_are_written),
	};

	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
