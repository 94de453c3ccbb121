// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs.h"

#include "rows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One result file being put together. */
struct merge {
	const struct result_table *table;
	FILE *out;
	char path[PATH_MAX], partial[PATH_MAX];
};

/* Writes the header and checks that a job's is the same: the build id says so, but files can be
 * edited. */
static bool header_same(const struct merge *merge, FILE *in)
{
	for (const struct column *column = merge->table->columns; column->name; column++) {
		for (const char *at = column->name; *at; at++)
			if (getc_unlocked(in) != *at)
				return false;
		if (getc_unlocked(in) != (column[1].name ? ',' : '\n'))
			return false;
	}
	return true;
}

static void header_write(const struct merge *merge)
{
	for (const struct column *column = merge->table->columns; column->name; column++)
		fprintf(merge->out, "%s%c", column->name, column[1].name ? ',' : '\n');
}

/* Copies records; with a host, that takes the place of their first cell. */
static void rows_copy(FILE *in, FILE *out, const char *host)
{
	bool quoted = false, replaced = false, start = true;
	int byte;

	while ((byte = getc_unlocked(in)) != EOF) {
		if (start && host) {
			fputs(host, out);
			replaced = true;
		}
		quoted ^= byte == '"';
		if (replaced && !quoted && byte == ',')
			replaced = false;
		if (!replaced)
			putc_unlocked(byte, out);
		start = byte == '\n' && !quoted;
	}
}

static int job_append(const struct merge *merge, const struct jobs_source *source,
                      const struct plan_job *job, struct complaint *c)
{
	char path[PATH_MAX];
	FILE *in = fopen(job_path(source->sweep, job, merge->table->file, path), "re");
	int result = 0;

	if (!in)
		return complain(c, EXIT_FAILED, "cannot read '%s': %s", path, strerror(errno));
	if (header_same(merge, in))
		rows_copy(in, merge->out, source->host);
	else
		result = complain(c, EXIT_FAILED,
		                  "'%s' has other columns than this faultscale writes\n"
		                  "remove its directory to measure it again",
		                  path);
	if (result == 0 && ferror(in))
		result = complain(c, EXIT_FAILED, "cannot read '%s': %s", path, strerror(errno));
	fclose(in);
	return result;
}

static int merge_rows(const struct merge *merge, const struct jobs_source *source,
                      const struct plan_job *const jobs[], size_t count, struct complaint *c)
{
	for (size_t i = 0; i < count; i++)
		if (job_state(source->sweep, jobs[i]) != JOB_MISSING &&
		    job_append(merge, source, jobs[i], c))
			return -1;
	return 0;
}

static int merge_end(const struct merge *merge, struct complaint *c)
{
	bool failed = ferror(merge->out) != 0;

	if (fclose(merge->out) || failed)
		return complain(c, EXIT_FAILED, "cannot write '%s': %s", merge->partial,
		                strerror(errno));
	if (rename(merge->partial, merge->path))
		return complain(c, EXIT_FAILED, "cannot rename '%s': %s", merge->partial,
		                strerror(errno));
	return 0;
}

static int file_merge(const char *out, const struct result_table *table,
                      const struct jobs_source sources[], size_t source_count,
                      const struct plan_job *const jobs[], size_t job_count, struct complaint *c)
{
	struct merge merge = {.table = table};

	snprintf(merge.path, sizeof(merge.path), "%s/%s", out, table->file);
	snprintf(merge.partial, sizeof(merge.partial), "%s/%s.new", out, table->file);
	merge.out = fopen(merge.partial, "we");
	if (!merge.out)
		return complain(c, EXIT_FAILED, "cannot write '%s': %s", merge.partial,
		                strerror(errno));
	header_write(&merge);
	for (size_t i = 0; i < source_count; i++)
		if (merge_rows(&merge, &sources[i], jobs, job_count, c)) {
			fclose(merge.out);
			return -1;
		}
	return merge_end(&merge, c);
}

static int place_compare(const void *a, const void *b)
{
	const struct plan_job *const *left = a, *const *right = b;

	return ((*left)->place > (*right)->place) - ((*left)->place < (*right)->place);
}

int jobs_merge(const char *out, const struct jobs_source sources[], size_t source_count,
               const struct plan *plan, struct complaint *c)
{
	const struct plan_job **jobs = calloc(plan->count, sizeof(const struct plan_job *));
	int result = 0;

	if (!jobs)
		return complain(c, EXIT_FAILED, "no memory for %zu jobs", plan->count);
	for (size_t i = 0; i < plan->count; i++)
		jobs[i] = &plan->jobs[i];
	qsort(jobs, plan->count, sizeof(const struct plan_job *), place_compare);
	for (int file = 0; result == 0 && file < RESULT_FILES; file++)
		if (RESULTS_RUN & 1u << file && file != RESULT_META)
			result = file_merge(out, &result_tables[file], sources, source_count, jobs,
			                    plan->count, c);
	free(jobs);
	return result;
}
