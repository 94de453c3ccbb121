// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure.h"

#include "cgroup.h"
#include "counters.h"
#include "judge.h"
#include "machine.h"
#include "timing.h"
#include "totals.h"

#include <stdio.h>
#include <unistd.h>

/* What the parent reads before and after the windows. */
struct reading {
	uint64_t ns, cpu_ns, steal_ticks, oom_kills; /* UNKNOWN_COUNT where it cannot be read */
};

static uint64_t parent_cpu_ns(void)
{
	struct timespec cpu;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
	return (uint64_t)cpu.tv_sec * 1000000000 + (uint64_t)cpu.tv_nsec;
}

static void reading_take(struct reading *reading, const struct point *point)
{
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc();

	for (unsigned i = 0; i < point->workers; i++)
		if (point->seats[i].cpu >= 0)
			hwloc_bitmap_set(cpus, (unsigned)point->seats[i].cpu);
	if (hwloc_bitmap_iszero(cpus) || machine_steal(cpus, &reading->steal_ticks))
		reading->steal_ticks = UNKNOWN_COUNT;
	if (cgroup_oom_kills(&reading->oom_kills))
		reading->oom_kills = UNKNOWN_COUNT;
	reading->ns = clock_ns();
	reading->cpu_ns = parent_cpu_ns();
	hwloc_bitmap_free(cpus);
}

/* The share of the CPUs' time that was stolen; unknown if it cannot be read or ran backwards. */
static double steal_share(const struct reading *from, const struct reading *to, unsigned cpus)
{
	double seconds = (double)(to->ns - from->ns) / 1e9;

	if (from->steal_ticks == UNKNOWN_COUNT || to->steal_ticks == UNKNOWN_COUNT ||
	    to->steal_ticks < from->steal_ticks || seconds <= 0)
		return UNKNOWN_REAL;
	return (double)(to->steal_ticks - from->steal_ticks) / (double)sysconf(_SC_CLK_TCK) /
	       seconds / cpus;
}

static unsigned cpus_used(const struct point *point)
{
	hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
	unsigned used;

	for (unsigned i = 0; i < point->workers; i++)
		if (point->seats[i].cpu >= 0)
			hwloc_bitmap_set(cpus, (unsigned)point->seats[i].cpu);
	used = (unsigned)hwloc_bitmap_weight(cpus);
	hwloc_bitmap_free(cpus);
	return used ? used : 1;
}

static void surroundings_fill(struct surroundings *surroundings, const struct reading *before,
                              const struct reading *after, const struct point *point)
{
	surroundings->steal = steal_share(before, after, cpus_used(point));
	surroundings->parent_cpu_ns = after->cpu_ns - before->cpu_ns;
	if (before->oom_kills != UNKNOWN_COUNT && after->oom_kills != UNKNOWN_COUNT)
		surroundings->oom_kills = after->oom_kills - before->oom_kills;
}

/* Opens the gate and waits until all have closed their windows and left. */
static enum crew_result measure_turn(struct bench *bench, struct crew *crew, struct drain *drain)
{
	const struct options *options = &crew->point->options;
	enum crew_result result;

	drain->gate_ns = clock_ns();
	if (options->laps)
		crew_open(crew, drain->gate_ns, UINT64_MAX);
	else
		crew_open(crew, drain->gate_ns + options->warmup,
		          drain->gate_ns + options->warmup + options->duration);
	bench->watch.tick = drain_tick;
	bench->watch.context = drain;
	bench->watch.tick_interval = options->interval;
	result = crew_await(crew, &bench->watch, REACHED_CLOSED);
	bench->watch.tick_interval = 0;
	if (result == CREW_OK)
		result = crew_dismiss(crew, &bench->watch);
	return result;
}

/* The sums, the steps and the verdict. */
static int outcome_judge(struct outcome *outcome, const struct crew *crew,
                         const struct surroundings *surroundings)
{
	totals_fill(outcome, crew, surroundings);
	if (timing_fill(outcome, crew))
		return -1;
	judge(outcome, crew, surroundings);
	return 0;
}

static int measure_crew(struct bench *bench, struct crew *crew, uint64_t repeat,
                        struct outcome *outcome, struct complaint *c)
{
	const struct point *point = crew->point;
	struct row_key row = {bench->host, point->key, repeat};
	struct surroundings surroundings = {
	        .clock_cost = bench->clock_cost,
	        .host = bench->host,
	        .boot_id = bench->boot_id,
	};
	struct reading before, after;
	struct drain drain;
	int result;

	if (drain_make(&drain, crew, bench->results, &row, bench->live))
		return complain(c, EXIT_FAILED, "no memory for the samples of %u workers",
		                point->workers);
	reading_take(&before, point);
	surroundings.result = crew_await(crew, &bench->watch, REACHED_GATE);
	if (surroundings.result == CREW_OK) {
		reading_take(&before, point);
		surroundings.result = measure_turn(bench, crew, &drain);
	}
	reading_take(&after, point);
	crew_kill(crew); /* who is left when one was lost, or we were interrupted */
	drain_finish(&drain);
	surroundings_fill(&surroundings, &before, &after, point);
	surroundings.gate_ns = drain.gate_ns;
	surroundings.signal = bench->watch.signal;
	surroundings.torn = drain.torn;
	result = outcome_make(outcome, crew, &drain, &surroundings) ||
	         outcome_judge(outcome, crew, &surroundings);
	if (result)
		return complain(c, EXIT_FAILED, "no memory for the results of %u workers",
		                point->workers);
	outcome_rows(outcome, bench->results);
	if (drain.failed)
		result = complain(c, drain.complaint.status, "%s", drain.complaint.text);
	drain_free(&drain);
	return result;
}

int measure(struct bench *bench, const struct point *point, uint64_t repeat,
            struct outcome *outcome, struct complaint *c)
{
	struct crew crew;
	int result;

	*outcome = (struct outcome){0};
	if (crew_launch(&crew, point, &bench->watch, bench->clock_cost, c))
		return -1;
	result = measure_crew(bench, &crew, repeat, outcome, c);
	crew_end(&crew, &bench->watch);
	return result;
}

void measure_blame(struct bench *bench, struct crew *crew, enum crew_result result, char *reason,
                   size_t size, enum exit_status *exit_status)
{
	struct results none = {0};
	struct row_key row = {bench->host, crew->point->key, 1};
	struct surroundings surroundings = {.result = result, .signal = bench->watch.signal};
	struct outcome outcome = {0};
	struct drain drain;

	crew_kill(crew);
	snprintf(reason, size, "no memory");
	*exit_status = EXIT_FAILED;
	if (drain_make(&drain, crew, &none, &row, false) == 0 &&
	    outcome_make(&outcome, crew, &drain, &surroundings) == 0) {
		judge(&outcome, crew, &surroundings);
		snprintf(reason, size, "%s", outcome.reason);
		*exit_status = outcome.exit_status;
	}
	outcome_free(&outcome);
	drain_free(&drain);
}
