// SPDX-License-Identifier: GPL-3.0-or-later
#include "drain.h"

#include "counters.h"
#include "units.h"

#include <stdio.h>
#include <stdlib.h>

int drain_make(struct drain *drain, const struct crew *crew, struct results *results,
               const struct row_key *row, bool live)
{
	*drain = (struct drain){.crew = crew, .results = results, .row = *row, .live = live};
	drain->drained = calloc(crew->point->workers, sizeof(*drain->drained));
	return drain->drained ? waits_make(&drain->waits, crew->point->workers) : -1;
}

void drain_free(struct drain *drain)
{
	waits_free(&drain->waits);
	free(drain->drained);
	drain->drained = NULL;
}

/* The pages of a sample: the work of the loop's headline step. */
static uint64_t sample_pages(const struct point *point, const struct sample *sample)
{
	int headline = point->workload.headline;

	if (headline < 0)
		return UNKNOWN_COUNT;
	return (uint64_t)step_pages(point->workload.loop[headline].step,
	                            (double)sample->step[headline].work, point->page);
}

static void sample_rows(const struct drain *drain, unsigned worker, const struct sample *sample)
{
	const struct point *point = drain->crew->point;
	struct sample_row row = {
	        .row = drain->row,
	        .t_ns = sample->end_ns - drain->gate_ns,
	        .worker = worker,
	        .laps = sample->laps,
	        .step = STEP_LAP,
	        .work = sample_pages(point, sample),
	        .ns = sample->end_ns - sample->start_ns,
	        .faults = sample->faults,
	};

	results_row(drain->results, RESULT_SAMPLES, &row);
	row.faults = UNKNOWN_COUNT;
	for (unsigned s = 0; s < point->workload.loop_steps; s++) {
		row.step = point->workload.loop[s].step->name;
		row.work = sample->step[s].timed;
		row.ns = sample->step[s].timed_ns;
		results_row(drain->results, RESULT_SAMPLES, &row);
	}
}

/* A sample of exactly one lap of fixed work: its steps follow one another from its start. */
static void timeline_rows(const struct drain *drain, unsigned worker, const struct sample *sample)
{
	const struct point *point = drain->crew->point;
	uint64_t at = sample->start_ns - drain->gate_ns;

	if (!point->options.laps || sample->laps != 1 || point->passes != 1)
		return;
	for (unsigned s = 0; s < point->workload.loop_steps; s++) {
		struct timeline_row row = {
		        .row = drain->row,
		        .worker = worker,
		        .lap = sample->lap,
		        .step = point->workload.loop[s].step->name,
		        .start_ns = at,
		        .end_ns = at + sample->step[s].timed_ns,
		};

		results_row(drain->results, RESULT_TIMELINE, &row);
		at = row.end_ns;
	}
}

static void drain_take(struct drain *drain, unsigned worker, const struct sample *sample)
{
	struct drained *drained = &drain->drained[worker];
	int headline = drain->crew->point->workload.headline;

	trend_add(&drain->trend, sample->start_ns, sample->end_ns,
	          (double)(headline < 0 ? sample->laps : sample->step[headline].work));
	drained->end_ns = sample->end_ns;
	drained->laps += sample->laps;
	drained->faults += sample->faults;
	for (unsigned s = 0; s < drain->crew->arena.steps; s++) {
		drained->step[s].work += sample->step[s].work;
		drained->step[s].timed += sample->step[s].timed;
		drained->step[s].timed_ns += sample->step[s].timed_ns;
	}
	if (drain->results->on) {
		sample_rows(drain, worker, sample);
		timeline_rows(drain, worker, sample);
	}
}

static void drain_ring(struct drain *drain, unsigned worker)
{
	struct slot *slot = arena_slot(&drain->crew->arena, worker);
	const struct sample *sample;

	while ((sample = ring_peek(&slot->ring, drain->crew->arena.steps, &drain->torn))) {
		if (drain->torn)
			return;
		drain_take(drain, worker, sample);
		ring_release(&slot->ring);
	}
}

/* Elapsed time and mean rate so far, on one line that the next one overwrites. */
static void drain_show(const struct drain *drain, uint64_t now)
{
	const struct point *point = drain->crew->point;
	int headline = point->workload.headline;
	double seconds = (double)(now - drain->gate_ns) / 1e9, work = 0, start = 0;
	char rate[UNIT_TEXT];

	for (unsigned i = 0; i < point->workers; i++) {
		const struct slot *slot = arena_slot(&drain->crew->arena, i);
		double took = (double)(drain->drained[i].end_ns - slot->open.ns) / 1e9;

		if (headline >= 0 && drain->drained[i].end_ns && took > 0)
			work += step_pages(point->workload.loop[headline].step,
			                   (double)drain->drained[i].step[headline].work,
			                   point->page) /
			        took;
		start = (double)(slot->open.ns - drain->gate_ns) / 1e9;
	}
	if (work > 0)
		fprintf(stderr, "\r%6.1f s  %s pages/s\033[K", seconds, count_format(work, rate));
	else
		fprintf(stderr, "\r%6.1f s  %s\033[K", seconds,
		        start > seconds ? "warm-up" : "working");
}

static void drain_flush(struct drain *drain)
{
	if (!drain->failed && results_flush(drain->results, &drain->complaint))
		drain->failed = true;
}

void drain_tick(void *context, uint64_t now)
{
	struct drain *drain = context;

	waits_look(&drain->waits, drain->crew);
	for (unsigned i = 0; i < drain->crew->point->workers; i++)
		drain_ring(drain, i);
	if (drain->live)
		drain_show(drain, now);
	drain_flush(drain);
}

/* What the window holds beyond the samples drained, as one more sample. */
static void drain_rest(struct drain *drain, unsigned worker, struct sample *rest)
{
	const struct slot *slot = arena_slot(&drain->crew->arena, worker);
	const struct tally *open = &slot->open, *close = &slot->close;
	const struct drained *drained = &drain->drained[worker];
	uint64_t start = drained->end_ns ? drained->end_ns : open->ns;

	if (atomic_load(&slot->reached) < REACHED_CLOSED || close->ns <= start)
		return;
	rest->start_ns = start;
	rest->end_ns = close->ns;
	rest->lap = drained->laps;
	rest->laps = close->laps - open->laps - drained->laps;
	rest->faults = close->minor_faults - open->minor_faults + close->major_faults -
	               open->major_faults - drained->faults;
	for (unsigned s = 0; s < drain->crew->arena.steps; s++) {
		const struct tally_step *from = &open->step[s], *to = &close->step[s];

		rest->step[s].work = to->work - from->work - drained->step[s].work;
		rest->step[s].timed = to->timed_work - from->timed_work - drained->step[s].timed;
		rest->step[s].timed_ns = to->timed_ns - from->timed_ns - drained->step[s].timed_ns;
	}
	drain_take(drain, worker, rest);
}

void drain_finish(struct drain *drain)
{
	struct sample *rest = calloc(1, sample_size(drain->crew->arena.steps));

	if (drain->live)
		fprintf(stderr, "\r\033[K");
	for (unsigned i = 0; i < drain->crew->point->workers; i++) {
		drain_ring(drain, i);
		if (rest && !drain->torn)
			drain_rest(drain, i, rest);
	}
	free(rest);
	drain_flush(drain);
}
