// SPDX-License-Identifier: GPL-3.0-or-later
/* faultscale export: a result directory in other tools' formats, on standard output. */
#include "commands.h"
#include "json.h"
#include "options.h"
#include "study.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* True if a column belongs into a point's name. */
static bool name_has(const struct study *study, const struct study_curve *curve, size_t column)
{
	const char *plain = study_columns[column].plain;

	if (column == STUDY_HOST)
		return !study->agrees[column];
	return study_columns[column].role != STUDY_TITLE && *curve->cells[column] &&
	       !(plain && strcmp(curve->cells[column], plain) == 0);
}

/*
 * A point's name, which depends on nothing but the point (and its host, where there are several),
 * so that it is the same in every file: workload/workers=N/mode=M, then each option that is not
 * what goes without saying.
 */
static void point_name(const struct study *study, const struct study_curve *curve, uint64_t workers,
                       char out[1024])
{
	size_t used =
	        (size_t)snprintf(out, 1024, "%s/workers=%" PRIu64, study_workload(curve), workers);

	for (unsigned i = 0; i < STUDY_CELLS && used < 1024; i++) {
		const struct study_column *column = &study_columns[i];
		char text[STUDY_TEXT];

		if (name_has(study, curve, i))
			used += (size_t)snprintf(out + used, 1024 - used, "/%s=%s", column->name,
			                         study_cell_text(curve, i, text) +
			                                 strlen(column->prefix));
	}
}

/*
 * The array of objects that github-action-benchmark reads for its tool customBiggerIsBetter, and
 * other dashboards with it: name, unit and value, and as texts range and extra.
 */
static void json_export(const struct study *study)
{
	const struct study_directory *directory = &study->directories[0];

	printf("[");
	for (size_t i = 0; i < study->group_count; i++) {
		const struct study_group *group = &study->groups[i];
		const struct study_curve *curve = &study->curves[group->curve];
		char text[1024];

		printf("%s\n  {\"name\": ", i ? "," : "");
		point_name(study, curve, group->workers, text);
		json_string(text, stdout);
		printf(", \"unit\": \"%s\", \"value\": %.10g", study_unit(curve), group->mean);
		if (isfinite(group->deviation))
			printf(", \"range\": \"± %.4g\"", group->deviation);
		snprintf(text, sizeof(text), "%s\n%zu repeat%s on %s, %s, Linux %s",
		         curve->cells[STUDY_WORKLOAD], group->count, group->count == 1 ? "" : "s",
		         curve->cells[STUDY_HOST], directory->cpu_model, directory->kernel);
		printf(", \"extra\": ");
		json_string(text, stdout);
		printf("}");
	}
	printf("\n]\n");
}

/*
 * The Go benchmark data format (golang.org/design/14313-benchmark-format), one line for each
 * repeat.  The kernel is no configuration line: benchstat would not compare two of them.
 */
static void benchfmt_export(const struct study *study)
{
	printf("Unit pages/s better=higher\nUnit laps/s better=higher\n");
	printf("cpu: %s\n", study->directories[0].cpu_model);
	for (size_t i = 0; i < study->row_count; i++) {
		const struct study_row *row = &study->rows[i];
		const struct study_curve *curve = &study->curves[row->curve];
		char name[1024];

		point_name(study, curve, row->workers, name);
		*name = (char)toupper((unsigned char)*name);
		for (char *at = name; *at; at++)
			if (isspace((unsigned char)*at))
				*at = '_';
		printf("Benchmark%s %" PRIu64 " %.10g %s", name,
		       row->laps == UINT64_MAX ? 1 : row->laps, row->rate, study_unit(curve));
		if (isfinite(row->bytes_per_s))
			printf(" %.10g B/s", row->bytes_per_s);
		printf("\n");
	}
}

/*
 * Idle CPUs in percent, as far as the workers' own CPU time tells: will-it-scale takes it from all
 * of /proc/stat.
 */
static void idle_print(const struct study *study, const struct study_group *group)
{
	double cpus = (double)study->directories[0].threads, busy = 0;

	for (size_t i = 0; i < group->count; i++)
		busy += study->rows[group->first + i].busy / (double)group->count;
	busy *= (double)group->workers / cpus;
	if (isfinite(busy) && study->directories[0].threads != UINT64_MAX)
		printf(",%.2f", 100 * fmax(0, 1 - busy));
	else
		printf(",");
}

static void group_print(const struct study *study, const struct study_group *group)
{
	if (!group) {
		printf(",,");
		return;
	}
	printf(",%.0f", group->mean);
	idle_print(study, group);
}

/* The curve of a mode, or NULL; false if there are several. */
static bool curve_find(const struct study *study, const char *mode,
                       const struct study_curve **found)
{
	*found = NULL;
	for (size_t i = 0; i < study->curve_count; i++)
		if (strcmp(study->curves[i].cells[STUDY_MODE], mode) == 0) {
			if (*found)
				return false;
			*found = &study->curves[i];
		}
	return true;
}

/* The smallest number of workers above one that was measured, or UINT64_MAX. */
static uint64_t workers_next(const struct study *study, uint64_t workers)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = 0; i < study->group_count; i++)
		if (study->groups[i].workers > workers && study->groups[i].workers < next)
			next = study->groups[i].workers;
	return next;
}

/*
 * The table that will-it-scale's runtest.py prints and its plots read, from 0 tasks on.  A count
 * that one of the modes lacks leaves its cells empty.
 */
static int will_it_scale_export(const struct study *study, struct complaint *c)
{
	const struct study_curve *curves[2];
	double single = 0;

	if (!curve_find(study, "process", &curves[0]) || !curve_find(study, "thread", &curves[1]))
		return complain(c, EXIT_FAILED,
		                "'%s' has more than one curve of a mode: %s, %s%s\n"
		                "will-it-scale's table has room for one; json and benchfmt for all",
		                study->directories[0].path, study->curves[0].label,
		                study->curves[1].label, study->curve_count > 2 ? ", ..." : "");
	printf("tasks,processes,processes_idle,threads,threads_idle,linear\n0,0,100,0,100,0\n");
	for (uint64_t workers = workers_next(study, 0); workers != UINT64_MAX;
	     workers = workers_next(study, workers)) {
		printf("%" PRIu64, workers);
		for (int i = 0; i < 2; i++) {
			const struct study_group *group =
			        curves[i] ? study_group_at(study, curves[i], workers) : NULL;

			group_print(study, group);
			if (workers == 1 && group)
				single = fmax(single, group->mean);
		}
		if (single > 0)
			printf(",%.0f\n", single * (double)workers);
		else
			printf(",\n");
	}
	return 0;
}

static int study_export(const struct study *study, int exchange, struct complaint *c)
{
	switch (exchange) {
	case EXCHANGE_JSON:
		json_export(study);
		return 0;
	case EXCHANGE_BENCHFMT:
		benchfmt_export(study);
		return 0;
	default:
		return will_it_scale_export(study, c);
	}
}

int export_main(int count, char *const words[], struct complaint *c)
{
	struct options options = {0};
	struct study study;
	int status;

	if (options_parse(COMMAND_EXPORT, count, words, &options, c))
		return -1;
	if (options.help) {
		printf("usage: faultscale export [options] DIR\n\n"
		       "Prints the valid points of a result directory for other tools.\n\n");
		options_help(COMMAND_EXPORT, stdout);
		return EXIT_OK;
	}
	if (options.operand_count != 1)
		return complain(c, EXIT_USAGE,
		                "export takes one result directory\n"
		                "write faultscale export --format=FORMAT DIR");
	status = study_load(&study, options.operands, 1, STUDY_VALID, c);
	if (status == 0)
		status = study_export(&study, options.exchange, c);
	study_free(&study);
	return status;
}
