// SPDX-License-Identifier: GPL-3.0-or-later
/* faultscale run: one point, measured once or several times. */
#include "affinity.h"
#include "commands.h"
#include "machine.h"
#include "measure.h"
#include "report.h"
#include "signals.h"
#include "units.h"
#include "version.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Everything that lives as long as the command. */
struct run {
	struct options options;
	struct point point;
	struct results results;
	struct bench bench;
	struct machine_fact *facts;
	size_t fact_count;
	struct csv table; /* --format=csv: points.csv on stdout */
	double *rates;    /* pages/s of the valid repeats */
	size_t rate_count;
	bool measured; /* at least one repeat, valid or not */
};

static const char *run_fact(const struct run *run, const char *key)
{
	for (size_t i = 0; i < run->fact_count; i++)
		if (strcmp(run->facts[i].key, key) == 0)
			return run->facts[i].value;
	return "";
}

/* The command as it was typed, each word quoted for a shell where it has to be. */
static void command_line(int count, char *const words[], char *out, size_t size)
{
	size_t used = (size_t)snprintf(out, size, "faultscale run");

	for (int i = 0; i < count && used + 4 < size; i++) {
		bool plain =
		        words[i][0] && strspn(words[i], "abcdefghijklmnopqrstuvwxyz"
		                                        "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
		                                        "0123456789-_=,.:/+%@") == strlen(words[i]);

		out[used++] = ' ';
		if (!plain)
			out[used++] = '\'';
		for (const char *at = words[i]; *at && used + 6 < size; at++) {
			if (*at == '\'')
				used += (size_t)snprintf(out + used, size - used, "'\\''");
			else
				out[used++] = *at;
		}
		if (!plain)
			out[used++] = '\'';
	}
	out[used] = '\0';
}

static void run_meta(struct run *run, int count, char *const words[])
{
	char command[4096], clock_cost[32];
	struct meta_row rows[] = {
	        {"schema", "1"},      {"version", version_text}, {"build_id", build_id},
	        {"command", command}, {"clock_ns", clock_cost},
	};

	command_line(count, words, command, sizeof(command));
	snprintf(clock_cost, sizeof(clock_cost), "%.1f", run->bench.clock_cost);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		results_row(&run->results, RESULT_META, &rows[i]);
	for (size_t i = 0; i < run->fact_count; i++)
		results_row(&run->results, RESULT_META,
		            &(struct meta_row){run->facts[i].key, run->facts[i].value});
}

static int run_begin(struct run *run, int count, char *const words[], struct complaint *c)
{
	run->bench = (struct bench){
	        .results = &run->results,
	        .host = run_fact(run, "host"),
	        .boot_id = run_fact(run, "boot_id"),
	        .clock_cost = machine_clock_cost(),
	        .live = isatty(STDERR_FILENO) && run->options.format == FORMAT_TEXT,
	};
	if (results_open(&run->results, run->options.output, c))
		return -1;
	run_meta(run, count, words);
	run->bench.watch.signal_fd = signals_open();
	if (run->bench.watch.signal_fd < 0)
		return complain(c, EXIT_FAILED, "signalfd: %s", strerror(errno));
	if (run->point.parent_cpu >= 0)
		affinity_pin(run->point.parent_cpu);
	return 0;
}

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

		if (measure(&run->bench, &run->point, repeat, &outcome, c)) {
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
		if (run->bench.watch.signal)
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
		results_abandon(&run->results, results_written(&run->results));
		return status;
	}
	if (results_commit(&run->results, c))
		return -1;
	return status;
}

/* What needs the topology, which no child should inherit: the point and the machine's facts. */
static int run_plan(struct run *run, struct complaint *c)
{
	struct topology *topology;
	int result;

	if (topology_load(&topology, c))
		return -1;
	result = point_make(&run->options, topology, &run->point, c);
	if (result == 0)
		run->fact_count = machine_facts(topology, &run->facts);
	topology_free(topology);
	return result;
}

static int run_measure(struct run *run, int count, char *const words[], struct complaint *c)
{
	int status;

	if (run_begin(run, count, words, c))
		return -1;
	if (run->options.format == FORMAT_CSV) {
		csv_open(&run->table, STDOUT_FILENO, result_tables[RESULT_POINTS].columns);
		csv_header(&run->table);
	}
	status = run_repeats(run, c);
	return run_end(run, status, c);
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
	if (run.bench.watch.signal) {
		fflush(stdout);
		signals_die(run.bench.watch.signal);
	}
	free(run.rates);
	free(run.facts);
	point_free(&run.point);
	return status;
}
