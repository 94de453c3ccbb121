// SPDX-License-Identifier: GPL-3.0-or-later
#include "carrier.h"

#include "child.h"

#include "procfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define START "FAULTSCALE_START"
#define SWEEP "FAULTSCALE_SWEEP"
#define PROGRAM "FAULTSCALE_PROGRAM"
#define PID "FAULTSCALE_PID" /* the sweep's */

/*
 * What GNU parallel runs for each job.  exec makes the job a child of GNU parallel itself, so that
 * it ends with it.
 */
static const char command[] = "cd \"$" START "\" && exec \"$" PROGRAM "\" run --plan=\"$" SWEEP
                              "/plan.csv\" --job={} --output=\"$" SWEEP "/jobs\"/{}";

int carrier_check(struct complaint *c)
{
	static const char *const words[] = {"parallel", "--version", NULL};
	const struct child child = {.program = words[0], .words = words, .output = -1};
	char text[64];
	int status = child_output(&child, text, sizeof(text), c);

	if (status < 0)
		return -1;
	if (strncmp(text, "GNU parallel ", strlen("GNU parallel ")) == 0)
		return 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return complain(c, EXIT_FAILED,
		                "GNU parallel is not installed\nthe package is called parallel");
	return complain(c, EXIT_FAILED,
	                "the 'parallel' in PATH is not GNU parallel\n"
	                "moreutils has another program of that name; the package of the right one "
	                "is called parallel");
}

static int list_write(const char *path, const char *const names[], size_t count,
                      struct complaint *c)
{
	FILE *file = fopen(path, "we");
	bool failed = !file;

	for (size_t i = 0; file && i < count; i++)
		fprintf(file, "%s\n", names[i]);
	if (file)
		failed = ferror(file);
	if (file && fclose(file))
		failed = true;
	return failed ? complain(c, EXIT_FAILED, "cannot write '%s': %s", path, strerror(errno))
	              : 0;
}

/* The directory of GNU parallel's own files, its arguments and its environment. */
static int call_prepare(const struct carrier *carrier, const char *const names[], size_t count,
                        struct complaint *c)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/parallel", carrier->sweep);
	if (mkdir(path, 0777) && errno != EEXIST)
		return complain(c, EXIT_FAILED, "cannot make '%s': %s", path, strerror(errno));
	snprintf(path, sizeof(path), "%s/parallel/arguments", carrier->sweep);
	if (list_write(path, names, count, c))
		return -1;
	unsetenv("PARALLEL");
	if (setenv("PARALLEL_HOME", "parallel", 1) || setenv("PARALLEL_SHELL", "/bin/sh", 1) ||
	    (!getenv("HOME") && setenv("HOME", carrier->sweep, 1)))
		return complain(c, EXIT_FAILED, "no memory for the environment");
	return 0;
}

/* A log that is appended to gets no header. */
static bool joblog_there(const struct carrier *carrier)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/joblog", carrier->sweep);
	return access(path, F_OK) == 0;
}

int carrier_call(struct carrier *carrier, const char *const words[], const char *const names[],
                 size_t count, struct complaint *c)
{
	static const char *const common[] = {
	        "parallel",
	        "--plain",
	        "--will-cite",
	        "--jobs=1",
	        "--tag",
	        "--tmpdir=parallel",
	        "--termseq=TERM,600,KILL,25",
	        "--arg-file=parallel/arguments",
	};
	const char *all[64];
	size_t used = sizeof(common) / sizeof(common[0]);
	const struct child child = {
	        .program = "parallel", .words = all, .directory = carrier->sweep, .output = -1};
	pid_t pid;

	memcpy(all, common, sizeof(common));
	all[used++] = joblog_there(carrier) ? "--joblog=+joblog" : "--joblog=joblog";
	if (carrier->watched)
		all[used++] = "--bar";
	for (; *words && used + 1 < sizeof(all) / sizeof(all[0]); words++)
		all[used++] = *words;
	all[used] = NULL;
	if (call_prepare(carrier, names, count, c))
		return -1;
	pid = child_start(&child, c);
	if (pid < 0)
		return -1;
	child_wait(pid, carrier->signal_fd, &carrier->signal);
	return 0;
}

int carrier_parallel(struct carrier *carrier, const char *const names[], size_t count,
                     struct complaint *c)
{
	static const char *const words[] = {command, NULL};
	char start[PATH_MAX], pid[24];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	if (!getcwd(start, sizeof(start)))
		return complain(c, EXIT_FAILED, "the current directory is gone: %s",
		                strerror(errno));
	if (setenv(START, start, 1) || setenv(SWEEP, carrier->sweep, 1) ||
	    setenv(PROGRAM, carrier->program, 1) || setenv(PID, pid, 1))
		return complain(c, EXIT_FAILED, "no memory for the environment");
	return carrier_call(carrier, words, names, count, c);
}

/* The parent of a process; 0 if there is none, -1 if it cannot be told. */
static pid_t parent_of(pid_t pid)
{
	char path[64], text[512];
	const char *name_end;
	int parent;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (procfile_line(path, text, sizeof(text)))
		return -1;
	name_end = strrchr(text, ')');
	return name_end && sscanf(name_end, ") %*c %d", &parent) == 1 ? parent : -1;
}

/*
 * Whoever loses its parent gets another (init, or a subreaper), which is no descendant of the
 * sweep: so a chain of parents that leads to the sweep is whole.
 */
bool carrier_bind(void)
{
	const char *text = getenv(PID);
	pid_t sweep = text ? (pid_t)strtol(text, NULL, 10) : 0, pid;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (sweep <= 0)
		return true;
	for (pid = getppid(); pid > 0; pid = parent_of(pid))
		if (pid == sweep)
			return true;
	return pid < 0;
}

static int job_run(struct carrier *carrier, const char *name, struct complaint *c)
{
	char plan[PATH_MAX + 32], job[64], output[PATH_MAX + 64];
	const char *words[] = {carrier->program, "run", plan, job, output, NULL};
	const struct child child = {.program = carrier->program, .words = words, .output = -1};
	pid_t pid;

	snprintf(plan, sizeof(plan), "--plan=%s/plan.csv", carrier->sweep);
	snprintf(job, sizeof(job), "--job=%s", name);
	snprintf(output, sizeof(output), "--output=%s/jobs/%s", carrier->sweep, name);
	pid = child_start(&child, c);
	if (pid < 0)
		return -1;
	child_wait(pid, carrier->signal_fd, &carrier->signal);
	return 0;
}

int carrier_loop(struct carrier *carrier, const char *const names[], size_t count,
                 struct complaint *c)
{
	for (size_t i = 0; i < count && !carrier->signal; i++) {
		if (carrier->watched)
			fprintf(stderr, "job %zu of %zu\n", i + 1, count);
		if (job_run(carrier, names[i], c))
			return -1;
	}
	return 0;
}
