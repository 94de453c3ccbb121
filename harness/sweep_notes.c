// SPDX-License-Identifier: GPL-3.0-or-later
/* What is to be said of all jobs together. */
#include "sweep.h"

#include "csv_reader.h"
#include "events.h"
#include "precision.h"
#include "store.h"
#include "units.h"

#include <math.h>
#include <string.h>

void sweep_note_precision(const struct sweep *sweep, const struct jobs_source *source)
{
	for (size_t i = 0; i < sweep->plan.count; i++) {
		const struct plan_job *job = &sweep->plan.jobs[i];
		struct precision precision;
		char time[UNIT_TEXT], reached[UNIT_TEXT] = "unknown";

		if (job_state(source->sweep, job) != JOB_VALID ||
		    !precision_read(source->sweep, job, &precision) ||
		    precision_reached(&precision))
			continue;
		if (isfinite(precision.reached))
			snprintf(reached, sizeof(reached), "+-%.2f %%", 100 * precision.reached);
		fprintf(sweep->out,
		        "%s%swarning: +-%g %% was not reached within --max-time=%s: %s: %s after "
		        "%zu valid repeats\n",
		        source->host ? source->host : "", source->host ? ": " : "",
		        100 * precision.asked, time_format(precision.max_time, time),
		        precision.point, reached, precision.repeats);
	}
}

/* The events already spoken of. */
struct told {
	char name[EVENTS_MAX][EVENT_NAME];
	size_t count;
};

static bool tell(struct told *told, const char *event)
{
	for (size_t i = 0; i < told->count; i++)
		if (strncmp(told->name[i], event, EVENT_NAME - 1) == 0)
			return false;
	if (told->count == EVENTS_MAX)
		return false;
	snprintf(told->name[told->count++], EVENT_NAME, "%s", event);
	return true;
}

void sweep_note_events(const struct sweep *sweep)
{
	struct csv_reader reader;
	struct complaint ignored;
	struct told told = {.count = 0};
	char path[PATH_MAX];
	int event, error;

	store_path(sweep->directory, "events.csv", path);
	if (csv_reader_open(&reader, path, &ignored))
		return;
	event = csv_reader_column(&reader, "event");
	error = csv_reader_column(&reader, "error");
	while (csv_reader_next(&reader, &ignored) == 1)
		if (*csv_reader_text(&reader, error) &&
		    tell(&told, csv_reader_text(&reader, event)))
			fprintf(sweep->out, "note: %s not counted: %s\n",
			        csv_reader_text(&reader, event), csv_reader_text(&reader, error));
	csv_reader_close(&reader);
}
