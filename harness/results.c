// SPDX-License-Identifier: GPL-3.0-or-later
#include "results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes a file in the directory and gives it its header; errors are seen at the next flush. */
static void file_make(struct results *results, int i)
{
	int fd = openat(results->directory, result_tables[i].file,
	                O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	csv_open(&results->files[i], fd, result_tables[i].columns);
	if (fd < 0)
		results->files[i].error = errno;
	csv_header(&results->files[i]);
	results->header[i] = results->files[i].used;
}

static int directory_make(struct results *results, const char *path, struct complaint *c)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	if (length + 32 > sizeof(results->path))
		return complain(c, EXIT_USAGE, "--output: the path is longer than %zu bytes",
		                sizeof(results->path) - 32);
	snprintf(results->path, sizeof(results->path), "%.*s", (int)length, path);
	snprintf(results->partial, sizeof(results->partial), "%.*s.partial-%d", (int)length, path,
	         (int)getpid());
	if (faccessat(AT_FDCWD, results->path, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return complain(c, EXIT_USAGE,
		                "--output: '%s' exists\nname a new directory, or remove it", path);
	if (mkdir(results->partial, 0777))
		return complain(c, EXIT_FAILED,
		                "--output: cannot make '%s': %s\n"
		                "name a directory in a place where you may write",
		                results->partial, strerror(errno));
	results->directory = open(results->partial, O_DIRECTORY | O_CLOEXEC);
	if (results->directory < 0)
		return complain(c, EXIT_FAILED, "--output: cannot open '%s': %s", results->partial,
		                strerror(errno));
	return 0;
}

int results_open(struct results *results, const char *path, unsigned files, struct complaint *c)
{
	*results = (struct results){.on = *path != '\0', .wanted = files};
	if (!results->on)
		return 0;
	if (directory_make(results, path, c)) {
		results->on = false;
		return -1;
	}
	for (int i = 0; i < RESULT_FILES; i++)
		if (files & 1u << i)
			file_make(results, i);
	if (results_flush(results, c)) {
		results_abandon(results, false);
		return -1;
	}
	return 0;
}

void results_row(struct results *results, enum result_file file, const void *row)
{
	if (results->on && results->wanted & 1u << file)
		csv_record(&results->files[file], row);
}

/* The complaint about the first file that could not be written, if there is one. */
static int results_check(const struct results *results, struct complaint *c)
{
	for (int i = 0; i < RESULT_FILES; i++)
		if (results->files[i].error)
			return complain(c, EXIT_FAILED,
			                "cannot write %s/%s: %s\n"
			                "what was written before is whole and stays there",
			                results->partial, result_tables[i].file,
			                strerror(results->files[i].error));
	return 0;
}

int results_flush(struct results *results, struct complaint *c)
{
	if (!results->on)
		return 0;
	for (int i = 0; i < RESULT_FILES; i++)
		if (results->wanted & 1u << i)
			csv_flush(&results->files[i]);
	return results_check(results, c);
}

static void results_close(struct results *results)
{
	for (int i = 0; i < RESULT_FILES; i++)
		if (results->wanted & 1u << i)
			csv_close(&results->files[i]);
	close(results->directory);
	results->on = false;
}

int results_commit(struct results *results, struct complaint *c)
{
	if (!results->on)
		return 0;
	results_close(results);
	if (results_check(results, c))
		return -1;
	/* An empty directory of that name made meanwhile is replaced; anything else is an error. */
	if (rename(results->partial, results->path))
		return complain(c, EXIT_FAILED,
		                "cannot rename '%s' to '%s': %s\n"
		                "the results are whole, under the first name",
		                results->partial, results->path, strerror(errno));
	return 0;
}

bool results_written(const struct results *results)
{
	/* meta.csv is filled at the start of every run. */
	for (int i = 0; results->on && i < RESULT_META; i++)
		if (results->files[i].written > (off_t)results->header[i])
			return true;
	return false;
}

void results_abandon(struct results *results, bool keep)
{
	if (!results->on)
		return;
	if (!keep)
		for (int i = 0; i < RESULT_FILES; i++)
			if (results->wanted & 1u << i)
				unlinkat(results->directory, result_tables[i].file, 0);
	results_close(results);
	if (!keep)
		rmdir(results->partial);
}
