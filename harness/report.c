// SPDX-License-Identifier: GPL-3.0-or-later
#include "report.h"

#include "prose.h"
#include "units.h"
#include "warnings.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/utsname.h>

/* "-" for what is unknown. */
static char *percent_format(double value, char out[UNIT_TEXT])
{
	if (isfinite(value))
		snprintf(out, UNIT_TEXT, "%.1f %%", 100 * value);
	else
		snprintf(out, UNIT_TEXT, "-");
	return out;
}

static void report_heading(const struct outcome *outcome, const struct point *point, FILE *out)
{
	const struct point_row *row = &outcome->point;
	char bytes[UNIT_TEXT], time[2][UNIT_TEXT], piece[UNIT_TEXT], where[1024];
	struct utsname kernel = {0};

	uname(&kernel);
	if (strcmp(row->status, "valid") != 0)
		fprintf(out, "%s: %s\n\n", row->status, row->reason);
	if (row->preset)
		fprintf(out, "%s: ", row->preset);
	fprintf(out, "%s\n", row->workload);
	fprintf(out, "%u worker%s (%s), %s each, layout %s, huge pages %s\n", point->workers,
	        point->workers == 1 ? "" : "s", row->mode, size_format(point->options.bytes, bytes),
	        row->layout, row->thp);
	if (point->backing.kind != BACKING_ANON)
		fprintf(out, "memory: %s%s%s, %s%s\n", row->backing, *row->filesystem ? " on " : "",
		        row->filesystem, row->share,
		        point->options.one_file ? ", one file for all" : "");
	snprintf(where, sizeof(where), "on CPUs %s (%s)%s%s of %s, Linux %s", row->cpus, row->order,
	         *row->nodes ? ", node " : "", row->nodes, row->row.host, kernel.release);
	prose_print(where, 0, 4, out);
	if (point->options.laps)
		fprintf(out, "%" PRIu64 " lap%s of fixed work, cold", point->options.laps,
		        point->options.laps == 1 ? "" : "s");
	else
		fprintf(out, "window %s after %s of warm-up",
		        duration_format((double)point->options.duration, time[0]),
		        duration_format((double)point->options.warmup, time[1]));
	if (point->passes > 1)
		fprintf(out, ", in pieces of %s", size_format(row->piece, piece));
	if (row->row.repeat > 1)
		fprintf(out, ", repeat %" PRIu64, row->row.repeat);
	fprintf(out, "\n\n");
}

/* A row of the table of rates; `scale` turns a rate in pages into one of the row's unit. */
static void report_rate(const struct point_row *row, const char *name, double total, double scale,
                        FILE *out)
{
	char text[4][UNIT_TEXT];

	fprintf(out, "%-16s %15s %15s %15s %15s\n", name, count_format(total, text[0]),
	        count_format(row->worker_mean * scale, text[1]),
	        count_format(row->worker_min * scale, text[2]),
	        count_format(row->worker_max * scale, text[3]));
}

static void report_rates(const struct outcome *outcome, const struct point *point, FILE *out)
{
	const struct point_row *row = &outcome->point;
	char text[2][UNIT_TEXT];

	fprintf(out, "%-16s %15s %15s %15s %15s\n", "", "all workers", "worker mean", "min", "max");
	if (point->workload.headline >= 0) {
		report_rate(row, "pages/s", row->pages_per_s, 1, out);
		report_rate(row, "faults/s", row->faults_per_s, row->faults_per_page, out);
	} else {
		fprintf(out, "%-16s %15s\n", "laps/s", count_format(row->laps_per_s, text[0]));
	}
	if (isfinite(row->bytes_per_s))
		report_copies(row, point, out);
	if (isfinite(row->floor_pages_per_s))
		fprintf(out, "%-16s %15s   when left alone (p10 of lap time): diagnostic\n",
		        "floor pages/s", count_format(row->floor_pages_per_s, text[0]));
	if (isfinite(row->faults_per_page)) {
		fprintf(out, "%-16s %15.*f   %s faults, ", "faults/page",
		        row->faults_per_page < 0.1 ? 4 : 3, row->faults_per_page,
		        count_format((double)(row->minor_faults + row->major_faults), text[0]));
		if (point->exact || !isfinite(row->band_low))
			fprintf(out, "%s due\n",
			        count_format((double)row->derived_faults, text[1]));
		else
			fprintf(out, "from %.3g to %.3g a page expected\n", row->band_low,
			        row->band_high);
	}
	fputc('\n', out);
}

static void report_steps(const struct outcome *outcome, FILE *out)
{
	double all = 0;

	for (unsigned s = 0; s + 1 < outcome->step_rows; s++)
		all += (double)outcome->steps[s].total_ns;
	fprintf(out, "%-16s %15s %10s %10s %10s %12s\n", "step", "ns/unit", "p50", "p99", "max",
	        "share");
	for (unsigned s = 0; s < outcome->step_rows; s++) {
		const struct step_row *row = &outcome->steps[s];
		bool lap = s + 1 == outcome->step_rows;
		double unknown = row->p50_ns == UNKNOWN_COUNT ? UNKNOWN_REAL : 0;
		char ns[UNIT_TEXT], p50[UNIT_TEXT], p99[UNIT_TEXT], max[UNIT_TEXT], part[UNIT_TEXT];
		char unit[UNIT_TEXT + 8];

		snprintf(ns, sizeof(ns), "-");
		if (isfinite(row->ns_per_unit))
			snprintf(ns, sizeof(ns), row->ns_per_unit < 100 ? "%.2f" : "%.0f",
			         row->ns_per_unit);
		snprintf(unit, sizeof(unit), "%s/%s", ns, row->unit);
		fprintf(out, "%-16s %15s %10s %10s %10s %12s\n", row->step, unit,
		        duration_format((double)row->p50_ns + unknown, p50),
		        duration_format((double)row->p99_ns + unknown, p99),
		        duration_format((double)row->max_ns + unknown, max),
		        lap ? "" : percent_format((double)row->total_ns / all, part));
	}
	fputc('\n', out);
}

/* Where pages lie, unless that is as plain as on a machine with one node. */
static void report_nodes(const struct outcome *outcome, const struct point *point, FILE *out)
{
	const struct point_row *row = &outcome->point;

	if (point->numa_error) {
		fprintf(out, "note: no NUMA memory policy: set_mempolicy: %s\n",
		        strerror(point->numa_error));
		return;
	}
	if (!isfinite(row->percent_local) ||
	    (point->policies[0].kind == MEM_LOCAL && row->percent_local >= 100))
		return;
	fprintf(out, "memory: %s, found on node %s: %.1f %% local to its worker\n", row->mem,
	        row->memory_nodes, row->percent_local);
	if (point->policies[0].kind == MEM_LOCAL)
		fprintf(out,
		        "warning: memory is not all local: has the node memory, and some free?\n");
}

static void report_time(const struct outcome *outcome, const struct point *point, FILE *out)
{
	const struct point_row *row = &outcome->point;
	char busy[UNIT_TEXT], blocked[UNIT_TEXT], delay[UNIT_TEXT], steal[UNIT_TEXT];
	char start[UNIT_TEXT], stop[UNIT_TEXT];

	fprintf(out, "time: busy %s, blocked %s, waiting for a CPU %s; stolen %s\n",
	        percent_format(row->busy, busy), percent_format(row->blocked, blocked),
	        percent_format(row->run_delay, delay), percent_format(row->steal, steal));
	if (!point->options.laps)
		fprintf(out, "skew: start %s, stop %s\n",
		        duration_format((double)row->start_skew_ns, start),
		        duration_format((double)row->stop_skew_ns, stop));
}

/* The workers that were blocked for 5 % of their time or more, and where. */
static void report_waits(const struct outcome *outcome, const struct point *point, FILE *out)
{
	unsigned shown = 0, more = 0;

	for (unsigned i = 0; i < point->workers; i++) {
		const struct worker_row *row = &outcome->workers[i];
		char blocked[UNIT_TEXT], text[256];
		int used;

		if (!(row->blocked >= 0.05))
			continue;
		if (shown == 8) {
			more++;
			continue;
		}
		shown++;
		used = snprintf(text, sizeof(text), "worker %u: blocked %s of its time", i,
		                percent_format(row->blocked, blocked));
		if (row->waited_in)
			snprintf(text + used, sizeof(text) - (size_t)used,
			         "; in %s: %s (%" PRIu64 " of %" PRIu64 " looks)", row->waited_step,
			         row->waited_in, row->waited_looks, row->looks);
		prose_print(text, 0, 4, out);
	}
	if (more)
		fprintf(out, "... and %u more workers\n", more);
}

static void report_warnings(const struct outcome *outcome, const struct point *point, FILE *out)
{
	if (*point->note)
		fprintf(out, "note: %s\n", point->note);
	warnings_print(&outcome->point, point, out);
}

void report_print(const struct outcome *outcome, const struct point *point, FILE *out)
{
	report_heading(outcome, point, out);
	if (outcome->point.window_ns == UNKNOWN_COUNT)
		return;
	if (point->options.laps)
		report_laps(outcome, point, out);
	report_rates(outcome, point, out);
	report_steps(outcome, out);
	if (point->options.laps && point->workload.headline >= 0)
		report_two_totals(outcome, point, out);
	report_time(outcome, point, out);
	report_nodes(outcome, point, out);
	report_huge(&outcome->point, point, out);
	report_waits(outcome, point, out);
	report_warnings(outcome, point, out);
}

void report_repeat(const struct outcome *outcome, FILE *out)
{
	const struct point_row *row = &outcome->point;
	bool pages = isfinite(row->pages_per_s);
	char rate[UNIT_TEXT];

	if (strcmp(row->status, "valid") != 0)
		fprintf(out, "repeat %" PRIu64 ": %s: %s\n", row->row.repeat, row->status,
		        row->reason);
	else
		fprintf(out, "repeat %" PRIu64 ": %s %s\n", row->row.repeat,
		        count_format(pages ? row->pages_per_s : row->laps_per_s, rate),
		        pages ? "pages/s" : "laps/s");
}
