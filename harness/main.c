// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "version.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct command_row {
	const char *name;
	command_main *main;
	const char *summary;
};

static const struct command_row command_rows[] = {
        {"run", run_main, "measure one point"},
        {"duel", duel_main, "compare two variants side by side, in seconds"},
        {"sweep", sweep_main, "measure a plan of points: the scaling curve"},
        {"compare", compare_main, "say what is faster and slower after than before"},
        {"plot", plot_main, "draw results with gnuplot"},
        {"export", export_main, "results in other tools' formats"},
        {"list", list_main, "list steps, presets, columns, options, events or cpus"},
        {"doctor", doctor_main, "say what on this machine will spoil a measurement"},
        {NULL, NULL, NULL},
};

static void help_print(void)
{
	printf("faultscale %s\n"
	       "How page faults and memory operations scale with the number of workers.\n\n"
	       "usage: faultscale COMMAND [options] [preset | workload]\n\n",
	       version_text);
	for (const struct command_row *row = command_rows; row->name; row++)
		printf("  %-10s %s\n", row->name, row->summary);
	printf("\n'faultscale COMMAND --help' lists a command's options; faultscale(1) is\n"
	       "the manual.  To start with: faultscale run\n");
}

/*
 * A closed descriptor 0, 1 or 2 would be given to the next file opened and then written to.  It is
 * opened on /dev/null the wrong way round, so that using it is the error that it was.
 */
static void descriptors_fill(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			if (open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
				_exit(EXIT_FAILED);
}

/* What was printed must have arrived: a full disk or a closed pipe is a failure. */
static int output_check(int status, struct complaint *c)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	return complain(c, EXIT_FAILED, "cannot write to standard output: %s", strerror(errno));
}

static int command_run(int count, char *const words[], struct complaint *c)
{
	if (count < 2 || strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0 ||
	    strcmp(words[1], "help") == 0) {
		help_print();
		return EXIT_OK;
	}
	if (strcmp(words[1], "--version") == 0) {
		printf("faultscale %s (build %s)\n", version_text, build_id);
		return EXIT_OK;
	}
	for (const struct command_row *row = command_rows; row->name; row++)
		if (strcmp(words[1], row->name) == 0)
			return row->main(count - 2, words + 2, c);
	return complain(c, EXIT_USAGE, "unknown command '%s'\nfaultscale --help lists the commands",
	                words[1]);
}

int main(int argc, char *argv[])
{
	struct complaint c = {EXIT_FAILED, "failed"};
	int status;

	descriptors_fill();
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error that is told */
	status = command_run(argc, argv, &c);
	status = output_check(status, &c);
	if (status >= 0)
		return status;
	fprintf(stderr, "faultscale: %s\n", c.text);
	return (int)c.status;
}
