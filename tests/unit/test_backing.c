// SPDX-License-Identifier: GPL-3.0-or-later
/* Memory with a file or huge pages behind it, and the steps that act on it. */
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

#include "../../workers/verbs.h"

enum { PAGES = 96, BLOCK = 4096 };

static char block[1 << 20];
static struct sibling sibling;

/* A region on some kind of memory. */
struct place {
	struct point point;
	struct layout layout;
	struct region region;
};

static void place_make(struct place *place, enum backing_kind kind, enum share share)
{
	struct options *options = &place->point.options;
	struct complaint c;

	*place = (struct place){0};
	options->backing = (int)kind;
	options->share = (int)share;
	options->dir = "/tmp";
	options->block = BLOCK;
	if (backing_resolve(options, &place->point.backing, &c))
		fail_msg("%s", c.text);
	place->point.page = place->point.backing.page;
	assert_int_equal(layout_reserve(&place->layout, &place->point, 1, PAGES), 0);
	assert_int_equal(layout_supply(&place->layout, 0, -1), 0);
	place->region = layout_region(&place->layout, 0);
	place->region.block = block;
	place->region.sibling = &sibling;
}

static void place_free(struct place *place)
{
	layout_release(&place->layout);
	free(place->layout.sources);
}

/* Does a step; returns the faults it took. */
static uint64_t step_do(struct place *place, const char *name)
{
	const struct step *step = step_find(name);
	uint64_t before;
	int64_t done;

	assert_non_null(step);
	counters_minor_faults();
	before = counters_minor_faults();
	done = step->verb(&place->region, &step->how);
	if (done < 0)
		fail_msg("%s: %s", name, strerror(errno));
	if (step->unit == UNIT_PAGE)
		assert_int_equal(done, PAGES);
	return counters_minor_faults() - before;
}

static void steps_do(struct place *place, const char *names)
{
	char text[256];

	snprintf(text, sizeof(text), "%s", names);
	for (char *rest = text, *name; (name = strsep(&rest, " "));)
		step_do(place, name);
}

/* Pages of the region that mincore(2) finds in the page cache, or present if it is anonymous. */
static unsigned pages_resident(const struct place *place)
{
	unsigned char resident[PAGES];
	unsigned count = 0;

	assert_int_equal(mincore(place->region.base, PAGES * place->region.page, resident), 0);
	for (unsigned i = 0; i < PAGES; i++)
		count += resident[i] & 1;
	return count;
}

static void each_place_is_visited_once(void **state)
{
	static const size_t counts[] = {1, 2, 3, 7, 64, 65, 1000, 4097};

	(void)state;
	for (size_t c = 0; c < sizeof(counts) / sizeof(*counts); c++)
		for (uint64_t seed = 0; seed < 5; seed++) {
			unsigned char *seen = calloc(counts[c], 1);

			for (size_t i = 0; i < counts[c]; i++) {
				size_t place = visit_random(i, counts[c], seed);

				assert_true(place < counts[c]);
				assert_int_equal(seen[place]++, 0);
			}
			free(seen);
		}
}

/* Neither close to the order it came from, nor the same for two workers. */
static void the_random_order_is_random(void **state)
{
	enum { COUNT = 4096 };
	unsigned near = 0, same = 0;

	(void)state;
	for (size_t i = 1; i < COUNT; i++) {
		size_t here = visit_random(i, COUNT, 1), before = visit_random(i - 1, COUNT, 1);
		size_t gap = here > before ? here - before : before - here;

		near += gap <= 16;
		same += here == visit_random(i, COUNT, 2);
	}
	/* By chance 32 of 4095 steps are that short, and one place agrees. */
	assert_in_range(near, 5, 100);
	assert_in_range(same, 0, 20);
}

static void every_method_copies(void **state)
{
	static const size_t sizes[] = {0, 1, 15, 64, 65, 127, 4096, 4099};
	static char from[5000], to[5000];

	(void)state;
	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (char)(i * 7 + 1);
	for (int method = COPY_LIBC; method <= COPY_NONTEMPORAL; method++)
		for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
			for (size_t shift = 0; shift < 70; shift += 23) {
				if (!copy_supported((enum copy_method)method))
					continue;
				memset(to, 0, sizeof(to));
				copy_calls[method](to + shift, from + 3, sizes[s]);
				assert_memory_equal(to + shift, from + 3, sizes[s]);
				assert_int_equal(to[shift + sizes[s]], 0);
			}
}

static void orders_touch_each_page(void **state)
{
	struct place place;

	(void)state;
	place_make(&place, BACKING_ANON, SHARE_DEFAULT);
	steps_do(&place, "map");
	assert_int_equal(step_do(&place, "fault-random"), PAGES);
	assert_int_equal(pages_resident(&place), PAGES);
	steps_do(&place, "dontneed");
	assert_int_equal(step_do(&place, "fault-reverse"), PAGES);
	assert_int_equal(step_do(&place, "touch-read"), 0);
	steps_do(&place, "dontneed");
	assert_int_equal(step_do(&place, "read-random"), PAGES);
	steps_do(&place, "dontneed");
	assert_int_equal(step_do(&place, "read-reverse"), PAGES);
	place_free(&place);
}

static void copies_move_the_bytes(void **state)
{
	struct place place;
	char *base;

	(void)state;
	memset(block, 'x', BLOCK);
	place_make(&place, BACKING_ANON, SHARE_DEFAULT);
	base = place.region.base;
	steps_do(&place, "map");
	assert_int_equal(step_do(&place, "memcpy-random"), PAGES);
	for (size_t i = 0; i < PAGES * place.region.page; i += 512)
		assert_int_equal(base[i], 'x');
	base[0] = 'f'; /* the last record that the reverse order reads */
	steps_do(&place, "memcpy-out-reverse");
	assert_int_equal(block[0], 'f');
	memset(base, 'h', PAGES / 2 * place.region.page);
	steps_do(&place, "memcpy-half");
	assert_int_equal(base[PAGES * place.region.page - 1], 'h');
	assert_int_equal(base[PAGES / 2 * place.region.page], 'h');
	place_free(&place);
}

/* What a file's pages take to be mapped: one write fault each, fewer read faults. */
static void files_fault_by_kind(enum backing_kind kind)
{
	struct place place;
	uint64_t reads;

	place_make(&place, kind, SHARE_SHARED);
	steps_do(&place, "map");
	assert_int_equal(step_do(&place, "fault"), PAGES);
	steps_do(&place, "dontneed");
	reads = step_do(&place, "read");
	assert_in_range(reads, PAGES / 16, PAGES);
	steps_do(&place, "dontneed");
	assert_in_range(step_do(&place, "populate-read"), PAGES / 16, PAGES);
	assert_int_equal(pages_resident(&place), PAGES);
	steps_do(&place, "msync remove");
	assert_int_equal(pages_resident(&place), 0);
	steps_do(&place, "unmap");
	assert_int_equal(step_do(&place, "map-populate"), PAGES);
	place_free(&place);
}

static void shared_memory_faults(void **state)
{
	(void)state;
	files_fault_by_kind(BACKING_MEMFD);
	files_fault_by_kind(BACKING_SHMEM);
}

static void the_page_cache_fills_and_empties(void **state)
{
	static const enum backing_kind kinds[] = {BACKING_MEMFD, BACKING_FILE};
	struct place place;

	(void)state;
	for (int k = 0; k < 2; k++) {
		place_make(&place, kinds[k], SHARE_SHARED);
		steps_do(&place, "map pwrite");
		assert_int_equal(pages_resident(&place), PAGES);
		steps_do(&place, "punch");
		assert_int_equal(pages_resident(&place), 0);
		steps_do(&place, "pwrite readahead willneed advise-random advise-sequential");
		assert_int_equal(pages_resident(&place), PAGES);
		steps_do(&place, "truncate");
		assert_int_equal(pages_resident(&place), 0);
		assert_in_range(step_do(&place, "fault"), 1, PAGES);
		place_free(&place);
	}
}

/* Writes to a private mapping copy pages and leave the file as it is. */
static void private_files_are_copied(void **state)
{
	struct place place;

	(void)state;
	memset(block, 'p', BLOCK);
	place_make(&place, BACKING_FILE, SHARE_PRIVATE);
	steps_do(&place, "map pwrite");
	assert_int_equal(step_do(&place, "fault"), PAGES);
	assert_int_equal(place.region.base[0], 1);
	steps_do(&place, "dontneed read");
	assert_int_equal(place.region.base[0], 'p');
	assert_int_equal(step_do(&place, "cow"), PAGES);
	place_free(&place);
}

static void forks_make_copy_on_write(void **state)
{
	struct place place;

	(void)state;
	place_make(&place, BACKING_ANON, SHARE_DEFAULT);
	steps_do(&place, "map fault fork cow reap"); /* the first takes the test's own faults */
	for (int lap = 0; lap < 3; lap++) {
		assert_int_equal(step_do(&place, "fork"), 0);
		assert_int_equal(step_do(&place, "cow"), PAGES);
		assert_int_equal(step_do(&place, "touch"), 0);
		assert_int_equal(step_do(&place, "reap"), 0);
		assert_int_equal(sibling.pid, 0);
	}
	place_free(&place);
}

static void memory_stays_when_it_moves(void **state)
{
	struct place place;
	char *base;

	(void)state;
	place_make(&place, BACKING_ANON, SHARE_DEFAULT);
	base = place.region.base;
	steps_do(&place, "map fault");
	base[5 * place.region.page] = 'm';
	assert_int_equal(step_do(&place, "mremap"), 0);
	assert_int_equal(base[5 * place.region.page], 'm');
	assert_int_equal(step_do(&place, "touch"), 0);
	place_free(&place);
}

static void advice_keeps_its_contract(void **state)
{
	struct place place;

	(void)state;
	place_make(&place, BACKING_ANON, SHARE_DEFAULT);
	steps_do(&place, "map");
	assert_int_equal(step_do(&place, "mlock-onfault"), 0);
	assert_int_equal(step_do(&place, "fault"), PAGES);
	steps_do(&place, "munlock");
	assert_int_equal(step_do(&place, "cold"), 0);
	assert_int_equal(step_do(&place, "touch"), 0);
	steps_do(&place, "free");
	assert_in_range(step_do(&place, "reuse"), 0, PAGES);
	steps_do(&place, "pageout");
	assert_in_range(step_do(&place, "reuse"), 0, PAGES);
	place_free(&place);
}

/* Parses on the ground of some kind of memory; returns the reason why it was refused, or "". */
static const char *parse_on(enum backing_kind kind, enum share share, const char *text)
{
	static char out[512];
	struct workload workload;
	struct complaint c = {0};
	struct place place;

	place_make(&place, kind, share);
	out[0] = '\0';
	if (workload_parse_on(&place.point.backing.ground, text, &workload, &c))
		snprintf(out, sizeof(out), "%.*s", (int)strcspn(c.text, "\n"), c.text);
	place_free(&place);
	return out;
}

static void contracts_know_the_page_cache(void **state)
{
	(void)state;
	assert_string_equal(parse_on(BACKING_MEMFD, SHARE_SHARED, "map: fault dontneed"),
	                    "a lap must leave memory as it found it: after the first it is newly "
	                    "cached");
	assert_string_equal(parse_on(BACKING_MEMFD, SHARE_SHARED, "map: fault punch"), "");
	assert_string_equal(parse_on(BACKING_MEMFD, SHARE_SHARED, "map pwrite: read dontneed"), "");
	assert_string_equal(
	        parse_on(BACKING_MEMFD, SHARE_SHARED, "map fault unmap: map read unmap"), "");
	assert_string_equal(parse_on(BACKING_SHMEM, SHARE_SHARED, "map fault unmap"), "");
	assert_string_equal(parse_on(BACKING_SHMEM, SHARE_SHARED, "map: fault punch"),
	                    "'punch' cannot act on shared anonymous memory");
	assert_string_equal(parse_on(BACKING_ANON, SHARE_PRIVATE, "map: fault remove"),
	                    "'remove' cannot act on private anonymous memory");
	assert_string_equal(parse_on(BACKING_FILE, SHARE_PRIVATE, "map fault: fault punch"),
	                    "'punch' cannot act on a private mapping of a file");
	assert_string_equal(parse_on(BACKING_FILE, SHARE_SHARED, "map fault: fork cow reap"),
	                    "'fork' cannot act on a shared mapping of a file");
	assert_string_equal(parse_on(BACKING_ANON, SHARE_PRIVATE, "map fault: cow reap"),
	                    "on the first lap 'cow' finds memory already owned");
	assert_string_equal(parse_on(BACKING_ANON, SHARE_PRIVATE, "map: fault reuse dontneed"),
	                    "on the first lap 'reuse' finds memory not uncertain");
}

static struct band band_on(const char *filesystem, bool shared, const char *text)
{
	struct backing backing = {.kind = BACKING_FILE, .shared = shared, .page = 4096};
	struct ground ground = {.with_presence = CACHED};
	struct workload workload;
	struct complaint c;

	snprintf(backing.filesystem, sizeof(backing.filesystem), "%s", filesystem);
	if (workload_parse_on(&ground, text, &workload, &c))
		fail_msg("%s", c.text);
	return backing_band(&backing, &workload, false);
}

static void bands_follow_the_measured_table(void **state)
{
	struct band band;

	(void)state;
	band = band_on("tmpfs huge=never", true, "map: fault punch");
	assert_true(band.low == 1 && band.high == 1);
	band = band_on("tmpfs huge=never", true, "map: read punch");
	assert_true(band.low == 1 && band.high == 1);
	band = band_on("tmpfs huge=never", true, "map pwrite: read dontneed");
	assert_true(band.low <= 1 / 16.0 + 1e-9 && band.high == 1);
	band = band_on("tmpfs huge=always", true, "map: fault punch");
	assert_true(band.low == 1 / 512.0 && band.high == 1);
	band = band_on("ext4", false, "map pwrite: read cow dontneed");
	assert_true(band.low == 1 + 1 / 512.0 && band.high == 2);
	band = band_on("vfat", true, "map pwrite: read dontneed");
	assert_true(band.low != band.low);
}

/* Options that contradict each other, and the first line of what is said. */
static void contradictions_are_refused(void **state)
{
	static const struct {
		struct options options;
		const char *expected;
	} cases[] = {
	        {{.backing = BACKING_ANON, .share = SHARE_SHARED}, "this backing cannot be shared"},
	        {{.backing = BACKING_SHMEM, .share = SHARE_PRIVATE},
	         "this backing cannot be private"},
	        {{.backing = BACKING_ANON, .one_file = true}, "--one-file without a file"},
	        {{.backing = BACKING_ANON, .page_size = 4096}, "--page-size without huge pages"},
	        {{.backing = BACKING_MEMFD, .layout = LAYOUT_MERGED},
	         "workers cannot share a VMA with a file each"},
	        {{.backing = BACKING_HUGETLB, .page_size = 12345 << 10},
	         "--page-size=12345K: no size of a huge page"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct options options = cases[i].options;
		struct backing backing;
		struct complaint c = {0};

		assert_int_equal(backing_resolve(&options, &backing, &c), -1);
		c.text[strcspn(c.text, "\n")] = '\0';
		assert_string_equal(c.text, cases[i].expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(each_place_is_visited_once),
	        cmocka_unit_test(the_random_order_is_random),
	        cmocka_unit_test(every_method_copies),
	        cmocka_unit_test(orders_touch_each_page),
	        cmocka_unit_test(copies_move_the_bytes),
	        cmocka_unit_test(shared_memory_faults),
	        cmocka_unit_test(the_page_cache_fills_and_empties),
	        cmocka_unit_test(private_files_are_copied),
	        cmocka_unit_test(forks_make_copy_on_write),
	        cmocka_unit_test(memory_stays_when_it_moves),
	        cmocka_unit_test(advice_keeps_its_contract),
	        cmocka_unit_test(contracts_know_the_page_cache),
	        cmocka_unit_test(bands_follow_the_measured_table),
	        cmocka_unit_test(contradictions_are_refused),
	};

	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	/* The test's own first faults, if it may. */
	if (mlockall(MCL_CURRENT) == 0)
		munlockall();
	return cmocka_run_group_tests_name("backing", tests, NULL, NULL);
}
