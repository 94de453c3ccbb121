// SPDX-License-Identifier: GPL-3.0-or-later
#include "crew.h"

#include "counters.h"
#include "limit.h"
#include "process.h"
#include "signals.h"
#include "worker.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* Notes how a process ended, if it is one of this crew's and not in good order. */
static void crew_note(struct crew *crew, const siginfo_t *info)
{
	bool ended = info->si_code != CLD_STOPPED && info->si_code != CLD_CONTINUED;
	bool orderly = info->si_code == CLD_EXITED && info->si_status == 0 && crew->leaving;

	for (unsigned i = 0; i < crew->point->processes; i++) {
		if (crew->pids[i] != info->si_pid)
			continue;
		if (ended) {
			crew->pids[i] = 0;
			crew->alive--;
		}
		if (!orderly && !crew->casualty.any && info->si_code != CLD_CONTINUED)
			crew->casualty = (struct casualty){
			        .any = true,
			        .process = i,
			        .worker = point_first(crew->point, i),
			        .code = info->si_code,
			        .status = info->si_status,
			};
		return;
	}
}

/* Reaps whoever has ended.  Others than ours (PID 1 inherits orphans) are reaped and forgotten. */
static void watch_collect(struct watch *watch)
{
	for (;;) {
		siginfo_t info = {0};

		if (waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG) || info.si_pid == 0)
			return;
		for (int i = 0; i < 2; i++)
			if (watch->crews[i])
				crew_note(watch->crews[i], &info);
	}
}

/* Sleeps until a signal, a worker or `until` (CLOCK_MONOTONIC ns) wakes it, and takes the signals.
 */
static void watch_sleep(struct watch *watch, const struct crew *crew, uint64_t until)
{
	struct pollfd wakers[] = {
	        {.fd = watch->signal_fd, .events = POLLIN},
	        {.fd = crew->wake_fd, .events = POLLIN},
	};
	uint64_t now = clock_ns(), left = until > now ? until - now : 0;
	struct timespec timeout = {(time_t)(left / 1000000000), (long)(left % 1000000000)};
	uint64_t count;

	if (ppoll(wakers, 2, &timeout, NULL) <= 0)
		return;
	if (wakers[1].revents && read(crew->wake_fd, &count, sizeof(count)) < 0)
		return;
	for (int signal; (signal = signals_next(watch->signal_fd));) {
		if (signal == SIGCHLD)
			watch_collect(watch);
		else
			watch->signal = signal;
	}
}

/* What has come in the way of waiting for the crew. */
static enum crew_result crew_hindrance(const struct crew *crew, const struct watch *watch)
{
	if (watch->signal)
		return CREW_INTERRUPTED;
	return crew->casualty.any ? CREW_LOST : CREW_OK;
}

static int crew_fork(struct crew *crew, struct watch *watch, double clock_cost, struct complaint *c)
{
	struct process_order order = {
	        .point = crew->point,
	        .arena = &crew->arena,
	        .wake_fd = crew->wake_fd,
	        .clock_cost = clock_cost,
	        .parent = getpid(),
	        .files = {crew->files[0], crew->files[1]},
	        .memcg = &crew->memcg,
	};
	char limit[256];

	for (order.process = 0; order.process < crew->point->processes; order.process++) {
		pid_t pid;

		/* Thousands of forks take seconds; crew_await() says why they were not all made. */
		watch_sleep(watch, crew, 0);
		if (crew_hindrance(crew, watch) != CREW_OK)
			return 0;
		pid = fork();
		if (pid == 0)
			process_main(&order);
		if (pid < 0) {
			limits_explain_fork(errno, limit, sizeof(limit));
			return complain(c, EXIT_FAILED,
			                "fork of worker process %u of %u failed: %s",
			                order.process + 1, crew->point->processes, limit);
		}
		crew->pids[order.process] = pid;
		crew->alive++;
	}
	return 0;
}

/* With --one-file the parent makes the file that all processes inherit. */
static int crew_files(struct crew *crew, struct complaint *c)
{
	const struct point *point = crew->point;
	const size_t pages[] = {point->pages, point->rehearsal_pages};

	for (int i = 0; i < 2; i++) {
		if (!point->options.one_file || !pages[i])
			continue;
		crew->files[i] = backing_open(&point->backing, &point->options,
		                              pages[i] * point->page * point->workers);
		if (crew->files[i] < 0)
			return complain(c, EXIT_FAILED,
			                "the file for all workers cannot be made: %s\n"
			                "choose another --dir, or less memory",
			                strerror(errno));
	}
	return 0;
}

int crew_launch(struct crew *crew, const struct point *point, struct watch *watch,
                double clock_cost, struct complaint *c)
{
	unsigned side = watch->crews[0] ? 1 : 0;

	*crew = (struct crew){.point = point, .files = {-1, -1}};
	crew->wake_fd = eventfd(0, EFD_NONBLOCK);
	crew->pids = calloc(point->processes, sizeof(*crew->pids));
	if (crew->wake_fd < 0 || !crew->pids ||
	    arena_make(&crew->arena, point->workers, point->workload.loop_steps)) {
		complain(c, EXIT_FAILED, "no memory to share with %u workers: %s\nuse fewer",
		         point->workers, strerror(errno));
		close(crew->wake_fd);
		free(crew->pids);
		crew->pids = NULL;
		return -1;
	}
	watch->crews[side] = crew;
	if (memcg_make(&crew->memcg, &point->options, point->processes, c) || crew_files(crew, c) ||
	    crew_fork(crew, watch, clock_cost, c)) {
		crew_end(crew, watch);
		return -1;
	}
	return 0;
}

static bool crew_reached(const struct crew *crew, enum stage_reached reached)
{
	struct board *board = crew->arena.board;

	if (reached == REACHED_END)
		return crew->alive == 0;
	return atomic_load(reached == REACHED_GATE ? &board->waiting : &board->closed) ==
	       crew->point->workers;
}

/* Watches that every worker gets somewhere between two looks, a --timeout apart. */
struct pulses {
	uint64_t *seen; /* of each worker, or NULL before the first look */
	uint64_t next_ns;
};

/*
 * True if a worker that has still to come this far stood still since the look before.  Slots are
 * not looked at earlier, so that the workers are the first to touch them.
 */
static bool crew_stuck(struct crew *crew, enum stage_reached reached, struct pulses *pulses)
{
	bool first = !pulses->seen;

	if (first)
		pulses->seen = calloc(crew->point->workers, sizeof(*pulses->seen));
	for (unsigned i = 0; pulses->seen && i < crew->point->workers; i++) {
		struct slot *slot = arena_slot(&crew->arena, i);
		uint64_t pulse = atomic_load_explicit(&slot->pulse, memory_order_relaxed);
		uint32_t at = atomic_load(&slot->reached);
		bool arrived = reached == REACHED_GATE ? at == REACHED_GATE : at >= reached;

		if (!first && !arrived && pulse == pulses->seen[i] && !crew->casualty.any) {
			crew->casualty = (struct casualty){.any = true, .worker = i};
			return true;
		}
		pulses->seen[i] = pulse;
	}
	return false;
}

enum crew_result crew_await(struct crew *crew, struct watch *watch, enum stage_reached reached)
{
	uint64_t timeout = crew->point->options.timeout, now = clock_ns();
	struct pulses pulses = {NULL, now + timeout / 2};
	uint64_t tick_ns = watch->tick_interval ? now + watch->tick_interval : UINT64_MAX;
	enum crew_result result = crew_hindrance(crew, watch);

	while (result == CREW_OK && !crew_reached(crew, reached)) {
		watch_sleep(watch, crew, tick_ns < pulses.next_ns ? tick_ns : pulses.next_ns);
		now = clock_ns();
		result = crew_hindrance(crew, watch);
		if (now >= tick_ns) {
			watch->tick(watch->context, now);
			tick_ns = now + watch->tick_interval;
		}
		if (now >= pulses.next_ns) {
			if (crew_stuck(crew, reached, &pulses))
				result = CREW_STUCK;
			pulses.next_ns = now + timeout;
		}
	}
	free(pulses.seen);
	return result;
}

/* Moves the gate on and wakes those who sleep at it. */
static void crew_gate(struct crew *crew)
{
	atomic_store_explicit(&crew->arena.board->gate, ++crew->turns, memory_order_release);
	futex_wake_all(&crew->arena.board->gate);
}

void crew_open(struct crew *crew, uint64_t open_ns, uint64_t close_ns)
{
	struct board *board = crew->arena.board;

	atomic_store(&board->waiting, 0);
	atomic_store(&board->closed, 0);
	atomic_store(&board->stop, 0);
	board->open_ns = open_ns;
	board->close_ns = close_ns;
	for (unsigned i = 0; i < crew->point->workers; i++)
		atomic_store(&arena_slot(&crew->arena, i)->reached, REACHED_NOTHING);
	crew_gate(crew);
}

void crew_rest(struct crew *crew)
{
	atomic_store_explicit(&crew->arena.board->stop, 1, memory_order_release);
}

enum crew_result crew_dismiss(struct crew *crew, struct watch *watch)
{
	crew->leaving = true;
	atomic_store(&crew->arena.board->leave, 1);
	crew_rest(crew);
	crew_gate(crew);
	return crew_await(crew, watch, REACHED_END);
}

void crew_kill(struct crew *crew)
{
	for (unsigned i = 0; i < crew->point->processes; i++)
		if (crew->pids[i] > 0)
			kill(crew->pids[i], SIGKILL);
	for (unsigned i = 0; i < crew->point->processes; i++) {
		while (crew->pids[i] > 0 && waitpid(crew->pids[i], NULL, 0) < 0 && errno == EINTR)
			;
		crew->pids[i] = 0;
	}
	crew->alive = 0;
}

void crew_end(struct crew *crew, struct watch *watch)
{
	crew_kill(crew);
	for (int i = 0; i < 2; i++)
		if (watch->crews[i] == crew)
			watch->crews[i] = NULL;
	memcg_remove(&crew->memcg);
	arena_free(&crew->arena);
	for (int i = 0; i < 2; i++)
		if (crew->files[i] >= 0)
			close(crew->files[i]);
	close(crew->wake_fd);
	free(crew->pids);
	crew->pids = NULL;
}
