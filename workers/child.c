// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A child that sleeps while it shares the worker's private pages, so that the worker's next write
 * to each is a copy-on-write fault.
 *
 * The harness's own memory must not be shared that way, or its first writes after each fork would
 * be faults too: before the first fork every writable private mapping but the region is marked
 * MADV_DONTFORK.  The child then has no stack, no data and no thread-local storage.  It runs on a
 * shared page, and makes its system calls through a pointer that it is given there: the C library's
 * syscall() touches memory (errno) only when a call fails.
 */
#include "verbs.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_STACK ((size_t)64 << 10)

#if defined(__has_attribute)
#if __has_attribute(no_stack_protector)
#define PLAIN __attribute__((no_stack_protector))
#endif
#endif
#ifndef PLAIN
#define PLAIN
#endif

/* What the child finds at the bottom of its stack. */
struct child_order {
	long (*call)(long number, ...);
	long parent;
};

/* Sleeps until it is killed, or its parent dies. */
PLAIN static int child_main(void *argument)
{
	const struct child_order *order = argument;

	order->call(SYS_prctl, (long)PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L);
	while (order->call(SYS_getppid) == order->parent)
		order->call(SYS_ppoll, 0L, 0L, 0L, 0L, 0L);
	order->call(SYS_exit_group, 0L);
	return 0;
}

/* Keeps a mapping of the worker's own out of the child, unless it is the region's. */
static int mapping_keep(const char *line, const struct region *region)
{
	uintptr_t start, end, base = (uintptr_t)region->base;
	char access[5];

	if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &start, &end, access) != 3 ||
	    access[1] != 'w' || access[3] != 'p' || (start <= base && base < end))
		return 0;
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): an address that came as text */
	return madvise((void *)start, end - start, MADV_DONTFORK);
}

/* Lines are read into memory that was there before: a mapping made meanwhile would be missed. */
static int mappings_keep(const struct region *region)
{
	static const char path[] = "/proc/self/maps";
	FILE *maps = fopen(path, "re");
	char line[512];
	int result = maps ? 0 : -1;

	while (result == 0 && fgets(line, sizeof(line), maps))
		result = mapping_keep(line, region);
	if (maps)
		fclose(maps);
	return result;
}

/* Once for each worker: the child's stack, and what the child is not to have. */
static int sibling_prepare(struct sibling *sibling, const struct region *region)
{
	int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE;
	char *stack = mmap(NULL, CHILD_STACK, PROT_READ | PROT_WRITE, flags, -1, 0);
	struct child_order order = {syscall, getpid()};

	if (stack == MAP_FAILED || mappings_keep(region))
		return -1;
	*(struct child_order *)(void *)stack = order;
	sibling->stack = stack;
	return 0;
}

int64_t child_fork(struct region *region, const struct how *how)
{
	struct sibling *sibling = region->sibling;

	(void)how;
	if (!sibling->stack && sibling_prepare(sibling, region))
		return -1;
	/* No CLONE flag and no exit signal: a process of its own that nobody is told about. */
	sibling->pid = clone(child_main, sibling->stack + CHILD_STACK, 0, sibling->stack);
	return sibling->pid < 0 ? -1 : (int64_t)region->pages;
}

int64_t child_reap(struct region *region, const struct how *how)
{
	struct sibling *sibling = region->sibling;

	(void)how;
	if (kill(sibling->pid, SIGKILL))
		return -1;
	while (waitpid(sibling->pid, NULL, __WALL) < 0)
		if (errno != EINTR)
			return -1;
	sibling->pid = 0;
	return (int64_t)region->pages;
}
