// SPDX-License-Identifier: GPL-3.0-or-later
/* faultscale sweep: a plan of points, carried out, put together and judged. */
#include "sweep.h"

#include "commands.h"
#include "conditions.h"
#include "fleet.h"
#include "lock.h"
#include "precision.h"
#include "signals.h"
#include "store.h"
#include "units.h"
#include "version.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static void help_print(void)
{
	printf("usage: faultscale sweep [options] [preset | 'workload']...\n\n"
	       "Measures each workload at several numbers of workers, in process and thread\n"
	       "mode, and prints how it scales.  The same command with the same -o goes on where\n"
	       "it was interrupted.\n\n");
	options_help(COMMAND_SWEEP, stdout);
}

static void meta_add(struct sweep *sweep, const char *key, const char *value)
{
	if (sweep->meta_count < SWEEP_META)
		sweep->meta[sweep->meta_count++] = (struct meta_row){key, value};
}

static void meta_make(struct sweep *sweep)
{
	meta_add(sweep, "schema", "1");
	meta_add(sweep, "version", version_text);
	meta_add(sweep, "build_id", build_id);
	meta_add(sweep, "command", sweep->command);
	meta_add(sweep, "seed", sweep->seed_text);
	for (size_t i = 0; i < sweep->session.fact_count; i++)
		meta_add(sweep, sweep->session.facts[i].key, sweep->session.facts[i].value);
}

/* The seed asked for, that of the sweep to go on with, or a new one; 0 for none. */
static void seed_choose(struct sweep *sweep)
{
	char path[PATH_MAX];
	uint32_t drawn = 0;

	sweep->seed = sweep->options.seed;
	if (sweep->options.in_order)
		return;
	if (!sweep->seed && *sweep->options.output &&
	    strlen(sweep->options.output) + STORE_FILE < PATH_MAX) {
		store_path(sweep->options.output, "meta.csv", path);
		conditions_fact(path, "seed", sweep->seed_text, sizeof(sweep->seed_text));
		sweep->seed = strtoull(sweep->seed_text, NULL, 10);
	}
	while (!sweep->seed && getrandom(&drawn, sizeof(drawn), 0) == sizeof(drawn))
		sweep->seed = drawn;
	snprintf(sweep->seed_text, sizeof(sweep->seed_text), "%" PRIu64, sweep->seed);
}

/* The jobs to carry out, in the plan's order; what is there of them is out of the way. */
struct pending {
	const char **names;
	char (*texts)[PLAN_NAME];
	size_t count;
	struct repeats_time expected;
};

static int pending_take(const struct sweep *sweep, struct pending *pending, struct complaint *c)
{
	*pending = (struct pending){
	        .names = calloc(sweep->plan.count + 1, sizeof(*pending->names)),
	        .texts = calloc(sweep->plan.count + 1, sizeof(*pending->texts)),
	};
	if (!pending->names || !pending->texts)
		return complain(c, EXIT_FAILED, "no memory for %zu jobs", sweep->plan.count);
	for (size_t i = 0; i < sweep->plan.count; i++) {
		const struct plan_job *job = &sweep->plan.jobs[i];
		size_t n = pending->count;

		if (precision_job_done(sweep->directory, job))
			continue;
		if (job_clear(sweep->directory, job, c))
			return -1;
		pending->names[n] = plan_name(job, pending->texts[n]);
		pending->count++;
		pending->expected.least += job->expected.least;
		pending->expected.most += job->expected.most;
	}
	return 0;
}

static void pending_free(struct pending *pending)
{
	free(pending->names);
	free(pending->texts);
}

/* Says what is about to be done. */
static void sweep_announce(const struct sweep *sweep, const struct pending *pending)
{
	const struct repeats_time *expected = &pending->expected;
	char time[UNIT_TEXT];

	fprintf(sweep->out, "%zu of %zu jobs to do", pending->count, sweep->plan.count);
	if (expected->least)
		fprintf(sweep->out, ", about %s", duration_format((double)expected->least, time));
	if (expected->most > expected->least)
		fprintf(sweep->out, " to %s", duration_format((double)expected->most, time));
	if (sweep->seed)
		fprintf(sweep->out, "; order by seed %" PRIu64, sweep->seed);
	fputc('\n', sweep->out);
	if (pending->count && !lock_machine())
		fprintf(sweep->out, "warning: another faultscale is measuring on this machine\n");
	fflush(sweep->out);
}

/* On this machine. */
static int jobs_here(struct sweep *sweep, struct complaint *c)
{
	struct pending pending;
	struct complaint why;
	int result = pending_take(sweep, &pending, c);

	if (result == 0) {
		sweep_announce(sweep, &pending);
		if (pending.count && carrier_check(&why) == 0) {
			result = carrier_parallel(&sweep->carrier, pending.names, pending.count, c);
		} else if (pending.count) {
			fprintf(sweep->out, "jobs are started by a plain loop: %s\n", why.text);
			fflush(sweep->out);
			result = carrier_loop(&sweep->carrier, pending.names, pending.count, c);
		}
	}
	pending_free(&pending);
	return result;
}

/* What came back from the hosts, before and after. */
static int hosts_clean(const struct sweep *sweep, struct complaint *c)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < sweep->hosts.count; i++)
		if (jobs_clean(fleet_path(sweep->directory, &sweep->hosts.hosts[i], path), c))
			return -1;
	return 0;
}

/* On other machines. */
static int jobs_there(struct sweep *sweep, struct complaint *c)
{
	size_t asked;
	int result;

	if (carrier_check(c))
		return -1;
	fprintf(sweep->out, "%zu jobs on each of %zu hosts\n", sweep->plan.count,
	        sweep->hosts.count);
	fflush(sweep->out);
	result = hosts_clean(sweep, c) ||
	         fleet_run(&sweep->carrier, &sweep->hosts, &sweep->plan, &asked, c) ||
	         hosts_clean(sweep, c);
	if (result == 0 && asked < sweep->hosts.count)
		fprintf(sweep->out, "%zu hosts had nothing left to do\n",
		        sweep->hosts.count - asked);
	return result ? -1 : 0;
}

/* Carries out what is missing. */
static int sweep_measure(struct sweep *sweep, struct complaint *c)
{
	char temporary[PATH_MAX];
	int result;

	sweep->carrier.sweep = sweep->directory;
	sweep->carrier.watched = isatty(STDERR_FILENO);
	sweep->carrier.signal_fd = signals_open();
	if (sweep->carrier.signal_fd < 0)
		return complain(c, EXIT_FAILED, "signalfd: %s", strerror(errno));
	if (readlink("/proc/self/exe", sweep->carrier.program, PATH_MAX - 1) < 0)
		return complain(c, EXIT_FAILED, "cannot read /proc/self/exe: %s", strerror(errno));
	result = sweep->hosts.count ? jobs_there(sweep, c) : jobs_here(sweep, c);
	store_path(sweep->directory, "parallel", temporary);
	return result || tree_remove(temporary, c) || jobs_clean(sweep->directory, c) ? -1 : 0;
}

static int sweep_run(struct sweep *sweep, struct complaint *c)
{
	char path[PATH_MAX];

	sweep->out = sweep->options.format == FORMAT_TEXT ? stdout : stderr;
	meta_make(sweep);
	if (store_make(sweep->options.output, sweep->directory, c) ||
	    lock_directory(sweep->directory, c) || sweep_conditions(sweep, c) ||
	    jobs_clean(sweep->directory, c) ||
	    plan_write(&sweep->plan, store_path(sweep->directory, "plan.csv", path), c) ||
	    conditions_write(store_path(sweep->directory, "meta.csv", path), sweep->meta,
	                     sweep->meta_count, c) ||
	    sweep_measure(sweep, c))
		return -1;
	return sweep_finish(sweep, c);
}

/* The plan: made from the options, or read from a file. */
static int sweep_plan(struct sweep *sweep, const struct topology *topology, struct complaint *c)
{
	if (*sweep->options.plan)
		return plan_read(sweep->options.plan, &sweep->plan, c);
	seed_choose(sweep);
	if (plan_make(&sweep->options, topology, sweep->seed, &sweep->plan, c))
		return -1;
	if (topology_is_here(topology) || sweep->options.dry_run || sweep->hosts.count)
		return 0;
	return complain(c, EXIT_USAGE,
	                "the topology is not this machine's (HWLOC_SYNTHETIC or HWLOC_XMLFILE)\n"
	                "--dry-run shows the plan for such a topology");
}

static int sweep_hosts(struct sweep *sweep, struct complaint *c)
{
	struct complaint why;
	const struct options *options = &sweep->options;

	if (*options->hosts && hosts_parse(options->hosts, &sweep->hosts, &why))
		return complain(c, why.status, "--hosts: %s", why.text);
	if (*options->hosts_file && hosts_read(options->hosts_file, &sweep->hosts, &why))
		return complain(c, why.status, "--hosts-file: %s", why.text);
	return 0;
}

static int sweep_carry_out(struct sweep *sweep, struct complaint *c)
{
	struct topology *topology = NULL;
	int result;

	if (sweep_hosts(sweep, c) || session_survey(&sweep->session, &topology, c))
		return -1;
	result = sweep_plan(sweep, topology, c);
	topology_free(topology);
	if (result)
		return -1;
	if (!sweep->options.dry_run)
		return sweep_run(sweep, c);
	if (sweep->seed)
		fprintf(stderr, "order by seed %" PRIu64 "\n", sweep->seed);
	return plan_print(&sweep->plan, sweep->options.format, c) ? -1 : EXIT_OK;
}

int sweep_main(int count, char *const words[], struct complaint *c)
{
	const struct word_list list = {count, words};
	struct sweep *sweep = calloc(1, sizeof(*sweep));
	int status;

	if (!sweep)
		return complain(c, EXIT_FAILED, "no memory");
	status = options_parse(COMMAND_SWEEP, count, words, &sweep->options, c);
	if (status == 0 && sweep->options.help) {
		help_print();
	} else if (status == 0) {
		session_command("sweep", &list, sweep->command, sizeof(sweep->command));
		status = sweep_carry_out(sweep, c);
	}
	hosts_free(&sweep->hosts);
	plan_free(&sweep->plan);
	free(sweep->session.facts);
	free(sweep);
	return status;
}
