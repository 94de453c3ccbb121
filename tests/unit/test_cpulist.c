// SPDX-License-Identifier: GPL-3.0-or-later
#include "cpulist.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { HIGHEST = 127 };

/* Parses `text` and compares the set, written as a list, with `expected`. */
static void assert_list(const char *text, const char *expected)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	struct complaint c = {0};
	char out[512];

	if (cpulist_parse(text, HIGHEST, set, &c))
		fail_msg("'%s' was refused: %s", text, c.text);
	assert_int_equal(cpulist_format(set, out, sizeof(out)), 0);
	assert_string_equal(out, expected);
	hwloc_bitmap_free(set);
}

static void assert_refused(const char *text, unsigned highest, const char *says)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	struct complaint c = {0};

	if (!cpulist_parse(text, highest, set, &c))
		fail_msg("'%s' was accepted", text);
	assert_int_equal(c.status, EXIT_USAGE);
	if (!strstr(c.text, says))
		fail_msg("'%s': '%s' lacks '%s'", text, c.text, says);
	hwloc_bitmap_free(set);
}

static void single_ids_and_ranges(void **state)
{
	(void)state;
	assert_list("0", "0");
	assert_list("3", "3");
	assert_list("0,2", "0,2");
	assert_list("0-1,3", "0-1,3");
	assert_list("0-2,4-23", "0-2,4-23");
	assert_list("3,0-1", "0-1,3");
	assert_list("5-5", "5");
	assert_list("007", "7");
	assert_list("127", "127");
	assert_list("0-127", "0-127");
}

static void strides(void **state)
{
	(void)state;
	assert_list("0-10:2", "0,2,4,6,8,10");
	assert_list("1-10:3", "1,4,7,10");
	assert_list("0-10:1", "0-10");
	assert_list("0-10:11", "0");
	assert_list("5-6:18446744073709551615", "5");
	assert_list("0-3:2,1-3:2", "0-3");
}

/* The examples of the kernel's own documentation and of lib/test_bitmap.c (test_bitmap_parselist).
 */
static void groups(void **state)
{
	(void)state;
	assert_list("0-10:1/2", "0,2,4,6,8,10");
	assert_list("1-31:4/4", "1-31");
	assert_list("0-31:1/4", "0,4,8,12,16,20,24,28");
	assert_list("9-38:4/10", "9-12,19-22,29-32");
	assert_list("0-9:3/4", "0-2,4-6,8-9");
	assert_list("1,2,10-20,30-100:2/25", "1-2,10-20,30-31,55-56,80-81");
}

static void bad_groups_are_refused(void **state)
{
	(void)state;
	assert_refused("0-10:0", HIGHEST, "bad CPU list item '0-10:0': after ':' expected");
	assert_refused("0-10:0/2", HIGHEST, "'0-10:0/2'");
	assert_refused("0-10:3/2", HIGHEST, "USED from 1 to GROUP");
	assert_refused("0-10:1/0", HIGHEST, "after ':' expected");
	assert_refused("0-10:", HIGHEST, "expected A, A-B");
	assert_refused("0-10:1/", HIGHEST, "expected A, A-B");
	assert_refused("0-10:/2", HIGHEST, "expected A, A-B");
	assert_refused("0-10:1/2/3", HIGHEST, "expected A, A-B");
	assert_refused("0-10:1:2", HIGHEST, "expected A, A-B");
	assert_refused("3:2", HIGHEST, "expected A, A-B");
	assert_refused("3/2", HIGHEST, "expected A, A-B");
}

static void empty_lists_and_items_are_refused(void **state)
{
	(void)state;
	assert_refused("", HIGHEST, "the CPU list is empty");
	assert_refused("0,,1", HIGHEST, "bad CPU list '0,,1': nothing before or after a comma");
	assert_refused(",", HIGHEST, "bad CPU list ','");
	assert_refused(",0", HIGHEST, "bad CPU list ',0'");
	assert_refused("0,", HIGHEST, "bad CPU list '0,'");
}

static void junk_is_refused(void **state)
{
	static const char *const junk[] = {"abc",  " 0 - 1", "0 ",  " 0",  "0, 1", "0-",  "-1",
	                                   "0--1", "0-1-2",  "+1",  "0x1", "1.5",  "0;1", "1-3,N",
	                                   "all",  "0\n",    "0\t", "1e1", "^1"};

	(void)state;
	for (size_t i = 0; i < sizeof(junk) / sizeof(*junk); i++)
		assert_refused(junk[i], HIGHEST, "expected A, A-B, A-B:STRIDE or A-B:USED/GROUP");
	assert_refused(" 0 - 1", HIGHEST, "bad CPU list item ' 0 - 1'");
	assert_refused("0,2x,3", HIGHEST, "bad CPU list item '2x':");
}

static void descending_ranges_are_refused(void **state)
{
	(void)state;
	assert_refused("3-1", HIGHEST, "bad CPU list item '3-1': the range descends, write 1-3");
	assert_refused("0,4-2:2", HIGHEST, "'4-2:2'");
}

static void duplicates_are_refused(void **state)
{
	(void)state;
	assert_refused("0,0", HIGHEST, "bad CPU list item '0': CPU 0 is already in the list");
	assert_refused("0-3,2", HIGHEST, "CPU 2 is already");
	assert_refused("2,0-3", HIGHEST, "'0-3': CPU 2 is already");
	assert_refused("0-10:2,3,4", HIGHEST, "CPU 4 is already");
}

static void ids_above_the_highest_are_refused(void **state)
{
	(void)state;
	assert_refused("128", HIGHEST, "CPU 128 is not possible here, the highest is 127");
	assert_refused("0-9", 1, "bad CPU list item '0-9': CPU 9 is not possible here");
	assert_refused("0,5", 1, "CPU 5 is not possible here, the highest is 1");
	assert_refused("1", 0, "CPU 1 is not possible here, the highest is 0");
	assert_refused("1-4294967294", HIGHEST, "CPU 4294967294 is not possible");
	assert_refused("4294967296", HIGHEST, "CPU 4294967296 is not possible");
	assert_refused("18446744073709551616", HIGHEST, "bad CPU list item '18446744073709551616'");
	assert_refused("0-99999999999999999999", HIGHEST, "not possible");
}

static void what_the_set_held_before_does_not_matter(void **state)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc_full();
	struct complaint c;
	char out[32];

	(void)state;
	assert_int_equal(cpulist_parse("0,3", HIGHEST, set, &c), 0);
	assert_int_equal(cpulist_format(set, out, sizeof(out)), 0);
	assert_string_equal(out, "0,3");
	hwloc_bitmap_free(set);
}

static void long_items_leave_room_for_the_advice(void **state)
{
	char text[4000];

	(void)state;
	memset(text, '7', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_refused(text, HIGHEST, "the highest is 127");
	text[sizeof(text) - 2] = 'x';
	assert_refused(text, HIGHEST, "like 0,2-3");
}

static void lists_are_written(void **state)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	char out[6] = "x";

	(void)state;
	assert_int_equal(cpulist_format(set, out, sizeof(out)), 0);
	assert_string_equal(out, "");
	hwloc_bitmap_set(set, 0);
	hwloc_bitmap_set_range(set, 2, 3);
	assert_int_equal(cpulist_format(set, out, sizeof(out)), 0);
	assert_string_equal(out, "0,2-3");
	assert_int_equal(cpulist_format(set, out, 5), -1);
	assert_string_equal(out, "0,2-");
	hwloc_bitmap_free(set);
}

static void what_is_written_can_be_read_back(void **state)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc(), back = hwloc_bitmap_alloc();
	unsigned short seed[3] = {4, 5, 6};
	struct complaint c;
	char out[512];

	(void)state;
	for (int i = 0; i < 500; i++) {
		hwloc_bitmap_only(set, (unsigned)nrand48(seed) % (HIGHEST + 1));
		for (long n = nrand48(seed) % HIGHEST; n; n--)
			hwloc_bitmap_set(set, (unsigned)nrand48(seed) % (HIGHEST + 1));
		assert_int_equal(cpulist_format(set, out, sizeof(out)), 0);
		assert_int_equal(cpulist_parse(out, HIGHEST, back, &c), 0);
		assert_true(hwloc_bitmap_isequal(set, back));
	}
	hwloc_bitmap_free(set);
	hwloc_bitmap_free(back);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(single_ids_and_ranges),
	        cmocka_unit_test(strides),
	        cmocka_unit_test(groups),
	        cmocka_unit_test(bad_groups_are_refused),
	        cmocka_unit_test(empty_lists_and_items_are_refused),
	        cmocka_unit_test(junk_is_refused),
	        cmocka_unit_test(descending_ranges_are_refused),
	        cmocka_unit_test(duplicates_are_refused),
	        cmocka_unit_test(ids_above_the_highest_are_refused),
	        cmocka_unit_test(what_the_set_held_before_does_not_matter),
	        cmocka_unit_test(long_items_leave_room_for_the_advice),
	        cmocka_unit_test(lists_are_written),
	        cmocka_unit_test(what_is_written_can_be_read_back),
	};

	return cmocka_run_group_tests_name("cpulist", tests, NULL, NULL);
}
