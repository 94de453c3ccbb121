// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure.h"

#include "counters.h"
#include "judge.h"
#include "timing.h"
#include "totals.h"
#include "warnings.h"

#include <stdio.h>

/*
 * Opens the gate and waits until all have closed their windows and left.  What the parent reads
 * after them it reads between the two, while their CPUs are still as busy as they were.
 */
static enum crew_result measure_turn(struct bench *bench, struct crew *crew, struct drain *drain,
                                     struct noise_reading *after)
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
	noise_read(after, crew->point);
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
	warnings_list(&outcome->point, crew->point, outcome->warnings, sizeof(outcome->warnings));
	outcome->point.warnings = outcome->warnings;
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
	struct noise_reading before, after;
	struct drain drain;
	int result;

	if (drain_make(&drain, crew, bench->results, &row, bench->live))
		return complain(c, EXIT_FAILED, "no memory for the samples of %u workers",
		                point->workers);
	noise_read(&before, point);
	surroundings.result = crew_await(crew, &bench->watch, REACHED_GATE);
	if (surroundings.result == CREW_OK) {
		noise_read(&before, point);
		surroundings.result = measure_turn(bench, crew, &drain, &after);
	} else {
		noise_read(&after, point);
	}
	crew_kill(crew); /* who is left when one was lost, or we were interrupted */
	drain_finish(&drain);
	noise_between(&before, &after, point, &surroundings.noise);
	surroundings.noise.oom_kills += memcg_oom_kills(&crew->memcg);
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
	struct surroundings surroundings = {
	        .result = result,
	        .signal = bench->watch.signal,
	        .noise.oom_kills = memcg_oom_kills(&crew->memcg),
	};
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
