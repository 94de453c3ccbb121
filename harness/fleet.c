// SPDX-License-Identifier: GPL-3.0-or-later
#include "fleet.h"

#include "conditions.h"
#include "hash.h"
#include "precision.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * What a host does, as a file: it is started with the host's id.  The table and the result files
 * are made here, for all hosts, so the host sends its jobs and meta.csv only.  77 is "unsupported".
 */
static const char script[] =
        "mine=hosts/$1/sweep\n"
        "mkdir -p \"$mine/jobs\" || exit 1\n"
        "test -e \"$mine/meta.csv\" || cp \"send/$1/meta.csv\" \"$mine\" || exit 1\n"
        "program=send/$1/faultscale\n"
        "if ! \"$program\" --version >/dev/null 2>&1; then\n"
        "	program=$(command -v faultscale) || {\n"
        "		echo 'faultscale does not run on this host and is not installed:' >&2\n"
        "		ldd \"send/$1/faultscale\" 2>&1 | grep 'not found' >&2 ||\n"
        "			\"send/$1/faultscale\" --version >&2\n"
        "		exit 77\n"
        "	}\n"
        "fi\n"
        "\"$program\" sweep --plan=\"send/$1/plan.csv\" --output=\"$mine\" >/dev/null\n"
        "status=$?\n"
        "find \"$mine\" -maxdepth 1 -type f ! -name meta.csv -exec rm -f '{}' +\n"
        "exit $status\n";

/* Removes what a host got and made; directories that others still use stay. */
static const char clean[] =
        "rm -rf send/{} hosts/{}; rmdir send hosts 2>/dev/null; cd .. && rmdir \"$OLDPWD\" "
        "2>/dev/null; cd .. && rmdir .faultscale 2>/dev/null; true";

#define LOGINS "--sshloginfile=send/logins", "--hostgroups"
#define SSH "ssh -oBatchMode=yes -oConnectTimeout=10 -oServerAliveInterval=20"

/* One call of GNU parallel: the hosts' ids as arguments, each only for its own login. */
struct call {
	const struct host **hosts;
	char **arguments; /* ID@ID */
	size_t count, room;
	char work[64]; /* --workdir: the directory on every host, below the home directory */
};

char *fleet_path(const char *sweep, const struct host *host, char out[PATH_MAX])
{
	snprintf(out, PATH_MAX, "%s/hosts/%s/sweep", sweep, host->id);
	return out;
}

static int complain_path(struct complaint *c, const char *path)
{
	return complain(c, EXIT_FAILED, "cannot write '%s': %s", path, strerror(errno));
}

/* A directory and those above it, below `sweep`. */
static int directories_make(const char *sweep, const char *below, const char *id,
                            struct complaint *c)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", sweep, below);
	if (mkdir(path, 0777) && errno != EEXIST)
		return complain_path(c, path);
	snprintf(path, sizeof(path), "%s/%s/%s", sweep, below, id);
	if (mkdir(path, 0777) && errno != EEXIST)
		return complain_path(c, path);
	return 0;
}

static int file_copy(const char *from, const char *to, mode_t mode, struct complaint *c)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
	ssize_t sent = 1;

	while (in >= 0 && out >= 0 && sent > 0)
		sent = sendfile(out, in, NULL, 1 << 20);
	if (in < 0 || out < 0 || sent < 0)
		complain(c, EXIT_FAILED, "cannot copy '%s' to '%s': %s", from, to, strerror(errno));
	if (in >= 0)
		close(in);
	if (out >= 0 && close(out))
		sent = complain_path(c, to);
	return in < 0 || out < 0 || sent < 0 ? -1 : 0;
}

static int script_write(const char *path, struct complaint *c)
{
	FILE *file = fopen(path, "we");

	if (!file)
		return complain_path(c, path);
	fputs(script, file);
	return fclose(file) ? complain_path(c, path) : 0;
}

/* Writes the plan of what did not come back from a host yet; returns how many jobs that is. */
static ssize_t plan_rest(const struct carrier *carrier, const struct host *host,
                         const struct plan *plan, struct complaint *c)
{
	struct plan rest = {calloc(plan->count, sizeof(*rest.jobs)), 0};
	char back[PATH_MAX], path[PATH_MAX];
	int result = 0;

	if (!rest.jobs)
		return complain(c, EXIT_FAILED, "no memory for the plan");
	fleet_path(carrier->sweep, host, back);
	for (size_t i = 0; result == 0 && i < plan->count; i++) {
		if (precision_job_done(back, &plan->jobs[i]))
			continue;
		rest.jobs[rest.count++] = plan->jobs[i];
		result = job_clear(back, &plan->jobs[i], c);
	}
	snprintf(path, sizeof(path), "%s/send/%s/plan.csv", carrier->sweep, host->id);
	if (result == 0 && rest.count)
		result = plan_write(&rest, path, c);
	free(rest.jobs);
	return result ? -1 : (ssize_t)rest.count;
}

/* The conditions of what came back from the host before, for it to compare with its own. */
static int meta_send(const struct carrier *carrier, const struct host *host, struct complaint *c)
{
	char back[PATH_MAX], from[PATH_MAX + 16], to[PATH_MAX];

	snprintf(from, sizeof(from), "%s/meta.csv", fleet_path(carrier->sweep, host, back));
	snprintf(to, sizeof(to), "%s/send/%s/meta.csv", carrier->sweep, host->id);
	return access(from, R_OK) == 0 ? file_copy(from, to, 0666, c)
	                               : conditions_write(to, NULL, 0, c);
}

/* Fills send/ID; returns the number of jobs in its plan, or -1. */
static ssize_t host_prepare(const struct carrier *carrier, const struct host *host,
                            const struct plan *plan, struct complaint *c)
{
	char path[PATH_MAX];
	ssize_t jobs;

	if (directories_make(carrier->sweep, "send", host->id, c) ||
	    directories_make(carrier->sweep, "hosts", host->id, c))
		return -1;
	jobs = plan_rest(carrier, host, plan, c);
	if (jobs <= 0)
		return jobs;
	snprintf(path, sizeof(path), "%s/send/%s/script", carrier->sweep, host->id);
	if (script_write(path, c) || meta_send(carrier, host, c))
		return -1;
	snprintf(path, sizeof(path), "%s/send/%s/faultscale", carrier->sweep, host->id);
	return file_copy(carrier->program, path, 0777, c) ? -1 : jobs;
}

/* The logins for GNU parallel: each in a group of its own id, on one CPU, which saves asking. */
static int logins_write(const struct carrier *carrier, const struct hosts *hosts,
                        struct complaint *c)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/send/logins", carrier->sweep);
	file = fopen(path, "we");
	if (!file)
		return complain_path(c, path);
	for (size_t i = 0; i < hosts->count; i++)
		fprintf(file, "@%s/1/%s\n", hosts->hosts[i].id, hosts->hosts[i].login);
	return fclose(file) ? complain_path(c, path) : 0;
}

/* Where this sweep works on the hosts: always the same place, so that one cut off is gone on with.
 */
static void work_name(const char *sweep, char *out, size_t size)
{
	char here[256] = "";

	gethostname(here, sizeof(here) - 1);
	snprintf(out, size, "--workdir=.faultscale/sweep-%016" PRIx64,
	         hash_text(hash_text(HASH_START, here), sweep));
}

static int call_arguments(struct call *call, struct complaint *c)
{
	for (size_t i = 0; i < call->count; i++) {
		const char *id = call->hosts[i]->id;

		free(call->arguments[i]);
		if (asprintf(&call->arguments[i], "%s@%s", id, id) < 0) {
			call->arguments[i] = NULL;
			return complain(c, EXIT_FAILED, "no memory for %zu hosts", call->count);
		}
	}
	return 0;
}

static int call_make(struct call *call, const struct carrier *carrier, const struct hosts *hosts,
                     const struct plan *plan, struct complaint *c)
{
	*call = (struct call){.room = hosts->count};
	call->hosts = calloc(hosts->count, sizeof(const struct host *));
	call->arguments = calloc(hosts->count, sizeof(*call->arguments));
	work_name(carrier->sweep, call->work, sizeof(call->work));
	if (!call->hosts || !call->arguments)
		return complain(c, EXIT_FAILED, "no memory for %zu hosts", hosts->count);
	for (size_t i = 0; i < hosts->count; i++) {
		ssize_t jobs = host_prepare(carrier, &hosts->hosts[i], plan, c);

		if (jobs < 0)
			return -1;
		if (jobs)
			call->hosts[call->count++] = &hosts->hosts[i];
	}
	return call_arguments(call, c);
}

/* Leaves only the hosts whose jobs are all here now. */
static int call_keep_returned(struct call *call, const struct carrier *carrier,
                              const struct plan *plan, struct complaint *c)
{
	size_t all = call->count;
	char back[PATH_MAX];

	call->count = 0;
	for (size_t i = 0; i < all; i++) {
		const struct host *host = call->hosts[i];
		size_t missing = 0;

		fleet_path(carrier->sweep, host, back);
		for (size_t j = 0; j < plan->count; j++)
			missing += job_state(back, &plan->jobs[j]) == JOB_MISSING;
		if (!missing)
			call->hosts[call->count++] = host;
	}
	return call_arguments(call, c);
}

static void call_free(struct call *call)
{
	for (size_t i = 0; call->arguments && i < call->room; i++)
		free(call->arguments[i]);
	free(call->arguments);
	free(call->hosts);
}

/* Sends, runs and fetches. */
static int call_measure(const struct call *call, struct carrier *carrier, struct complaint *c)
{
	const char *const words[] = {
	        LOGINS,
	        call->work,
	        "--transferfile=send/{}",
	        "--return=hosts/{}/sweep",
	        "sh send/{}/script {}",
	        NULL,
	};

	if (!getenv("PARALLEL_SSH") && setenv("PARALLEL_SSH", SSH, 1))
		return complain(c, EXIT_FAILED, "no memory for the environment");
	return carrier_call(carrier, words, (const char *const *)call->arguments, call->count, c);
}

/* Removes on the hosts what is here now. */
static int call_clean(const struct call *call, struct carrier *carrier, struct complaint *c)
{
	const char *const words[] = {LOGINS, call->work, clean, NULL};

	if (!call->count)
		return 0;
	return carrier_call(carrier, words, (const char *const *)call->arguments, call->count, c);
}

int fleet_run(struct carrier *carrier, const struct hosts *hosts, const struct plan *plan,
              size_t *asked, struct complaint *c)
{
	char send[PATH_MAX];
	struct call call;
	int result;

	snprintf(send, sizeof(send), "%s/send", carrier->sweep);
	result = call_make(&call, carrier, hosts, plan, c);
	*asked = call.count;
	if (result == 0 && call.count)
		result = logins_write(carrier, hosts, c) || call_measure(&call, carrier, c);
	if (result == 0 && !carrier->signal)
		result = call_keep_returned(&call, carrier, plan, c) ||
		         call_clean(&call, carrier, c);
	call_free(&call);
	return result || tree_remove(send, c) ? -1 : 0;
}
