// SPDX-License-Identifier: GPL-3.0-or-later
#include "events.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static uint64_t scaled(uint64_t value, uint64_t enabled, uint64_t running)
{
	const struct event_count from = {7, 11, 13};
	const struct event_count to = {7 + value, 11 + enabled, 13 + running};

	return event_value(&from, &to);
}

static void values_are_scaled_without_overflow(void **state)
{
	(void)state;
	assert_int_equal(scaled(45256919, 1000, 1000), 45256919);
	assert_int_equal(scaled(100, 300, 100), 300);
	assert_int_equal(scaled(1, 3, 2), 2); /* 1.5, to the nearest */
	assert_true(scaled(UINT64_C(1) << 50, UINT64_C(1) << 45, UINT64_C(1) << 44) ==
	            UINT64_C(1) << 51);
	assert_int_equal(scaled(0, 1000, 500), 0);
	assert_int_equal(scaled(100, 100, 101), 100); /* read a moment apart */
	assert_true(scaled(UINT64_MAX / 2, 8, 1) == UINT64_MAX);
}

static void what_never_ran_is_unknown(void **state)
{
	(void)state;
	assert_true(scaled(0, 1000, 0) == UINT64_MAX);
	assert_true(scaled(0, 0, 0) == UINT64_MAX);
	assert_true(scaled(123, 1000, 0) == UINT64_MAX);
}

static void names_and_aliases_are_known(void **state)
{
	struct event_list list;
	struct complaint c;

	(void)state;
	assert_int_equal(events_parse("", &list, &c), 0);
	assert_int_equal(list.count, 0);
	for (const struct event_name *name = event_names; name->name; name++) {
		assert_int_equal(events_parse(name->name, &list, &c), 0);
		assert_int_equal(list.count, 1);
		assert_string_equal(list.event[0].name, name->name);
		assert_true(list.event[0].config == name->config);
		if (!*name->alias)
			continue;
		assert_int_equal(events_parse(name->alias, &list, &c), 0);
		assert_string_equal(list.event[0].name, name->name);
	}
	assert_int_equal(events_parse("cycles,cs,page-faults", &list, &c), 0);
	assert_int_equal(list.count, 3);
	assert_string_equal(list.event[1].name, "context-switches");
}

static void other_lists_are_refused(void **state)
{
	static const char *const wrong[] = {
	        ",",
	        "cycles,",
	        ",cycles",
	        "cycles,,cs",
	        "cycles, cs",
	        "page-fault",
	        "PAGE-FAULTS ",
	        "cycles,cpu-cycles",
	        "faults,page-faults",
	        "cs,migrations,task-clock,faults,cycles,instructions,branches,bus-cycles,x",
	        "0123456789012345678901234567890123456789012345678901234567890123456789",
	        "%s%n",
	};
	struct event_list list;
	struct complaint c;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(events_parse(wrong[i], &list, &c), -1);
		assert_int_equal(c.status, EXIT_USAGE);
	}
}

/* A sanitizer's own pages fault too. */
#ifdef __SANITIZE_ADDRESS__
#define assert_faults(count, due) assert_in_range(count, due, 2 * (due))
#else
#define assert_faults(count, due) assert_int_equal(count, due)
#endif

/* Writes to pages that were never touched, which faults once for each. */
static void pages_touch(size_t pages)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	                    -1, 0);

	assert_true(memory != MAP_FAILED);
	madvise(memory, pages * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		((volatile char *)memory)[i * page] = 1;
	munmap(memory, pages * page);
}

static void this_thread_is_counted(void **state)
{
	struct event_list list;
	struct event_tally tally = {0};
	struct event_set set;
	struct complaint c;

	(void)state;
	assert_int_equal(events_parse("page-faults,major-faults,task-clock", &list, &c), 0);
	events_open(&list, &set, &tally);
	if (tally.error[0])
		skip(); /* forbidden here */
	events_read(&set, tally.open);
	events_read(&set, tally.open);
	pages_touch(100);
	events_read(&set, tally.close);
	assert_faults(event_value(&tally.open[0], &tally.close[0]), 100);
	assert_int_equal(event_value(&tally.open[1], &tally.close[1]), 0);
	assert_true(event_value(&tally.open[2], &tally.close[2]) > 0);
	events_close(&set);
}

/* An event of a type that no kernel has stands between two that are there. */
static void one_that_cannot_be_counted_leaves_the_others(void **state)
{
	struct event_list list;
	struct event_tally tally = {0};
	struct event_set set;
	struct complaint c;

	(void)state;
	assert_int_equal(events_parse("page-faults,cycles,task-clock", &list, &c), 0);
	list.event[1].type = 0xffff;
	events_open(&list, &set, &tally);
	if (tally.error[0])
		skip();
	assert_int_not_equal(tally.error[1], 0);
	assert_int_equal(tally.scope[1], SCOPE_NONE);
	events_read(&set, tally.open);
	pages_touch(10);
	events_read(&set, tally.close);
	assert_faults(event_value(&tally.open[0], &tally.close[0]), 10);
	assert_true(event_value(&tally.open[1], &tally.close[1]) == UINT64_MAX);
	assert_true(event_value(&tally.open[2], &tally.close[2]) != UINT64_MAX);
	events_close(&set);
}

static void causes_are_told(void **state)
{
	const struct event event = {.name = "x"}, user = {.name = "x:u", .exclude_kernel = true};
	char text[256];

	(void)state;
	event_explain(&event, 0, SCOPE_ALL, text, sizeof(text));
	assert_string_equal(text, "");
	event_explain(&user, 0, SCOPE_USER, text, sizeof(text));
	assert_string_equal(text, "");
	event_explain(&event, 0, SCOPE_USER, text, sizeof(text));
	assert_non_null(strstr(text, "in user mode only"));
	event_explain(&event, EACCES, SCOPE_NONE, text, sizeof(text));
	assert_non_null(strstr(text, "Permission denied"));
	assert_non_null(strstr(text, "perf_event_paranoid"));
	event_explain(&event, EMFILE, SCOPE_NONE, text, sizeof(text));
	assert_non_null(strstr(text, "RLIMIT_NOFILE"));
	event_explain(&event, EXDEV, SCOPE_NONE, text, sizeof(text));
	assert_non_null(strstr(text, strerror(EXDEV)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(values_are_scaled_without_overflow),
	        cmocka_unit_test(what_never_ran_is_unknown),
	        cmocka_unit_test(names_and_aliases_are_known),
	        cmocka_unit_test(other_lists_are_refused),
	        cmocka_unit_test(this_thread_is_counted),
	        cmocka_unit_test(one_that_cannot_be_counted_leaves_the_others),
	        cmocka_unit_test(causes_are_told),
	};

	return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
