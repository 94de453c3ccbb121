// SPDX-License-Identifier: GPL-3.0-or-later
#include "process.h"

#include "affinity.h"
#include "bus.h"
#include "layout.h"
#include "loop.h"
#include "rehearsal.h"
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CACHE_LINE 64

#define STACK_BYTES ((size_t)256 << 10)

/* What the threads of one process share. */
struct process {
	const struct process_order *order;
	unsigned first, members; /* its workers */
	struct layout layout;    /* of what is measured */
	struct layout rehearsal; /* of what is rehearsed on: the same, or a small one */
	int spare; /* a descriptor kept for member_check_layout(): threads may use up all others */
	struct bus_order bus;
	pthread_barrier_t together;
	_Atomic unsigned alive;
};

struct seat_in_process {
	struct process *process;
	unsigned member;
};

static struct slot *member_slot(const struct process *process, unsigned member)
{
	return arena_slot(process->order->arena, process->first + member);
}

/* Gives up the whole process: with one worker missing the point is invalid. */
static _Noreturn void member_fail(const struct process *process, unsigned member,
                                  enum failure_kind kind, int error)
{
	slot_fail(member_slot(process, member), kind, error, 0);
	_exit(EXIT_FAILED);
}

/* Ends a worker's thread, and with the last one the process.  No unwinding, no atexit. */
static void member_leave(struct worker *worker)
{
	struct process *process = worker->process;

	atomic_store(&worker->slot->reached, REACHED_END);
	if (atomic_fetch_sub(&process->alive, 1) == 1)
		_exit(EXIT_OK);
	for (;;)
		syscall(SYS_exit, 0);
}

/*
 * The block that memcpy steps copy from: the worker's own, written, on its node.  It begins a cache
 * line behind a page's start: where source and destination agree in their low 12 bits a load waits
 * for the store before it (4 KiB aliasing), which took 25 % off 1 KiB copies on an AMD EPYC 9005.
 */
static char *block_make(size_t bytes)
{
	char *memory = mmap(NULL, bytes + CACHE_LINE, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	memset(memory, 0x5a, bytes + CACHE_LINE);
	return memory + CACHE_LINE;
}

/* All members meet here; with one alone there is nobody to wait for. */
static void process_meet(struct process *process)
{
	if (process->members > 1)
		pthread_barrier_wait(&process->together);
}

/* In a shared layout the process maps for all before anyone touches: `map` is done already. */
static unsigned setup_done(const struct process *process)
{
	return process->order->point->options.layout == LAYOUT_GUARDED ? 0 : 1;
}

/* What is faulted in by this thread from here on lies where the policy says. */
static void member_set_policy(const struct process *process, unsigned member,
                              const struct mempolicy *policy)
{
	if (!process->order->point->numa_error && mempolicy_set(policy))
		member_fail(process, member, FAILURE_POLICY, errno);
}

/* Setup and rehearsal, and with fixed work another setup on the cold memory. */
static int member_prepare(struct process *process, struct worker *worker, unsigned member)
{
	bool cold = worker->point->rehearsal_pages != 0;
	struct region region = layout_region(&process->rehearsal, member);

	if (workload_step_with(&worker->point->workload, NEEDS_BLOCK)) {
		worker->region.block = region.block = block_make(worker->region.block_bytes);
		if (!region.block)
			member_fail(process, member, FAILURE_MEMORY, errno);
	}
	worker->region.sibling = region.sibling = &worker->sibling;
	member_set_policy(process, member, &worker->point->policies[worker->index]);
	process_meet(process);
	if (worker_setup(worker, &region, setup_done(process)) || worker_rehearse(worker, &region))
		return -1;
	process_meet(process);
	if (!cold)
		return 0;
	if (member == 0)
		layout_release(&process->rehearsal);
	return worker_setup(worker, &worker->region, setup_done(process));
}

/*
 * Memory that is mapped and accessible at the gate must lie as the layout says.  Processes of one
 * worker all do the same; there the first one's word counts for all, since reading the maps takes
 * as long as a tenth of the rest.
 */
static void member_check_layout(struct process *process)
{
	const unsigned usable = MAPPED | ACCESSIBLE;
	unsigned facts = process->order->point->workload.facts;

	close(process->spare);
	if (process->members == 1 && process->order->process > 0)
		return;
	if (!layout_holds(&process->layout, (facts & usable) == usable))
		member_fail(process, 0, FAILURE_LAYOUT, 0);
}

static void member_work(struct process *process, unsigned member)
{
	const struct process_order *order = process->order;
	struct worker worker = {
	        .point = order->point,
	        .arena = order->arena,
	        .index = process->first + member,
	        .slot = member_slot(process, member),
	        .wake_fd = order->wake_fd,
	        .clock_cost = order->clock_cost,
	        .region = layout_region(&process->layout, member),
	        .leave = member_leave,
	        .process = process,
	};
	int cpu = order->point->seats[worker.index].cpu;

	/* The main thread, member 0, is pinned since before it mapped anything. */
	if (member && cpu >= 0 && affinity_pin(cpu))
		member_fail(process, member, FAILURE_PIN, errno);
	slot_clear(order->arena, worker.index);
	worker.slot->tid = (pid_t)syscall(SYS_gettid);
	worker_begin(&worker);
	if (member_prepare(process, &worker, member))
		_exit(EXIT_FAILED);
	process_meet(process);
	if (member == 0)
		member_check_layout(process);
	worker_serve(&worker);
}

static void *member_main(void *argument)
{
	struct seat_in_process *seat = argument;

	member_work(seat->process, seat->member);
	return NULL;
}

static void process_start_threads(struct process *process, struct seat_in_process *seats)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	for (unsigned i = 1; i < process->members; i++) {
		int error;

		seats[i] = (struct seat_in_process){process, i};
		error = pthread_create(&thread, &attributes, member_main, &seats[i]);
		if (error)
			member_fail(process, i, FAILURE_THREAD, error);
	}
	pthread_attr_destroy(&attributes);
}

/* Reserves a layout, and where its workers share a VMA maps it for all of them. */
static void process_reserve(struct process *process, struct layout *layout, size_t pages,
                            int one_file)
{
	const struct point *point = process->order->point;
	struct region whole;

	if (layout_reserve(layout, point, process->members, pages))
		member_fail(process, 0, FAILURE_MEMORY, errno);
	if (layout_supply(layout, process->first, one_file))
		member_fail(process, 0, FAILURE_FILE, errno);
	if (!setup_done(process))
		return;
	whole = layout_whole(layout);
	if (point->workload.setup[0].step->verb(&whole, &point->workload.setup[0].step->how) < 0)
		member_fail(process, 0, FAILURE_SETUP, errno);
}

static void process_reserve_all(struct process *process)
{
	const struct point *point = process->order->point;
	const int *files = process->order->files;

	process_reserve(process, &process->layout, point->pages, files[0]);
	process->rehearsal = process->layout;
	if (point->rehearsal_pages)
		process_reserve(process, &process->rehearsal, point->rehearsal_pages, files[1]);
	process->bus = (struct bus_order){
	        .arena = process->order->arena,
	        .first = process->first,
	        .members = process->members,
	        .layouts = {&process->layout, &process->rehearsal},
	};
	bus_guard(&process->bus);
}

/* Workers are the first that the kernel should kill when memory is out, never the parent. */
static void process_volunteer(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, "1000", 4) < 0)
		errno = 0; /* no harm: it stays as it was */
	close(fd);
}

/* Each thread opens some files of its own: as many as the hard limit lets this process have. */
static void process_widen(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

/* Never outlives the parent, which may have died before prctl took effect. */
static void process_bind_to_parent(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILED);
}

_Noreturn void process_main(const struct process_order *order)
{
	struct process process = {
	        .order = order,
	        .first = point_first(order->point, order->process),
	        .members = point_members(order->point, order->process),
	};
	struct seat_in_process *seats;
	int cpu = order->point->seats[process.first].cpu;

	signals_reset_child();
	process_bind_to_parent(order->parent);
	process_volunteer();
	if (memcg_enter(order->memcg, order->process))
		member_fail(&process, 0, FAILURE_MEMCG, errno);
	process_widen();
	process.spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
	process.alive = process.members;
	if (cpu >= 0 && affinity_pin(cpu))
		member_fail(&process, 0, FAILURE_PIN, errno);
	member_set_policy(&process, 0, &(struct mempolicy){.kind = MEM_LOCAL});
	if (order->point->options.thp == THP_NEVER && prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0))
		member_fail(&process, 0, FAILURE_THP, errno);
	process_reserve_all(&process);
	seats = calloc(process.members, sizeof(*seats));
	pthread_barrier_init(&process.together, NULL, process.members);
	if (!seats)
		member_fail(&process, 0, FAILURE_MEMORY, errno);
	process_start_threads(&process, seats);
	member_work(&process, 0);
	_exit(EXIT_FAILED); /* not reached: workers leave through member_leave */
}
