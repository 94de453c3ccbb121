// SPDX-License-Identifier: GPL-3.0-or-later
#include "precision.h"

#include "conditions.h"
#include "csv_reader.h"
#include "quote.h"
#include "repeats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 256, COMMAND_TEXT = 8192 };

/* What the job's command line asks for; false if it does not ask for precision. */
static bool asked_read(const struct plan_job *job, struct precision *precision)
{
	char *text = job->repeat ? NULL : strdup(job->command), *words[WORDS];
	struct options options = {0};
	struct complaint ignored;
	int count = text ? quote_split(text, words, WORDS) : -1;
	bool asked = count >= 2 &&
	             options_parse(COMMAND_RUN, count - 2, words + 2, &options, &ignored) == 0;

	precision->asked = options.precision;
	precision->max_time = options.max_time;
	free(text);
	return asked && options.precision > 0;
}

static const char *cell(const struct csv_reader *reader, const char *column)
{
	return csv_reader_text(reader, csv_reader_column(reader, column));
}

static double rate_of(const struct csv_reader *reader)
{
	double pages = csv_reader_real(reader, csv_reader_column(reader, "pages_per_s"));

	return isfinite(pages) ? pages
	                       : csv_reader_real(reader, csv_reader_column(reader, "laps_per_s"));
}

static void row_take(const struct csv_reader *reader, struct repeats *repeats,
                     struct precision *precision)
{
	const char *workers = cell(reader, "workers"), *preset = cell(reader, "preset");
	double rate = rate_of(reader);

	snprintf(precision->point, sizeof(precision->point), "%.20s worker%s, %.20s, %.200s",
	         workers, strcmp(workers, "1") == 0 ? "" : "s", cell(reader, "mode"),
	         *preset ? preset : cell(reader, "workload"));
	if (repeats_add(repeats, rate,
	                strcmp(cell(reader, "status"), "valid") == 0 && isfinite(rate)))
		repeats_free(repeats); /* without memory nothing is known */
}

bool precision_read(const char *sweep, const struct plan_job *job, struct precision *precision)
{
	struct repeats repeats = {0};
	struct csv_reader reader;
	struct complaint ignored;
	char path[PATH_MAX];

	*precision = (struct precision){0};
	if (!asked_read(job, precision) ||
	    csv_reader_open(&reader, job_path(sweep, job, "points.csv", path), &ignored))
		return false;
	while (csv_reader_next(&reader, &ignored) == 1)
		row_take(&reader, &repeats, precision);
	csv_reader_close(&reader);
	precision->repeats = repeats.count;
	precision->reached = repeats_precision(&repeats);
	repeats_free(&repeats);
	return true;
}

bool precision_reached(const struct precision *precision)
{
	return precision->reached <= precision->asked;
}

/* True if the job was measured by the command line that the plan has now. */
static bool command_same(const char *sweep, const struct plan_job *job)
{
	char path[PATH_MAX], command[COMMAND_TEXT];

	conditions_fact(job_path(sweep, job, "meta.csv", path), "command", command,
	                sizeof(command));
	return strcmp(command, job->command) == 0;
}

bool precision_job_done(const char *sweep, const struct plan_job *job)
{
	enum job_state state = job_state(sweep, job);
	struct precision precision;

	if (state != JOB_VALID || job->repeat)
		return state == JOB_VALID || state == JOB_UNSUPPORTED;
	return command_same(sweep, job) || !precision_read(sweep, job, &precision) ||
	       precision_reached(&precision);
}
