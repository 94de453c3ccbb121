// SPDX-License-Identifier: GPL-3.0-or-later
/* What a report says of fixed work, worker by worker and in two totals, and of copies. */
#include "report.h"

#include "units.h"

#include <inttypes.h>
#include <math.h>

/* What copies are counted in.  Tests of mapped files have always told KiB/s. */
struct copy_unit {
	const char *name;
	double bytes;
};

static struct copy_unit copy_unit(const struct point *point)
{
	return point->backing.descriptor ? (struct copy_unit){"KiB/s", 1024}
	                                 : (struct copy_unit){"MiB/s", 1024 * 1024};
}

void report_copies(const struct point_row *row, const struct point *point, FILE *out)
{
	const struct copy_unit unit = copy_unit(point);
	char text[4][UNIT_TEXT];

	fprintf(out, "%s %-10s %15s %15s %15s %15s\n", unit.name, "copied",
	        count_format(row->bytes_per_s / unit.bytes, text[0]),
	        count_format(row->worker_mean_bytes / unit.bytes, text[1]),
	        count_format(row->worker_min_bytes / unit.bytes, text[2]),
	        count_format(row->worker_max_bytes / unit.bytes, text[3]));
}

void report_laps(const struct outcome *outcome, const struct point *point, FILE *out)
{
	const struct workload *workload = &point->workload;
	const struct copy_unit unit = copy_unit(point);
	unsigned shown = point->workers < 64 ? point->workers : 64;

	fprintf(out, "%6s %4s", "worker", "CPU");
	for (unsigned s = 0; s < workload->loop_steps; s++)
		fprintf(out, " %11.11s", workload->loop[s].step->name);
	fprintf(out, "\n");
	for (unsigned i = 0; i < shown; i++) {
		const struct worker_row *row = &outcome->workers[i];
		const struct tally_step *steps = outcome->worker_steps[i];
		char cpu[UNIT_TEXT] = "-";

		if (row->cpu != UNKNOWN_COUNT)
			snprintf(cpu, sizeof(cpu), "%" PRIu64, row->cpu);
		fprintf(out, "%6u %4s", i, cpu);
		for (unsigned s = 0; s < workload->loop_steps; s++)
			fprintf(out, " %8.2f ms", (double)steps[s].timed_ns / 1e6);
		for (unsigned s = 0; s < workload->loop_steps; s++)
			if (workload->loop[s].step->unit == UNIT_BYTE && steps[s].timed_ns)
				fprintf(out, "  %s %.0f %s", workload->loop[s].step->name,
				        per_second((double)steps[s].timed_work, steps[s].timed_ns) /
				                unit.bytes,
				        unit.name);
		fputc('\n', out);
	}
	if (shown < point->workers)
		fprintf(out, "... and %u more in workers.csv (-o)\n", point->workers - shown);
	fputc('\n', out);
}

/* The sum over the workers of what each copied by the time its copies took, in bytes a second. */
static double copies_sum(const struct outcome *outcome, const struct point *point)
{
	double sum = 0;

	for (unsigned i = 0; i < point->workers; i++)
		for (unsigned s = 0; s < point->workload.loop_steps; s++) {
			const struct tally_step *did = &outcome->worker_steps[i][s];

			if (point->workload.loop[s].step->unit == UNIT_BYTE && did->timed_ns)
				sum += per_second((double)did->timed_work, did->timed_ns);
		}
	return sum;
}

static void report_total(const char *name, double pages, double bytes, struct copy_unit unit,
                         FILE *out)
{
	char text[UNIT_TEXT];

	fprintf(out, "%-28s %15s pages/s", name, count_format(pages, text));
	if (isfinite(bytes))
		fprintf(out, ", %s %s copied", count_format(bytes / unit.bytes, text), unit.name);
	fputc('\n', out);
}

void report_two_totals(const struct outcome *outcome, const struct point *point, FILE *out)
{
	const struct point_row *row = &outcome->point;
	const struct copy_unit unit = copy_unit(point);
	double copies = copies_sum(outcome, point);
	char text[UNIT_TEXT];

	report_total("sum of the workers' rates", row->sum_of_worker_rates,
	             row->sum_of_worker_bytes, unit, out);
	report_total("all work by the wall time", row->total_over_wall, row->bytes_per_s, unit,
	             out);
	if (copies > 0)
		fprintf(out, "%-28s %15s %s, each while it copied\n", "sum of the workers' copies",
		        count_format(copies / unit.bytes, text), unit.name);
	fputc('\n', out);
}
