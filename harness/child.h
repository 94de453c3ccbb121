// SPDX-License-Identifier: GPL-3.0-or-later
/* Other programs started by a sweep: GNU parallel, or one of its own jobs. */
#ifndef CHILD_H
#define CHILD_H

#include "complaint.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What to start and how. */
struct child {
	const char *program;      /* a path, or a name to be looked for in PATH */
	const char *const *words; /* its argv, ends with NULL */
	const char *directory;    /* to start it in, or NULL: here */
	int output;               /* descriptor for its standard output, or -1: ours */
	bool mute;                /* its standard error goes to /dev/null */
};

/*
 * Starts it with /dev/null as standard input, default signals and none blocked.  It is killed if
 * this process dies.  Returns its pid, or -1 (EXIT_FAILED) when there is no fork; a program that
 * cannot be started exits with 127.
 */
pid_t child_start(const struct child *child, struct complaint *c);

/*
 * Waits for the child to end.  A signal read from `signal_fd` (signals_open(), or -1) is kept in
 * *signal_number and, a moment later, handed on to the child if it still runs (a terminal has
 * already sent it to both), again and again: GNU parallel takes one SIGTERM for "start no more
 * jobs" and ends at the second.  A second signal kills the child.  Returns its wait status, or -1
 * if it cannot be waited for.
 */
int child_wait(pid_t pid, int signal_fd, int *signal_number);

/* Runs a program and keeps the beginning of what it prints.  Its wait status, or -1. */
int child_output(const struct child *child, char *out, size_t size, struct complaint *c);

#endif
