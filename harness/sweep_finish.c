// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep.h"

#include "conditions.h"
#include "fleet.h"
#include "scaling.h"
#include "signals.h"
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the jobs are: of this machine, or of each host. */
struct sources {
	struct jobs_source *sources;
	char (*paths)[PATH_MAX];
	size_t count;
};

/* How many jobs are in which state. */
struct states {
	size_t in[JOB_POOR + 1];
};

static int sources_make(const struct sweep *sweep, struct sources *sources, struct complaint *c)
{
	size_t count = sweep->hosts.count ? sweep->hosts.count : 1;

	*sources = (struct sources){.sources = calloc(count, sizeof(*sources->sources)),
	                            .paths = calloc(count, sizeof(*sources->paths)),
	                            .count = count};
	if (!sources->sources || !sources->paths)
		return complain(c, EXIT_FAILED, "no memory for %zu hosts", count);
	sources->sources[0].sweep = sweep->directory;
	for (size_t i = 0; i < sweep->hosts.count; i++)
		sources->sources[i] = (struct jobs_source){
		        fleet_path(sweep->directory, &sweep->hosts.hosts[i], sources->paths[i]),
		        sweep->hosts.hosts[i].name};
	return 0;
}

static void sources_free(struct sources *sources)
{
	free(sources->sources);
	free(sources->paths);
}

static void states_add(struct states *states, const struct sweep *sweep,
                       const struct jobs_source *source)
{
	for (size_t i = 0; i < sweep->plan.count; i++)
		states->in[job_state(source->sweep, &sweep->plan.jobs[i])]++;
}

int sweep_conditions(const struct sweep *sweep, struct complaint *c)
{
	char path[PATH_MAX];

	store_path(sweep->directory, "meta.csv", path);
	if (sweep->hosts.count)
		return 0; /* each host compares its own */
	if (conditions_check(path, sweep->meta, sweep->meta_count, c))
		return -1;
	for (size_t i = 0; i < sweep->plan.count; i++) {
		job_path(sweep->directory, &sweep->plan.jobs[i], "meta.csv", path);
		if (conditions_check(path, sweep->meta, sweep->meta_count, c))
			return -1;
	}
	return 0;
}

static const char *fact_here(const struct sweep *sweep, const char *key)
{
	for (size_t i = 0; i < sweep->meta_count; i++)
		if (strcmp(sweep->meta[i].key, key) == 0)
			return sweep->meta[i].value;
	return "";
}

/* What a reader elsewhere must know of the machine, and how to measure the same. */
static void heading_print(const struct sweep *sweep)
{
	fprintf(sweep->out, "\n%s\n", sweep->command);
	if (sweep->hosts.count)
		return;
	fprintf(sweep->out, "%s: %s; CPUs %s, cores %s, nodes %s; Linux %s, huge pages %s\n",
	        fact_here(sweep, "host"), fact_here(sweep, "cpu_model"),
	        fact_here(sweep, "threads"), fact_here(sweep, "cores"), fact_here(sweep, "nodes"),
	        fact_here(sweep, "kernel_release"), fact_here(sweep, "thp"));
}

/* Writes scaling.csv and prints the table. */
static int finish_analyse(const struct sweep *sweep, struct complaint *c)
{
	const char *paths[] = {sweep->directory};
	char path[PATH_MAX];
	struct study study;
	int fd, error;

	if (study_load(&study, paths, 1, STUDY_ALL, c)) {
		study_free(&study);
		return -1;
	}
	store_path(sweep->directory, "scaling.csv", path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	error = fd < 0 ? errno : scaling_write(&study, fd);
	if (sweep->options.format == FORMAT_TEXT) {
		heading_print(sweep);
		fputc('\n', sweep->out);
		scaling_print(&study, sweep->out);
	} else if (!error) {
		snprintf(path, sizeof(path), "standard output");
		error = scaling_write(&study, STDOUT_FILENO);
	}
	study_free(&study);
	return error ? complain(c, EXIT_FAILED, "cannot write '%s': %s", path, strerror(error)) : 0;
}

enum { FACT = 4096 };

/* A host's fact; false if nothing came back from it. */
static bool fact_of(const struct jobs_source *source, const char *key, char value[FACT])
{
	char path[PATH_MAX];

	store_path(source->sweep, "meta.csv", path);
	conditions_fact(path, key, value, FACT);
	return access(path, F_OK) == 0;
}

/* True if all hosts that sent something back agree on a fact; `value` is it. */
static bool fact_shared(const struct sources *sources, const char *key, char value[FACT])
{
	char other[FACT];
	bool found = false;

	value[0] = '\0';
	for (size_t i = 0; i < sources->count; i++) {
		if (!fact_of(&sources->sources[i], key, other))
			continue;
		if (found && strcmp(value, other) != 0)
			return false;
		snprintf(value, FACT, "%s", other);
		found = true;
	}
	return true;
}

/* Adds a fact of the hosts: as KEY where all have the same, else as KEY@HOST for each. */
static void fact_add(const struct sources *sources, const char *key, struct csv *csv)
{
	char value[FACT], name[512];

	if (fact_shared(sources, key, value)) {
		csv_record(csv, &(struct meta_row){key, value});
		return;
	}
	for (size_t i = 0; i < sources->count; i++) {
		snprintf(name, sizeof(name), "%s@%s", key, sources->sources[i].host);
		if (fact_of(&sources->sources[i], key, value))
			csv_record(csv, &(struct meta_row){name, value});
	}
}

/* The meta.csv of a sweep over hosts: what the sweep was, then the hosts' facts. */
static int finish_meta(const struct sweep *sweep, const struct sources *sources,
                       struct complaint *c)
{
	size_t own = sweep->meta_count - sweep->session.fact_count;
	char path[PATH_MAX];
	struct csv csv;
	int fd;

	store_path(sweep->directory, "meta.csv", path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		return complain(c, EXIT_FAILED, "cannot write '%s': %s", path, strerror(errno));
	csv_open(&csv, fd, result_tables[RESULT_META].columns);
	csv_header(&csv);
	for (size_t i = 0; i < own; i++)
		csv_record(&csv, &sweep->meta[i]);
	for (size_t i = 0; i < sweep->session.fact_count; i++)
		fact_add(sources, sweep->session.facts[i].key, &csv);
	return csv_close(&csv) ? complain(c, EXIT_FAILED, "cannot write '%s': %s", path,
	                                  strerror(csv.error))
	                       : 0;
}

/* Says what is missing, host by host, and sums up. */
static void finish_count(const struct sweep *sweep, const struct sources *sources,
                         struct states *all)
{
	size_t jobs = sweep->plan.count;

	for (size_t i = 0; i < sources->count; i++) {
		const char *host = sources->sources[i].host;
		struct states states = {{0}};

		states_add(&states, sweep, &sources->sources[i]);
		sweep_note_precision(sweep, &sources->sources[i]);
		for (int s = 0; s <= JOB_POOR; s++)
			all->in[s] += states.in[s];
		if (states.in[JOB_MISSING])
			fprintf(sweep->out, "%s%smissing: %zu of %zu jobs\n", host ? host : "",
			        host ? ": " : "", states.in[JOB_MISSING], jobs);
		if (states.in[JOB_POOR])
			fprintf(sweep->out, "%s%snot valid: %zu of %zu jobs\n", host ? host : "",
			        host ? ": " : "", states.in[JOB_POOR], jobs);
	}
	if (all->in[JOB_MISSING] || all->in[JOB_POOR])
		fprintf(sweep->out, "the same command measures these again; ");
	fprintf(sweep->out, "results in %s\n", sweep->directory);
}

int sweep_finish(struct sweep *sweep, struct complaint *c)
{
	struct sources sources;
	struct states states = {{0}};
	int result = sources_make(sweep, &sources, c);

	if (result == 0)
		result = sweep_conditions(sweep, c) ||
		         jobs_merge(sweep->directory, sources.sources, sources.count, &sweep->plan,
		                    c) ||
		         (sweep->hosts.count && finish_meta(sweep, &sources, c)) ||
		         finish_analyse(sweep, c);
	if (result == 0)
		sweep_note_events(sweep);
	if (result == 0)
		finish_count(sweep, &sources, &states);
	sources_free(&sources);
	if (sweep->carrier.signal) {
		fflush(sweep->out);
		signals_die(sweep->carrier.signal);
	}
	if (result)
		return -1;
	if (states.in[JOB_MISSING] || states.in[JOB_POOR])
		return EXIT_FAILED;
	return states.in[JOB_UNSUPPORTED] ? EXIT_UNSUPPORTED : EXIT_OK;
}
