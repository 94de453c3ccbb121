// SPDX-License-Identifier: GPL-3.0-or-later
/* faultscale run: one point, measured once or several times. */
#include "affinity.h"
#include "commands.h"
#include "report.h"
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Everything that lives as long as the command. */
struct run {
	struct options options;
	struct point point;
	struct session session;
	struct csv table; /* --format=csv: points.csv on stdout */
	double *rates;    /* pages/s of the valid repeats */
	size_t rate_count;
	bool measured; /* at least one repeat, valid or not */
};

/* Shows an outcome as the command line asks. */
static void run_show(struct run *run, const struct outcome *outcome)
{
	if (run->options.format == FORMAT_TEXT)
		report_print(outcome, &run->point, stdout);
	else
		csv_record(&run->table, &outcome->point);
}

/* All repeats; returns the exit status of the first that is not valid, else EXIT_OK. */
static int run_repeats(struct run *run, struct complaint *c)
{
	int status = EXIT_OK;

	for (uint64_t repeat = 1; repeat <= run->options.repeat; repeat++) {
		struct outcome outcome;

		if (measure(&run->session.bench, &run->point, repeat, &outcome, c)) {
			outcome_free(&outcome);
			return -1;
		}
		run_show(run, &outcome);
		if (status == EXIT_OK)
			status = (int)outcome.exit_status;
		if (outcome.exit_status == EXIT_OK)
			run->rates[run->rate_count++] = outcome.point.pages_per_s;
		outcome_free(&outcome);
		run->measured = true;
		if (run->session.bench.watch.signal)
			break;
	}
	if (run->options.format == FORMAT_TEXT && run->options.repeat > 1)
		report_repeats(run->rates, run->rate_count, stdout);
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
	if (status < 0 && !run->measured) {
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
	return result;
}

static int run_measure(struct run *run, int count, char *const words[], struct complaint *c)
{
	const struct word_list list = {count, words};

	if (session_open(&run->session, "run", &list, &run->options, RESULTS_RUN, c))
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
	struct run run = {0};
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
	if (run_plan(&run, c))
		return -1;
	run.rates = calloc(run.options.repeat, sizeof(*run.rates));
	status = run.rates ? run_measure(&run, count, words, c)
	                   : complain(c, EXIT_FAILED, "no memory for %" PRIu64 " repeats",
	                              run.options.repeat);
	free(run.rates);
	point_free(&run.point);
	session_close(&run.session);
	return status;
}
