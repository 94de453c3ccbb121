// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct workload parsed(const char *text)
{
	struct workload workload;
	struct complaint c = {0};

	if (workload_parse(text, &workload, &c))
		fail_msg("'%s' was refused: %s", text, c.text);
	return workload;
}

static void assert_refused(const char *text, const char *says)
{
	struct workload workload;
	struct complaint c = {0};

	if (!workload_parse(text, &workload, &c))
		fail_msg("'%s' was accepted", text);
	assert_int_equal(c.status, EXIT_USAGE);
	if (!strstr(c.text, says))
		fail_msg("'%s': '%s' lacks '%s'", text, c.text, says);
}

static void the_message_of_the_manual(void **state)
{
	(void)state;
	assert_refused("map: fault", "on the second lap 'fault' finds memory already present\n"
	                             "put unmap or dontneed or dontneed-locked before it, or take "
	                             "'fault' out");
}

static void setup_and_loop(void **state)
{
	struct workload workload = parsed("map: fault dontneed");

	(void)state;
	assert_int_equal(workload.setup_steps, 1);
	assert_int_equal(workload.loop_steps, 2);
	assert_string_equal(workload.setup[0].step->name, "map");
	assert_string_equal(workload.loop[0].step->name, "fault");
	assert_string_equal(workload.loop[1].step->name, "dontneed");
	assert_int_equal(workload.facts, MAPPED | ACCESSIBLE);
	workload = parsed("map fault unmap");
	assert_int_equal(workload.setup_steps, 0);
	assert_int_equal(workload.loop_steps, 3);
	assert_int_equal(workload.facts, 0);
}

static void the_text_is_canonical(void **state)
{
	static const char *const same[] = {
	        "map: fault dontneed",       "map : fault dontneed", "map:fault dontneed",
	        "  map:  fault\tdontneed\n", "map :fault dontneed ",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++)
		assert_string_equal(parsed(same[i]).text, "map: fault dontneed");
	assert_string_equal(parsed(" map  fault  unmap ").text, "map fault unmap");
}

/*
 * Each step where its contract is broken, fact by fact; every need and every ban of the table is
 * met here (contracts_are_all_broken_once checks that).
 */
static const struct {
	const char *workload, *says;
} broken[] = {
        {"map: map", "on the first lap 'map' finds memory already mapped"},
        {"unmap", "on the first lap 'unmap' finds memory not mapped"},
        {"fault", "on the first lap 'fault' finds memory not mapped"},
        {"map protect: fault", "'fault' finds memory not accessible"},
        {"map: read fault dontneed", "'fault' finds memory already present"},
        {"map fault free: fault", "'fault' finds memory already present"},
        {"touch", "'touch' finds memory not mapped"},
        {"map fault protect: touch", "'touch' finds memory not accessible"},
        {"map: touch", "'touch' finds memory not present"},
        {"map: read touch dontneed", "'touch' finds memory not owned"},
        {"map fault free: touch", "'touch' finds memory already uncertain"},
        {"read", "'read' finds memory not mapped"},
        {"map protect: read", "'read' finds memory not accessible"},
        {"map fault: read", "'read' finds memory already present"},
        {"map fault free: read", "'read' finds memory already present"},
        {"cow", "'cow' finds memory not mapped"},
        {"map read protect: cow", "'cow' finds memory not accessible"},
        {"map: cow dontneed", "'cow' finds memory not present"},
        {"map: fault cow dontneed", "'cow' finds memory already owned"},
        {"map fault free: cow", "'cow' finds memory already owned"},
        {"populate", "'populate' finds memory not mapped"},
        {"map protect: populate", "'populate' finds memory not accessible"},
        {"map: populate", "on the second lap 'populate' finds memory already present"},
        {"map fault free: populate", "'populate' finds memory already present"},
        {"dontneed", "'dontneed' finds memory not mapped"},
        {"map: dontneed", "'dontneed' finds memory not present"},
        {"map: mlock dontneed", "'dontneed' finds memory already locked"},
        {"dontneed-locked", "'dontneed-locked' finds memory not mapped"},
        {"map: dontneed-locked", "'dontneed-locked' finds memory not present"},
        {"free", "'free' finds memory not mapped"},
        {"map: free", "'free' finds memory not present"},
        {"map: read free dontneed", "'free' finds memory not owned"},
        {"map: mlock free", "'free' finds memory already locked"},
        {"mlock", "'mlock' finds memory not mapped"},
        {"map protect: mlock", "'mlock' finds memory not accessible"},
        {"map: mlock", "on the second lap 'mlock' finds memory already locked"},
        {"map fault free: mlock", "'mlock' finds memory already uncertain"},
        {"munlock", "'munlock' finds memory not mapped"},
        {"map: munlock", "'munlock' finds memory not locked"},
        {"memcpy", "'memcpy' finds memory not mapped"},
        {"map protect: memcpy", "'memcpy' finds memory not accessible"},
        {"map fault free: memcpy", "'memcpy' finds memory already uncertain"},
        {"protect", "'protect' finds memory not mapped"},
        {"map: protect", "on the second lap 'protect' finds memory not accessible"},
        {"unprotect", "'unprotect' finds memory not mapped"},
        {"map mlock protect: unprotect", "'unprotect' finds memory already locked"},
        {"map: unprotect", "'unprotect' finds memory already accessible"},
        {"map: map-populate", "'map-populate' finds memory already mapped"},
        {"fault-reverse", "'fault-reverse' finds memory not mapped"},
        {"map protect: fault-reverse", "'fault-reverse' finds memory not accessible"},
        {"map: read fault-reverse", "'fault-reverse' finds memory already present"},
        {"fault-random", "'fault-random' finds memory not mapped"},
        {"map protect: fault-random", "'fault-random' finds memory not accessible"},
        {"map: read fault-random", "'fault-random' finds memory already present"},
        {"touch-read", "'touch-read' finds memory not mapped"},
        {"map fault protect: touch-read", "'touch-read' finds memory not accessible"},
        {"map: touch-read", "'touch-read' finds memory not present"},
        {"map fault free: touch-read", "'touch-read' finds memory already uncertain"},
        {"reuse", "'reuse' finds memory not mapped"},
        {"map fault free protect: reuse", "'reuse' finds memory not accessible"},
        {"map: fault reuse", "'reuse' finds memory not uncertain"},
        {"map: read pageout reuse", "'reuse' finds memory not owned"},
        {"read-reverse", "'read-reverse' finds memory not mapped"},
        {"map protect: read-reverse", "'read-reverse' finds memory not accessible"},
        {"map: fault read-reverse", "'read-reverse' finds memory already present"},
        {"read-random", "'read-random' finds memory not mapped"},
        {"map protect: read-random", "'read-random' finds memory not accessible"},
        {"map: fault read-random", "'read-random' finds memory already present"},
        {"populate-read", "'populate-read' finds memory not mapped"},
        {"map protect: populate-read", "'populate-read' finds memory not accessible"},
        {"map: fault populate-read", "'populate-read' finds memory already present"},
        {"cold", "'cold' finds memory not mapped"},
        {"map: cold", "'cold' finds memory not present"},
        {"map mlock: cold", "'cold' finds memory already locked"},
        {"pageout", "'pageout' finds memory not mapped"},
        {"map: pageout", "'pageout' finds memory not present"},
        {"map mlock: pageout", "'pageout' finds memory already locked"},
        {"collapse", "'collapse' finds memory not mapped"},
        {"map fault protect: collapse", "'collapse' finds memory not accessible"},
        {"map: collapse", "'collapse' finds memory not present"},
        {"advise-random", "'advise-random' finds memory not mapped"},
        {"advise-sequential", "'advise-sequential' finds memory not mapped"},
        {"mremap", "'mremap' finds memory not mapped"},
        {"map: mremap", "'mremap' finds memory not present"},
        {"map mlock: mremap", "'mremap' finds memory already locked"},
        {"mlock-onfault", "'mlock-onfault' finds memory not mapped"},
        {"map protect: mlock-onfault", "'mlock-onfault' finds memory not accessible"},
        {"map: mlock mlock-onfault", "'mlock-onfault' finds memory already locked"},
        {"map fault free: mlock-onfault", "'mlock-onfault' finds memory already uncertain"},
        {"memcpy-random", "'memcpy-random' finds memory not mapped"},
        {"map protect: memcpy-random", "'memcpy-random' finds memory not accessible"},
        {"map fault free: memcpy-random", "'memcpy-random' finds memory already uncertain"},
        {"memcpy-out", "'memcpy-out' finds memory not mapped"},
        {"map protect: memcpy-out", "'memcpy-out' finds memory not accessible"},
        {"map fault free: memcpy-out", "'memcpy-out' finds memory already uncertain"},
        {"memcpy-out-reverse", "'memcpy-out-reverse' finds memory not mapped"},
        {"map protect: memcpy-out-reverse", "'memcpy-out-reverse' finds memory not accessible"},
        {"map fault free: memcpy-out-reverse",
         "'memcpy-out-reverse' finds memory already uncertain"},
        {"memcpy-out-random", "'memcpy-out-random' finds memory not mapped"},
        {"map protect: memcpy-out-random", "'memcpy-out-random' finds memory not accessible"},
        {"map fault free: memcpy-out-random", "'memcpy-out-random' finds memory already uncertain"},
        {"memcpy-half", "'memcpy-half' finds memory not mapped"},
        {"map fault protect: memcpy-half", "'memcpy-half' finds memory not accessible"},
        {"map: memcpy-half", "'memcpy-half' finds memory not present"},
        {"map fault free: memcpy-half", "'memcpy-half' finds memory already uncertain"},
        {"fork", "'fork' finds memory not mapped"},
        {"map: fork", "'fork' finds memory not present"},
        {"map fault fork cow: fork", "'fork' finds memory already forked"},
        {"map mlock: fork", "'fork' finds memory already locked"},
        {"map fault free: fork", "'fork' finds memory already uncertain"},
        {"map: reap", "'reap' finds memory not forked"},
};

static void broken_contracts_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++)
		assert_refused(broken[i].workload, broken[i].says);
}

/*
 * Which needs and bans of the table the list above breaks.  A ban of UNCERTAIN is seen behind one
 * of PRESENT or OWNED, which uncertain memory also is.
 */
static void contracts_are_all_broken_once(void **state)
{
	(void)state;
	for (const struct step *step = step_rows; step->name; step++) {
		unsigned facts = step->needs | step->forbids;

		if (step->traits & ground_private_anonymous.unfit)
			continue;
		if (step->forbids & (PRESENT | OWNED))
			facts &= ~(unsigned)UNCERTAIN;
		for (int fact = 0; fact_names[fact]; fact++) {
			char says[128];
			bool seen = false;

			if (!(facts & 1u << fact))
				continue;
			snprintf(says, sizeof(says), "'%s' finds memory %s %s", step->name,
			         step->forbids & 1u << fact ? "already" : "not", fact_names[fact]);
			for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++)
				seen |= strstr(broken[i].says, says) != NULL;
			/* Owned memory is present: the first complaint is about that. */
			if (!seen && !(step->needs & OWNED && 1u << fact == OWNED))
				fail_msg("nothing breaks: %s", says);
		}
	}
}

static void a_lap_must_end_as_it_began(void **state)
{
	(void)state;
	assert_refused("map: fault memcpy",
	               "on the second lap 'fault' finds memory already present");
	assert_refused("map: memcpy", "a lap must leave memory as it found it: after the first it "
	                              "is newly present");
	assert_refused("map fault: memcpy dontneed", "after the first it is no longer present");
	assert_refused("map fault mlock: munlock", "on the second lap 'munlock' finds memory not "
	                                           "locked");
}

static void refusals_say_what_would_mend_them(void **state)
{
	(void)state;
	assert_refused("map: mlock dontneed", "put unmap or munlock before it");
	assert_refused("map: munlock", "put mlock or mlock-onfault before it");
	assert_refused("fault", "put map or map-populate before it");
	assert_refused("map protect: fault", "put map or map-populate or unprotect before it");
}

static void bad_words_are_refused(void **state)
{
	(void)state;
	assert_refused("map: falt dontneed", "'falt' is neither a step nor a preset");
	assert_refused("map: Fault dontneed", "'Fault' is neither");
	assert_refused("map: faul dontneed", "'faul' is neither");
	assert_refused("map: faults dontneed", "'faults' is neither");
	assert_refused("map, fault", "'map,' is neither");
	assert_refused("multi-fault touch", "'multi-fault' is neither");
	assert_refused("map: fault fault dontneed", "'fault' appears twice");
	assert_refused("map map: fault dontneed", "'map' appears twice");
	assert_refused("map: fault: dontneed", "misplaced ':'");
	assert_refused("map:: fault dontneed", "misplaced ':'");
	assert_refused(": fault", "misplaced ':'");
	assert_refused(":", "misplaced ':'");
	assert_refused("map:", "the loop is empty");
	assert_refused("map: ", "the loop is empty");
	assert_refused("", "the loop is empty");
	assert_refused(" \t\n", "the loop is empty");
}

static void a_long_word_is_not_cut_into_a_step(void **state)
{
	char text[4096];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_refused(text, "is neither a step nor a preset");
	memcpy(text, "map", 3);
	memset(text + 3, ' ', 100);
	assert_refused(text, "is neither a step nor a preset");
}

static void a_step_may_be_in_setup_and_loop(void **state)
{
	struct workload workload = parsed("map fault dontneed: fault dontneed");

	(void)state;
	assert_int_equal(workload.setup_steps, 3);
	assert_int_equal(workload.loop_steps, 2);
}

/* "0 1 1": derived faults a page of the loop's steps, on each lap alike. */
static void assert_faults(const char *text, const char *faults)
{
	struct workload workload = parsed(text);
	char got[64] = "";

	for (unsigned i = 0; i < workload.loop_steps; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%u", i ? " " : "",
		         workload.loop[i].faults_per_page);
	if (strcmp(got, faults) != 0)
		fail_msg("'%s': derived '%s', expected '%s'", text, got, faults);
}

static void faults_are_derived(void **state)
{
	(void)state;
	assert_faults("map: fault dontneed", "1 0");
	assert_faults("map fault unmap", "0 1 0");
	assert_faults("map: fault touch dontneed", "1 0 0");
	assert_faults("map: read dontneed", "1 0");
	assert_faults("map: read cow dontneed", "1 1 0");
	assert_faults("map: read memcpy dontneed", "1 1 0");
	assert_faults("map: populate touch dontneed", "1 0 0");
	assert_faults("map: mlock touch munlock dontneed", "1 0 0 0");
	assert_faults("map: fault mlock munlock dontneed", "1 0 0 0");
	assert_faults("map: read mlock munlock dontneed", "1 1 0 0");
	assert_faults("map mlock: dontneed-locked fault", "0 1");
	assert_faults("map: memcpy dontneed", "1 0");
	assert_faults("map: fault memcpy dontneed", "1 0 0");
	assert_faults("map fault: touch", "0");
	assert_faults("map fault: memcpy", "0");
	assert_faults("map fault: protect unprotect touch", "0 0 0");
	assert_faults("map: fault free dontneed", "1 0 0");
	assert_faults("nop", "0");
	assert_faults("map: nop", "0");
}

static void faults_of_work(void **state)
{
	struct workload workload = parsed("map: fault memcpy dontneed");

	(void)state;
	assert_int_equal(stage_faults(&workload.loop[0], 7, 4096), 7);
	assert_int_equal(stage_faults(&workload.loop[1], 28672, 4096), 0);
	workload = parsed("map: memcpy dontneed");
	assert_int_equal(stage_faults(&workload.loop[0], 28672, 4096), 7);
	assert_int_equal(stage_faults(&workload.loop[0], UINT64_C(3) << 40, 65536), 3 << 24);
}

static void work_in_pages(void **state)
{
	(void)state;
	assert_true(step_pages(step_find("fault"), 5, 4096) == 5);
	assert_true(step_pages(step_find("memcpy"), 8192, 4096) == 2);
	assert_true(step_pages(step_find("map"), 5, 4096) == 0);
}

static void assert_headline(const char *text, const char *step)
{
	struct workload workload = parsed(text);

	assert_int_not_equal(workload.headline, -1);
	assert_string_equal(workload.loop[workload.headline].step->name, step);
}

static void the_headline_is_the_first_step_in_pages(void **state)
{
	(void)state;
	assert_headline("map: fault dontneed", "fault");
	assert_headline("map fault unmap", "fault");
	assert_headline("map: memcpy dontneed", "dontneed");
	assert_headline("map fault: memcpy", "memcpy");
	assert_headline("map: populate dontneed", "populate");
	assert_int_equal(parsed("nop").headline, -1);
	assert_int_equal(parsed("map: nop").headline, -1);
}

static void traits_of_setup_and_loop(void **state)
{
	struct workload workload = parsed("map mlock: touch");

	(void)state;
	assert_true(workload_has_trait(&workload, CHANGES_VMAS, true));
	assert_false(workload_has_trait(&workload, CHANGES_VMAS, false));
	workload = parsed("map: fault dontneed");
	assert_false(workload_has_trait(&workload, CHANGES_VMAS, true));
	assert_false(workload_has_trait(&workload, CHANGES_VMAS, false));
	workload = parsed("map fault unmap");
	assert_true(workload_has_trait(&workload, CHANGES_VMAS, false));
}

/* Names are one word, exact, and no step is called like another. */
static void the_table_is_sound(void **state)
{
	(void)state;
	for (const struct step *step = step_rows; step->name; step++) {
		assert_ptr_equal(step_find(step->name), step);
		assert_int_equal(strcspn(step->name, " \t\n:'"), strlen(step->name));
		assert_non_null(step->verb);
		assert_non_null(step->summary);
		assert_int_equal(step->needs & step->forbids, 0);
		assert_int_equal(step->gains & step->loses, 0);
		assert_true(strlen(step->summary) <= 80);
	}
	assert_null(step_find(""));
	assert_null(step_find("faul"));
	assert_null(step_find("fault "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_message_of_the_manual),
	        cmocka_unit_test(setup_and_loop),
	        cmocka_unit_test(the_text_is_canonical),
	        cmocka_unit_test(broken_contracts_are_refused),
	        cmocka_unit_test(contracts_are_all_broken_once),
	        cmocka_unit_test(a_lap_must_end_as_it_began),
	        cmocka_unit_test(refusals_say_what_would_mend_them),
	        cmocka_unit_test(bad_words_are_refused),
	        cmocka_unit_test(a_long_word_is_not_cut_into_a_step),
	        cmocka_unit_test(a_step_may_be_in_setup_and_loop),
	        cmocka_unit_test(faults_are_derived),
	        cmocka_unit_test(faults_of_work),
	        cmocka_unit_test(work_in_pages),
	        cmocka_unit_test(the_headline_is_the_first_step_in_pages),
	        cmocka_unit_test(traits_of_setup_and_loop),
	        cmocka_unit_test(the_table_is_sound),
	};

	return cmocka_run_group_tests_name("workload", tests, NULL, NULL);
}
