// SPDX-License-Identifier: GPL-3.0-or-later
#include "child.h"

#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GRACE_MS = 200 };

static _Noreturn void child_become(const struct child *child, pid_t parent)
{
	sigset_t none;
	int null = open("/dev/null", O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if ((!child->directory || chdir(child->directory) == 0) && dup2(null, STDIN_FILENO) >= 0 &&
	    (child->output < 0 || dup2(child->output, STDOUT_FILENO) >= 0) &&
	    (!child->mute || dup2(null, STDERR_FILENO) >= 0))
		execvp(child->program, (char *const *)(const void *)child->words);
	_exit(127);
}

pid_t child_start(const struct child *child, struct complaint *c)
{
	pid_t parent = getpid(), pid = fork();

	if (pid == 0)
		child_become(child, parent);
	if (pid < 0)
		return complain(c, EXIT_FAILED, "cannot start '%s': %s", child->program,
		                strerror(errno));
	return pid;
}

/* Reads a signal, if there is one; 0 for those that end nothing. */
static int signal_take(int signal_fd)
{
	int number = signal_fd < 0 ? 0 : signals_next(signal_fd);

	return number == SIGCHLD ? 0 : number;
}

int child_wait(pid_t pid, int signal_fd, int *signal_number)
{
	struct pollfd poller = {signal_fd, POLLIN, 0};
	int timeout = -1, status;

	for (;;) {
		pid_t ended = waitpid(pid, &status, signal_fd < 0 ? 0 : WNOHANG);
		int number;

		if (ended == pid)
			return status;
		if (ended < 0 && errno != EINTR)
			return -1;
		if (ended < 0)
			continue;
		if (poll(&poller, 1, timeout) == 0)
			kill(pid, *signal_number);
		number = signal_take(signal_fd);
		if (number && *signal_number)
			kill(pid, SIGKILL);
		else if (number)
			timeout = GRACE_MS;
		if (number)
			*signal_number = number;
	}
}

int child_output(const struct child *child, char *out, size_t size, struct complaint *c)
{
	struct child piped = *child;
	size_t used = 0;
	ssize_t got;
	int ends[2], ignored = 0;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return complain(c, EXIT_FAILED, "pipe: %s", strerror(errno));
	piped.output = ends[1];
	piped.mute = true;
	pid = child_start(&piped, c);
	close(ends[1]);
	while (pid > 0 && used + 1 < size &&
	       ((got = read(ends[0], out + used, size - 1 - used)) > 0 ||
	        (got < 0 && errno == EINTR)))
		used += got > 0 ? (size_t)got : 0;
	out[used] = '\0';
	close(ends[0]);
	return pid > 0 ? child_wait(pid, -1, &ignored) : -1;
}
