// SPDX-License-Identifier: GPL-3.0-or-later
/* Counters of huge pages by size, and what smaps tells of a stretch of memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "csv.h"
#include "fixture.h"
#include "mthp.h"
#include "smaps.h"
#include "units.h"

static void counter_write(struct fixture *fixture, const char *size, const char *file,
                          const char *text)
{
	char name[128];

	snprintf(name, sizeof(name), "hugepages-%s/stats/%s", size, file);
	fixture_write(fixture, name, text);
}

static void assert_between(const struct mthp *before, const struct mthp *after, enum mthp_kind kind,
                           const char *text)
{
	char out[MTHP_TEXT];

	mthp_between(before, after, kind, out);
	assert_string_equal(out, text);
}

static void sizes_that_rose_are_told_in_order(void **state)
{
	struct fixture *fixture = *state;
	struct mthp before, after;

	fixture_write(fixture, "enabled", "always [madvise] never\n");
	counter_write(fixture, "2048kB", "anon_fault_alloc", "7\n");
	counter_write(fixture, "64kB", "anon_fault_alloc", "100\n");
	counter_write(fixture, "128kB", "anon_fault_alloc", "5\n");
	counter_write(fixture, "64kB", "anon_fault_fallback", "3\n");
	mthp_read(fixture->root, &before);
	assert_int_equal(before.sizes, 3);
	counter_write(fixture, "2048kB", "anon_fault_alloc", "10\n");
	counter_write(fixture, "64kB", "anon_fault_alloc", "116\n");
	mthp_read(fixture->root, &after);
	assert_between(&before, &after, MTHP_ANON_ALLOC, "64K:16 2M:3");
	assert_between(&before, &after, MTHP_ANON_FALLBACK, "none");
}

static void counters_that_are_not_there_are_unknown(void **state)
{
	struct fixture *fixture = *state;
	struct mthp before = {0}, after;

	mthp_read("/nonexistent", &after);
	assert_int_equal(after.sizes, 0);
	assert_between(&before, &after, MTHP_ANON_ALLOC, "");
	fixture_write(fixture, "hugepages-64kB/enabled", "[always] never\n"); /* before 6.10 */
	mthp_read(fixture->root, &after);
	assert_int_equal(after.sizes, 1);
	assert_true(after.size[0].count[MTHP_ANON_ALLOC] == UNKNOWN_COUNT);
	assert_between(&after, &after, MTHP_ANON_ALLOC, "");
	assert_between(&before, &after, MTHP_ANON_ALLOC, "");
}

static void a_counter_that_ran_backwards_is_unknown(void **state)
{
	struct mthp before = {.sizes = 2}, after = {.sizes = 2};

	(void)state;
	before.size[0].count[MTHP_SHMEM_ALLOC] = 5;
	assert_between(&before, &after, MTHP_SHMEM_ALLOC, "none");
	before.size[1].count[MTHP_SHMEM_ALLOC] = 5;
	assert_between(&before, &after, MTHP_SHMEM_ALLOC, "");
}

static void all_sizes_in_one_text(void **state)
{
	struct mthp before = {.sizes = MTHP_SIZES}, after = {.sizes = MTHP_SIZES};
	char size[UNIT_TEXT], out[MTHP_TEXT], all[2 * MTHP_TEXT];
	size_t used = 0;

	(void)state;
	for (unsigned i = 0; i < MTHP_SIZES; i++) {
		after.size[i].bytes = UINT64_C(8192) << i;
		after.size[i].count[MTHP_ANON_ALLOC] = UINT64_MAX - 1;
		used += (size_t)sprintf(all + used, "%s%s:18446744073709551614", i ? " " : "",
		                        size_format(after.size[i].bytes, size));
	}
	mthp_between(&before, &after, MTHP_ANON_ALLOC, out);
	assert_string_equal(out, all);
}

static const char maps[] =
        "7f0000000000-7f0000200000 rw-p 00000000 00:00 0 \n"
        "Size:               2048 kB\n"
        "Rss:                2048 kB\n"
        "Pss:                1024 kB\n"
        "AnonHugePages:      2048 kB\n"
        "THPeligible:           1\n"
        "VmFlags: rd wr mr mw me ac hg\n"
        "7f0000200000-7f0000400000 rw-s 00000000 00:01 7 /dev/zero (deleted)\n"
        "Rss:                1024 kB\n"
        "ShmemPmdMapped:      512 kB\n"
        "FilePmdMapped:       256 kB\n"
        "7f0000400000-7f0000800000 rw-p 00000000 00:0f 9 /anon_hugepage (deleted)\n"
        "Rss:                   0 kB\n"
        "Shared_Hugetlb:        0 kB\n"
        "Private_Hugetlb:    4096 kB\n";

static void assert_smaps(struct fixture *fixture, uintptr_t start, uintptr_t end, uint64_t resident,
                         uint64_t huge)
{
	struct smaps smaps;

	assert_int_equal(smaps_read(fixture_path(fixture, "smaps"), start, end, &smaps), 0);
	assert_true(smaps.resident == resident << 10);
	assert_true(smaps.huge == huge << 10);
}

static void mappings_that_overlap_are_added_up(void **state)
{
	struct fixture *fixture = *state;
	struct smaps smaps;

	fixture_write(fixture, "smaps", maps);
	assert_smaps(fixture, 0x7f0000000000, 0x7f0000200000, 2048, 2048);
	assert_smaps(fixture, 0x7f00001ff000, 0x7f0000201000, 3072, 2816);
	assert_smaps(fixture, 0x7f0000200000, 0x7f0000400000, 1024, 768);
	assert_smaps(fixture, 0x7f0000400000, 0x7f0000600000, 4096, 4096);
	assert_smaps(fixture, 0x7f0000800000, 0x7f0000900000, 0, 0);
	assert_int_equal(smaps_read("/nonexistent", 0, 1, &smaps), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(sizes_that_rose_are_told_in_order, fixture_setup,
	                                        fixture_teardown),
	        cmocka_unit_test_setup_teardown(counters_that_are_not_there_are_unknown,
	                                        fixture_setup, fixture_teardown),
	        cmocka_unit_test(a_counter_that_ran_backwards_is_unknown),
	        cmocka_unit_test(all_sizes_in_one_text),
	        cmocka_unit_test_setup_teardown(mappings_that_overlap_are_added_up, fixture_setup,
	                                        fixture_teardown),
	};

	return cmocka_run_group_tests_name("mthp", tests, NULL, NULL);
}
