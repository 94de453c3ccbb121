// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

void counters_open(struct counters *counters, bool pinned)
{
	counters->pinned = pinned;
	counters->schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	counters->sched = pinned ? -1 : open("/proc/thread-self/sched", O_RDONLY | O_CLOEXEC);
}

uint64_t counters_minor_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_minflt;
}

void counters_read_faults(struct tally *tally)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	tally->minor_faults = (uint64_t)usage.ru_minflt;
	tally->major_faults = (uint64_t)usage.ru_majflt;
	tally->voluntary = (uint64_t)usage.ru_nvcsw;
	tally->involuntary = (uint64_t)usage.ru_nivcsw;
}

/* Reads a small file whole, from its start, into `text`; false if it cannot be read. */
static bool file_read(int fd, char *text, size_t size)
{
	ssize_t got = fd < 0 ? -1 : pread(fd, text, size - 1, 0);

	text[got > 0 ? got : 0] = '\0';
	return got > 0;
}

static uint64_t run_delay(int fd)
{
	uint64_t running, delay;
	char text[128];

	if (!file_read(fd, text, sizeof(text)) ||
	    sscanf(text, "%" SCNu64 " %" SCNu64, &running, &delay) != 2)
		return UINT64_MAX;
	return delay;
}

static uint64_t migrations(int fd)
{
	char text[4096];
	const char *at;
	uint64_t count;

	if (!file_read(fd, text, sizeof(text)))
		return UINT64_MAX;
	at = strstr(text, "nr_migrations");
	if (!at || !(at = strchr(at, ':')) || sscanf(at + 1, "%" SCNu64, &count) != 1)
		return UINT64_MAX;
	return count;
}

void counters_read_cpu(struct tally *tally)
{
	struct timespec cpu;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
	tally->cpu_ns = (uint64_t)cpu.tv_sec * 1000000000 + (uint64_t)cpu.tv_nsec;
}

void counters_read_times(const struct counters *counters, struct tally *tally)
{
	tally->delay_ns = run_delay(counters->schedstat);
	tally->migrations = counters->pinned ? 0 : migrations(counters->sched);
}
