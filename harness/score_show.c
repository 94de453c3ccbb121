// SPDX-License-Identifier: GPL-3.0-or-later
/* What a duel shows: for people, as CSV, and in the result files. */
#include "score.h"

#include "units.h"
#include "warnings.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

/* Less is worth a word: on this and other machines a lone worker comes to 98 % and more. */
#define BUSY_ENOUGH 0.95

/* "pages/s", "fault ns/page". */
static void metric_name(const struct contest *contest, int metric, char *out, size_t size)
{
	const struct step *step;

	if (metric == METRIC_LAPS) {
		snprintf(out, size, "laps/s");
	} else if (metric == METRIC_PAGES) {
		snprintf(out, size, "pages/s");
	} else {
		step = contest->steps[metric - METRIC_STEPS].step;
		snprintf(out, size, "%s ns/%s", step->name, unit_name(step->unit));
	}
}

static int metric_count(const struct contest *contest)
{
	return METRIC_STEPS + (int)contest->step_count;
}

/* The metrics that both sides have a figure for. */
static bool metric_known(const struct score *score, int metric)
{
	return isfinite(score->value[0][metric]) && isfinite(score->value[1][metric]) &&
	       score->value[0][metric] > 0;
}

/* What a side is: its options, and its workload unless they say that. */
static void side_print(const struct point *point, int side, FILE *out)
{
	const char *options = point->options.side[side], *workload = point->workload.text;
	bool said = strstr(options, workload) != NULL;

	fprintf(out, "%c: %s%s%s\n", "AB"[side], options, *options && !said ? "  " : "",
	        said ? "" : workload);
}

static void score_heading(const struct score *score, const struct contest *contest, FILE *out)
{
	const struct point *a = &contest->sides[0], *b = &contest->sides[1];
	struct utsname kernel = {0};
	char slice[UNIT_TEXT];
	unsigned quads = 0;

	uname(&kernel);
	for (size_t i = 0; i < score->count; i++)
		quads += score->launches[i].quads;
	for (int side = 0; side < 2; side++)
		side_print(&contest->sides[side], side, out);
	fprintf(out, "on CPUs %s%s%s of %s, Linux %s\n", a->cpus,
	        strcmp(a->cpus, b->cpus) == 0 ? "" : " and ",
	        strcmp(a->cpus, b->cpus) == 0 ? "" : b->cpus, contest->bench->host, kernel.release);
	fprintf(out, "%zu launches of fresh crews", score->count);
	if (score->count && score->launches[0].slice_ns)
		fprintf(out, ", %u quads of slices of %s", quads,
		        duration_format((double)score->launches[0].slice_ns, slice));
	fprintf(out, "; %.1f s in all\n\n", score->seconds);
}

static char *value_format(double value, char out[UNIT_TEXT])
{
	if (value >= 1000)
		return count_format(value, out);
	snprintf(out, UNIT_TEXT, "%.4g", value);
	return out;
}

static void score_table(const struct score *score, const struct contest *contest, FILE *out)
{
	fprintf(out, "%-22s %14s %14s %9s  %s\n", "", "A", "B", "B/A", "95 % interval");
	for (int m = 0; m < metric_count(contest); m++) {
		const struct verdict *verdict = &score->verdict[m];
		char name[64], a[UNIT_TEXT], b[UNIT_TEXT];

		if (!metric_known(score, m))
			continue;
		metric_name(contest, m, name, sizeof(name));
		fprintf(out, "%-22s %14s %14s %9.4f", name, value_format(score->value[0][m], a),
		        value_format(score->value[1][m], b), verdict->ratio);
		if (isfinite(verdict->low))
			fprintf(out, "  %.4f to %.4f", verdict->low, verdict->high);
		fputc('\n', out);
	}
	fputc('\n', out);
}

/* The share of its slices' time that a side's workers ran. */
static double score_busy(const struct score *score, int side)
{
	double sum = 0;

	for (size_t i = 0; i < score->count; i++)
		sum += score->launches[i].busy[side];
	return sum / (double)score->count;
}

/* What of the ratios is not as a t interval would like it: said, never left out. */
static void score_doubts(const struct score *score, const struct contest *contest, FILE *out)
{
	const struct options *options = &contest->sides[0].options;
	char time[UNIT_TEXT];
	unsigned late = 0, quads = 0;

	for (int side = 0; side < 2; side++) {
		const struct launch *launch = &score->launches[0];

		if (!contest->sides[side].exact && launch->due[side] > 0 &&
		    fabs(launch->faults[side] / launch->due[side] - 1) > 0.0001)
			fprintf(out,
			        "note: side %c took %.4f of the faults due: in huge pages and "
			        "files a fault may\n    map many pages\n",
			        "AB"[side], launch -> faults[side] / launch -> due[side]);
	}
	if (!options->laps && !(options->precision > 0) &&
	    score->seconds > 1 + 2e-9 * (double)options->duration)
		fprintf(out,
		        "note: it took %.0f s, not %s: launches begin with two laps of each side "
		        "and go on\n    until every step was seen\n",
		        score->seconds, time_format(options->duration, time));
	for (size_t i = 0; i < score->count; i++) {
		late += score->launches[i].late_quads;
		quads += score->launches[i].quads;
	}
	if (late)
		fprintf(out, "note: %u quads beside %u do not count: a worker began late\n", late,
		        quads);
}

void score_warn(const struct score *score, const struct contest *contest, FILE *out)
{
	const struct options *options = &contest->sides[0].options;
	char time[UNIT_TEXT];

	if (!score->count || *score->reason)
		return;
	if (options->precision > 0 && !score->precise)
		fprintf(out, "warning: +-%g %% was not reached within --max-time=%s\n",
		        100 * options->precision, time_format(options->max_time, time));
	for (int side = 0; side < 2; side++)
		if (!contest->sides[side].oversubscribed && score_busy(score, side) < BUSY_ENOUGH)
			fprintf(out,
			        "warning: side %c's workers were busy in %.1f %% of their slices: "
			        "else they waited\n    for locks, or for their CPUs\n",
			        "AB"[side], 100 * score_busy(score, side));
	warnings_noise(&score->noise.row, score->noise.steal, &contest->sides[0], out);
}

static const char *score_status(const struct score *score, const struct contest *contest)
{
	if (!*score->reason)
		return "valid";
	return contest->bench->watch.signal ? "interrupted" : "invalid";
}

void score_print(const struct score *score, const struct contest *contest, FILE *out)
{
	int headline = contest_headline(contest);
	char text[VERDICT_TEXT], name[64];

	if (*score->reason)
		fprintf(out, "%s: %s\n\n", score_status(score, contest), score->reason);
	score_heading(score, contest, out);
	if (!score->count || *score->reason)
		return;
	score_table(score, contest, out);
	metric_name(contest, headline, name, sizeof(name));
	fprintf(out, "%s: %s\n", name, verdict_text(&score->verdict[headline], "B", text));
	fprintf(out, "(each side with the other's workers parked beside it)\n");
	score_doubts(score, contest, out);
	score_warn(score, contest, out);
}

static void duel_row_fill(struct duel_row *row, const struct score *score,
                          const struct contest *contest, int metric)
{
	const struct verdict *verdict = &score->verdict[metric];
	const struct point *point = &contest->sides[0];

	*row = (struct duel_row){
	        .row = {contest->bench->host, point->key, 1},
	        .status = score_status(score, contest),
	        .reason = score->reason,
	        .side_a = point->options.side[0],
	        .side_b = point->options.side[1],
	        .a = score->count ? score->value[0][metric] : UNKNOWN_REAL,
	        .b = score->count ? score->value[1][metric] : UNKNOWN_REAL,
	        .ratio = verdict->ratio,
	        .ratio_low = verdict->low,
	        .ratio_high = verdict->high,
	        .verdict = *score->reason ? NULL : verdict_word(verdict),
	        .margin = point->options.margin,
	        .launches = score->count,
	        .quads = score->count ? score->launches[0].quads : UNKNOWN_COUNT,
	        .slice_ns = score->count ? score->launches[0].slice_ns : UNKNOWN_COUNT,
	        .seconds = score->seconds,
	};
	metric_name(contest, metric, row->metric, sizeof(row->metric));
	row->metric_text = row->metric;
	if (*score->reason)
		row->ratio = row->ratio_low = row->ratio_high = UNKNOWN_REAL;
}

int score_csv(const struct score *score, const struct contest *contest, int fd)
{
	struct duel_row row;
	struct csv csv;

	duel_row_fill(&row, score, contest, contest_headline(contest));
	csv_open(&csv, fd, result_tables[RESULT_DUEL].columns);
	csv_header(&csv);
	csv_record(&csv, &row);
	if (csv_close(&csv) == 0)
		return 0;
	errno = csv.error;
	return -1;
}

void score_rows(const struct score *score, const struct contest *contest)
{
	struct results *results = contest->bench->results;

	for (int m = 0; m < metric_count(contest); m++) {
		struct duel_row row;

		bool says_why = *score->reason && m == contest_headline(contest);

		if (!metric_known(score, m) && !says_why)
			continue;
		duel_row_fill(&row, score, contest, m);
		results_row(results, RESULT_DUEL, &row);
		for (size_t i = 0; i < score->count; i++) {
			const struct launch *launch = &score->launches[i];
			struct launch_row one = {
			        .row = row.row,
			        .launch = i,
			        .metric = row.metric,
			        .a = launch->value[0][m],
			        .b = launch->value[1][m],
			        .log_ratio = launch->log_ratio[m],
			        .quads = launch->quads,
			        .late_quads = launch->late_quads,
			        .slice_ns = launch->slice_ns,
			};

			results_row(results, RESULT_LAUNCHES, &one);
		}
	}
}
