// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The least that many workers can cost: fork, pin, fault 64 KiB so many times, reap.
 *
 *   forks WORKERS LAPS
 *
 * Prints milliseconds per process.
 */
#include "affinity.h"
#include "counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 64 << 10, PAGE = 4096 };

static _Noreturn void process_main(int cpu, long laps)
{
	volatile char *memory;

	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (affinity_pin(cpu) || memory == MAP_FAILED)
		_exit(1);
	for (long lap = 0; lap < laps; lap++) {
		for (int at = 0; at < BYTES; at += PAGE)
			memory[at] = 1;
		madvise((void *)(uintptr_t)memory, BYTES, MADV_DONTNEED);
	}
	_exit(0);
}

int main(int argc, char *argv[])
{
	long workers = argc > 1 ? strtol(argv[1], NULL, 10) : 1024;
	long laps = argc > 2 ? strtol(argv[2], NULL, 10) : 1;
	hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
	struct complaint c;
	int cpu = -1, bad = 0, status;
	uint64_t start;

	if (affinity_allowed(allowed, &c))
		return 1;
	start = clock_ns();
	for (long i = 0; i < workers; i++) {
		pid_t pid;

		cpu = hwloc_bitmap_next(allowed, cpu);
		if (cpu < 0)
			cpu = hwloc_bitmap_first(allowed);
		pid = fork();
		if (pid == 0)
			process_main(cpu, laps);
		bad += pid < 0;
	}
	while (wait(&status) > 0)
		bad += status != 0;
	printf("%.3f\n", (double)(clock_ns() - start) / 1e6 / (double)workers);
	return bad ? 1 : 0;
}
