// SPDX-License-Identifier: GPL-3.0-or-later
/* The verdict on where pages were found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "outcome.h"

#include <string.h>

/* A point of one worker on node 0 whose policy asks for nodes 0 to `nodes` - 1. */
static struct point point_of(struct mempolicy *policy, enum mem_kind kind, unsigned nodes)
{
	*policy = (struct mempolicy){.kind = kind, .nodes.word = {(1UL << nodes) - 1}};
	return (struct point){
	        .options.mem = "it",
	        .workers = 1,
	        .exact = true,
	        .policies = policy,
	};
}

/* Pages found on nodes 0, 1, ...; ends with 0.  Of these `asked` are on the nodes asked for. */
static struct placement found(uint32_t asked, const uint16_t pages[])
{
	struct placement placement = {.asked = asked};

	for (uint16_t node = 0; pages[node]; node++) {
		placement.on[node].node = node;
		placement.on[node].pages = pages[node];
		placement.sampled += pages[node];
		placement.nodes++;
	}
	return placement;
}

/* Why the point is misplaced, or "". */
static const char *why(const struct point *point, struct placement placement)
{
	static char text[256];

	return outcome_misplaced(point, 0, &placement, text, sizeof(text)) ? text : "";
}

#define PAGES(...) ((const uint16_t[]){__VA_ARGS__, 0})

static void bound_pages_lie_nowhere_else(void **state)
{
	struct mempolicy policy;
	struct point point = point_of(&policy, MEM_BIND, 1);

	(void)state;
	assert_string_equal(why(&point, found(512, PAGES(512))), "");
	assert_string_equal(why(&point, found(511, PAGES(511, 1))),
	                    "1 of 512 sampled pages are not where --mem=it asks for");
	policy.kind = MEM_REMOTE;
	assert_string_not_equal(why(&point, found(511, PAGES(511, 1))), "");
}

static void local_asks_for_nothing_strictly(void **state)
{
	struct mempolicy policy;
	struct point point = point_of(&policy, MEM_LOCAL, 1);

	(void)state;
	assert_string_equal(why(&point, found(1, PAGES(1, 511))), "");
}

static void nothing_found_is_nothing_wrong(void **state)
{
	struct mempolicy policy;
	struct point point = point_of(&policy, MEM_BIND, 1);

	(void)state;
	assert_string_equal(why(&point, (struct placement){0}), "");
}

static void interleaved_pages_are_spread(void **state)
{
	struct mempolicy policy;
	struct point point = point_of(&policy, MEM_INTERLEAVE, 4);

	(void)state;
	assert_string_equal(why(&point, found(512, PAGES(128, 128, 128, 128))), "");
	assert_string_equal(why(&point, found(512, PAGES(140, 140, 140, 92))), "");
	assert_string_equal(why(&point, found(512, PAGES(150, 150, 149, 63))),
	                    "of 512 sampled pages one of the 4 interleaved nodes has only 63");
	assert_string_equal(why(&point, found(512, PAGES(512))),
	                    "of 512 sampled pages one of the 4 interleaved nodes has only 0");
	assert_string_equal(why(&point, found(60, PAGES(60))), ""); /* too few to tell */
	point.exact = false; /* a huge page goes to a node whole */
	assert_string_equal(why(&point, found(512, PAGES(512))), "");
	assert_string_not_equal(why(&point, found(500, PAGES(100, 100, 100, 200, 12))), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(bound_pages_lie_nowhere_else),
	        cmocka_unit_test(local_asks_for_nothing_strictly),
	        cmocka_unit_test(nothing_found_is_nothing_wrong),
	        cmocka_unit_test(interleaved_pages_are_spread),
	};

	return cmocka_run_group_tests_name("placement", tests, NULL, NULL);
}
