// SPDX-License-Identifier: GPL-3.0-or-later
#include "point.h"

#include "affinity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct topology *topology;
static unsigned cpus; /* that this process may use */
static size_t page;

static int topology_setup(void **state)
{
	hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
	struct complaint c;
	int result = topology_load(&topology, &c) || affinity_allowed(allowed, &c);

	(void)state;
	cpus = (unsigned)hwloc_bitmap_weight(allowed);
	page = (size_t)sysconf(_SC_PAGESIZE);
	hwloc_bitmap_free(allowed);
	return result;
}

static int topology_teardown(void **state)
{
	(void)state;
	topology_free(topology);
	return 0;
}

/* Makes a point of words separated by single blanks. */
static int make(const char *text, struct point *point, struct complaint *c)
{
	static char words_text[1024];
	struct options options = {0};
	char *words[64];
	int count = 0;

	assert_true(strlen(text) < sizeof(words_text));
	strcpy(words_text, text);
	for (char *rest = words_text, *word; *text && (word = strsep(&rest, " "));)
		words[count++] = word;
	if (options_parse(COMMAND_RUN, count, words, &options, c))
		return -1;
	return point_make(&options, topology, point, c);
}

static struct point made(const char *text)
{
	struct complaint c = {0};
	struct point point;

	if (make(text, &point, &c))
		fail_msg("'%s' was refused: %s", text, c.text);
	return point;
}

static void assert_refused(const char *text, enum exit_status status, const char *says)
{
	struct complaint c = {0};
	struct point point;

	if (!make(text, &point, &c))
		fail_msg("'%s' was accepted", text);
	if (!strstr(c.text, says))
		fail_msg("'%s': '%s' lacks '%s'", text, c.text, says);
	assert_int_equal(c.status, status);
	assert_null(point.seats);
}

static void without_a_count_all_cpus_work(void **state)
{
	struct point point = made("nop");

	(void)state;
	assert_int_equal(point.workers, cpus);
	assert_int_equal(point.options.workers, cpus);
	assert_false(point.oversubscribed);
	for (unsigned i = 0; i < cpus; i++)
		for (unsigned j = 0; j < i; j++)
			assert_int_not_equal(point.seats[i].cpu, point.seats[j].cpu);
	assert_int_equal(point.parent_cpu, -1);
	point_free(&point);
}

static void the_parent_takes_a_cpu_that_is_left(void **state)
{
	struct point point;

	(void)state;
	if (cpus < 2)
		skip();
	point = made("-n 1 nop");
	assert_true(point.parent_cpu >= 0);
	assert_int_not_equal(point.parent_cpu, point.seats[0].cpu);
	point_free(&point);
}

static void more_workers_than_cpus_are_refused(void **state)
{
	char text[64], says[64];

	(void)state;
	snprintf(text, sizeof(text), "-n %u nop", cpus + 1);
	snprintf(says, sizeof(says), "%u workers, %u allowed CPU", cpus + 1, cpus);
	assert_refused(text, EXIT_USAGE, says);
	assert_refused("--cpus=0 -n 2 nop", EXIT_USAGE, "2 workers, 1 allowed CPU (0)");
}

static void oversubscribed_workers_go_round(void **state)
{
	struct point point = made("--oversubscribe --cpus=0 -n 5 nop");

	(void)state;
	assert_true(point.oversubscribed);
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(point.seats[i].cpu, 0);
	assert_string_equal(point.cpus, "0");
	point_free(&point);
	point = made("--oversubscribe --cpus=0 -n 1 nop");
	assert_false(point.oversubscribed);
	point_free(&point);
}

static void unpinned_workers_have_no_cpu(void **state)
{
	struct point point = made("--no-pin -n 1 nop");

	(void)state;
	assert_int_equal(point.seats[0].cpu, -1);
	assert_int_equal(point.parent_cpu, -1);
	point_free(&point);
}

static void modes_are_one_number(void **state)
{
	static const struct {
		const char *words, *mode;
		unsigned per_process, processes;
	} modes[] = {
	        {"-n 5", "process", 1, 5},
	        {"-n 5 --mode=thread", "thread", 5, 1},
	        {"-n 5 --per-process=1", "process", 1, 5},
	        {"-n 5 --per-process=2", "hybrid", 2, 3},
	        {"-n 5 --per-process=4", "hybrid", 4, 2},
	        {"-n 5 --per-process=5", "thread", 5, 1},
	        {"-n 5 --per-process=9", "thread", 5, 1},
	        {"-n 1", "process", 1, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		unsigned members = 0;
		struct point point;
		char words[128];

		snprintf(words, sizeof(words), "--oversubscribe %s nop", modes[i].words);
		point = made(words);
		assert_string_equal(point_mode(&point), modes[i].mode);
		assert_int_equal(point.per_process, modes[i].per_process);
		assert_int_equal(point.processes, modes[i].processes);
		for (unsigned p = 0; p < point.processes; p++) {
			assert_int_equal(point_first(&point, p), members);
			members += point_members(&point, p);
		}
		assert_int_equal(members, point.workers);
		point_free(&point);
	}
}

static void sizes_are_whole_pages(void **state)
{
	struct point point = made("--bytes=10000 -n 1 nop");

	(void)state;
	assert_int_equal(point.pages, (10000 + page - 1) / page);
	assert_int_equal(point.options.bytes, point.pages * page);
	if (page == 4096)
		assert_string_equal(point.note, "10000 a worker rounded up to 12K");
	point_free(&point);
	point = made("--bytes=1 -n 1 nop");
	assert_int_equal(point.pages, 1);
	point_free(&point);
	point = made("--bytes=1M -n 1 nop");
	assert_string_equal(point.note, "");
	point_free(&point);
}

static void a_total_is_divided(void **state)
{
	struct point point = made("--total-bytes=8M --oversubscribe -n 4 nop");

	(void)state;
	assert_int_equal(point.options.bytes, 2 << 20);
	point_free(&point);
	point = made("--total-bytes=1 --oversubscribe -n 4 nop");
	assert_int_equal(point.pages, 1);
	point_free(&point);
}

static void pieces_divide_the_region(void **state)
{
	struct point point = made("--bytes=1M --piece=256K -n 1 map: fault dontneed");

	(void)state;
	assert_int_equal(point.passes, 4);
	assert_int_equal(point.pass_pages, (256 << 10) / page);
	point_free(&point);
	point = made("--bytes=1M --piece=1M -n 1 nop");
	assert_int_equal(point.passes, 1);
	point_free(&point);
	assert_refused("--bytes=1M --piece=768K -n 1 nop", EXIT_USAGE,
	               "--piece=768K does not divide the 1M");
	assert_refused("--bytes=1M --piece=2M -n 1 nop", EXIT_USAGE, "does not divide");
}

static void shared_vmas_forbid_steps_that_change_them(void **state)
{
	struct point point;

	(void)state;
	for (int i = 0; i < 2; i++) {
		const char *layout = i ? "interleaved" : "merged";
		char words[128];

		snprintf(words, sizeof(words), "-n 1 --layout=%s map fault unmap", layout);
		assert_refused(words, EXIT_USAGE, "'map fault unmap' changes VMAs");
		snprintf(words, sizeof(words), "-n 1 --layout=%s map mlock: touch", layout);
		assert_refused(words, EXIT_USAGE, "'map mlock: touch' changes VMAs");
		snprintf(words, sizeof(words), "-n 1 --layout=%s nop", layout);
		assert_refused(words, EXIT_USAGE, "'nop' maps nothing before it starts");
		snprintf(words, sizeof(words), "-n 1 --layout=%s map: fault dontneed", layout);
		point = made(words);
		point_free(&point);
	}
}

static void more_memory_than_there_is_is_refused(void **state)
{
	(void)state;
	assert_refused("-n 1 --bytes=1024T nop", EXIT_FAILED, "the workers' memory: 1024T needed");
	/* 2^64 and 2^66 bytes: the sum does not wrap. */
	assert_refused("-n 16384 --oversubscribe --bytes=1024T nop", EXIT_FAILED, "memory");
	assert_refused("-n 65536 --oversubscribe --mode=thread --bytes=1024T nop", EXIT_FAILED,
	               "memory");
}

static void bad_lists_of_cpus_are_refused(void **state)
{
	(void)state;
	assert_refused("--cpus=0-4294967294 nop", EXIT_USAGE, "--cpus: ");
	assert_refused("--cpus=0,,1 nop", EXIT_USAGE, "--cpus: bad CPU list '0,,1'");
	assert_refused("--cpus=0,0 nop", EXIT_USAGE, "--cpus: ");
	assert_refused("--cpus=x nop", EXIT_USAGE, "--cpus: bad CPU list item 'x'");
}

static void the_workload_is_checked(void **state)
{
	(void)state;
	assert_refused("map: fault", EXIT_USAGE, "on the second lap 'fault'");
	assert_refused("nonsense", EXIT_USAGE, "'nonsense' is neither a step nor a preset");
}

/* Faults are exact where base pages are certain. */
static void huge_pages_make_counts_uncertain(void **state)
{
	struct point point = made("-n 1 --thp=never nop");

	(void)state;
	assert_true(point.exact);
	point_free(&point);
	point = made("-n 1 --thp=always nop");
	assert_false(point.exact);
	point_free(&point);
}

static void assert_same_point(const char *one, const char *other, bool same)
{
	struct point points[2] = {made(one), made(other)};

	if ((strcmp(points[0].key, points[1].key) == 0) != same)
		fail_msg("'%s' and '%s' have %s key", one, other, same ? "another" : "the same");
	point_free(&points[0]);
	point_free(&points[1]);
}

/* Whatever way it was asked for. */
static void the_same_point_has_the_same_key(void **state)
{
	char all[32];

	(void)state;
	snprintf(all, sizeof(all), "-n %u nop", cpus);
	assert_same_point("nop", all, true);
	assert_same_point("-n 1 map:  fault  dontneed", "-n 1 map: fault dontneed", true);
	assert_same_point("-n 1 map :fault dontneed", "-n 1 map: fault dontneed", true);
	assert_same_point("-n 1 --bytes=10000 nop", "-n 1 --bytes=12K nop", true);
	assert_same_point("--oversubscribe -n 4 --total-bytes=8M nop",
	                  "--oversubscribe -n 4 --bytes=2M nop", true);
	assert_same_point("-n 1 --per-process=1 nop", "-n 1 nop", true);
	assert_same_point("--oversubscribe -n 3 --per-process=3 nop",
	                  "--oversubscribe -n 3 --mode=thread nop", true);
	assert_same_point("-n 1 --oversubscribe nop", "-n 1 nop", true);
	assert_same_point("-n 1 --bytes=1M --piece=1M nop", "-n 1 --bytes=1M nop", true);
	assert_same_point("-n 1 nop", "-n 1 --mode=thread map: nop", false);
	assert_same_point("-n 1 --bytes=1M nop", "-n 1 --bytes=2M nop", false);
	assert_same_point("-n 1 --bytes=1M --piece=4K nop", "-n 1 --bytes=1M nop", false);
	assert_same_point("--oversubscribe -n 4 --per-process=2 nop", "--oversubscribe -n 4 nop",
	                  false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(without_a_count_all_cpus_work),
	        cmocka_unit_test(the_parent_takes_a_cpu_that_is_left),
	        cmocka_unit_test(more_workers_than_cpus_are_refused),
	        cmocka_unit_test(oversubscribed_workers_go_round),
	        cmocka_unit_test(unpinned_workers_have_no_cpu),
	        cmocka_unit_test(modes_are_one_number),
	        cmocka_unit_test(sizes_are_whole_pages),
	        cmocka_unit_test(a_total_is_divided),
	        cmocka_unit_test(pieces_divide_the_region),
	        cmocka_unit_test(shared_vmas_forbid_steps_that_change_them),
	        cmocka_unit_test(more_memory_than_there_is_is_refused),
	        cmocka_unit_test(bad_lists_of_cpus_are_refused),
	        cmocka_unit_test(the_workload_is_checked),
	        cmocka_unit_test(huge_pages_make_counts_uncertain),
	        cmocka_unit_test(the_same_point_has_the_same_key),
	};

	return cmocka_run_group_tests_name("point", tests, topology_setup, topology_teardown);
}
