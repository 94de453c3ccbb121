// SPDX-License-Identifier: GPL-3.0-or-later
/* The verdict on made-up slots: what a worker or the kernel did is written there by hand. */
#include "judge.h"

#include "timing.h"
#include "totals.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#define WORKERS 4u
#define PAGES UINT64_C(512)
#define LAPS UINT64_C(1000)

#define MS UINT64_C(1000000)
#define GATE (1000 * MS)

/* A point of four workers whose windows are perfect until a test changes something. */
struct scene {
	struct point point;
	struct crew crew;
	struct surroundings surroundings;
	struct outcome outcome;
};

static void window_set(struct scene *scene, unsigned worker, uint64_t start, uint64_t end)
{
	struct slot *slot = arena_slot(&scene->crew.arena, worker);

	slot->open.ns = GATE + start;
	slot->close.ns = GATE + end;
}

static int scene_setup(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	struct point *point = &scene->point;
	struct complaint c;

	*state = scene;
	if (workload_parse("map: fault dontneed", &point->workload, &c))
		return -1;
	point->workers = point->processes = WORKERS;
	point->per_process = point->passes = 1;
	point->page = 4096;
	point->pages = point->pass_pages = PAGES;
	point->exact = true;
	point->options.timeout = 60000 * MS;
	point->seats = calloc(WORKERS, sizeof(*point->seats));
	point->policies = calloc(WORKERS, sizeof(*point->policies));
	scene->crew.point = point;
	scene->surroundings.gate_ns = GATE;
	scene->surroundings.noise.steal = UNKNOWN_REAL;
	if (arena_make(&scene->crew.arena, WORKERS, point->workload.loop_steps))
		return -1;
	for (unsigned i = 0; i < WORKERS; i++) {
		struct slot *slot = arena_slot(&scene->crew.arena, i);

		point->seats[i] = (struct seat){.cpu = (int)i, .node = 0};
		point->policies[i].own = -1;
		slot->reached = REACHED_END;
		slot->close.laps = LAPS;
		slot->close.minor_faults = LAPS * PAGES;
		for (unsigned s = 0; s < 2; s++) {
			slot->close.step[s].calls = LAPS;
			slot->close.step[s].work = LAPS * PAGES;
			histogram_clear(slot_histogram(&scene->crew.arena, i, s));
		}
		histogram_clear(slot_histogram(&scene->crew.arena, i, 2));
		window_set(scene, i, 100 * MS, 1100 * MS);
	}
	return 0;
}

static int scene_teardown(void **state)
{
	struct scene *scene = *state;

	outcome_free(&scene->outcome);
	arena_free(&scene->crew.arena);
	free(scene->point.seats);
	free(scene->point.policies);
	free(scene);
	return 0;
}

static struct slot *slot_of(struct scene *scene, unsigned worker)
{
	return arena_slot(&scene->crew.arena, worker);
}

/* Goes from the slots to the verdict, as measure() does. */
static void scene_judge(struct scene *scene)
{
	struct results results = {0};
	struct row_key row = {"host", "key", 1};
	struct drain drain;

	assert_int_equal(drain_make(&drain, &scene->crew, &results, &row, false), 0);
	assert_int_equal(outcome_make(&scene->outcome, &scene->crew, &drain, &scene->surroundings),
	                 0);
	drain_free(&drain);
	totals_fill(&scene->outcome, &scene->crew, &scene->surroundings);
	assert_int_equal(timing_fill(&scene->outcome, &scene->crew), 0);
	judge(&scene->outcome, &scene->crew, &scene->surroundings);
}

static void assert_verdict(struct scene *scene, const char *status, enum exit_status exit_status,
                           const char *reason)
{
	scene_judge(scene);
	assert_string_equal(scene->outcome.point.reason, reason);
	assert_string_equal(scene->outcome.point.status, status);
	assert_int_equal(scene->outcome.exit_status, exit_status);
}

static void assert_invalid(struct scene *scene, const char *reason)
{
	assert_verdict(scene, "invalid", EXIT_FAILED, reason);
}

static void what_is_as_it_should_be_is_valid(void **state)
{
	struct scene *scene = *state;

	assert_verdict(scene, "valid", EXIT_OK, "");
	assert_int_equal(scene->outcome.point.derived_faults, WORKERS * LAPS * PAGES);
	assert_int_equal(scene->outcome.point.minor_faults, WORKERS * LAPS * PAGES);
	assert_int_equal(scene->outcome.point.stray_faults, 0);
	assert_true(scene->outcome.point.pages_per_s == (double)(WORKERS * LAPS * PAGES));
	for (unsigned i = 0; i < WORKERS; i++)
		assert_string_equal(scene->outcome.workers[i].status, "ok");
}

static void one_fault_too_few_is_invalid(void **state)
{
	struct scene *scene = *state;

	slot_of(scene, 2)->close.minor_faults--;
	assert_invalid(scene, "worker 2 took 511999 faults where 512000 were due");
	assert_string_equal(scene->outcome.workers[2].status, "faults");
	assert_string_equal(scene->outcome.workers[1].status, "ok");
}

static void a_thousandth_more_faults_are_strays(void **state)
{
	struct scene *scene = *state;

	slot_of(scene, 1)->close.minor_faults += LAPS * PAGES / 1000;
	assert_verdict(scene, "valid", EXIT_OK, "");
	assert_int_equal(scene->outcome.point.stray_faults, LAPS * PAGES / 1000);
}

static void more_than_a_thousandth_is_invalid(void **state)
{
	struct scene *scene = *state;

	slot_of(scene, 1)->close.minor_faults += LAPS * PAGES / 1000 + 1;
	assert_invalid(scene, "worker 1 took 512513 faults where 512000 were due");
}

/* One worker's surplus does not make up for what another lacks. */
static void surplus_and_lack_do_not_cancel_out(void **state)
{
	struct scene *scene = *state;

	slot_of(scene, 0)->close.minor_faults++;
	slot_of(scene, 1)->close.minor_faults--;
	assert_invalid(scene, "worker 1 took 511999 faults where 512000 were due");
	assert_int_equal(scene->outcome.point.stray_faults, 1);
}

static void where_huge_pages_may_be_faults_are_not_judged(void **state)
{
	struct scene *scene = *state;

	scene->point.exact = false;
	slot_of(scene, 0)->close.minor_faults = LAPS;
	assert_verdict(scene, "valid", EXIT_OK, "");
	assert_int_equal(scene->outcome.point.stray_faults, UNKNOWN_COUNT);
}

/* Faults due where no page is: a workload without pages allows none. */
static void faults_of_a_workload_without_pages_are_invalid(void **state)
{
	struct scene *scene = *state;
	struct complaint c;

	assert_int_equal(workload_parse("map: nop protect unprotect", &scene->point.workload, &c),
	                 0);
	scene->point.workload.loop_steps = 1;
	scene->point.workload.headline = -1;
	slot_of(scene, 0)->close.minor_faults = 5000;
	for (unsigned i = 1; i < WORKERS; i++)
		slot_of(scene, i)->close.minor_faults = 0;
	assert_invalid(scene, "worker 0 took 5000 faults where 0 were due");
}

/* The parent's time is taken from before the gate until after the closing, not over the window. */
static void the_parents_time_is_divided_by_what_it_was_taken_over(void **state)
{
	struct scene *scene = *state;

	scene->surroundings.noise.ns = 1200 * MS;
	scene->surroundings.noise.parent_cpu_ns = 300 * MS;
	assert_verdict(scene, "valid", EXIT_OK, "");
	assert_true(scene->outcome.point.parent_busy == 0.25);
}

static void a_worker_that_did_nothing_is_invalid(void **state)
{
	struct scene *scene = *state;

	memset(slot_of(scene, 3)->close.step, 0, sizeof(slot_of(scene, 3)->close.step));
	slot_of(scene, 3)->close.minor_faults = 0;
	assert_invalid(scene, "worker 3 did nothing in its window");
}

static void start_skew_of_a_tenth_is_invalid(void **state)
{
	struct scene *scene = *state;

	window_set(scene, 1, 100 * MS + 120 * MS, 1100 * MS + 120 * MS);
	window_set(scene, 2, 100 * MS, 1100 * MS + 120 * MS);
	window_set(scene, 3, 100 * MS, 1100 * MS + 120 * MS);
	window_set(scene, 0, 100 * MS, 1100 * MS + 120 * MS);
	assert_invalid(scene, "start skew 120 ms is 11 % of the window: the workers did not run "
	                      "together");
}

static void stop_skew_of_a_tenth_is_invalid(void **state)
{
	struct scene *scene = *state;

	window_set(scene, 2, 100 * MS, 1600 * MS);
	assert_invalid(scene, "stop skew 500 ms is 44 % of the window: the workers did not run "
	                      "together");
}

static void less_skew_is_valid(void **state)
{
	struct scene *scene = *state;

	window_set(scene, 1, 190 * MS, 1190 * MS);
	assert_verdict(scene, "valid", EXIT_OK, "");
	assert_int_equal(scene->outcome.point.start_skew_ns, 90 * MS);
	assert_int_equal(scene->outcome.point.stop_skew_ns, 90 * MS);
}

static void fixed_work_has_no_skew(void **state)
{
	struct scene *scene = *state;

	scene->point.options.laps = LAPS;
	window_set(scene, 1, 500 * MS, 4000 * MS);
	assert_verdict(scene, "valid", EXIT_OK, "");
}

/* Each reason a worker can give for its end. */
static const struct {
	enum failure_kind kind;
	int error;
	unsigned step;
	enum exit_status exit_status;
	uint64_t due, got;
	const char *status, *reason;
} failures[] = {
        {FAILURE_PIN, EINVAL, 0, EXIT_FAILED, 0, 0, "invalid",
         "worker 1 could not be pinned to CPU 1: Invalid argument"},
        {FAILURE_UNPINNED, 0, 0, EXIT_FAILED, 0, 0, "invalid",
         "worker 1 was no longer pinned to CPU 1 at the end"},
        {FAILURE_THREAD, EAGAIN, 0, EXIT_FAILED, 0, 0, "invalid",
         "the thread of worker 1 could not be made: Resource temporarily unavailable"},
        {FAILURE_MEMORY, ENOMEM, 0, EXIT_FAILED, 0, 0, "invalid",
         "worker 1 got no memory: Cannot allocate memory"},
        {FAILURE_THP, EINVAL, 0, EXIT_UNSUPPORTED, 0, 0, "unsupported",
         "huge pages cannot be ruled out by prctl: Invalid argument"},
        {FAILURE_LAYOUT, 0, 0, EXIT_FAILED, 0, 0, "invalid",
         "worker 1: /proc/self/maps does not show the memory as the layout says"},
        {FAILURE_SETUP, ENOMEM, 0, EXIT_FAILED, 0, 0, "invalid",
         "worker 1: setup step 'map' failed: Cannot allocate memory"},
        {FAILURE_REHEARSAL, EINVAL, 1, EXIT_UNSUPPORTED, 0, 0, "unsupported",
         "this kernel refuses 'dontneed': Invalid argument"},
        {FAILURE_REHEARSAL, ENOMEM, 1, EXIT_FAILED, 0, 0, "invalid",
         "worker 1: 'dontneed' failed in rehearsal: Cannot allocate memory"},
        {FAILURE_STEP, EINVAL, 1, EXIT_FAILED, 0, 0, "invalid",
         "worker 1: 'dontneed' failed: Invalid argument"},
        {FAILURE_FAULTS, 0, 0, EXIT_FAILED, 512, 1, "invalid",
         "worker 1: 'fault' took 1 faults in rehearsal where 512 were due: are huge pages at "
         "work?"},
        {FAILURE_FAULTS, 0, 0, EXIT_FAILED, 512, 600, "invalid",
         "worker 1: 'fault' took 600 faults in rehearsal where 512 were due"},
};

static void a_workers_own_reason_is_given(void **state)
{
	for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++) {
		struct scene *scene = *state;
		struct slot *slot = slot_of(scene, 1);

		slot->reached = REACHED_NOTHING;
		slot->failure.due = failures[i].due;
		slot->failure.got = failures[i].got;
		slot_fail(slot, failures[i].kind, failures[i].error, failures[i].step);
		/* It ended early, too: that is not the cause. */
		scene->crew.casualty = (struct casualty){true, 1, 1, CLD_EXITED, EXIT_FAILED};
		scene->surroundings.result = CREW_LOST;
		assert_verdict(scene, failures[i].status, failures[i].exit_status,
		               failures[i].reason);
		assert_string_equal(scene->outcome.workers[1].status, "failed");
		if (i + 1 < sizeof(failures) / sizeof(*failures)) {
			scene_teardown(state);
			assert_int_equal(scene_setup(state), 0);
		}
	}
}

/* A kernel without a shared zero page: the step cannot be measured there, which is no failure. */
static void a_step_that_takes_no_faults_here_is_unsupported(void **state)
{
	struct scene *scene = *state;
	struct slot *slot = slot_of(scene, 0);
	struct complaint c;

	assert_int_equal(workload_parse("map: read cow dontneed", &scene->point.workload, &c), 0);
	scene->point.workload.loop_steps = 2; /* the arena has room for two */
	slot->failure.due = 512;
	slot_fail(slot, FAILURE_FAULTS, 0, 1);
	scene->surroundings.result = CREW_LOST;
	scene->crew.casualty = (struct casualty){true, 0, 0, CLD_EXITED, EXIT_FAILED};
	assert_verdict(scene, "unsupported", EXIT_UNSUPPORTED,
	               "'cow' took no faults in rehearsal where 512 were due: read faults already "
	               "gave pages of the worker's own: this kernel maps no shared zero page");
}

/* Each way in which a process can end. */
static const struct {
	int code, status;
	uint64_t oom_kills;
	const char *reason, *worker;
} casualties[] = {
        {CLD_KILLED, SIGKILL, 0, "worker 2 was killed by SIGKILL", "killed"},
        {CLD_KILLED, SIGSEGV, 0, "worker 2 was killed by SIGSEGV", "killed"},
        {CLD_DUMPED, SIGBUS, 0, "worker 2 was killed by SIGBUS", "killed"},
        {CLD_KILLED, SIGKILL, 1,
         "worker 2 was killed by SIGKILL; its memory cgroup counts 1 more OOM kill", "killed"},
        {CLD_KILLED, SIGKILL, 3,
         "worker 2 was killed by SIGKILL; its memory cgroup counts 3 more OOM kills", "killed"},
        {CLD_STOPPED, SIGSTOP, 0, "worker 2 was stopped by SIGSTOP", "stopped"},
        {CLD_EXITED, 3, 0, "worker 2 ended early with status 3", "ended early"},
        {CLD_EXITED, 0, 0, "worker 2 ended early with status 0", "ended early"},
};

static void a_lost_worker_is_named_with_its_signal(void **state)
{
	for (size_t i = 0; i < sizeof(casualties) / sizeof(*casualties); i++) {
		struct scene *scene = *state;

		slot_of(scene, 2)->reached = REACHED_OPEN;
		scene->surroundings.result = CREW_LOST;
		scene->surroundings.noise.oom_kills = casualties[i].oom_kills;
		scene->crew.casualty =
		        (struct casualty){true, 2, 2, casualties[i].code, casualties[i].status};
		assert_invalid(scene, casualties[i].reason);
		assert_string_equal(scene->outcome.workers[2].status, casualties[i].worker);
		/* The others' rows are kept, no sum is given. */
		assert_string_equal(scene->outcome.workers[1].status, "ok");
		assert_int_equal(scene->outcome.workers[1].minor_faults, LAPS * PAGES);
		assert_int_equal(scene->outcome.workers[2].minor_faults, UNKNOWN_COUNT);
		assert_int_equal(scene->outcome.point.minor_faults, UNKNOWN_COUNT);
		assert_true(isnan(scene->outcome.point.pages_per_s));
		scene_teardown(state);
		assert_int_equal(scene_setup(state), 0);
	}
}

static void the_lost_process_of_many_workers_is_named(void **state)
{
	struct scene *scene = *state;

	scene->point.per_process = 3;
	scene->point.processes = 2;
	for (unsigned i = 0; i < 3; i++)
		slot_of(scene, i)->reached = REACHED_OPEN;
	scene->surroundings.result = CREW_LOST;
	scene->crew.casualty = (struct casualty){true, 0, 0, CLD_KILLED, SIGKILL};
	assert_invalid(scene, "the process of workers 0-2 was killed by SIGKILL");
	assert_string_equal(scene->outcome.workers[2].status, "killed");
	assert_string_equal(scene->outcome.workers[3].status, "ok");
}

static void a_stuck_worker_is_named(void **state)
{
	struct scene *scene = *state;

	slot_of(scene, 1)->reached = REACHED_OPEN;
	scene->surroundings.result = CREW_STUCK;
	scene->crew.casualty = (struct casualty){.any = true, .worker = 1};
	assert_invalid(scene, "worker 1 did not move for 1m (--timeout)");
	assert_string_equal(scene->outcome.workers[1].status, "stuck");
}

static void an_interrupted_point_says_by_what(void **state)
{
	struct scene *scene = *state;

	slot_of(scene, 1)->reached = REACHED_OPEN;
	scene->surroundings.result = CREW_INTERRUPTED;
	scene->surroundings.signal = SIGINT;
	assert_verdict(scene, "interrupted", EXIT_FAILED, "interrupted by SIGINT");
}

static void a_torn_ring_is_invalid(void **state)
{
	struct scene *scene = *state;

	scene->surroundings.torn = true;
	assert_invalid(scene, "a ring of samples was overwritten");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, scene_setup, scene_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(what_is_as_it_should_be_is_valid),
	        TEST(one_fault_too_few_is_invalid),
	        TEST(a_thousandth_more_faults_are_strays),
	        TEST(more_than_a_thousandth_is_invalid),
	        TEST(surplus_and_lack_do_not_cancel_out),
	        TEST(where_huge_pages_may_be_faults_are_not_judged),
	        TEST(faults_of_a_workload_without_pages_are_invalid),
	        TEST(the_parents_time_is_divided_by_what_it_was_taken_over),
	        TEST(a_worker_that_did_nothing_is_invalid),
	        TEST(start_skew_of_a_tenth_is_invalid),
	        TEST(stop_skew_of_a_tenth_is_invalid),
	        TEST(less_skew_is_valid),
	        TEST(fixed_work_has_no_skew),
	        TEST(a_workers_own_reason_is_given),
	        TEST(a_step_that_takes_no_faults_here_is_unsupported),
	        TEST(a_lost_worker_is_named_with_its_signal),
	        TEST(the_lost_process_of_many_workers_is_named),
	        TEST(a_stuck_worker_is_named),
	        TEST(an_interrupted_point_says_by_what),
	        TEST(a_torn_ring_is_invalid),
	};

	return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
