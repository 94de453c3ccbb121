// SPDX-License-Identifier: GPL-3.0-or-later
#include "outcome.h"

#include "cpulist.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of one choice option by its name in the table. */
static const char *choice_name(const struct options *options, const char *name)
{
	for (const struct option_row *row = option_rows; row->name; row++)
		if (strcmp(row->name, name) == 0)
			return row->choices[*(const int *)(const void *)((const char *)options +
			                                                 row->offset)];
	return NULL;
}

/* The nodes that the workers' CPUs are on, as a list; "" if unknown. */
static void point_nodes(const struct point *point, char *out, size_t size)
{
	hwloc_bitmap_t nodes = hwloc_bitmap_alloc();

	out[0] = '\0';
	for (unsigned i = 0; i < point->workers; i++)
		if (point->seats[i].node >= 0)
			hwloc_bitmap_set(nodes, (unsigned)point->seats[i].node);
	if (!hwloc_bitmap_iszero(nodes))
		cpulist_format(nodes, out, size);
	hwloc_bitmap_free(nodes);
}

/* What is known of the point before it runs. */
static void row_describe(struct outcome *outcome, const struct point *point,
                         const struct surroundings *surroundings)
{
	const struct options *options = &point->options;
	struct point_row *row = &outcome->point;

	point_nodes(point, outcome->nodes, sizeof(outcome->nodes));
	row->boot_id = surroundings->boot_id;
	row->workload = point->workload.text;
	row->preset = options->preset ? options->preset->name : NULL;
	row->mode = point_mode(point);
	row->workers = point->workers;
	row->per_process = point->per_process;
	row->cpus = point->cpus;
	row->order = options->no_pin ? "none" : choice_name(options, "order");
	row->nodes = outcome->nodes;
	row->bytes = options->bytes;
	row->page_bytes = point->page;
	row->total_bytes = point->total_bytes ? point->total_bytes : UNKNOWN_COUNT;
	row->fixed_laps = options->laps ? options->laps : UNKNOWN_COUNT;
	row->piece = point->passes > 1 ? point->pass_pages * point->page : UNKNOWN_COUNT;
	row->block = options->block;
	row->backing = choice_name(options, "backing");
	row->share = choice_name(options, "share");
	row->layout = choice_name(options, "layout");
	row->thp = choice_name(options, "thp");
	row->mem = options->mem;
	row->memcg = choice_name(options, "memcg");
	row->filesystem = point->backing.filesystem;
	row->copy = choice_name(options, "copy");
	row->band_low = point->exact ? UNKNOWN_REAL : point->band.low;
	row->band_high = point->exact ? UNKNOWN_REAL : point->band.high;
	row->clock_ns = surroundings->clock_cost;
	row->steal = surroundings->noise.steal;
}

/* What may have disturbed it; its texts are copied, the readings they lie in go. */
static void row_noise(struct outcome *outcome, const struct noise *noise, const struct trend *trend)
{
	const char *sources[] = {noise->row.clock_source, noise->row.clock_source_after};
	struct noise_row *row = &outcome->point.noise;

	*row = noise->row;
	for (int i = 0; i < 2; i++)
		snprintf(outcome->clock_source[i], sizeof(outcome->clock_source[i]), "%s",
		         sources[i] ? sources[i] : "");
	row->clock_source = outcome->clock_source[0];
	row->clock_source_after = outcome->clock_source[1];
	memcpy(outcome->mthp, noise->mthp, sizeof(outcome->mthp));
	outcome->point.mthp_anon_alloc = outcome->mthp[MTHP_ANON_ALLOC];
	outcome->point.mthp_anon_fallback = outcome->mthp[MTHP_ANON_FALLBACK];
	outcome->point.mthp_shmem_alloc = outcome->mthp[MTHP_SHMEM_ALLOC];
	outcome->point.mthp_shmem_fallback = outcome->mthp[MTHP_SHMEM_FALLBACK];
	row->lap_p50_by_p10 = UNKNOWN_REAL; /* timing_fill() knows */
	row->drift = trend_drift(trend, &row->drift_error);
}

static uint64_t since(uint64_t to, uint64_t from)
{
	return to == UNKNOWN_COUNT || from == UNKNOWN_COUNT ? UNKNOWN_COUNT : to - from;
}

/* Copied bytes and headline pages of a window. */
static void window_work(const struct point *point, const struct tally_step steps[], double *pages,
                        double *bytes)
{
	*pages = *bytes = UNKNOWN_REAL;
	for (unsigned s = 0; s < point->workload.loop_steps; s++) {
		const struct step *step = point->workload.loop[s].step;

		if ((int)s == point->workload.headline)
			*pages = step_pages(step, (double)steps[s].work, point->page);
		if (step->unit == UNIT_BYTE)
			*bytes = (isfinite(*bytes) ? *bytes : 0) + (double)steps[s].work;
	}
}

/* Pages per second from the p10 of lap time; unknown below 100 laps or when CPUs are shared. */
static double worker_floor(const struct point *point, const struct arena *arena, unsigned worker)
{
	const struct histogram *laps = slot_histogram(arena, worker, arena->steps);
	double p10 = histogram_quantile(laps, 0.1);

	if (point->oversubscribed || point->workload.headline < 0 || histogram_count(laps) < 100)
		return UNKNOWN_REAL;
	return p10 > 0 ? (double)point->pages * 1e9 / p10 : UNKNOWN_REAL;
}

/* What a worker whose window closed did in it. */
static void worker_window(struct outcome *outcome, const struct crew *crew, unsigned index,
                          uint64_t gate_ns)
{
	const struct slot *slot = arena_slot(&crew->arena, index);
	const struct tally *open = &slot->open, *close = &slot->close;
	struct tally_step *steps = outcome->worker_steps[index];
	struct worker_row *row = &outcome->workers[index];
	uint64_t asleep, cpu_ns = close->cpu_ns - open->cpu_ns;
	uint64_t delay_ns = since(close->delay_ns, open->delay_ns);
	double pages, bytes;

	for (unsigned s = 0; s < crew->arena.steps; s++)
		steps[s] = (struct tally_step){
		        close->step[s].calls - open->step[s].calls,
		        close->step[s].work - open->step[s].work,
		        close->step[s].timed_calls - open->step[s].timed_calls,
		        close->step[s].timed_work - open->step[s].timed_work,
		        close->step[s].timed_ns - open->step[s].timed_ns,
		};
	window_work(crew->point, steps, &pages, &bytes);
	row->start_ns = open->ns - gate_ns;
	row->window_ns = close->ns - open->ns;
	row->laps = close->laps - open->laps;
	row->pages = isfinite(pages) ? (uint64_t)pages : UNKNOWN_COUNT;
	row->minor_faults = close->minor_faults - open->minor_faults;
	row->major_faults = close->major_faults - open->major_faults;
	row->pages_per_s = per_second(pages, row->window_ns);
	row->floor_pages_per_s = worker_floor(crew->point, &crew->arena, index);
	row->bytes_per_s = per_second(bytes, row->window_ns);
	row->busy = share(cpu_ns, row->window_ns);
	row->run_delay = share(delay_ns, row->window_ns);
	asleep = cpu_ns + (delay_ns == UNKNOWN_COUNT ? 0 : delay_ns);
	row->blocked = asleep < row->window_ns ? share(row->window_ns - asleep, row->window_ns) : 0;
	row->voluntary_switches = close->voluntary - open->voluntary;
	row->involuntary_switches = close->involuntary - open->involuntary;
	row->migrations = since(close->migrations, open->migrations);
	row->status = "ok";
}

/* A worker without a closed window: what is known of it is where it was. */
static const struct worker_row worker_unknown = {
        .start_ns = UNKNOWN_COUNT,
        .window_ns = UNKNOWN_COUNT,
        .laps = UNKNOWN_COUNT,
        .pages = UNKNOWN_COUNT,
        .minor_faults = UNKNOWN_COUNT,
        .major_faults = UNKNOWN_COUNT,
        .pages_per_s = UNKNOWN_REAL,
        .floor_pages_per_s = UNKNOWN_REAL,
        .bytes_per_s = UNKNOWN_REAL,
        .busy = UNKNOWN_REAL,
        .blocked = UNKNOWN_REAL,
        .run_delay = UNKNOWN_REAL,
        .voluntary_switches = UNKNOWN_COUNT,
        .involuntary_switches = UNKNOWN_COUNT,
        .migrations = UNKNOWN_COUNT,
        .status = "no window",
};

static void worker_fill(struct outcome *outcome, const struct crew *crew, unsigned index,
                        uint64_t gate_ns)
{
	const struct point *point = crew->point;
	const struct seat *seat = &point->seats[index];
	struct worker_row *row = &outcome->workers[index];
	const struct wait_site *most = waits_most(&outcome->waits, index);

	*row = worker_unknown;
	if (atomic_load(&arena_slot(&crew->arena, index)->reached) >= REACHED_CLOSED)
		worker_window(outcome, crew, index, gate_ns);
	row->row = outcome->point.row;
	row->worker = index;
	row->process = index / point->per_process;
	row->cpu = seat->cpu < 0 ? UNKNOWN_COUNT : (uint64_t)seat->cpu;
	row->node = seat->node < 0 ? UNKNOWN_COUNT : (uint64_t)seat->node;
	row->looks = outcome->waits.looks[index];
	row->waited_step = most ? point->workload.loop[most->step].step->name : NULL;
	row->waited_in = most ? most->symbol : NULL;
	row->waited_looks = most ? most->seen : UNKNOWN_COUNT;
}

/* What a worker's events came to; without a closed window only why they would not have. */
static void worker_events(struct outcome *outcome, const struct crew *crew, unsigned index)
{
	const struct event_list *list = &crew->point->events;
	const struct slot *slot = arena_slot(&crew->arena, index);
	const struct event_tally *tally = &slot->events;

	for (unsigned e = 0; e < list->count; e++) {
		struct event_row *row = &outcome->events[index * list->count + e];

		*row = (struct event_row){
		        .row = outcome->point.row,
		        .worker = index,
		        .event = list->event[e].name,
		        .value = UNKNOWN_COUNT,
		        .enabled_ns = UNKNOWN_COUNT,
		        .running_ns = UNKNOWN_COUNT,
		        .scope = event_scope_name((enum event_scope)tally->scope[e]),
		        .error = tally->error[e] ? strerror(tally->error[e]) : NULL,
		};
		if (!outcome->event_error[e])
			outcome->event_error[e] = tally->error[e];
		if (outcome->event_scope[e] == SCOPE_NONE)
			outcome->event_scope[e] = (enum event_scope)tally->scope[e];
		if (tally->scope[e] == SCOPE_NONE ||
		    outcome->workers[index].window_ns == UNKNOWN_COUNT)
			continue;
		row->value = event_value(&tally->open[e], &tally->close[e]);
		row->enabled_ns = tally->close[e].enabled_ns - tally->open[e].enabled_ns;
		row->running_ns = tally->close[e].running_ns - tally->open[e].running_ns;
	}
}

int outcome_make(struct outcome *outcome, const struct crew *crew, struct drain *drain,
                 const struct surroundings *surroundings)
{
	unsigned workers = crew->point->workers;

	*outcome = (struct outcome){.waits = drain->waits, .point.row = drain->row};
	drain->waits = (struct waits){0};
	outcome->workers = calloc(workers, sizeof(*outcome->workers));
	outcome->worker_steps = calloc(workers, sizeof(*outcome->worker_steps));
	outcome->memory_nodes = calloc(workers + 1, sizeof(*outcome->memory_nodes));
	outcome->event_rows = workers * crew->point->events.count;
	outcome->events = calloc(outcome->event_rows + 1, sizeof(*outcome->events));
	if (!outcome->workers || !outcome->worker_steps || !outcome->memory_nodes ||
	    !outcome->events)
		return -1;
	row_describe(outcome, crew->point, surroundings);
	row_noise(outcome, &surroundings->noise, &drain->trend);
	for (unsigned i = 0; i < workers; i++)
		worker_fill(outcome, crew, i, surroundings->gate_ns);
	outcome_place(outcome, crew);
	for (unsigned i = 0; i < workers; i++)
		worker_events(outcome, crew, i);
	return 0;
}

void outcome_free(struct outcome *outcome)
{
	waits_free(&outcome->waits);
	free(outcome->workers);
	free(outcome->worker_steps);
	free(outcome->memory_nodes);
	free(outcome->events);
	*outcome = (struct outcome){0};
}

void outcome_rows(const struct outcome *outcome, struct results *results)
{
	results_row(results, RESULT_POINTS, &outcome->point);
	for (unsigned i = 0; i < outcome->point.workers; i++)
		results_row(results, RESULT_WORKERS, &outcome->workers[i]);
	for (unsigned s = 0; s < outcome->step_rows; s++)
		results_row(results, RESULT_STEPS, &outcome->steps[s]);
	for (unsigned e = 0; e < outcome->event_rows; e++)
		results_row(results, RESULT_EVENTS, &outcome->events[e]);
}
