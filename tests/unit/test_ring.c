// SPDX-License-Identifier: GPL-3.0-or-later
#include "board.h"
#include "ring.h"
#include "window.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { STEPS = 3 };

static struct ring *ring_make(void)
{
	struct ring *ring = mmap(NULL, ring_size(STEPS), PROT_READ | PROT_WRITE,
	                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(ring, MAP_FAILED);
	return ring;
}

static void ring_free(struct ring *ring)
{
	munmap(ring, ring_size(STEPS));
}

/* Puts a sample of so many laps; false when the ring is full. */
static bool ring_put(struct ring *ring, uint64_t laps)
{
	struct sample *sample = ring_reserve(ring, STEPS);

	if (!sample)
		return false;
	sample->laps = laps;
	for (unsigned s = 0; s < STEPS; s++)
		sample->step[s] = (struct sample_step){laps * s, laps * s, laps};
	ring_publish(ring);
	return true;
}

/* Takes all there is and returns the sum of laps; each sample is checked to be whole. */
static uint64_t ring_take(struct ring *ring)
{
	const struct sample *sample;
	uint64_t laps = 0;
	bool torn = false;

	while ((sample = ring_peek(ring, STEPS, &torn))) {
		assert_false(torn);
		for (unsigned s = 0; s < STEPS; s++) {
			assert_int_equal(sample->step[s].work, sample->laps * s);
			assert_int_equal(sample->step[s].timed_ns, sample->laps);
		}
		laps += sample->laps;
		ring_release(ring);
	}
	return laps;
}

static void an_empty_ring_has_nothing(void **state)
{
	struct ring *ring = ring_make();
	bool torn = false;

	(void)state;
	assert_null(ring_peek(ring, STEPS, &torn));
	assert_false(torn);
	ring_free(ring);
}

static void samples_come_in_order(void **state)
{
	struct ring *ring = ring_make();
	bool torn;

	(void)state;
	for (uint64_t round = 0; round < 5ul * RING_ENTRIES; round += 7) {
		for (uint64_t i = 0; i < 7; i++)
			assert_true(ring_put(ring, round + i));
		for (uint64_t i = 0; i < 7; i++) {
			const struct sample *sample = ring_peek(ring, STEPS, &torn);

			assert_non_null(sample);
			assert_false(torn);
			assert_int_equal(sample->laps, round + i);
			assert_int_equal(sample->number, round + i);
			ring_release(ring);
		}
	}
	ring_free(ring);
}

static void what_is_not_published_is_not_read(void **state)
{
	struct ring *ring = ring_make();
	bool torn;

	(void)state;
	assert_non_null(ring_reserve(ring, STEPS));
	assert_null(ring_peek(ring, STEPS, &torn));
	ring_publish(ring);
	assert_non_null(ring_peek(ring, STEPS, &torn));
	ring_free(ring);
}

static void a_full_ring_takes_no_more_and_says_how_often(void **state)
{
	struct ring *ring = ring_make();

	(void)state;
	for (unsigned i = 0; i < RING_ENTRIES; i++)
		assert_true(ring_put(ring, 1));
	for (unsigned i = 0; i < 5; i++)
		assert_false(ring_put(ring, 1));
	assert_int_equal(ring->coalesced, 5);
	assert_int_equal(ring_take(ring), RING_ENTRIES);
	assert_true(ring_put(ring, 9));
	assert_int_equal(ring_take(ring), 9);
	ring_free(ring);
}

static void overwritten_memory_is_seen(void **state)
{
	struct ring *ring = ring_make();
	struct sample *sample;
	bool torn = false;

	(void)state;
	assert_true(ring_put(ring, 1));
	sample = (struct sample *)(void *)ring->entries;
	sample->number = 12345;
	assert_non_null(ring_peek(ring, STEPS, &torn));
	assert_true(torn);
	ring_free(ring);
}

/* A writer that adds up what the ring has no room for, as window_sample() does. */
static void write_laps(struct ring *ring, uint64_t laps)
{
	uint64_t kept = 0;

	while (laps || kept) {
		if (laps) {
			kept++;
			laps--;
		}
		if (ring_put(ring, kept))
			kept = 0;
	}
}

static void two_processes_lose_nothing(void **state)
{
	enum { LAPS = 200003 };
	struct ring *ring = ring_make();
	uint64_t laps = 0;
	pid_t pid = fork();
	int status;

	(void)state;
	if (pid == 0) {
		write_laps(ring, LAPS);
		_exit(0);
	}
	assert_true(pid > 0);
	while (waitpid(pid, &status, WNOHANG) == 0)
		laps += ring_take(ring);
	laps += ring_take(ring);
	assert_int_equal(status, 0);
	assert_int_equal(laps, LAPS);
	ring_free(ring);
}

/* Writers killed at some moment leave whole samples, and only whole ones. */
static void a_killed_writer_leaves_whole_samples(void **state)
{
	(void)state;
	for (uint64_t round = 0; round < 550; round += 11) {
		struct ring *ring = ring_make();
		uint64_t taken = 0;
		pid_t pid = fork();

		if (pid == 0) {
			write_laps(ring, UINT64_MAX);
			_exit(0);
		}
		assert_true(pid > 0);
		while (taken <= round)
			taken += ring_take(ring);
		kill(pid, SIGKILL);
		ring_take(ring);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
		ring_take(ring);
		ring_free(ring);
	}
}

/* The worker's side: what no sample had room for is in the next one that had. */
static void windows_samples_add_up(void **state)
{
	static struct point point;
	static struct worker worker;
	struct arena arena;
	const struct sample *sample;
	uint64_t laps = 0, work = 0, ns = 0;
	bool torn;

	(void)state;
	assert_int_equal(arena_make(&arena, 1, STEPS), 0);
	point.options.interval = 1;
	worker = (struct worker){
	        .point = &point, .arena = &arena, .slot = arena_slot(&arena, 0), .sampled_ns = 100};
	for (uint64_t i = 1; i <= 3ul * RING_ENTRIES; i++) {
		worker.tally.laps += 2;
		worker.tally.step[1].work += i;
		worker.tally.step[1].timed_ns += 3;
		window_sample(&worker, 100 + i);
		if (i == 2ul * RING_ENTRIES)
			while ((sample = ring_peek(&worker.slot->ring, STEPS, &torn))) {
				laps += sample->laps;
				work += sample->step[1].work;
				ns += sample->step[1].timed_ns;
				ring_release(&worker.slot->ring);
			}
	}
	assert_int_equal(worker.slot->ring.coalesced, RING_ENTRIES);
	assert_int_equal(laps, 2 * RING_ENTRIES);
	while ((sample = ring_peek(&worker.slot->ring, STEPS, &torn))) {
		laps += sample->laps;
		work += sample->step[1].work;
		ns += sample->step[1].timed_ns;
		ring_release(&worker.slot->ring);
	}
	assert_int_equal(laps, 2 * 3 * RING_ENTRIES);
	assert_int_equal(work, 3 * RING_ENTRIES * (3 * RING_ENTRIES + 1) / 2);
	assert_int_equal(ns, 3 * 3 * RING_ENTRIES);
	arena_free(&arena);
}

/* The budget: at most 64 KiB of shared memory a worker for the default workload. */
static void a_slot_is_small_and_of_whole_pages(void **state)
{
	struct arena arena;

	(void)state;
	assert_int_equal(arena_make(&arena, 3, 2), 0);
	assert_int_equal(arena.slot_bytes % (size_t)sysconf(_SC_PAGESIZE), 0);
	if (sysconf(_SC_PAGESIZE) == 4096)
		assert_true(arena.slot_bytes <= 65536);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal((uintptr_t)arena_slot(&arena, i) % (size_t)sysconf(_SC_PAGESIZE),
		                 0);
	arena_free(&arena);
}

static void the_first_failure_of_a_slot_stays(void **state)
{
	struct arena arena;
	struct slot *slot;

	(void)state;
	assert_int_equal(arena_make(&arena, 1, 1), 0);
	slot = arena_slot(&arena, 0);
	slot_fail(slot, FAILURE_STEP, 5, 2);
	slot_fail(slot, FAILURE_PIN, 6, 3);
	assert_int_equal(slot->failure.kind, FAILURE_STEP);
	assert_int_equal(slot->failure.error, 5);
	assert_int_equal(slot->failure.step, 2);
	slot_clear(&arena, 0);
	assert_int_equal(slot->failure.kind, FAILURE_NONE);
	arena_free(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(an_empty_ring_has_nothing),
	        cmocka_unit_test(samples_come_in_order),
	        cmocka_unit_test(what_is_not_published_is_not_read),
	        cmocka_unit_test(a_full_ring_takes_no_more_and_says_how_often),
	        cmocka_unit_test(overwritten_memory_is_seen),
	        cmocka_unit_test(two_processes_lose_nothing),
	        cmocka_unit_test(a_killed_writer_leaves_whole_samples),
	        cmocka_unit_test(windows_samples_add_up),
	        cmocka_unit_test(a_slot_is_small_and_of_whole_pages),
	        cmocka_unit_test(the_first_failure_of_a_slot_stays),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
