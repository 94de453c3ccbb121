// SPDX-License-Identifier: GPL-3.0-or-later
/* The parent's signals, read from a descriptor, and those of its children. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <signal.h>

/*
 * Blocks SIGCHLD and the signals that end a run (INT, TERM, HUP, QUIT; one that the caller of
 * faultscale ignores, as nohup and background jobs do, stays ignored) and returns a descriptor
 * (signalfd) that tells of them, or -1 and errno.  SIGPIPE and SIGXFSZ are ignored, so that write
 * errors are seen as such; an inherited mask and an ignored SIGCHLD are reset.
 */
int signals_open(void);

/* The next signal from the descriptor, or 0 when there is none. */
int signals_next(int fd);

/* Ends this process by the signal, as if it had not been caught. */
_Noreturn void signals_die(int signal_number);

/*
 * For a forked child: no signal blocked, all as at the start of a program, except that those which
 * a terminal sends to the whole group are left to the parent.
 */
void signals_reset_child(void);

/* "SIGKILL" and the like, or "signal 33", into `out`; returns it. */
enum { SIGNAL_NAME = 32 };
char *signals_name(int signal_number, char out[SIGNAL_NAME]);

#endif
