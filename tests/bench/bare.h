// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A crew of faultscale against processes that run the same system calls and accesses in a bare
 * loop. Both sides are forked anew for each launch and parked; slices alternate in ABBA order. What
 * comes out is the ratio of the rates, harness by bare, with its 95 % interval (Student's t over
 * launches).
 */
#ifndef BARE_H
#define BARE_H

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

enum { BARE_LAUNCHES_MOST = 20, BARE_QUADS = 5, BARE_WORKERS = 2 };

/* What a bare worker and the parent share. */
struct bare {
	_Alignas(128) _Atomic uint32_t turn; /* odd: work; even: sleep */
	uint64_t laps, ns;
	_Atomic uint32_t done;  /* turns ended */
	_Atomic uint32_t ready; /* 1: its memory is there; 2: it could not be had */
};

/* A lap over the memory, written by hand. */
typedef void bare_lap(char *memory, size_t bytes, const char *block, size_t block_bytes);

/* One comparison. */
struct bare_case {
	const char *name, *options, *workload; /* of the harness */
	size_t bytes, block;
	unsigned workers;
	bool populated; /* the loop works on memory that is there already */
	bare_lap *lap;
	double least; /* ratio that is wanted, or 0 */
	uint64_t slice_ns;
	unsigned launches;
};

static inline void bare_work(struct bare *bare, const struct bare_case *c, char *memory,
                             const char *block, uint32_t turn)
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

static inline void bare_tell(struct bare *bare, uint32_t ready)
{
	atomic_store(&bare->ready, ready);
	futex_wake_all(&bare->ready);
}

static _Noreturn inline void bare_main(struct bare *bare, const struct bare_case *c, int cpu,
                                       pid_t parent)
{
	char *memory = mmap(NULL, 4 * c->bytes + (4 << 20), PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *block = aligned_alloc(64, c->block + 64);

	signals_reset_child();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	if (getppid() != parent || affinity_pin(cpu) || memory == MAP_FAILED || !block) {
		bare_tell(bare, 2);
		_exit(1);
	}
	memory += (2 << 20) - (uintptr_t)memory % (2 << 20);
	memset(block, 0x5a, c->block);
	if (c->populated)
		memset(memory, 1, c->bytes);
	bare_tell(bare, 1);
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
	pid_t pids[BARE_WORKERS];
};

/* Forks them and waits until their memory is there: a turn must not pass before they look. */
static inline void bare_launch(struct bare_crew *crew, const struct bare_case *c,
                               const struct point *point)
{
	crew->shared = mmap(NULL, BARE_WORKERS * sizeof(struct bare), PROT_READ | PROT_WRITE,
	                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (unsigned i = 0; i < c->workers; i++) {
		pid_t parent = getpid();

		crew->pids[i] = fork();
		if (crew->pids[i] == 0)
			bare_main(&crew->shared[i], c, point->seats[i].cpu, parent);
	}
	for (unsigned i = 0; i < c->workers; i++) {
		while (atomic_load(&crew->shared[i].ready) == 0)
			futex_wait(&crew->shared[i].ready, 0);
		if (atomic_load(&crew->shared[i].ready) == 2) {
			fprintf(stderr, "a bare process could not be made\n");
			exit(1);
		}
	}
}

static inline void bare_end(struct bare_crew *crew, unsigned workers)
{
	for (unsigned i = 0; i < workers; i++)
		kill(crew->pids[i], SIGKILL);
	for (unsigned i = 0; i < workers; i++)
		waitpid(crew->pids[i], NULL, 0);
	munmap(crew->shared, BARE_WORKERS * sizeof(struct bare));
}

static inline void turn_all(struct bare_crew *crew, unsigned workers)
{
	for (unsigned i = 0; i < workers; i++) {
		atomic_fetch_add(&crew->shared[i].turn, 1);
		futex_wake_all(&crew->shared[i].turn);
	}
}

/* Laps per second of the bare side over one slice. */
static inline double bare_slice(struct bare_crew *crew, unsigned workers, uint64_t ns)
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

static inline double harness_slice(struct crew *crew, struct watch *watch, uint64_t ns)
{
	uint64_t now = clock_ns();
	double rate = 0;

	/* As with the bare loop the first lap does not count. */
	crew_open(crew, now + 100000, now + 100000 + ns);
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
static inline double bare_compare(const struct bare_case *c, const struct point *point,
                                  struct watch *watch, double clock_cost, bool harness_first)
{
	double ratios[BARE_QUADS];
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
	for (int q = 0; q < BARE_QUADS; q++) {
		double a[2], b[2];

		a[0] = bare_slice(&bare, c->workers, c->slice_ns);
		b[0] = harness_slice(&crew, watch, c->slice_ns);
		b[1] = harness_slice(&crew, watch, c->slice_ns);
		a[1] = bare_slice(&bare, c->workers, c->slice_ns);
		ratios[q] = log((b[0] + b[1]) / (a[0] + a[1]));
	}
	bare_end(&bare, c->workers);
	crew_end(&crew, watch);
	return gsl_stats_median(ratios, 1, BARE_QUADS);
}

/* Plans the case's point and measures it; true if the ratio is not below what is wanted. */
static inline bool bare_measure(const struct bare_case *c, struct watch *watch, double clock_cost)
{
	char text[128], *words[16], workload[64];
	double ratios[BARE_LAUNCHES_MOST], mean, half;
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
	for (unsigned i = 0; i < c->launches; i++)
		ratios[i] = bare_compare(c, &point, watch, clock_cost, i % 2);
	mean = gsl_stats_mean(ratios, 1, c->launches);
	half = gsl_cdf_tdist_Pinv(0.975, c->launches - 1) * gsl_stats_sd(ratios, 1, c->launches) /
	       sqrt(c->launches);
	printf("%-26s %.4f  (%.4f to %.4f)", c->name, exp(mean), exp(mean - half),
	       exp(mean + half));
	if (c->least > 0)
		printf("  wanted: at least %.3f", c->least);
	putchar('\n');
	fflush(stdout);
	point_free(&point);
	return exp(mean + half) >= c->least;
}

#endif
