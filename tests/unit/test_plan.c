// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan.h"

#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Plans on a machine of 8 CPUs; words end with NULL.  Returns what plan_make() does. */
static int plan_words(const char *const words[], uint64_t seed, struct plan *plan,
                      struct complaint *c)
{
	struct topology *topology;
	struct options options;
	int count = 0, result;

	while (words[count])
		count++;
	assert_int_equal(options_parse(COMMAND_SWEEP, count, (char *const *)(const void *)words,
	                               &options, c),
	                 0);
	assert_int_equal(setenv("HWLOC_SYNTHETIC", "pack:2 core:2 pu:2", 1), 0);
	assert_int_equal(topology_load(&topology, c), 0);
	unsetenv("HWLOC_SYNTHETIC");
	result = plan_make(&options, topology, seed, plan, c);
	topology_free(topology);
	return result;
}

#define PLAN(seed, plan, ...)                                                                     \
	do {                                                                                      \
		struct complaint complaint;                                                       \
                                                                                                  \
		if (plan_words((const char *const[]){__VA_ARGS__, NULL}, seed, plan, &complaint)) \
			fail_msg("%s", complaint.text);                                           \
	} while (0)

static void every_point_is_there_once_in_each_repeat(void **state)
{
	struct plan plan;

	(void)state;
	PLAN(7, &plan, "-n", "1-4", "-r", "3", "multi-fault", "map: populate dontneed");
	assert_int_equal(plan.count, 2 * 2 * 4 * 3);
	for (size_t i = 0; i < plan.count; i++)
		for (size_t j = 0; j < i; j++)
			assert_false(strcmp(plan.jobs[i].key, plan.jobs[j].key) == 0 &&
			             plan.jobs[i].repeat == plan.jobs[j].repeat);
	plan_free(&plan);
}

static void repeats_come_one_after_the_other(void **state)
{
	struct plan plan;

	(void)state;
	PLAN(7, &plan, "-n", "1-4", "-r", "3");
	for (size_t i = 0; i < plan.count; i++)
		assert_int_equal(plan.jobs[i].repeat, 1 + i / (plan.count / 3));
	plan_free(&plan);
}

/* The count that a command line asks for. */
static unsigned long workers_of(const struct plan_job *job)
{
	return strtoul(strstr(job->command, "--workers=") + strlen("--workers="), NULL, 10);
}

static void the_modes_of_a_count_are_neighbours(void **state)
{
	struct plan plan;

	(void)state;
	PLAN(3, &plan, "-n", "1-8", "-r", "2");
	for (size_t i = 0; i < plan.count; i += 2)
		assert_int_equal(workers_of(&plan.jobs[i]), workers_of(&plan.jobs[i + 1]));
	plan_free(&plan);
}

static void a_seed_gives_one_order_and_another_seed_another(void **state)
{
	struct plan first, same, other;
	bool differs = false;

	(void)state;
	PLAN(3, &first, "-n", "1-8");
	PLAN(3, &same, "-n", "1-8");
	PLAN(4, &other, "-n", "1-8");
	for (size_t i = 0; i < first.count; i++) {
		assert_string_equal(first.jobs[i].command, same.jobs[i].command);
		differs |= strcmp(first.jobs[i].command, other.jobs[i].command) != 0;
	}
	assert_true(differs);
	plan_free(&first);
	plan_free(&same);
	plan_free(&other);
}

static void without_a_seed_counts_ascend(void **state)
{
	struct plan plan;

	(void)state;
	PLAN(0, &plan, "-n", "2,1,8", "-d", "2s", "--mode=thread");
	assert_int_equal(plan.count, 3);
	assert_string_equal(plan.jobs[0].command,
	                    "faultscale run --workers=1 --mode=thread --duration=2s multi-fault");
	assert_int_equal(workers_of(&plan.jobs[1]), 2);
	assert_int_equal(workers_of(&plan.jobs[2]), 8);
	plan_free(&plan);
}

static void with_precision_a_job_has_all_repeats_of_a_point(void **state)
{
	struct plan plan;

	(void)state;
	PLAN(0, &plan, "-n", "1,2", "--mode=thread", "--precision=2%", "-d", "1s", "--warmup=0",
	     "-r", "3");
	assert_int_equal(plan.count, 2);
	assert_int_equal(plan.jobs[0].repeat, 0);
	assert_string_equal(plan.jobs[0].command,
	                    "faultscale run --workers=1 --mode=thread --repeat=3 --duration=1s "
	                    "--warmup=0 --precision=2% multi-fault");
	assert_true(plan.jobs[1].expected.least >= 10 * UINT64_C(1000000000));
	assert_true(plan.jobs[1].expected.most >= 60 * UINT64_C(1000000000));
	plan_free(&plan);
}

static void precision_is_not_in_the_key(void **state)
{
	struct plan plan, precise;

	(void)state;
	PLAN(0, &plan, "-n", "1", "--mode=thread");
	PLAN(0, &precise, "-n", "1", "--mode=thread", "--precision=2%");
	assert_string_equal(plan.jobs[0].key, precise.jobs[0].key);
	plan_free(&plan);
	plan_free(&precise);
}

/* Two workloads that come to the same point are measured as one. */
static void a_point_is_planned_once(void **state)
{
	struct plan plan;

	(void)state;
	PLAN(1, &plan, "-n", "1", "map: fault dontneed", "map:  fault  dontneed");
	assert_int_equal(plan.count, 2);
	plan_free(&plan);
}

static void words_stay_words(void **state)
{
	struct plan plan;

	(void)state;
	PLAN(0, &plan, "-n", "1", "--mode=process", "--cpus=0", "map: fault dontneed");
	assert_string_equal(plan.jobs[0].command, "faultscale run --workers=1 --mode=process "
	                                          "--cpus=0 'map: fault dontneed'");
	plan_free(&plan);
}

static void assert_refused(const char *says, const char *const words[])
{
	struct complaint c;
	struct plan plan;

	if (plan_words(words, 1, &plan, &c) == 0)
		fail_msg("'%s' was accepted", words[0]);
	assert_int_equal(c.status, EXIT_USAGE);
	if (!strstr(c.text, says))
		fail_msg("'%s' lacks '%s'", c.text, says);
}

static void what_cannot_be_is_refused(void **state)
{
	(void)state;
	assert_refused("9 workers, 8 allowed", (const char *const[]){"-n", "9", NULL});
	assert_refused("--workers: bad counts 'x'", (const char *const[]){"-n", "x", NULL});
	assert_refused("--mode: 'fibre'", (const char *const[]){"--mode=fibre", NULL});
	assert_refused("--mode: 'process,process'",
	               (const char *const[]){"--mode=process,process", NULL});
	assert_refused("control character", (const char *const[]){"map: fault\ndontneed", NULL});
	assert_refused("quote it", (const char *const[]){"map:", "fault", "dontneed", NULL});
	assert_refused("jobs", (const char *const[]){"-n", "1-8", "-r", "100000", NULL});
}

static void a_plan_is_read_back(void **state)
{
	struct fixture *fixture = *state;
	struct plan plan, back;
	struct plan_job job;
	struct complaint c;
	char name[PLAN_NAME];

	PLAN(5, &plan, "-n", "1-2", "-r", "2", "map: fault dontneed", "multi-fault");
	assert_int_equal(plan_write(&plan, fixture_path(fixture, "plan.csv"), &c), 0);
	assert_int_equal(plan_read(fixture->path, &back, &c), 0);
	assert_int_equal(back.count, plan.count);
	for (size_t i = 0; i < plan.count; i++) {
		assert_string_equal(back.jobs[i].key, plan.jobs[i].key);
		assert_int_equal(back.jobs[i].repeat, plan.jobs[i].repeat);
		assert_string_equal(back.jobs[i].command, plan.jobs[i].command);
	}
	plan_name(&plan.jobs[5], name);
	assert_int_equal(plan_find(fixture->path, name, &job, &c), 0);
	assert_string_equal(job.command, plan.jobs[5].command);
	free(job.command);
	plan_free(&plan);
	plan_free(&back);
}

static void assert_not_found(struct fixture *fixture, const char *name)
{
	struct plan_job job;
	struct complaint c;

	assert_int_equal(plan_find(fixture_path(fixture, "plan.csv"), name, &job, &c), -1);
	free(job.command);
}

static void bad_plans_and_names_are_refused(void **state)
{
	struct fixture *fixture = *state;
	struct complaint c;
	struct plan plan;

	fixture_write(fixture, "plan.csv",
	              "key,repeat,command\n0123456789abcdef,1,faultscale run\n");
	assert_not_found(fixture, "0123456789abcdef.2");
	assert_not_found(fixture, "0123456789abcdef");
	assert_not_found(fixture, "0123456789abcde.1");
	assert_not_found(fixture, "../../../etc.1");
	assert_not_found(fixture, "");
	fixture_write(fixture, "plan.csv",
	              "key,repeat,command\n../../../../../x,1,faultscale run\n");
	assert_int_equal(plan_read(fixture_path(fixture, "plan.csv"), &plan, &c), -1);
	fixture_write(fixture, "plan.csv",
	              "key,repeat,command\n0123456789abcdef,,faultscale run\n");
	assert_int_equal(plan_read(fixture_path(fixture, "plan.csv"), &plan, &c), -1);
	fixture_write(fixture, "plan.csv", "key,command\n");
	assert_int_equal(plan_read(fixture_path(fixture, "plan.csv"), &plan, &c), -1);
	assert_non_null(strstr(c.text, "no column 'repeat'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_point_is_there_once_in_each_repeat),
	        cmocka_unit_test(repeats_come_one_after_the_other),
	        cmocka_unit_test(with_precision_a_job_has_all_repeats_of_a_point),
	        cmocka_unit_test(precision_is_not_in_the_key),
	        cmocka_unit_test(the_modes_of_a_count_are_neighbours),
	        cmocka_unit_test(a_seed_gives_one_order_and_another_seed_another),
	        cmocka_unit_test(without_a_seed_counts_ascend),
	        cmocka_unit_test(a_point_is_planned_once),
	        cmocka_unit_test(words_stay_words),
	        cmocka_unit_test(what_cannot_be_is_refused),
	        cmocka_unit_test_setup_teardown(a_plan_is_read_back, fixture_setup,
	                                        fixture_teardown),
	        cmocka_unit_test_setup_teardown(bad_plans_and_names_are_refused, fixture_setup,
	                                        fixture_teardown),
	};

	return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
