// SPDX-License-Identifier: GPL-3.0-or-later
/* faultscale plot: the figures of one result directory, or of two beside each other. */
#include "commands.h"
#include "figure.h"
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct plot {
	struct options options;
	struct study study;
	struct gnuplot gnuplot;
	char directory[PATH_MAX]; /* that the pictures go to */
	unsigned drawn;
};

/* Kinds of pictures: gnuplot's terminal and the end of the file's name. */
static const char *const picture_kinds[] = {"svg", "png", NULL};

/* Writes all that is in one file to another. */
static int content_copy(int from, int to)
{
	char buffer[65536];
	ssize_t got, wrote;
	off_t place = 0;

	while ((got = pread(from, buffer, sizeof(buffer), place)) > 0) {
		wrote = write(to, buffer, (size_t)got);
		if (wrote < 0)
			return -1;
		place += wrote;
	}
	return got < 0 ? -1 : 0;
}

/* Gives a finished picture its name; a file that could not be written whole is taken away. */
static int picture_write(const struct plot *plot, const char *name, const char *kind, int from,
                         struct complaint *c)
{
	char path[PATH_MAX + 64];
	int to, result;

	snprintf(path, sizeof(path), "%s/%s.%s", plot->directory, name, kind);
	to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (to < 0)
		return complain(c, EXIT_FAILED, "cannot write '%s': %s", path, strerror(errno));
	result = content_copy(from, to);
	if (close(to) || result) {
		int error = errno;

		unlink(path);
		return complain(c, EXIT_FAILED, "cannot write '%s': %s", path, strerror(error));
	}
	printf("%s\n", path);
	return 0;
}

/* Draws into memory first: an old picture is not lost to one that fails. */
static int picture_draw(const struct plot *plot, struct gnuplot_job *job, const char *kind,
                        struct complaint *c)
{
	int result;

	job->terminal = kind;
	job->output = memfd_create(kind, MFD_CLOEXEC);
	if (job->output < 0)
		return complain(c, EXIT_FAILED, "memfd_create: %s", strerror(errno));
	result = gnuplot_run(&plot->gnuplot, job, c);
	if (result == 0)
		result = picture_write(plot, job->script, kind, job->output, c);
	close(job->output);
	return result;
}

/* Copies a picture in memory to standard output, whose errors the command's end tells. */
static int text_copy(int fd, struct complaint *c)
{
	char text[4096];
	ssize_t got;
	off_t at = 0;

	while ((got = pread(fd, text, sizeof(text), at)) > 0) {
		fwrite(text, 1, (size_t)got, stdout);
		at += got;
	}
	return got < 0 ? complain(c, EXIT_FAILED, "cannot read a picture: %s", strerror(errno)) : 0;
}

static int terminal_draw(const struct plot *plot, struct gnuplot_job *job, struct complaint *c)
{
	struct winsize size;
	int result;

	job->terminal = "dumb";
	job->columns = 79;
	job->lines = 24;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) {
		job->columns = size.ws_col - 1U;
		job->lines = size.ws_row > 30 ? 30 : size.ws_row > 12 ? size.ws_row - 1U : 24;
	}
	job->output = memfd_create("terminal", MFD_CLOEXEC);
	if (job->output < 0)
		return complain(c, EXIT_FAILED, "memfd_create: %s", strerror(errno));
	result = gnuplot_run(&plot->gnuplot, job, c) ? -1 : text_copy(job->output, c);
	close(job->output);
	return result;
}

static int pictures_draw(const struct plot *plot, struct gnuplot_job *job, struct complaint *c)
{
	if (plot->options.terminal)
		return terminal_draw(plot, job, c);
	for (int i = 0; picture_kinds[i]; i++)
		if (picture_draw(plot, job, picture_kinds[i], c))
			return -1;
	return 0;
}

static int plot_figure(struct plot *plot, const struct figure *figure, struct complaint *c)
{
	char title[1024], machine[1024], note[1024];
	struct gnuplot_job job = {
	        .script = figure->name, .title = title, .machine = machine, .note = note};
	struct drawing drawing;
	int result = figure_draw(figure, &plot->study, &drawing, c);

	if (result == 0 && drawing.rows) {
		figure_title(figure, &plot->study, title);
		figure_machine(&plot->study, machine);
		figure_note(&plot->study, &drawing, note);
		for (int i = 0; i < GNUPLOT_TABLES; i++)
			job.tables[i] = drawing.tables[i].fd;
		result = pictures_draw(plot, &job, c);
		plot->drawn++;
	}
	drawing_close(&drawing);
	return result;
}

/* DIR/plots, and in it a directory of its own for each DIR_B. */
static int directory_make(struct plot *plot, struct complaint *c)
{
	const struct study *study = &plot->study;
	const struct study_directory *a = &study->directories[0], *b = &study->directories[1];
	int length = snprintf(plot->directory, PATH_MAX, "%s/plots", a->path), result;

	result = mkdir(plot->directory, 0777) && errno != EEXIST ? -1 : 0;
	if (result == 0 && study->directory_count > 1 && length < PATH_MAX) {
		snprintf(plot->directory + length, PATH_MAX - (size_t)length, "/with-%s", b->name);
		result = mkdir(plot->directory, 0777) && errno != EEXIST ? -1 : 0;
	}
	if (result)
		return complain(c, EXIT_FAILED,
		                "cannot make '%s': %s\n--terminal draws without writing",
		                plot->directory, strerror(errno));
	return 0;
}

static int plot_figures(struct plot *plot, struct complaint *c)
{
	if (gnuplot_find(&plot->gnuplot, c))
		return -1;
	if (!plot->options.terminal && directory_make(plot, c))
		return -1;
	for (const struct figure *figure = figure_rows; figure->name; figure++)
		if (plot_figure(plot, figure, c))
			return -1;
	return EXIT_OK;
}

static int plot_nothing(const struct study *study)
{
	size_t rows = 0;

	for (unsigned i = 0; i < study->directory_count; i++)
		rows += study->directories[i].rows;
	if (rows)
		printf("nothing to plot: none of %zu measurements is valid\n", rows);
	else
		printf("nothing to plot: no measurements\n");
	return EXIT_OK;
}

int plot_main(int count, char *const words[], struct complaint *c)
{
	struct plot plot = {0};
	int status;

	if (options_parse(COMMAND_PLOT, count, words, &plot.options, c))
		return -1;
	if (plot.options.help) {
		printf("usage: faultscale plot [options] DIR [DIR_B]\n\n"
		       "Draws what a result directory holds into DIR/plots, as SVG and PNG; with "
		       "DIR_B\nits curves beside those of the first.\n\n");
		options_help(COMMAND_PLOT, stdout);
		return EXIT_OK;
	}
	if (plot.options.operand_count < 1 || plot.options.operand_count > STUDY_DIRECTORIES)
		return complain(c, EXIT_USAGE,
		                "plot takes one or two result directories\n"
		                "write faultscale plot DIR [DIR_B]");
	status = study_load(&plot.study, plot.options.operands, plot.options.operand_count,
	                    STUDY_VALID, c);
	if (status == 0)
		status = plot.study.row_count ? plot_figures(&plot, c) : plot_nothing(&plot.study);
	study_free(&plot.study);
	return status;
}
