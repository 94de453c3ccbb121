// SPDX-License-Identifier: GPL-3.0-or-later
#include "signals.h"

#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum { ENDING = sizeof(ending) / sizeof(ending[0]) };

int signals_open(void)
{
	struct sigaction action;
	sigset_t set;

	signal(SIGCHLD, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (int i = 0; i < ENDING; i++)
		if (sigaction(ending[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(&set, ending[i]);
	if (sigprocmask(SIG_SETMASK, &set, NULL))
		return -1;
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int signals_next(int fd)
{
	struct signalfd_siginfo info;

	return read(fd, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : 0;
}

_Noreturn void signals_die(int signal_number)
{
	sigset_t set;

	signal(signal_number, SIG_DFL);
	sigemptyset(&set);
	raise(signal_number);
	sigprocmask(SIG_SETMASK, &set, NULL);
	_exit(128 + signal_number); /* not reached, unless the signal cannot end us */
}

void signals_reset_child(void)
{
	sigset_t none;

	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

char *signals_name(int signal_number, char out[SIGNAL_NAME])
{
	const char *name = sigabbrev_np(signal_number);

	if (name)
		snprintf(out, SIGNAL_NAME, "SIG%s", name);
	else
		snprintf(out, SIGNAL_NAME, "signal %d", signal_number);
	return out;
}
