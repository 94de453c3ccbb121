// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan.h"

#include "counts.h"
#include "point.h"
#include "pool.h"
#include "quote.h"

#include <ctype.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* About what a repeat takes beside its warm-up and window, for an estimate. */
#define REPEAT_OVERHEAD_NS UINT64_C(300000000)

enum { PLAN_JOBS = 1000000, MODES = 2, COMMAND_TEXT = 8192 };

/* What a plan is made of. */
struct grid {
	const struct options *sweep;
	const struct topology *topology;
	char *shared; /* words of all jobs, options_words() */
	int shared_count;
	const char *workloads[OPERANDS_LIMIT];
	size_t workload_count;
	const char *modes[MODES]; /* NULL: --per-process says it */
	size_t mode_count;
	unsigned *counts;
	size_t count_count;
	struct plan_job
	        *points; /* by workload, mode and count; one whose command is NULL is left out */
	size_t point_count;
	uint64_t repeats; /* jobs of a point */
};

enum { OWN_WORDS = 3 };

char *plan_name(const struct plan_job *job, char out[PLAN_NAME])
{
	snprintf(out, PLAN_NAME, "%s.%" PRIu64, job->key, job->repeat);
	return out;
}

/* True for "process", "thread" and both, each once, into grid->modes. */
static bool modes_read(const char *text, struct grid *grid)
{
	static const char *const names[MODES] = {"process", "thread"};

	for (;; text++) {
		size_t length = strcspn(text, ","), m = 0;

		while (m < MODES && (strlen(names[m]) != length || strncmp(names[m], text, length)))
			m++;
		if (m == MODES || grid->mode_count == MODES ||
		    (grid->mode_count && grid->modes[0] == names[m]))
			return false;
		grid->modes[grid->mode_count++] = names[m];
		text += length;
		if (!*text)
			return true;
	}
}

static int grid_modes(struct grid *grid, struct complaint *c)
{
	if (grid->sweep->per_process) {
		grid->mode_count = 1;
		return 0;
	}
	if (modes_read(grid->sweep->modes, grid))
		return 0;
	return complain(c, EXIT_USAGE, "--mode: '%s' is not process, thread or process,thread",
	                grid->sweep->modes);
}

static int grid_counts(struct grid *grid, struct complaint *c)
{
	hwloc_bitmap_t pool = hwloc_bitmap_alloc();
	const struct counts_machine machine = {grid->topology, pool,
	                                       (enum order)grid->sweep->order};
	struct complaint why;
	int result = pool_choose(grid->topology, grid->sweep->cpus, pool, c);

	if (result == 0 &&
	    counts_parse(grid->sweep->counts, &machine, &grid->counts, &grid->count_count, &why))
		result = complain(c, why.status, "--workers: %s", why.text);
	hwloc_bitmap_free(pool);
	return result;
}

static int grid_make(struct grid *grid, struct complaint *c)
{
	const struct options *sweep = grid->sweep;

	grid->workload_count = sweep->operand_count ? sweep->operand_count : 1;
	grid->workloads[0] = preset_rows[0].name;
	for (unsigned i = 0; i < sweep->operand_count; i++)
		grid->workloads[i] = sweep->operands[i];
	if (grid_modes(grid, c) || grid_counts(grid, c))
		return -1;
	grid->point_count = grid->workload_count * grid->mode_count * grid->count_count;
	grid->repeats = sweep->precision > 0 ? 1 : sweep->repeat;
	if (grid->repeats > PLAN_JOBS / grid->point_count)
		return complain(c, EXIT_USAGE, "%zu points %" PRIu64 " times are more than %d jobs",
		                grid->point_count, grid->repeats, PLAN_JOBS);
	grid->points = calloc(grid->point_count, sizeof(*grid->points));
	grid->shared_count = options_words(sweep, &grid->shared);
	if (grid->points && grid->shared_count >= 0)
		return 0;
	complain(c, EXIT_FAILED, "no memory for %zu points", grid->point_count);
	return -1;
}

static void grid_free(struct grid *grid)
{
	for (size_t i = 0; grid->points && i < grid->point_count; i++)
		free(grid->points[i].command);
	free(grid->points);
	free(grid->counts);
	free(grid->shared);
}

/* The words of a point's command line; returns their number. */
static int point_words(const struct grid *grid, size_t index, char own[OWN_WORDS][32],
                       const char *words[])
{
	size_t n = index % grid->count_count, m = index / grid->count_count % grid->mode_count;
	const char *word = grid->shared;
	int count = 0;

	snprintf(own[0], sizeof(own[0]), "--workers=%u", grid->counts[n]);
	words[count++] = own[0];
	if (grid->modes[m]) {
		snprintf(own[1], sizeof(own[1]), "--mode=%s", grid->modes[m]);
		words[count++] = own[1];
	}
	if (grid->sweep->precision > 0) {
		snprintf(own[2], sizeof(own[2]), "--repeat=%" PRIu64, grid->sweep->repeat);
		words[count++] = own[2];
	}
	for (int i = 0; i < grid->shared_count; i++, word += strlen(word) + 1)
		words[count++] = word;
	words[count++] = grid->workloads[index / grid->count_count / grid->mode_count];
	return count;
}

/* A plan has one line for each job, so its words have no line breaks. */
static int command_make(const char *const words[], int count, char command[COMMAND_TEXT],
                        struct complaint *c)
{
	snprintf(command, COMMAND_TEXT, "faultscale run");
	for (int i = 0; i < count; i++) {
		for (const char *at = words[i]; *at; at++)
			if (iscntrl((unsigned char)*at))
				return complain(c, EXIT_USAGE,
				                "a control character (code %d) in '%.60s'\n"
				                "a plan cannot hold it",
				                *at, words[i]);
		if (quote_word(words[i], command, COMMAND_TEXT))
			return complain(c, EXIT_USAGE,
			                "the command line of a job is longer than %d",
			                COMMAND_TEXT);
	}
	return 0;
}

/* Resolves one point for its key; leaves it out if an earlier one comes to the same. */
static int grid_point(struct grid *grid, size_t index, struct complaint *c)
{
	const char *words[OPTIONS_LIMIT + OWN_WORDS + 1];
	char own[OWN_WORDS][32], command[COMMAND_TEXT];
	int count = point_words(grid, index, own, words);
	struct plan_job *job = &grid->points[index];
	bool many = grid->workload_count > 1;
	struct options options = {0};
	struct complaint why;
	struct point point;

	if (command_make(words, count, command, c) ||
	    options_parse(COMMAND_RUN, count, (char *const *)(const void *)words, &options, c))
		return -1;
	if (point_plan(&options, grid->topology, &point, &why))
		return complain(c, why.status, "%.*s%s",
		                many ? (int)strcspn(why.text, "\n") : (int)sizeof(why.text),
		                why.text,
		                many ? "\nin a sweep each workload is one word: quote it, like "
		                       "'map: fault dontneed'"
		                     : "");
	memcpy(job->key, point.key, sizeof(job->key));
	for (size_t i = 0; i < index; i++)
		if (grid->points[i].command && strcmp(grid->points[i].key, job->key) == 0)
			return 0;
	job->expected = repeats_expect(
	        &options,
	        REPEAT_OVERHEAD_NS + (options.laps ? 0 : options.warmup + options.duration));
	job->command = strdup(command);
	return job->command ? 0 : complain(c, EXIT_FAILED, "no memory for the plan");
}

/*
 * Appends the modes of one count of one workload, in a random order too.  A unit is the index of
 * that count in the first mode's points.
 */
static int plan_append(struct plan *plan, const struct grid *grid, size_t unit, uint64_t repeat,
                       gsl_rng *rng)
{
	size_t modes[MODES] = {0, 1};

	if (rng)
		gsl_ran_shuffle(rng, modes, grid->mode_count, sizeof(modes[0]));
	for (size_t m = 0; m < MODES && m < grid->mode_count; m++) {
		size_t workload = unit / grid->count_count, n = unit % grid->count_count;
		size_t index = (workload * grid->mode_count + modes[m]) * grid->count_count + n;
		struct plan_job *job = &plan->jobs[plan->count];

		if (!grid->points[index].command)
			continue;
		*job = grid->points[index];
		job->repeat = grid->sweep->precision > 0 ? 0 : repeat;
		job->place = index * grid->repeats + repeat - 1;
		job->command = strdup(job->command);
		if (!job->command)
			return -1;
		plan->count++;
	}
	return 0;
}

/* Each repeat is a pass over all units in an order of its own. */
static int plan_arrange(struct plan *plan, const struct grid *grid, gsl_rng *rng)
{
	size_t units = grid->workload_count * grid->count_count;
	size_t *order = calloc(units, sizeof(*order));
	int result = order ? 0 : -1;

	for (size_t i = 0; result == 0 && i < units; i++)
		order[i] = i;
	for (uint64_t repeat = 1; result == 0 && repeat <= grid->repeats; repeat++) {
		if (rng)
			gsl_ran_shuffle(rng, order, units, sizeof(*order));
		for (size_t i = 0; result == 0 && i < units; i++)
			result = plan_append(plan, grid, order[i], repeat, rng);
	}
	free(order);
	return result;
}

static int plan_fill(struct plan *plan, struct grid *grid, uint64_t seed, struct complaint *c)
{
	gsl_rng *rng = seed ? gsl_rng_alloc(gsl_rng_mt19937) : NULL;
	int result = 0;

	for (size_t i = 0; result == 0 && i < grid->point_count; i++)
		result = grid_point(grid, i, c);
	if (result == 0) {
		if (rng)
			gsl_rng_set(rng, seed);
		plan->jobs = calloc(grid->point_count * grid->repeats + 1, sizeof(*plan->jobs));
		if (!plan->jobs || plan_arrange(plan, grid, rng))
			result = complain(c, EXIT_FAILED, "no memory for the plan");
	}
	if (rng)
		gsl_rng_free(rng);
	return result;
}

int plan_make(const struct options *sweep, const struct topology *topology, uint64_t seed,
              struct plan *plan, struct complaint *c)
{
	struct grid grid = {.sweep = sweep, .topology = topology};
	int result;

	*plan = (struct plan){0};
	result = grid_make(&grid, c) || plan_fill(plan, &grid, seed, c) ? -1 : 0;
	grid_free(&grid);
	if (result)
		plan_free(plan);
	return result;
}

void plan_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		free(plan->jobs[i].command);
	free(plan->jobs);
	*plan = (struct plan){0};
}
