// SPDX-License-Identifier: GPL-3.0-or-later
/* The verdict on where pages were found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "outcome.h"

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

/* The verdict on two workers whose memory is interleaved over 4 nodes. */
static const char *why_uneven(bool exact, struct placement first, struct placement second)
{
	static char text[256];
	struct mempolicy policies[2];
	struct point point = point_of(policies, MEM_INTERLEAVE, 4);
	struct crew crew = {.point = &point};
	bool uneven;

	policies[1] = policies[0];
	point.workers = 2;
	point.exact = exact;
	assert_int_equal(arena_make(&crew.arena, 2, 1), 0);
	arena_slot(&crew.arena, 0)->placement = first;
	arena_slot(&crew.arena, 1)->placement = second;
	uneven = outcome_uneven(&crew, text, sizeof(text));
	arena_free(&crew.arena);
	return uneven ? text : "";
}

static void interleaved_pages_are_spread(void **state)
{
	const struct placement even = found(512, PAGES(128, 128, 128, 128));
	const struct placement one = found(512, PAGES(512)), nothing = {0};
	struct placement others = found(512, PAGES(170, 170, 172));

	(void)state;
	for (unsigned i = 0; i < others.nodes; i++)
		others.on[i].node++; /* on 1, 2 and 3 */
	assert_string_equal(why_uneven(true, even, even), "");
	assert_string_equal(why_uneven(true, found(512, PAGES(160, 160, 127, 65)), nothing), "");
	assert_string_equal(why_uneven(true, found(512, PAGES(160, 160, 129, 63)), nothing),
	                    "--mem=interleave: of 512 sampled pages one of 4 nodes has only 63");
	assert_string_not_equal(why_uneven(true, one, one), "");
	assert_string_equal(why_uneven(false, one, one), "");                     /* huge pages */
	assert_string_equal(why_uneven(true, found(60, PAGES(60)), nothing), ""); /* too few */
	assert_string_equal(why_uneven(true, nothing, nothing), "");
	/* One worker is on one node alone, the other on the others: together they are even. */
	assert_string_equal(why_uneven(true, found(170, PAGES(170)), others), "");
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
