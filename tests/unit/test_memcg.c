// SPDX-License-Identifier: GPL-3.0-or-later
/* Memory cgroups for the workers, below a made-up current group of version 2 and 1. */
#include "fixture.h"

#include "memcg.h"

#include <stdbool.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static bool exists(struct fixture *fixture, const char *format, ...)
{
	char name[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(name, sizeof(name), format, arguments);
	va_end(arguments);
	return access(fixture_path(fixture, name), F_OK) == 0;
}

static struct cgroup current_make(struct fixture *fixture, int version)
{
	struct cgroup current = {.version = version, .mount = strlen(fixture->root)};

	fixture_write(fixture, "here/cgroup.subtree_control", "cpu memory\n");
	snprintf(current.path, sizeof(current.path), "%s/here", fixture->root);
	return current;
}

/* Version 1 has no controllers to hand down: any directory will do. */
static void groups_are_made_and_removed(void **state)
{
	struct fixture *fixture = *state;
	struct cgroup current = current_make(fixture, 1);
	struct options options = {.memcg = MEMCG_EACH, .memcg_depth = 3};
	struct memcg memcg;
	struct complaint c;

	assert_int_equal(memcg_make_in(&memcg, &current, &options, 2, &c), 0);
	assert_true(exists(fixture, "here/faultscale.%d.0/0/0/0", getpid()));
	assert_true(exists(fixture, "here/faultscale.%d.0/1/0/0", getpid()));
	assert_false(exists(fixture, "here/faultscale.%d.0/2", getpid()));
	assert_false(exists(fixture, "here/faultscale.%d.0/0/0/0/0", getpid()));
	memcg_remove(&memcg);
	assert_false(exists(fixture, "here/faultscale.%d.0", getpid()));
}

static void two_crews_have_groups_of_their_own(void **state)
{
	struct fixture *fixture = *state;
	struct cgroup current = current_make(fixture, 1);
	struct options options = {.memcg = MEMCG_ONE, .memcg_depth = 1};
	struct memcg first, second;
	struct complaint c;

	assert_int_equal(memcg_make_in(&first, &current, &options, 2, &c), 0);
	assert_int_equal(memcg_make_in(&second, &current, &options, 2, &c), 0);
	assert_string_not_equal(first.base.path, second.base.path);
	memcg_remove(&first);
	assert_true(exists(fixture, "here/faultscale.%d.1/0", getpid()));
	memcg_remove(&second);
}

static void groups_of_dead_runs_are_removed(void **state)
{
	struct fixture *fixture = *state;
	struct cgroup current = current_make(fixture, 1);
	struct options options = {.memcg = MEMCG_ONE, .memcg_depth = 1};
	struct memcg memcg;
	struct complaint c;

	/* PID_MAX_LIMIT is 4194304: there is no such process. */
	fixture_write(fixture, "here/faultscale.4999999.0/0/x", "");
	unlink(fixture_path(fixture, "here/faultscale.4999999.0/0/x"));
	fixture_write(fixture, "here/faultscale.1.0/x", "");
	fixture_write(fixture, "here/other.4999999/x", "");
	assert_int_equal(memcg_make_in(&memcg, &current, &options, 1, &c), 0);
	assert_false(exists(fixture, "here/faultscale.4999999.0"));
	assert_true(exists(fixture, "here/faultscale.1.0"));
	assert_true(exists(fixture, "here/other.4999999"));
	memcg_remove(&memcg);
}

/* A fixture makes no control files: what cannot be written is told with its directory. */
static void version_2_hands_the_controller_down(void **state)
{
	struct fixture *fixture = *state;
	struct cgroup current = current_make(fixture, 2);
	struct options options = {.memcg = MEMCG_ONE, .memcg_depth = 1};
	struct memcg memcg;
	struct complaint c;

	assert_int_equal(memcg_make_in(&memcg, &current, &options, 1, &c), -1);
	assert_non_null(strstr(c.text, "cannot enable the memory controller in"));
	assert_non_null(strstr(c.text, "No such file or directory"));
	assert_false(exists(fixture, "here/faultscale.%d.0", getpid()));
}

/*
 * The parent has made way into here/faultscale.PID for the other crew: the groups of this one stand
 * beside it, not below.  The fixture then lacks the control file of the new group.
 */
static void the_other_crew_of_a_duel_finds_the_same_group(void **state)
{
	struct fixture *fixture = *state;
	struct cgroup current = current_make(fixture, 2), aside = current;
	struct options options = {.memcg = MEMCG_ONE, .memcg_depth = 1};
	struct memcg memcg;
	struct complaint c;
	char name[64];

	snprintf(name, sizeof(name), "here/faultscale.%d", getpid());
	snprintf(aside.path, sizeof(aside.path), "%s", fixture_path(fixture, name));
	assert_int_equal(mkdir(aside.path, 0700), 0);
	assert_int_equal(memcg_make_in(&memcg, &aside, &options, 1, &c), -1);
	snprintf(name, sizeof(name), "here/faultscale.%d.0: No such", getpid());
	assert_non_null(strstr(c.text, name));
	/* The last crew to go takes the parent back: nothing is left. */
	assert_false(exists(fixture, "here/faultscale.%d.0", getpid()));
	assert_false(exists(fixture, "here/faultscale.%d", getpid()));
}

static void oom_kills_are_summed(void **state)
{
	struct fixture *fixture = *state;
	struct memcg memcg = {.base = {.version = 1}, .groups = 2, .depth = 2};

	snprintf(memcg.base.path, sizeof(memcg.base.path), "%s/g", fixture->root);
	fixture_write(fixture, "g/0/0/memory.oom_control", "under_oom 0\noom_kill 2\n");
	fixture_write(fixture, "g/1/0/memory.oom_control", "under_oom 0\noom_kill 3\n");
	assert_int_equal(memcg_oom_kills(&memcg), 5);
	memcg.base.version = 2;
	fixture_write(fixture, "g/0/memory.events", "low 0\noom 1\noom_kill 1\n");
	assert_int_equal(memcg_oom_kills(&memcg), 1);
	memcg.base.version = 0;
	assert_int_equal(memcg_oom_kills(&memcg), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(groups_are_made_and_removed, fixture_setup,
	                                        fixture_teardown),
	        cmocka_unit_test_setup_teardown(two_crews_have_groups_of_their_own, fixture_setup,
	                                        fixture_teardown),
	        cmocka_unit_test_setup_teardown(groups_of_dead_runs_are_removed, fixture_setup,
	                                        fixture_teardown),
	        cmocka_unit_test_setup_teardown(version_2_hands_the_controller_down, fixture_setup,
	                                        fixture_teardown),
	        cmocka_unit_test_setup_teardown(the_other_crew_of_a_duel_finds_the_same_group,
	                                        fixture_setup, fixture_teardown),
	        cmocka_unit_test_setup_teardown(oom_kills_are_summed, fixture_setup,
	                                        fixture_teardown),
	};

	return cmocka_run_group_tests_name("memcg", tests, NULL, NULL);
}
