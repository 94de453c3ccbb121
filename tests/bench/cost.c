// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What the harness costs: a crew of faultscale against processes that run the same system calls and
 * accesses in a bare loop.  Both sides are forked anew for each launch and parked; slices alternate
 * in ABBA order.  Printed is the ratio of the rates, harness by bare, with its 95 % interval
 * (Student's t over launches), and the least that is wanted.
 */
#include "affinity.h"
#include "counters.h"
#include "crew.h"
#include "machine.h"
#include "signals.h"
#include "worker.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LAUNCHES = 20, QUADS = 5, WORKERS = 2 };

/* What a bare worker and the parent share. */
struct bare {
	_Alignas(128) _Atomic uint32_t turn; /* odd: work; even: sleep */
	uint64_t laps, ns;
	_Atomic uint32_t done; /* turns ended */
};

typedef void bare_lap(char *memory, size_t bytes, const char *block, size_t block_bytes);

/* The loops that someone would write by hand. */
static void lap_multi_fault(char *memory, size_t bytes, const char *block, size_t block_bytes)
{
	(void)block;
	(void)block_bytes;
	for (size_t at = 0; at < bytes; at += 4096)
		*(volatile char *)(memory + at) = 1;
	madvise(memory, bytes, MADV_DONTNEED);
}

static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

static void lap_memcpy(char *memory, size_t bytes, const char *block, size_t block_bytes)
{
	for (size_t at = 0; at < bytes; at += block_bytes)
		copy(memory + at, block, block_bytes);
}

struct cost_case {
	const char *name, *options, *workload;
	size_t bytes, block;
	unsigned workers;
	bool populated; /* the loop works on memory that is there already */
	bare_lap *lap;
	double least;
};

static const struct cost_case cases[] = {
        {"multi-fault, 1 worker", "-n1 --bytes=2M --thp=never", "map: fault dontneed", 2 << 20,
         1024, 1, false, lap_multi_fault, 0.995},
        {"multi-fault, 2 workers", "-n2 --bytes=2M --thp=never", "map: fault dontneed", 2 << 20,
         1024, 2, false, lap_multi_fault, 0.995},
        {"one page, 1 worker", "-n1 --bytes=4K --thp=never", "map: fault dontneed", 4096, 1024, 1,
         false, lap_multi_fault, 0.99},
        {"memcpy of 1 KiB blocks", "-n1 --bytes=256K --thp=never --block=1K", "map fault: memcpy",
         256 << 10, 1024, 1, true, lap_memcpy, 0.995},
};

static void bare_work(struct bare *bare, const struct cost_case *c, char *memory, const char *block,
                      uint32_t turn)
{
	uint64_t laps = 0, start;

	c->lap(memory, c->bytes, block, c->block); /* as the harness: the first does not count */
	start = clock_ns();
	while (atomic_load_explicit(&bare->turn, memory_order_relaxed) == turn) {
		c->lap(memory, c->bytes, block, c->block);
		laps++;
	}
	bare->ns = clock_ns() - start;
	bare->laps = laps;
}

static _Noreturn void bare_main(struct bare *bare, const struct cost_case *c, int cpu, pid_t parent)
{
	char *memory = mmap(NULL, 4 * c->bytes + (4 << 20), PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *block = aligned_alloc(64, c->block + 64);

	signals_reset_child();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	if (getppid() != parent || affinity_pin(cpu) || memory == MAP_FAILED || !block)
		_exit(1);
	memory += (2 << 20) - (uintptr_t)memory % (2 << 20);
	memset(block, 0x5a, c->block);
	if (c->populated)
		memset(memory, 1, c->bytes);
	for (uint32_t turn = 1;; turn += 2) {
		while (atomic_load(&bare->turn) != turn)
			futex_wait(&bare->turn, turn - 1);
		bare_work(bare, c, memory, block, turn);
		atomic_fetch_add(&bare->done, 1);
		futex_wake_all(&bare->done);
	}
}

struct bare_crew {
	struct bare *shared; /* one for each worker */
	pid_t pids[WORKERS];
};

static void bare_launch(struct bare_crew *crew, const struct cost_case *c,
                        const struct point *point)
{
	crew->shared = mmap(NULL, WORKERS * sizeof(struct bare), PROT_READ | PROT_WRITE,
	                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (unsigned i = 0; i < c->workers; i++) {
		pid_t parent = getpid();

		crew->pids[i] = fork();
		if (crew->pids[i] == 0)
			bare_main(&crew->shared[i], c, point->seats[i].cpu, parent);
	}
}

static void bare_end(struct bare_crew *crew, unsigned workers)
{
	for (unsigned i = 0; i < workers; i++)
		kill(crew->pids[i], SIGKILL);
	for (unsigned i = 0; i < workers; i++)
		waitpid(crew->pids[i], NULL, 0);
	munmap(crew->shared, WORKERS * sizeof(struct bare));
}

static void turn_all(struct bare_crew *crew, unsigned workers)
{
	for (unsigned i = 0; i < workers; i++) {
		atomic_fetch_add(&crew->shared[i].turn, 1);
		futex_wake_all(&crew->shared[i].turn);
	}
}

/* Laps per second of the bare side over one slice. */
static double bare_slice(struct bare_crew *crew, unsigned workers, uint64_t ns)
{
	struct timespec sleep = {0, (long)ns};
	uint32_t before = atomic_load(&crew->shared[0].done);
	double rate = 0;

	turn_all(crew, workers);
	nanosleep(&sleep, NULL);
	turn_all(crew, workers);
	for (unsigned i = 0; i < workers; i++) {
		while (atomic_load(&crew->shared[i].done) == before)
			futex_wait(&crew->shared[i].done, before);
		rate += (double)crew->shared[i].laps * 1e9 / (double)crew->shared[i].ns;
	}
	return rate;
}

static double harness_slice(struct crew *crew, struct watch *watch, uint64_t ns)
{
	uint64_t now = clock_ns();
	double rate = 0;

	crew_open(crew, now + 1, now + ns);
	if (crew_await(crew, watch, REACHED_GATE) != CREW_OK)
		return (double)NAN;
	for (unsigned i = 0; i < crew->point->workers; i++) {
		const struct slot *slot = arena_slot(&crew->arena, i);

		rate += (double)(slot->close.laps - slot->open.laps) * 1e9 /
		        (double)(slot->close.ns - slot->open.ns);
	}
	return rate;
}

/* One launch: ln(harness/bare), the median over its quads. */
static double launch(const struct cost_case *c, const struct point *point, struct watch *watch,
                     double clock_cost, bool harness_first)
{
	const uint64_t slice = 30700000; /* ns: several laps, and no multiple of a tick */
	double ratios[QUADS];
	struct complaint complaint;
	struct bare_crew bare;
	struct crew crew;

	if (!harness_first)
		bare_launch(&bare, c, point);
	if (crew_launch(&crew, point, watch, clock_cost, &complaint)) {
		fprintf(stderr, "%s\n", complaint.text);
		exit(1);
	}
	if (harness_first)
		bare_launch(&bare, c, point);
	crew.arena.board->turn = TURN_SLICE;
	crew_await(&crew, watch, REACHED_GATE);
	for (int q = 0; q < QUADS; q++) {
		double a[2], b[2];

		a[0] = bare_slice(&bare, c->workers, slice);
		b[0] = harness_slice(&crew, watch, slice);
		b[1] = harness_slice(&crew, watch, slice);
		a[1] = bare_slice(&bare, c->workers, slice);
		ratios[q] = log((b[0] + b[1]) / (a[0] + a[1]));
	}
	bare_end(&bare, c->workers);
	crew_end(&crew, watch);
	return gsl_stats_median(ratios, 1, QUADS);
}

/* Plans the case's point and measures it; true if the ratio is not below what is wanted. */
static bool cost_measure(const struct cost_case *c, struct watch *watch, double clock_cost)
{
	char text[128], *words[16], workload[64];
	double ratios[LAUNCHES], mean, half;
	struct complaint complaint;
	struct topology *topology;
	struct options options;
	struct point point;
	int count = 0;

	snprintf(text, sizeof(text), "%s", c->options);
	snprintf(workload, sizeof(workload), "%s", c->workload);
	for (char *rest = text, *word; (word = strsep(&rest, " "));)
		words[count++] = word;
	words[count++] = workload;
	if (topology_load(&topology, &complaint) ||
	    options_parse(COMMAND_RUN, count, words, &options, &complaint) ||
	    point_make(&options, topology, &point, &complaint)) {
		printf("%-26s skipped: %s\n", c->name, complaint.text);
		return true;
	}
	topology_free(topology);
	for (int i = 0; i < LAUNCHES; i++)
		ratios[i] = launch(c, &point, watch, clock_cost, i % 2);
	mean = gsl_stats_mean(ratios, 1, LAUNCHES);
	half = gsl_cdf_tdist_Pinv(0.975, LAUNCHES - 1) * gsl_stats_sd(ratios, 1, LAUNCHES) /
	       sqrt(LAUNCHES);
	printf("%-26s %.4f  (%.4f to %.4f)  wanted: at least %.3f\n", c->name, exp(mean),
	       exp(mean - half), exp(mean + half), c->least);
	fflush(stdout);
	point_free(&point);
	return exp(mean + half) >= c->least;
}

int main(int argc, char *argv[])
{
	struct watch watch = {.signal_fd = signals_open()};
	double clock_cost = machine_clock_cost();
	bool good = true;

	printf("%-26s %-6s  %-18s\n", "rate, harness by bare loop", "ratio", "95 % interval");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (argc < 2 || strstr(cases[i].name, argv[1]))
			good &= cost_measure(&cases[i], &watch, clock_cost);
	return good ? 0 : 1;
}
