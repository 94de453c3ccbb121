// SPDX-License-Identifier: GPL-3.0-or-later
#include "score.h"

#include "counters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES_LEAST = 10 };
#define LAUNCH_NS UINT64_C(250000000)

/* The log ratios of a metric over the launches, into `values`. */
static void score_values(const struct score *score, int metric, double *values)
{
	for (size_t i = 0; i < score->count; i++)
		values[i] = score->launches[i].log_ratio[metric];
}

/* Verdicts and means from the launches so far; false when memory is out. */
static bool score_sum(struct score *score, const struct contest *contest)
{
	double *values = calloc(score->count, sizeof(*values));

	for (int m = 0; values && m < METRICS; m++) {
		enum better better = m < METRIC_STEPS ? BETTER_HIGH : BETTER_LOW;
		struct summary summary;
		struct estimate estimate;
		struct interval interval;

		score_values(score, m, values);
		summary = stats_summary(values, score->count);
		estimate = estimate_mean(&summary);
		interval = estimate_interval(&estimate, STATS_ALPHA);
		interval = interval_exp(&interval);
		score->verdict[m] = verdict_make(&interval, STATS_ALPHA,
		                                 contest->sides[0].options.margin, better);
		for (int side = 0; side < 2; side++) {
			score->value[side][m] = 0;
			for (size_t i = 0; i < score->count; i++)
				score->value[side][m] +=
				        score->launches[i].value[side][m] / (double)score->count;
		}
	}
	free(values);
	return values != NULL;
}

/* One more launch.  Returns 1, 0 if it is not valid (and says why), or -1. */
static int score_launch(struct score *score, const struct contest *contest, struct complaint *c)
{
	struct launch *launches = realloc(score->launches, (score->count + 1) * sizeof(*launches));

	if (!launches)
		return complain(c, EXIT_FAILED, "no memory for %zu launches", score->count + 1);
	score->launches = launches;
	if (launch_measure(contest, (unsigned)score->count, &launches[score->count], c))
		return -1;
	if (*launches[score->count].invalid || contest->bench->watch.signal) {
		score->exit_status = launches[score->count].exit_status;
		snprintf(score->reason, sizeof(score->reason), "%s",
		         launches[score->count].invalid);
		return 0;
	}
	score->count++;
	return 1;
}

/* Whether the headline's interval is as narrow as was asked. */
static bool score_precise(const struct score *score, const struct contest *contest)
{
	const struct verdict *verdict = &score->verdict[contest_headline(contest)];
	double half = (verdict->high - verdict->low) / 2 / verdict->ratio;

	return half <= contest->sides[0].options.precision;
}

static void score_live(const struct contest *contest, const struct score *score)
{
	const struct verdict *verdict = &score->verdict[contest_headline(contest)];

	if (!contest->bench->live)
		return;
	fprintf(stderr, "\rlaunch %zu", score->count);
	if (isfinite(verdict->low))
		fprintf(stderr, ": B/A %+.2f %% (%+.2f to %+.2f)", 100 * (verdict->ratio - 1),
		        100 * (verdict->low - 1), 100 * (verdict->high - 1));
	fprintf(stderr, "\033[K");
}

unsigned score_division(uint64_t rest_ns, uint64_t start_ns)
{
	uint64_t launches = rest_ns / (start_ns > LAUNCH_NS ? start_ns : LAUNCH_NS);

	return launches > LAUNCHES_LEAST - 1 ? (unsigned)launches : LAUNCHES_LEAST - 1;
}

/* What is left of the time after the first launch goes to the others. */
static void score_divide(struct score *score, struct contest *contest)
{
	const struct options *options = &contest->sides[0].options;
	uint64_t rest_ns = options->duration - contest->launch_ns;
	unsigned launches;

	if (options->launches || options->laps)
		return;
	launches = score_division(rest_ns, score->launches[0].start_ns);
	score->wanted = 1 + launches;
	contest->launch_ns = rest_ns / launches;
}

/* Launches until there are enough.  1 when there are, 0 when one was not valid, -1 on failure. */
static int score_launches(struct contest *contest, struct score *score, struct complaint *c)
{
	const struct options *options = &contest->sides[0].options;
	uint64_t start = clock_ns();
	int result = 1;

	while (result == 1) {
		bool enough = score->count >= score->wanted;

		if (enough && (!(options->precision > 0) || score_precise(score, contest) ||
		               clock_ns() - start > options->max_time))
			break;
		result = score_launch(score, contest, c);
		if (result == 1 && score->count == 1)
			score_divide(score, contest);
		if (result == 1 && !score_sum(score, contest))
			result = complain(c, EXIT_FAILED, "no memory for the statistics");
		score_live(contest, score);
	}
	score->seconds = (double)(clock_ns() - start) / 1e9;
	return result;
}

int score_run(struct contest *contest, struct score *score, struct complaint *c)
{
	const struct options *options = &contest->sides[0].options;
	int result;

	*score = (struct score){
	        .exit_status = EXIT_OK,
	        .wanted = options->launches ? options->launches : LAUNCHES_LEAST,
	};
	contest_steps(contest);
	contest->launch_ns = options->duration / score->wanted;
	contest->random = gsl_rng_alloc(gsl_rng_mt19937);
	gsl_rng_set(contest->random, (unsigned long)options->seed);
	noise_read(&score->before, &contest->sides[0]);
	result = score_launches(contest, score, c);
	noise_read(&score->after, &contest->sides[0]);
	noise_between(&score->before, &score->after, &contest->sides[0], &score->noise);
	gsl_rng_free(contest->random);
	if (contest->bench->live)
		fprintf(stderr, "\r\033[K");
	if (result < 0)
		return -1;
	score->precise = result == 1 && score_precise(score, contest);
	return 0;
}

void score_free(struct score *score)
{
	free(score->launches);
	*score = (struct score){0};
}
