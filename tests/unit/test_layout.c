// SPDX-License-Identifier: GPL-3.0-or-later
#include "layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { MEMBERS = 3 };

/* Reserves a layout of that kind for three workers. */
static struct layout reserved(enum layout_kind kind, size_t pages)
{
	static struct point point;
	struct layout layout;

	point.options.layout = (int)kind;
	point.options.block = 1024;
	point.page = (size_t)sysconf(_SC_PAGESIZE);
	assert_int_equal(layout_reserve(&layout, &point, MEMBERS, pages), 0);
	return layout;
}

/* Runs a step on a region, as setup does. */
static void region_do(struct region region, const char *name)
{
	const struct step *step = step_find(name);

	assert_true(step->verb(&region, &step->how) >= 0);
}

static void members_map(const struct layout *layout)
{
	for (unsigned i = 0; i < MEMBERS; i++)
		region_do(layout_region(layout, i), "map");
}

/* The border before which a page table ends, as the kernel has it with 8-byte entries. */
static uintptr_t table_of(const struct layout *layout, const void *at)
{
	return (uintptr_t)at / (layout->point->page / 8 * layout->point->page);
}

static void guarded_regions_share_no_page_table(void **state)
{
	static const size_t sizes[] = {1, 2, 511, 512, 513, 1000};

	(void)state;
	for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
		struct layout layout = reserved(LAYOUT_GUARDED, sizes[s]);
		size_t page = layout.point->page;

		for (unsigned i = 0; i < MEMBERS; i++) {
			struct region region = layout_region(&layout, i);
			char *last = region.base + region.pages * page - 1;

			assert_int_equal((uintptr_t)region.base % (page / 8 * page), 0);
			assert_int_equal(region.pages, sizes[s]);
			assert_int_equal(region.stride, page);
			assert_true(region.base - page >= layout.reserved);
			assert_true(last + page < layout.reserved + layout.reserved_bytes);
			if (i + 1 < MEMBERS)
				assert_true(table_of(&layout, last) <
				            table_of(&layout, layout_region(&layout, i + 1).base));
		}
		layout_release(&layout);
	}
}

static void guarded_regions_are_vmas_of_their_own(void **state)
{
	struct layout layout = reserved(LAYOUT_GUARDED, 512);

	(void)state;
	assert_true(layout_holds(&layout, false));
	assert_false(layout_holds(&layout, true));
	members_map(&layout);
	assert_true(layout_holds(&layout, true));
	assert_false(layout_holds(&layout, false));
	layout_release(&layout);
}

static void a_hole_in_a_guarded_region_is_seen(void **state)
{
	struct layout layout = reserved(LAYOUT_GUARDED, 8);
	struct region region = layout_region(&layout, 1);

	(void)state;
	members_map(&layout);
	munmap(region.base + 4 * region.page, region.page);
	assert_false(layout_holds(&layout, true));
	layout_release(&layout);
}

static void a_guard_that_is_gone_is_seen(void **state)
{
	struct layout layout = reserved(LAYOUT_GUARDED, 8);
	struct region region = layout_region(&layout, 1);

	(void)state;
	members_map(&layout);
	region.base += 8 * region.page;
	region.pages = 1;
	region_do(region, "map");
	assert_false(layout_holds(&layout, true));
	layout_release(&layout);
}

static void memory_that_cannot_be_written_is_seen(void **state)
{
	struct layout layout = reserved(LAYOUT_GUARDED, 8);

	(void)state;
	members_map(&layout);
	region_do(layout_region(&layout, 2), "protect");
	assert_false(layout_holds(&layout, true));
	layout_release(&layout);
}

static void unmapped_regions_are_as_said(void **state)
{
	struct layout layout = reserved(LAYOUT_GUARDED, 8);

	(void)state;
	members_map(&layout);
	for (unsigned i = 0; i < MEMBERS; i++)
		region_do(layout_region(&layout, i), "unmap");
	assert_true(layout_holds(&layout, false));
	layout_release(&layout);
}

static void merged_regions_follow_one_another(void **state)
{
	struct layout layout = reserved(LAYOUT_MERGED, 7);
	size_t bytes = 7 * layout.point->page;

	(void)state;
	for (unsigned i = 0; i < MEMBERS; i++) {
		struct region region = layout_region(&layout, i);

		assert_ptr_equal(region.base, layout.base + i * bytes);
		assert_int_equal(region.stride, layout.point->page);
		assert_int_equal(region.pages, 7);
	}
	assert_int_equal(layout_whole(&layout).pages, 7 * MEMBERS);
	assert_false(layout_holds(&layout, true));
	region_do(layout_whole(&layout), "map");
	assert_true(layout_holds(&layout, true));
	region_do(layout_region(&layout, 1), "mlock");
	assert_false(layout_holds(&layout, true));
	layout_release(&layout);
}

static void interleaved_pages_are_dealt_round_robin(void **state)
{
	struct layout layout = reserved(LAYOUT_INTERLEAVED, 7);
	struct region whole = layout_whole(&layout);
	char owner[7 * MEMBERS] = {0};

	(void)state;
	region_do(whole, "map");
	assert_true(layout_holds(&layout, true));
	for (unsigned i = 0; i < MEMBERS; i++) {
		struct region region = layout_region(&layout, i);

		assert_int_equal(region.stride, MEMBERS * region.page);
		assert_int_equal(region.pages, 7);
		for (size_t page = 0; page < region.pages; page++)
			region.base[page * region.stride] = (char)(i + 1);
	}
	for (size_t page = 0; page < whole.pages; page++)
		owner[page] = whole.base[page * whole.page];
	for (size_t page = 0; page < whole.pages; page++)
		assert_int_equal(owner[page], page % MEMBERS + 1);
	layout_release(&layout);
}

static void a_neighbour_does_not_merge(void **state)
{
	struct layout one = reserved(LAYOUT_MERGED, 4), other;

	(void)state;
	region_do(layout_whole(&one), "map");
	other = reserved(LAYOUT_MERGED, 4);
	region_do(layout_whole(&other), "map");
	assert_true(layout_holds(&one, true));
	assert_true(layout_holds(&other, true));
	layout_release(&one);
	layout_release(&other);
}

static void release_leaves_nothing(void **state)
{
	static const enum layout_kind kinds[] = {LAYOUT_GUARDED, LAYOUT_MERGED, LAYOUT_INTERLEAVED};

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct layout layout = reserved(kinds[i], 8);
		unsigned char resident;

		layout_release(&layout);
		assert_int_equal(mincore(layout.reserved, layout.point->page, &resident), -1);
		assert_int_equal(mincore(layout.base, layout.point->page, &resident), -1);
	}
}

static void too_much_address_space_is_refused(void **state)
{
	static struct point point = {.options.layout = LAYOUT_GUARDED, .page = 4096};
	struct layout layout;

	(void)state;
	assert_int_equal(layout_reserve(&layout, &point, MEMBERS, (size_t)1 << 46), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(guarded_regions_share_no_page_table),
	        cmocka_unit_test(guarded_regions_are_vmas_of_their_own),
	        cmocka_unit_test(a_hole_in_a_guarded_region_is_seen),
	        cmocka_unit_test(a_guard_that_is_gone_is_seen),
	        cmocka_unit_test(memory_that_cannot_be_written_is_seen),
	        cmocka_unit_test(unmapped_regions_are_as_said),
	        cmocka_unit_test(merged_regions_follow_one_another),
	        cmocka_unit_test(interleaved_pages_are_dealt_round_robin),
	        cmocka_unit_test(a_neighbour_does_not_merge),
	        cmocka_unit_test(release_leaves_nothing),
	        cmocka_unit_test(too_much_address_space_is_refused),
	};

	return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
