// SPDX-License-Identifier: GPL-3.0-or-later
#include "event_report.h"

#include "prose.h"
#include "units.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* perf and getrusage may differ by this share before a word is said. */
#define MISMATCH_ALLOWED 0.01

int event_report_make(struct event_report *report, const struct point *point)
{
	*report = (struct event_report){.point = point};
	for (unsigned e = 0; e < point->events.count; e++) {
		report->sums[e].values = gsl_rstat_alloc();
		if (!report->sums[e].values)
			return -1;
	}
	return 0;
}

void event_report_free(struct event_report *report)
{
	for (unsigned e = 0; e < EVENTS_MAX; e++)
		if (report->sums[e].values)
			gsl_rstat_free(report->sums[e].values);
}

/* The sum over the workers; unknown if one is. */
static double event_total(const struct outcome *outcome, unsigned count, unsigned e)
{
	double total = 0;

	for (unsigned at = e; at < outcome->event_rows; at += count) {
		if (outcome->events[at].value == UNKNOWN_COUNT)
			return UNKNOWN_REAL;
		total += (double)outcome->events[at].value;
	}
	return total;
}

/* True if a loop step faults inside a system call, where perf has no registers and counts none. */
static bool faults_unseen(const struct point *point)
{
	const struct workload *workload = &point->workload;

	for (unsigned s = 0; s < workload->loop_steps; s++)
		if (workload->loop[s].faults_per_page &&
		    !(workload->loop[s].step->traits & DIVISIBLE))
			return true;
	return false;
}

/* Holds perf's count of page faults against getrusage's. */
static void faults_compare(struct event_report *report, const struct outcome *outcome, unsigned e,
                           double counted)
{
	const struct event *event = &report->point->events.event[e];
	double taken = (double)outcome->point.minor_faults + (double)outcome->point.major_faults;

	if (event->type != PERF_TYPE_SOFTWARE || event->config != PERF_COUNT_SW_PAGE_FAULTS ||
	    event->exclude_user || event->exclude_kernel || faults_unseen(report->point) ||
	    fabs(counted - taken) <= MISMATCH_ALLOWED * taken)
		return;
	report->mismatch++;
	report->counted = counted;
	report->taken = taken;
}

void event_report_add(struct event_report *report, const struct outcome *outcome)
{
	unsigned count = report->point->events.count;
	bool valid = outcome->exit_status == EXIT_OK;

	for (unsigned e = 0; e < count; e++) {
		struct event_sum *sum = &report->sums[e];
		double total = event_total(outcome, count, e);

		if (!sum->error)
			sum->error = outcome->event_error[e];
		if (sum->scope == SCOPE_NONE)
			sum->scope = outcome->event_scope[e];
		if (!valid || !isfinite(total))
			continue;
		gsl_rstat_add(total, sum->values);
		faults_compare(report, outcome, e, total);
		for (unsigned at = e; at < outcome->event_rows; at += count) {
			sum->enabled_ns += (double)outcome->events[at].enabled_ns;
			sum->running_ns += (double)outcome->events[at].running_ns;
		}
	}
	if (!valid)
		return;
	report->repeats++;
	report->pages += outcome->point.pages == UNKNOWN_COUNT ? 0 : (double)outcome->point.pages;
}

/* True for an event whose counts are ns. */
static bool is_clock(const struct event *event)
{
	return event->type == PERF_TYPE_SOFTWARE && (event->config == PERF_COUNT_SW_CPU_CLOCK ||
	                                             event->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* The columns of perf stat: the value, its unit where it has one, the name, what it comes to. */
static void value_print(const struct event_report *report, unsigned e, double mean, FILE *out)
{
	const struct event *event = &report->point->events.event[e];
	double per_page = mean * (double)report->repeats / report->pages;
	char text[UNIT_TEXT];

	if (is_clock(event))
		fprintf(out, "%18.2f msec %-24s", mean / 1e6, event->name);
	else
		fprintf(out, "%18s      %-24s", count_format(mean, text), event->name);
	if (report->pages > 0 && is_clock(event))
		fprintf(out, " # %10.3f usec per page", per_page / 1e3);
	else if (report->pages > 0)
		fprintf(out, " # %10.3f per page", per_page);
}

static void sum_print(const struct event_report *report, unsigned e, FILE *out)
{
	const struct event_sum *sum = &report->sums[e];
	const char *name = report->point->events.event[e].name;
	double mean = gsl_rstat_mean(sum->values);
	size_t repeats = gsl_rstat_n(sum->values);

	if (!repeats) {
		fprintf(out, "%18s      %s\n", sum->error ? "<not supported>" : "<not counted>",
		        name);
		return;
	}
	value_print(report, e, mean, out);
	if (repeats > 1 && mean > 0)
		fprintf(out, "%*s  ( +-%6.2f%% )",
		        report->pages > 0 && !is_clock(&report->point->events.event[e]) ? 5 : 0, "",
		        100 * gsl_rstat_sd_mean(sum->values) / mean);
	if (sum->running_ns < sum->enabled_ns)
		fprintf(out, "  (%.2f%% of the time)", 100 * sum->running_ns / sum->enabled_ns);
	fputc('\n', out);
}

static char *sum_explain(const struct event_report *report, unsigned e, char *out, size_t size)
{
	const struct event_sum *sum = &report->sums[e];

	event_explain(&report->point->events.event[e], sum->error, sum->scope, out, size);
	return out;
}

/* One note for all events from the `e`th on that have its cause; they are marked as told. */
static void note_print(const struct event_report *report, unsigned e, bool told[], FILE *out)
{
	const struct event *events = report->point->events.event;
	char why[256], other[256], note[sizeof(why) + EVENTS_MAX * (size_t)(EVENT_NAME + 2)];
	size_t used;

	if (told[e] || !*sum_explain(report, e, why, sizeof(why)))
		return;
	used = (size_t)snprintf(note, sizeof(note), "note: %s", events[e].name);
	for (unsigned later = e + 1; later < report->point->events.count; later++)
		if (strcmp(sum_explain(report, later, other, sizeof(other)), why) == 0) {
			used += (size_t)snprintf(note + used, sizeof(note) - used, ", %s",
			                         events[later].name);
			told[later] = true;
		}
	snprintf(note + used, sizeof(note) - used, " %s", why);
	prose_print(note, 0, 6, out);
}

void event_report_print(const struct event_report *report, FILE *out)
{
	char counted[UNIT_TEXT], taken[UNIT_TEXT];
	bool told[EVENTS_MAX] = {false};

	if (!report->point->events.count)
		return;
	fprintf(out, "\nevents in the windows of all workers");
	if (report->repeats > 1)
		fprintf(out, ", mean of %" PRIu64 " repeats ( +- its standard error )",
		        report->repeats);
	fprintf(out, report->repeats ? ":\n" : ": no valid repeat\n");
	for (unsigned e = 0; report->repeats && e < report->point->events.count; e++)
		sum_print(report, e, out);
	for (unsigned e = 0; e < report->point->events.count; e++)
		note_print(report, e, told, out);
	if (report->mismatch)
		fprintf(out,
		        "warning: in %" PRIu64 " repeats perf counted other page faults than "
		        "getrusage: %s against %s\n",
		        report->mismatch, count_format(report->counted, counted),
		        count_format(report->taken, taken));
}
