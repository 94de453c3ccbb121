// SPDX-License-Identifier: GPL-3.0-or-later
/* faultscale sweep: a plan of points, carried out, put together and judged. */
#include "carrier.h"
#include "commands.h"
#include "conditions.h"
#include "curve.h"
#include "jobs.h"
#include "lock.h"
#include "quote.h"
#include "scaling.h"
#include "session.h"
#include "signals.h"
#include "units.h"
#include "version.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { META_ROWS = 64, COMMAND_TEXT = 8192, JOB_OVERHEAD_MS = 300 };

/* Everything that lives as long as the command. */
struct sweep {
	struct options options;
	struct session session; /* the facts of this machine */
	struct plan plan;
	uint64_t seed;              /* 0: in order */
	char directory[PATH_MAX];   /* of the results, absolute once it is there */
	char command[COMMAND_TEXT]; /* as typed */
	char seed_text[24];
	struct meta_row meta[META_ROWS];
	size_t meta_count;
	struct carrier carrier;
	size_t states[JOB_POOR + 1]; /* how many jobs are in each state */
};

static void help_print(void)
{
	printf("usage: faultscale sweep [options] [preset | 'workload']...\n\n"
	       "Measures each workload at several numbers of workers, in process and thread\n"
	       "mode, and prints how it scales.  The same command with the same -o goes on where\n"
	       "it was interrupted.\n\n");
	options_help(COMMAND_SWEEP, stdout);
}

/* A directory's name for a sweep that was given none. */
static void directory_default(char *out, size_t size)
{
	time_t now = time(NULL);
	struct tm utc;

	snprintf(out, size, "sweep");
	if (gmtime_r(&now, &utc))
		strftime(out, size, "sweep-%Y%m%d-%H%M%S", &utc);
}

static bool directory_empty(const char *path)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	bool empty = directory != NULL;

	while (empty && (entry = readdir(directory)))
		empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	if (directory)
		closedir(directory);
	return empty;
}

/* Makes the directory, or makes sure that an existing one is a sweep's. */
static int directory_make(struct sweep *sweep, struct complaint *c)
{
	char jobs[PATH_MAX + 8];
	const char *path = sweep->directory;

	if (strlen(path) + 64 > PATH_MAX)
		return complain(c, EXIT_USAGE, "--output: the path is longer than %d bytes",
		                PATH_MAX - 64);
	snprintf(jobs, sizeof(jobs), "%s/jobs", path);
	if (mkdir(path, 0777) && errno != EEXIST)
		return complain(c, EXIT_FAILED, "--output: cannot make '%s': %s", path,
		                strerror(errno));
	if (access(jobs, F_OK) && !directory_empty(path))
		return complain(c, EXIT_USAGE,
		                "--output: '%s' exists and is no sweep's\n"
		                "name a new directory, or that of a sweep to go on with",
		                path);
	if (mkdir(jobs, 0777) && errno != EEXIST)
		return complain(c, EXIT_FAILED, "--output: cannot make '%s': %s", jobs,
		                strerror(errno));
	if (!realpath(path, jobs) || strlen(jobs) + 64 > PATH_MAX)
		return complain(c, EXIT_FAILED, "--output: the path of '%s' is too long", path);
	snprintf(sweep->directory, sizeof(sweep->directory), "%s", jobs);
	return 0;
}

static void meta_add(struct sweep *sweep, const char *key, const char *value)
{
	if (sweep->meta_count < META_ROWS)
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
	char path[PATH_MAX + 16];
	uint32_t drawn = 0;

	sweep->seed = sweep->options.seed;
	if (sweep->options.in_order)
		return;
	if (!sweep->seed && *sweep->directory) {
		snprintf(path, sizeof(path), "%s/meta.csv", sweep->directory);
		conditions_fact(path, "seed", sweep->seed_text, sizeof(sweep->seed_text));
		sweep->seed = strtoull(sweep->seed_text, NULL, 10);
	}
	while (!sweep->seed && getrandom(&drawn, sizeof(drawn), 0) == sizeof(drawn))
		sweep->seed = drawn;
	snprintf(sweep->seed_text, sizeof(sweep->seed_text), "%" PRIu64, sweep->seed);
}

/* What the results already there were measured under must be what there is now. */
static int conditions_hold(const struct sweep *sweep, struct complaint *c)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%.*s/meta.csv", PATH_MAX - 16, sweep->directory);
	if (conditions_check(path, sweep->meta, sweep->meta_count, c))
		return -1;
	for (size_t i = 0; i < sweep->plan.count; i++) {
		job_path(sweep->directory, &sweep->plan.jobs[i], "meta.csv", path);
		if (conditions_check(path, sweep->meta, sweep->meta_count, c))
			return -1;
	}
	return 0;
}

/* Counts the jobs by their state. */
static void states_count(struct sweep *sweep)
{
	memset(sweep->states, 0, sizeof(sweep->states));
	for (size_t i = 0; i < sweep->plan.count; i++)
		sweep->states[job_state(sweep->directory, &sweep->plan.jobs[i])]++;
}

/*
 * The names of the jobs to carry out, in the plan's order; what is there of them is removed.
 * Returns their number and the time they will take at least, or -1.
 */
static ssize_t pending_take(const struct sweep *sweep, char (**names)[PLAN_NAME],
                            uint64_t *expected_ns, struct complaint *c)
{
	size_t count = 0;

	*expected_ns = 0;
	*names = calloc(sweep->plan.count + 1, sizeof(**names));
	if (!*names)
		return complain(c, EXIT_FAILED, "no memory for %zu jobs", sweep->plan.count);
	for (size_t i = 0; i < sweep->plan.count; i++) {
		const struct plan_job *job = &sweep->plan.jobs[i];
		enum job_state state = job_state(sweep->directory, job);

		if (state == JOB_VALID || state == JOB_UNSUPPORTED)
			continue;
		if (job_remove(sweep->directory, job, c))
			return -1;
		plan_name(job, (*names)[count++]);
		*expected_ns += job->expected_ns + JOB_OVERHEAD_MS * UINT64_C(1000000);
	}
	return (ssize_t)count;
}

/* Says what is about to be done. */
static void sweep_announce(const struct sweep *sweep, size_t pending, uint64_t expected_ns,
                           FILE *out)
{
	char time[UNIT_TEXT];

	fprintf(out, "%zu of %zu jobs to do", pending, sweep->plan.count);
	if (pending)
		fprintf(out, ", about %s", duration_format((double)expected_ns, time));
	if (sweep->seed)
		fprintf(out, "; order by seed %" PRIu64, sweep->seed);
	fprintf(out, "; results in %s\n", sweep->directory);
	if (!lock_machine())
		fprintf(out, "warning: another faultscale is measuring on this machine\n");
	fflush(out);
}

static int jobs_carry_out(struct sweep *sweep, char (*names)[PLAN_NAME], size_t count, FILE *out,
                          struct complaint *c)
{
	struct complaint why;

	if (!count)
		return 0;
	if (carrier_check(&why) == 0)
		return carrier_parallel(&sweep->carrier, names, count, c);
	fprintf(out, "jobs are started one by one, since %s\n", why.text);
	fflush(out);
	return carrier_loop(&sweep->carrier, names, count, c);
}

/* Carries out what is missing. */
static int sweep_measure(struct sweep *sweep, FILE *out, struct complaint *c)
{
	char(*names)[PLAN_NAME] = NULL, temporary[PATH_MAX + 16];
	uint64_t expected_ns;
	ssize_t pending;
	int result;

	sweep->carrier.sweep = sweep->directory;
	sweep->carrier.watched = isatty(STDERR_FILENO);
	sweep->carrier.signal_fd = signals_open();
	if (sweep->carrier.signal_fd < 0)
		return complain(c, EXIT_FAILED, "signalfd: %s", strerror(errno));
	if (readlink("/proc/self/exe", sweep->carrier.program, PATH_MAX - 1) < 0)
		return complain(c, EXIT_FAILED, "cannot read /proc/self/exe: %s", strerror(errno));
	pending = pending_take(sweep, &names, &expected_ns, c);
	result = pending < 0 ? -1 : 0;
	if (result == 0) {
		sweep_announce(sweep, (size_t)pending, expected_ns, out);
		result = jobs_carry_out(sweep, names, (size_t)pending, out, c);
	}
	free(names);
	snprintf(temporary, sizeof(temporary), "%s/parallel", sweep->directory);
	return result || tree_remove(temporary, c) || jobs_clean(sweep->directory, c) ? -1 : 0;
}

/* Writes scaling.csv and prints the table. */
static int sweep_analyse(const struct sweep *sweep, FILE *out, struct complaint *c)
{
	char path[PATH_MAX + 16];
	struct curves curves;
	int fd, error;

	snprintf(path, sizeof(path), "%s/points.csv", sweep->directory);
	if (curves_read(path, &curves, c))
		return -1;
	snprintf(path, sizeof(path), "%s/scaling.csv", sweep->directory);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	error = fd < 0 ? errno : scaling_write(&curves, fd);
	if (!error && out) {
		fputc('\n', out);
		scaling_print(&curves, out);
	} else if (!error) {
		error = scaling_write(&curves, STDOUT_FILENO);
	}
	curves_free(&curves);
	return error ? complain(c, EXIT_FAILED, "cannot write '%s': %s", path, strerror(error)) : 0;
}

/* Puts the jobs' results together, says what is missing; returns the exit status, or -1. */
static int sweep_finish(struct sweep *sweep, FILE *out, struct complaint *c)
{
	const struct jobs_source source = {sweep->directory, NULL};
	bool text = sweep->options.format == FORMAT_TEXT;
	size_t missing, poor;

	if (conditions_hold(sweep, c) ||
	    jobs_merge(sweep->directory, &source, 1, &sweep->plan, c) ||
	    sweep_analyse(sweep, text ? out : NULL, c))
		return -1;
	states_count(sweep);
	missing = sweep->states[JOB_MISSING];
	poor = sweep->states[JOB_POOR];
	if (missing)
		fprintf(out, "missing: %zu of %zu jobs\n", missing, sweep->plan.count);
	if (poor)
		fprintf(out, "not valid: %zu of %zu jobs\n", poor, sweep->plan.count);
	if (missing || poor)
		fprintf(out, "the same command measures these again; results in %s\n",
		        sweep->directory);
	if (sweep->carrier.signal) {
		fflush(out);
		signals_die(sweep->carrier.signal);
	}
	if (missing || poor)
		return EXIT_FAILED;
	return sweep->states[JOB_UNSUPPORTED] ? EXIT_UNSUPPORTED : EXIT_OK;
}

static int sweep_run(struct sweep *sweep, struct complaint *c)
{
	FILE *out = sweep->options.format == FORMAT_TEXT ? stdout : stderr;
	char path[PATH_MAX + 16];

	if (directory_make(sweep, c) || lock_directory(sweep->directory, c) ||
	    conditions_hold(sweep, c) || jobs_clean(sweep->directory, c))
		return -1;
	snprintf(path, sizeof(path), "%s/plan.csv", sweep->directory);
	if (plan_write(&sweep->plan, path, c))
		return -1;
	snprintf(path, sizeof(path), "%s/meta.csv", sweep->directory);
	if (conditions_write(path, sweep->meta, sweep->meta_count, c))
		return -1;
	return sweep_measure(sweep, out, c) ? -1 : sweep_finish(sweep, out, c);
}

/* The plan: made from the options, or read from a file. */
static int sweep_plan(struct sweep *sweep, const struct topology *topology, struct complaint *c)
{
	if (*sweep->options.plan)
		return plan_read(sweep->options.plan, &sweep->plan, c);
	seed_choose(sweep);
	if (plan_make(&sweep->options, topology, sweep->seed, &sweep->plan, c))
		return -1;
	if (topology_is_here(topology) || sweep->options.dry_run)
		return 0;
	return complain(c, EXIT_USAGE,
	                "the topology is not this machine's (HWLOC_SYNTHETIC or HWLOC_XMLFILE)\n"
	                "--dry-run shows the plan for such a topology");
}

static int sweep_carry_out(struct sweep *sweep, struct complaint *c)
{
	struct topology *topology = NULL;
	int result;

	if (session_survey(&sweep->session, &topology, c))
		return -1;
	result = sweep_plan(sweep, topology, c);
	topology_free(topology);
	if (result)
		return -1;
	if (sweep->options.dry_run) {
		if (sweep->seed)
			fprintf(stderr, "order by seed %" PRIu64 "\n", sweep->seed);
		return plan_print(&sweep->plan, sweep->options.format, c) ? -1 : EXIT_OK;
	}
	meta_make(sweep);
	return sweep_run(sweep, c);
}

int sweep_main(int count, char *const words[], struct complaint *c)
{
	const struct word_list list = {count, words};
	struct sweep *sweep = calloc(1, sizeof(*sweep));
	int status = -1;

	if (!sweep)
		return complain(c, EXIT_FAILED, "no memory");
	if (options_parse(COMMAND_SWEEP, count, words, &sweep->options, c) == 0) {
		session_command("sweep", &list, sweep->command, sizeof(sweep->command));
		snprintf(sweep->directory, sizeof(sweep->directory), "%s", sweep->options.output);
		if (!*sweep->directory && !sweep->options.dry_run)
			directory_default(sweep->directory, sizeof(sweep->directory));
		if (sweep->options.help)
			help_print();
		status = sweep->options.help ? EXIT_OK : sweep_carry_out(sweep, c);
	}
	plan_free(&sweep->plan);
	free(sweep->session.facts);
	free(sweep);
	return status;
}
