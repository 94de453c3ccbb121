// SPDX-License-Identifier: GPL-3.0-or-later
/* What each verb does to memory, asked of the kernel, and how many faults it takes (ru_minflt). */
#include "layout.h"

#include "counters.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cmocka.h>

enum { MEMBERS = 3, PAGES = 7, BLOCK = 1000, LAPS = 3 };

static size_t page;
static char block[BLOCK];
static bool zero_page; /* this kernel maps a shared zero page for reads */

/* The layouts of a region: contiguous, and every third page of a mapping. */
static const enum layout_kind kinds[] = {LAYOUT_GUARDED, LAYOUT_INTERLEAVED};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

struct place {
	struct point point;
	struct layout layout;
	struct region region;
};

/* A place for a region in one of the layouts, reserved but not mapped. */
static void place_make(struct place *place, enum layout_kind kind)
{
	*place = (struct place){.point = {.page = page}};
	place->point.options.layout = (int)kind;
	place->point.options.block = BLOCK;
	assert_int_equal(layout_reserve(&place->layout, &place->point, MEMBERS, PAGES), 0);
	place->region = layout_region(&place->layout, 1);
	place->region.block = block;
}

static void place_free(struct place *place)
{
	layout_release(&place->layout);
}

static int64_t try_step(struct place *place, const char *name)
{
	const struct step *step = step_find(name);

	assert_non_null(step);
	return step->verb(&place->region, &step->how);
}

static void do_step(struct place *place, const char *name)
{
	if (try_step(place, name) < 0)
		fail_msg("'%s': %s", name, strerror(errno));
}

static char *page_at(const struct place *place, size_t i)
{
	return place->region.base + i * place->region.stride;
}

/* How many of the region's pages are in memory; -1 if not all are mapped. */
static int resident(const struct place *place)
{
	int count = 0;

	for (size_t i = 0; i < PAGES; i++) {
		unsigned char in;

		if (mincore(page_at(place, i), page, &in))
			return -1;
		count += in & 1;
	}
	return count;
}

static uint64_t locked_bytes(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];
	uint64_t kib = 0;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "VmLck: %lu kB", &kib) == 1)
			break;
	fclose(file);
	return kib * 1024;
}

static int kernel_setup(void **state)
{
	struct place place;
	uint64_t before;

	(void)state;
	page = (size_t)sysconf(_SC_PAGESIZE);
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	for (int i = 0; i < BLOCK; i++)
		block[i] = (char)(i % 251 + 1);
	place_make(&place, LAYOUT_GUARDED);
	do_step(&place, "map");
	do_step(&place, "read");
	before = counters_minor_faults();
	do_step(&place, "cow");
	zero_page = counters_minor_faults() - before == PAGES;
	place_free(&place);
	return 0;
}

static void map_makes_empty_memory_and_unmap_takes_it_away(void **state)
{
	(void)state;
	for (int k = 0; k < KINDS; k++) {
		struct place place;

		place_make(&place, kinds[k]);
		assert_int_equal(try_step(&place, "map"), 1);
		assert_int_equal(resident(&place), 0);
		for (size_t i = 0; i < PAGES; i++)
			assert_int_equal(*page_at(&place, i), 0);
		assert_int_equal(try_step(&place, "unmap"), PAGES);
		assert_int_equal(resident(&place), -1);
		place_free(&place);
	}
}

/* A neighbour's pages lie between an interleaved region's and must stay untouched. */
static void a_step_touches_its_own_pages_only(void **state)
{
	static const char *const steps[] = {"fault",    "memcpy",   "mlock", "munlock",
	                                    "dontneed", "populate", "free",  "unmap"};
	struct place place;
	struct region next;

	(void)state;
	place_make(&place, LAYOUT_INTERLEAVED);
	next = layout_whole(&place.layout);
	step_find("map")->verb(&next, &step_find("map")->how);
	next = layout_region(&place.layout, 2);
	for (size_t i = 0; i < PAGES; i++)
		next.base[i * next.stride] = 77;
	for (size_t s = 0; s < sizeof(steps) / sizeof(*steps); s++) {
		do_step(&place, steps[s]);
		for (size_t i = 0; i < PAGES; i++)
			for (size_t at = 0; at < page; at += page - 1)
				assert_int_equal(next.base[i * next.stride + at], at ? 0 : 77);
	}
	place_free(&place);
}

static void writing_steps_make_pages_resident(void **state)
{
	static const char *const steps[] = {"fault", "memcpy", "populate", "mlock"};

	(void)state;
	for (int k = 0; k < KINDS; k++)
		for (size_t s = 0; s < sizeof(steps) / sizeof(*steps); s++) {
			struct place place;

			place_make(&place, kinds[k]);
			do_step(&place, "map");
			do_step(&place, steps[s]);
			assert_int_equal(resident(&place), PAGES);
			place_free(&place);
		}
}

static void fault_and_touch_write_one_byte_a_page(void **state)
{
	(void)state;
	for (int k = 0; k < KINDS; k++) {
		struct place place;

		place_make(&place, kinds[k]);
		do_step(&place, "map");
		assert_int_equal(try_step(&place, "fault"), PAGES);
		for (size_t i = 0; i < PAGES; i++)
			for (size_t at = 0; at < page; at++)
				assert_int_equal(page_at(&place, i)[at], at == 0);
		memset(page_at(&place, 3), 9, page);
		assert_int_equal(try_step(&place, "touch"), PAGES);
		assert_int_equal(page_at(&place, 3)[0], 1);
		assert_int_equal(page_at(&place, 3)[1], 9);
		place_free(&place);
	}
}

static void read_changes_nothing(void **state)
{
	struct place place;

	(void)state;
	place_make(&place, LAYOUT_GUARDED);
	do_step(&place, "map");
	memset(place.region.base, 9, PAGES * page);
	assert_int_equal(try_step(&place, "read"), PAGES);
	for (size_t i = 0; i < PAGES * page; i++)
		assert_int_equal(place.region.base[i], 9);
	place_free(&place);
}

/* The block again and again; its last copy is cut where the span ends. */
static void memcpy_fills_the_region_with_the_block(void **state)
{
	static const size_t blocks[] = {1, 7, 1000, 1024, 4096, 8191, 1 << 20};
	static char source[1 << 20];

	(void)state;
	for (size_t i = 0; i < sizeof(source); i++)
		source[i] = (char)(i % 251);
	for (int k = 0; k < KINDS; k++)
		for (size_t b = 0; b < sizeof(blocks) / sizeof(*blocks); b++) {
			size_t span = kinds[k] == LAYOUT_GUARDED ? PAGES * page : page;
			struct place place;

			place_make(&place, kinds[k]);
			place.region.block = source;
			place.region.block_bytes = blocks[b];
			do_step(&place, "map");
			assert_int_equal(try_step(&place, "memcpy"), PAGES * page);
			for (size_t i = 0; i < PAGES; i++)
				for (size_t at = 0; at < page; at++)
					if (page_at(&place, i)[at] !=
					    source[(i * page % span + at) % blocks[b]])
						fail_msg("block %zu, page %zu, byte %zu", blocks[b],
						         i, at);
			place_free(&place);
		}
}

static void dontneed_drops_what_was_written(void **state)
{
	(void)state;
	for (int k = 0; k < KINDS; k++) {
		struct place place;

		place_make(&place, kinds[k]);
		do_step(&place, "map");
		do_step(&place, "fault");
		assert_int_equal(try_step(&place, "dontneed"), PAGES);
		assert_int_equal(resident(&place), 0);
		for (size_t i = 0; i < PAGES; i++)
			assert_int_equal(*page_at(&place, i), 0);
		place_free(&place);
	}
}

static void locks_are_counted_by_the_kernel(void **state)
{
	(void)state;
	for (int k = 0; k < KINDS; k++) {
		uint64_t before = locked_bytes();
		struct place place;

		place_make(&place, kinds[k]);
		do_step(&place, "map");
		assert_int_equal(try_step(&place, "mlock"), PAGES);
		assert_int_equal(locked_bytes() - before, PAGES * page);
		assert_int_equal(try_step(&place, "munlock"), PAGES);
		assert_int_equal(locked_bytes() - before, 0);
		assert_int_equal(resident(&place), PAGES);
		place_free(&place);
	}
}

/* Field case 24: the kernel refuses, and so does the verb; the other advice works. */
static void dontneed_on_locked_memory_is_an_error(void **state)
{
	struct place place;

	(void)state;
	place_make(&place, LAYOUT_GUARDED);
	do_step(&place, "map");
	do_step(&place, "mlock");
	memset(place.region.base, 9, page);
	assert_int_equal(try_step(&place, "dontneed"), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(*place.region.base, 9);
	if (try_step(&place, "dontneed-locked") == PAGES)
		assert_int_equal(*place.region.base, 0);
	else
		assert_int_equal(errno, EINVAL); /* before Linux 5.18 */
	place_free(&place);
}

static void protect_takes_access_away_and_unprotect_gives_it_back(void **state)
{
	(void)state;
	for (int k = 0; k < KINDS; k++) {
		struct place place;
		int pipes[2];
		char byte;

		assert_int_equal(pipe(pipes), 0);
		assert_int_equal(write(pipes[1], "xy", 2), 2);
		place_make(&place, kinds[k]);
		do_step(&place, "map");
		assert_int_equal(try_step(&place, "protect"), PAGES);
		assert_int_equal(read(pipes[0], page_at(&place, PAGES - 1), 1), -1);
		assert_int_equal(errno, EFAULT);
		assert_int_equal(try_step(&place, "unprotect"), PAGES);
		assert_int_equal(read(pipes[0], page_at(&place, PAGES - 1), 1), 1);
		byte = *page_at(&place, PAGES - 1);
		assert_true(byte == 'x' || byte == 'y');
		close(pipes[0]);
		close(pipes[1]);
		place_free(&place);
	}
}

static void a_refused_call_is_an_error(void **state)
{
	static const char *const steps[] = {"dontneed", "populate", "mlock",
	                                    "munlock",  "protect",  "unprotect"};
	struct place place;

	(void)state;
	place_make(&place, LAYOUT_GUARDED);
	do_step(&place, "unmap");
	for (size_t s = 0; s < sizeof(steps) / sizeof(*steps); s++) {
		assert_int_equal(try_step(&place, steps[s]), -1);
		assert_int_equal(errno, ENOMEM);
	}
	place_free(&place);
}

/*
 * Runs the workload's laps on a place and compares each step's faults with the contract; the first
 * lap takes the test's own first faults.  Says what differs in `wrong`; false when it cannot run on
 * this kernel.
 */
static bool workload_faults(const struct workload *workload, enum layout_kind kind, char wrong[256])
{
	struct place place;
	bool runs = true;

	place_make(&place, kind);
	for (unsigned s = 0; s < workload->setup_steps; s++)
		do_step(&place, workload->setup[s].step->name);
	for (int lap = 0; lap < LAPS && runs; lap++)
		for (unsigned s = 0; s < workload->loop_steps && runs; s++) {
			const struct stage *stage = &workload->loop[s];
			uint64_t before = counters_minor_faults(), due, doubt, got;
			int64_t work = stage->step->verb(&place.region, &stage->step->how);

			got = counters_minor_faults() - before;
			runs = work >= 0;
			due = runs ? stage_faults(stage, (uint64_t)work, page) : 0;
			if (!zero_page && stage->step->faultless && !got)
				runs = runs && due == 0;
			doubt = runs ? stage_doubt(stage, (uint64_t)work, page) : 0;
			if (runs && lap > 0 && (got < due || got > due + doubt))
				snprintf(wrong, 256, "'%.100s', lap %d, '%s': %lu faults, %lu due",
				         workload->text, lap, stage->step->name, got, due);
		}
	place_free(&place);
	return runs;
}

/* Setups that leave memory in different states. */
static const char *const setups[] = {
        "",
        "map:",
        "map fault:",
        "map read:",
        "map mlock:",
        "map fault mlock:",
        "map fault protect:",
        "map protect:",
};

/* Runs the workload in each layout if its contract allows it; returns how often it ran. */
static unsigned workload_try(const char *text)
{
	struct workload workload;
	char wrong[256] = "";
	struct complaint c;
	unsigned tried = 0;

	if (workload_parse(text, &workload, &c))
		return 0;
	for (int k = 0; k < KINDS; k++)
		tried += workload_faults(&workload, kinds[k], wrong);
	if (*wrong)
		fail_msg("%s", wrong);
	return tried;
}

/* True if a row before this one has the same contract. */
static bool step_repeats(const struct step *step)
{
	for (const struct step *other = step_rows; other < step; other++)
		if (other->needs == step->needs && other->forbids == step->forbids &&
		    other->gains == step->gains && other->loses == step->loses)
			return true;
	return false;
}

/*
 * The steps that act on private anonymous memory alone; an order changes no contract.  For long
 * loops only those that change what is true of the memory, one of each contract.
 */
static unsigned long steps_composed(const char *names[64], unsigned length)
{
	unsigned long count = 0;

	for (const struct step *step = step_rows; step->name; step++) {
		if (step->traits & (ground_private_anonymous.unfit | PROCESS_ONLY) ||
		    step->how.visit != VISIT_FORWARD)
			continue;
		if (length > 3 && (!(step->gains | step->loses) || step_repeats(step)))
			continue;
		names[count++] = step->name;
	}
	return count;
}

/* Behind a setup: every loop of so many steps, numbered by digits whose base is their number. */
static unsigned loops_try(const char *setup, unsigned length)
{
	const char *names[64];
	unsigned long steps = steps_composed(names, length), loops = 1;
	unsigned tried = 0;

	for (unsigned i = 0; i < length; i++)
		loops *= steps;
	for (unsigned long loop = 0; loop < loops; loop++) {
		char text[WORKLOAD_TEXT];
		size_t used = (size_t)snprintf(text, sizeof(text), "%s", setup);
		unsigned long rest = loop;

		for (unsigned i = 0; i < length; i++, rest /= steps)
			used += (size_t)snprintf(text + used, sizeof(text) - used, " %s",
			                         names[rest % steps]);
		tried += workload_try(text);
	}
	return tried;
}

static void every_composition_takes_the_derived_faults(void **state)
{
	unsigned tried = 0;

	(void)state;
	for (size_t s = 0; s < sizeof(setups) / sizeof(*setups); s++)
		for (unsigned length = 1; length <= 4; length++)
			tried += loops_try(setups[s], length);
	print_message("%u compositions\n", tried);
	assert_true(tried > 1500);
}

/* Longer loops, as people write them. */
static void long_loops_take_the_derived_faults(void **state)
{
	static const char *const texts[] = {
	        "map: mlock touch memcpy munlock dontneed",
	        "map: fault touch memcpy protect unprotect dontneed",
	        "map fault touch mlock munlock unmap",
	        "map: read cow touch dontneed",
	        "map: populate mlock touch dontneed-locked memcpy munlock dontneed",
	        "map fault free unmap",
	        "map protect unprotect fault memcpy dontneed unmap",
	};

	(void)state;
	for (int k = 0; k < KINDS; k++)
		for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
			struct workload workload;
			char wrong[256] = "";
			struct complaint c;

			assert_int_equal(workload_parse(texts[i], &workload, &c), 0);
			workload_faults(&workload, kinds[k], wrong);
			if (*wrong)
				fail_msg("%s", wrong);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(map_makes_empty_memory_and_unmap_takes_it_away),
	        cmocka_unit_test(a_step_touches_its_own_pages_only),
	        cmocka_unit_test(writing_steps_make_pages_resident),
	        cmocka_unit_test(fault_and_touch_write_one_byte_a_page),
	        cmocka_unit_test(read_changes_nothing),
	        cmocka_unit_test(memcpy_fills_the_region_with_the_block),
	        cmocka_unit_test(dontneed_drops_what_was_written),
	        cmocka_unit_test(locks_are_counted_by_the_kernel),
	        cmocka_unit_test(dontneed_on_locked_memory_is_an_error),
	        cmocka_unit_test(protect_takes_access_away_and_unprotect_gives_it_back),
	        cmocka_unit_test(a_refused_call_is_an_error),
	        cmocka_unit_test(every_composition_takes_the_derived_faults),
	        cmocka_unit_test(long_loops_take_the_derived_faults),
	};

	return cmocka_run_group_tests_name("steps", tests, kernel_setup, NULL);
}
