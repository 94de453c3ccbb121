// SPDX-License-Identifier: GPL-3.0-or-later
/* faultscale run: one point, measured once or several times. */
#include "affinity.h"
#include "carrier.h"
#include "commands.h"
#include "counters.h"
#include "event_report.h"
#include "plan.h"
#include "quote.h"
#include "repeats.h"
#include "report.h"
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { JOB_WORDS = 256 };

/* Everything that lives as long as the command. */
struct run {
	struct options options;
	struct point point;
	struct session session;
	struct csv table; /* --format=csv: points.csv on stdout */
	struct repeats repeats;
	struct event_report events;
	struct plan_job job;        /* of a sweep; its command is NULL if this is none */
	char *job_words[JOB_WORDS]; /* of that command; they point into it */
	struct word_list words;     /* what the point comes from: typed, or the job's */
};

/* Shows an outcome as the command line asks: the first at length, repeats in a line. */
static void run_show(struct run *run, const struct outcome *outcome)
{
	if (run->job.command)
		return;
	if (run->options.format == FORMAT_TEXT && run->repeats.done)
		report_repeat(outcome, stdout);
	else if (run->options.format == FORMAT_TEXT) {
		report_print(outcome, &run->point, stdout);
		if (!run->session.alone)
			printf("warning: another faultscale was measuring when this one began\n");
	}
	if (run->options.format == FORMAT_CSV)
		csv_record(&run->table, &outcome->point);
}

/* The rate that repeats are summed up by. */
static double run_rate(const struct run *run, const struct outcome *outcome)
{
	return run->point.workload.headline < 0 ? outcome->point.laps_per_s
	                                        : outcome->point.pages_per_s;
}

/* One measurement; returns its exit status, or -1. */
static int run_once(struct run *run, uint64_t repeat, struct complaint *c)
{
	struct outcome outcome;
	int status = measure(&run->session.bench, &run->point, repeat, &outcome, c);
	bool valid = status == 0 && outcome.exit_status == EXIT_OK;

	if (status == 0) {
		run->repeats.unsupported |= outcome.exit_status == EXIT_UNSUPPORTED;
		status = (int)outcome.exit_status;
		run_show(run, &outcome);
		event_report_add(&run->events, &outcome);
		if (repeats_add(&run->repeats, run_rate(run, &outcome), valid))
			status = complain(c, EXIT_FAILED, "no memory for %" PRIu64 " repeats",
			                  run->repeats.done);
	}
	outcome_free(&outcome);
	return status;
}

/* What all repeats together come to; in a table there is no place for it. */
static void run_sum_up(const struct run *run)
{
	const struct options *options = &run->options;
	bool text = options->format == FORMAT_TEXT;

	if (text)
		repeats_print(&run->repeats,
		              run->point.workload.headline < 0 ? "laps/s" : "pages/s", stdout);
	repeats_warn(&run->repeats, options, text ? stdout : stderr);
	if (text)
		event_report_print(&run->events, stdout);
	else if (run->point.events.count && !*options->output)
		fputs("note: what --events counted is not in this table, but with --output in its "
		      "events.csv\n",
		      stderr);
}

/* All repeats; returns the exit status of the first that is not valid, else EXIT_OK. */
static int run_repeats(struct run *run, struct complaint *c)
{
	uint64_t first = run->job.repeat ? run->job.repeat : 1;
	int status = EXIT_OK;

	run->repeats.start_ns = clock_ns();
	do {
		int once = run_once(run, first + run->repeats.done, c);

		if (once < 0)
			return -1;
		if (status == EXIT_OK)
			status = once;
	} while (!run->session.bench.watch.signal &&
	         !repeats_enough(&run->repeats, &run->options, clock_ns()));
	if (!run->job.command)
		run_sum_up(run);
	return status;
}

/*
 * Gives the results their name.  Where nothing could be measured they are taken back, unless it was
 * their writing that failed: then what could be written stays under its first name.
 */
static int run_end(struct run *run, int status, struct complaint *c)
{
	if (run->options.format == FORMAT_CSV && csv_close(&run->table))
		status = complain(c, EXIT_FAILED, "cannot write to standard output: %s",
		                  strerror(run->table.error));
	if (status < 0 && !run->repeats.done) {
		results_abandon(&run->session.results, results_written(&run->session.results));
		return status;
	}
	if (results_commit(&run->session.results, c))
		return -1;
	return status;
}

static int run_plan(struct run *run, struct complaint *c)
{
	struct topology *topology = NULL;
	int result;

	if (session_survey(&run->session, &topology, c))
		return -1;
	result = point_make(&run->options, topology, &run->point, c);
	topology_free(topology);
	if (result == 0 && run->job.command && strcmp(run->job.key, run->point.key) != 0)
		return complain(c, EXIT_FAILED,
		                "the plan's key %s is %s on this machine\n"
		                "the plan is of another build, or for another page size",
		                run->job.key, run->point.key);
	return result;
}

/*
 * A job of a sweep takes its options from the plan, through the ordinary parser.  It does not
 * outlive GNU parallel (or the sweep), which would leave it measuring beside the next sweep.
 */
static int run_job(struct run *run, struct complaint *c)
{
	const struct options asked = run->options;
	int count;

	if (!*asked.plan || !*asked.job || !*asked.output)
		return complain(c, EXIT_USAGE,
		                "--plan, --job and --output go together\n"
		                "a sweep starts its jobs so");
	if (!carrier_bind())
		return complain(c, EXIT_FAILED, "the sweep of job %s is gone", asked.job);
	if (plan_find(asked.plan, asked.job, &run->job, c))
		return -1;
	count = quote_split(run->job.command, run->job_words, JOB_WORDS);
	if (count < 2 || strcmp(run->job_words[0], "faultscale") != 0 ||
	    strcmp(run->job_words[1], "run") != 0)
		return complain(c, EXIT_FAILED, "%s: the command of %s is not a 'faultscale run'",
		                asked.plan, asked.job);
	run->words = (struct word_list){count - 2, run->job_words + 2};
	if (options_parse(COMMAND_RUN, run->words.count, run->words.words, &run->options, c))
		return -1;
	run->options.output = asked.output;
	return 0;
}

static int run_measure(struct run *run, struct complaint *c)
{
	if (session_open(&run->session, "run", &run->words, &run->options, RESULTS_RUN, c))
		return -1;
	if (run->point.parent_cpu >= 0)
		affinity_pin(run->point.parent_cpu);
	if (run->options.format == FORMAT_CSV) {
		csv_open(&run->table, STDOUT_FILENO, result_tables[RESULT_POINTS].columns);
		csv_header(&run->table);
	}
	return run_end(run, run_repeats(run, c), c);
}

int run_main(int count, char *const words[], struct complaint *c)
{
	struct run run = {.words = {count, words}};
	int status;

	if (options_parse(COMMAND_RUN, count, words, &run.options, c))
		return -1;
	if (run.options.help) {
		printf("usage: faultscale run [options] [preset | workload]\n\n"
		       "Measures one point: a workload like 'map: fault dontneed' (setup: loop), "
		       "or a\n"
		       "preset, at one number of workers.\n\n");
		options_help(COMMAND_RUN, stdout);
		return EXIT_OK;
	}
	if (*run.options.plan || *run.options.job)
		if (run_job(&run, c))
			return -1;
	if (run_plan(&run, c))
		return -1;
	status = event_report_make(&run.events, &run.point)
	                 ? complain(c, EXIT_FAILED, "no memory for the events")
	                 : run_measure(&run, c);
	event_report_free(&run.events);
	repeats_free(&run.repeats);
	free(run.job.command);
	point_free(&run.point);
	session_close(&run.session);
	return status;
}
