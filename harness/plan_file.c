// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan.h"

#include "csv.h"
#include "csv_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A row of plan.csv. */
struct plan_row {
	const char *key, *command;
	uint64_t repeat;
};

static const struct column columns[] = {
        COLUMN(plan_row, "key", COLUMN_TEXT, key, "the point"),
        COLUMN(plan_row, "repeat", COLUMN_COUNT, repeat, "from 1; 0: all"),
        COLUMN(plan_row, "command", COLUMN_TEXT, command, "that measures it"),
        {.name = NULL},
};

/* Writes all rows and closes; returns 0 or an errno. */
static int rows_write(const struct plan *plan, int fd)
{
	struct csv csv;

	csv_open(&csv, fd, columns);
	csv_header(&csv);
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_job *job = &plan->jobs[i];

		csv_record(&csv, &(struct plan_row){job->key, job->command, job->repeat});
	}
	csv_close(&csv);
	return csv.error;
}

int plan_print(const struct plan *plan, int format, struct complaint *c)
{
	if (format == FORMAT_CSV) {
		int error = rows_write(plan, STDOUT_FILENO);

		return error ? complain(c, EXIT_FAILED, "cannot write to standard output: %s",
		                        strerror(error))
		             : 0;
	}
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_job *job = &plan->jobs[i];

		printf("%s # %s, ", job->command, job->key);
		if (job->repeat)
			printf("repeat %" PRIu64 "\n", job->repeat);
		else
			printf("all repeats\n");
	}
	return 0;
}

int plan_write(const struct plan *plan, const char *path, struct complaint *c)
{
	char partial[4096];
	int fd, error;

	snprintf(partial, sizeof(partial), "%s.new", path);
	fd = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	error = fd < 0 ? errno : rows_write(plan, fd);
	if (!error && rename(partial, path))
		error = errno;
	return error ? complain(c, EXIT_FAILED, "cannot write '%s': %s", path, strerror(error)) : 0;
}

/* True for a key, 16 lower-case hexadecimal digits, that ends there or before `end`. */
static bool key_read(const char *text, char end, char key[OPTIONS_KEY])
{
	if (strspn(text, "0123456789abcdef") != OPTIONS_KEY - 1 || text[OPTIONS_KEY - 1] != end)
		return false;
	memcpy(key, text, OPTIONS_KEY - 1);
	key[OPTIONS_KEY - 1] = '\0';
	return true;
}

/* The reader's row as a job; its command is the reader's own. */
static int row_read(const struct csv_reader *reader, const int at[3], struct plan_job *job,
                    struct complaint *c)
{
	job->repeat = csv_reader_count(reader, at[1]);
	if (!key_read(csv_reader_text(reader, at[0]), '\0', job->key) || job->repeat == UINT64_MAX)
		return complain(c, EXIT_FAILED, "'%s', line %" PRIu64 ": no key and repeat",
		                reader->path, reader->row);
	return 0;
}

static int file_open(const char *path, struct csv_reader *reader, int at[3], struct complaint *c)
{
	if (csv_reader_open(reader, path, c))
		return -1;
	for (int i = 0; i < 3; i++) {
		at[i] = csv_reader_column(reader, columns[i].name);
		if (at[i] < 0) {
			csv_reader_close(reader);
			return complain(c, EXIT_FAILED, "'%s' is no plan: it has no column '%s'",
			                path, columns[i].name);
		}
	}
	return 0;
}

static int plan_add(struct plan *plan, const struct plan_job *job, const char *command)
{
	if ((plan->count & (plan->count - 1)) == 0) { /* at powers of two, to twice as much */
		size_t room = plan->count ? 2 * plan->count : 1;
		struct plan_job *jobs = realloc(plan->jobs, room * sizeof(*jobs));

		if (!jobs)
			return -1;
		plan->jobs = jobs;
	}
	plan->jobs[plan->count] = *job;
	plan->jobs[plan->count].command = strdup(command);
	plan->jobs[plan->count].place = plan->count;
	return plan->jobs[plan->count++].command ? 0 : -1;
}

int plan_read(const char *path, struct plan *plan, struct complaint *c)
{
	struct csv_reader reader;
	struct plan_job job = {0};
	int at[3] = {-1, -1, -1}, more;

	*plan = (struct plan){0};
	if (file_open(path, &reader, at, c))
		return -1;
	while ((more = csv_reader_next(&reader, c)) == 1) {
		if (row_read(&reader, at, &job, c)) {
			more = -1;
			break;
		}
		if (plan_add(plan, &job, csv_reader_text(&reader, at[2]))) {
			more = complain(c, EXIT_FAILED, "no memory for the plan");
			break;
		}
	}
	csv_reader_close(&reader);
	if (more)
		plan_free(plan);
	return more;
}

int plan_find(const char *path, const char *name, struct plan_job *job, struct complaint *c)
{
	struct csv_reader reader;
	char found[PLAN_NAME];
	int at[3] = {-1, -1, -1}, more;

	*job = (struct plan_job){0};
	if (!key_read(name, '.', job->key))
		return complain(c, EXIT_USAGE, "--job: '%.60s' is not KEY.REPEAT", name);
	if (file_open(path, &reader, at, c))
		return -1;
	while ((more = csv_reader_next(&reader, c)) == 1) {
		if (row_read(&reader, at, job, c)) {
			more = -1;
			break;
		}
		if (strcmp(plan_name(job, found), name) != 0)
			continue;
		job->command = strdup(csv_reader_text(&reader, at[2]));
		more = job->command ? 1 : complain(c, EXIT_FAILED, "no memory for the job");
		break;
	}
	csv_reader_close(&reader);
	if (more == 0)
		return complain(c, EXIT_USAGE, "--job: '%s' has no job %s", path, name);
	return more == 1 ? 0 : -1;
}
