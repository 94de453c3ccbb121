// SPDX-License-Identifier: GPL-3.0-or-later
#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where the scripts are, seen from the directory of the program: installed; built with BUILD. */
static const char *const script_places[] = {"../share/faultscale/plots", "plots", "../../plots"};

int gnuplot_find(struct gnuplot *gnuplot, struct complaint *c)
{
	char program[PATH_MAX], style[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	if (length < 0)
		return complain(c, EXIT_FAILED, "/proc/self/exe: %s\nis /proc mounted?",
		                strerror(errno));
	program[length] = '\0';
	*strrchr(program, '/') = '\0';
	for (size_t i = 0; i < sizeof(script_places) / sizeof(script_places[0]); i++)
		if ((size_t)snprintf(style, sizeof(style), "%s/%s/style.gp", program,
		                     script_places[i]) < sizeof(style) &&
		    access(style, R_OK) == 0) {
			*strrchr(style, '/') = '\0';
			memcpy(gnuplot->scripts, style, sizeof(style));
			return 0;
		}
	return complain(c, EXIT_FAILED,
	                "the gnuplot scripts are not in '%s/%s'\n'make install' puts them there",
	                program, script_places[0]);
}

int gnuplot_table(const char *name)
{
	return memfd_create(name, 0);
}

/* True if all of a text is UTF-8. */
static bool text_is_utf8(char *text)
{
	iconv_t converter = iconv_open("UTF-16LE", "UTF-8");
	size_t left = strlen(text);
	bool there = (intptr_t)converter != -1, valid = there;

	while (valid && left) {
		char sink[256], *to = sink;
		size_t room = sizeof(sink);

		if (iconv(converter, &text, &left, &to, &room) == (size_t)-1 && errno != E2BIG)
			valid = false;
	}
	if (there)
		iconv_close(converter);
	return valid;
}

void gnuplot_clean(char *text, int cell)
{
	bool utf8 = text_is_utf8(text);

	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte < ' ' || byte == 0x7f || (byte > 0x7f && !utf8))
			*text = '?';
		else if (byte == '"')
			*text = '\'';
		else if (byte == '\\')
			*text = '/';
		else if (byte == ',' && cell)
			*text = ';';
	}
}

/* The last line of a file in memory: gnuplot shows the command first, then what is wrong. */
static void line_read(int fd, char *out, size_t size)
{
	off_t end = lseek(fd, 0, SEEK_END);
	off_t start = end > (off_t)size - 1 ? end - ((off_t)size - 1) : 0;
	ssize_t length = pread(fd, out, size - 1, start);
	char *line;

	while (length > 0 && strchr("\n ", out[length - 1]))
		length--;
	out[length > 0 ? length : 0] = '\0';
	line = strrchr(out, '\n');
	if (line)
		memmove(out, line + 1, strlen(line));
}

/* Waits for gnuplot; what it wrote to its standard error says why it failed. */
static int gnuplot_wait(pid_t pid, int errors, struct complaint *c)
{
	char line[512];
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return complain(c, EXIT_FAILED, "waitpid: %s", strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	line_read(errors, line, sizeof(line));
	return complain(c, EXIT_FAILED, "gnuplot failed: %s",
	                *line ? line : strsignal(WIFSIGNALED(status) ? WTERMSIG(status) : 0));
}

static int gnuplot_spawn(char *const words[], int output, int errors, struct complaint *c)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
	setenv("LC_ALL", "C", 1);
	unsetenv("GNUTERM"); /* -d keeps it: a terminal that is not there ends gnuplot */
	error = posix_spawnp(&pid, words[0], &actions, NULL, words, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error == ENOENT)
		return complain(c, EXIT_UNSUPPORTED,
		                "gnuplot is not installed\n"
		                "apt install gnuplot-nox | dnf install gnuplot | pacman -S gnuplot "
		                "| apk add gnuplot | zypper install gnuplot");
	if (error)
		return complain(c, EXIT_FAILED, "cannot run gnuplot: %s", strerror(error));
	return gnuplot_wait(pid, errors, c);
}

int gnuplot_run(const struct gnuplot *gnuplot, const struct gnuplot_job *job, struct complaint *c)
{
	char script[PATH_MAX + 64], style[PATH_MAX + 64], size[32];
	char tables[GNUPLOT_TABLES][32];
	const char *words[] = {"gnuplot",     "-d",      "-c",      style,     script,
	                       job->terminal, tables[0], tables[1], tables[2], job->title,
	                       job->machine,  job->note, size,      NULL};
	int errors = memfd_create("errors", MFD_CLOEXEC), result;

	if (errors < 0)
		return complain(c, EXIT_FAILED, "memfd_create: %s", strerror(errno));
	snprintf(script, sizeof(script), "%s/%s.gp", gnuplot->scripts, job->script);
	snprintf(style, sizeof(style), "%s/style.gp", gnuplot->scripts);
	snprintf(size, sizeof(size), "%u %u", job->columns, job->lines);
	for (int i = 0; i < GNUPLOT_TABLES; i++)
		snprintf(tables[i], sizeof(tables[i]), "/proc/self/fd/%d", job->tables[i]);
	/* posix_spawn does not change them: POSIX has the type for old code's sake. */
	result = gnuplot_spawn((char *const *)(const void *)words, job->output, errors, c);
	close(errors);
	return result;
}
