// SPDX-License-Identifier: GPL-3.0-or-later
/* faultscale list: what there is to name, from the tables themselves. */
#include "commands.h"
#include "options.h"
#include "pool.h"
#include "preset.h"
#include "rows.h"
#include "workload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One row of any list; which columns it has depends on the list. */
struct listing {
	const char *name, *text, *more, *facts[4];
	uint64_t number[6];
};

#define LISTING(name, kind, member, meaning)                          \
	{                                                             \
		name, kind, offsetof(struct listing, member), meaning \
	}

/* clang-format off */
static const struct column step_list[] = {
	LISTING("step", COLUMN_TEXT, name, ""),
	LISTING("unit", COLUMN_TEXT, text, ""),
	LISTING("needs", COLUMN_TEXT, facts[0], ""),
	LISTING("forbids", COLUMN_TEXT, facts[1], ""),
	LISTING("gains", COLUMN_TEXT, facts[2], ""),
	LISTING("loses", COLUMN_TEXT, facts[3], ""),
	LISTING("what", COLUMN_TEXT, more, ""),
	{.name = NULL},
};

static const struct column preset_list[] = {
	LISTING("preset", COLUMN_TEXT, name, ""),
	LISTING("command", COLUMN_TEXT, text, ""),
	LISTING("what", COLUMN_TEXT, more, ""),
	{.name = NULL},
};

static const struct column column_list[] = {
	LISTING("column", COLUMN_TEXT, name, ""),
	LISTING("file", COLUMN_TEXT, text, ""),
	LISTING("meaning", COLUMN_TEXT, more, ""),
	{.name = NULL},
};

static const struct column cpu_list[] = {
	LISTING("worker", COLUMN_COUNT, number[0], ""),
	LISTING("cpu", COLUMN_COUNT, number[1], ""),
	LISTING("core", COLUMN_COUNT, number[2], ""),
	LISTING("cache", COLUMN_COUNT, number[3], ""),
	LISTING("node", COLUMN_COUNT, number[4], ""),
	LISTING("package", COLUMN_COUNT, number[5], ""),
	{.name = NULL},
};
/* clang-format on */

/* Where a list's rows go: text for people, or CSV. */
struct lister {
	const struct options *options;
	struct csv csv;
	bool text;
};

static char *facts_text(unsigned facts, char out[128])
{
	out[0] = '\0';
	for (int i = 0; fact_names[i]; i++)
		if (facts & 1u << i) {
			if (*out)
				strncat(out, " ", 127 - strlen(out));
			strncat(out, fact_names[i], 127 - strlen(out));
		}
	return out;
}

static void list_steps(struct lister *lister)
{
	char facts[4][128];

	for (const struct step *step = step_rows; step->name; step++) {
		struct listing row = {
		        .name = step->name,
		        .text = unit_name(step->unit),
		        .more = step->summary,
		        .facts = {facts_text(step->needs, facts[0]),
		                  facts_text(step->forbids, facts[1]),
		                  facts_text(step->gains, facts[2]),
		                  facts_text(step->loses, facts[3])},
		};

		if (lister->text)
			printf("%-16s %s\n", row.name, row.more);
		else
			csv_record(&lister->csv, &row);
	}
}

static void list_presets(struct lister *lister)
{
	char command[512];

	for (const struct preset *preset = preset_rows; preset->name; preset++) {
		struct listing row = {
		        .name = preset->name, .text = command, .more = preset->summary};

		snprintf(command, sizeof(command), "faultscale run %s '%s'", preset->options,
		         preset->workload);
		if (lister->text)
			printf("%s\n    %s\n    %s\n", row.name, row.more, row.text);
		else
			csv_record(&lister->csv, &row);
	}
}

static void list_columns(struct lister *lister)
{
	for (int i = 0; i < RESULT_FILES; i++) {
		if (lister->text)
			printf("%s%s\n", i ? "\n" : "", result_tables[i].file);
		for (const struct column *at = result_tables[i].columns; at->name; at++) {
			struct listing row = {.name = at->name,
			                      .text = result_tables[i].file,
			                      .more = at->meaning};

			if (lister->text)
				printf("    %-24s %s\n", row.name, row.more);
			else
				csv_record(&lister->csv, &row);
		}
	}
}

static void cpu_print(const struct listing *row)
{
	for (int i = 0; i < 6; i++) {
		if (row->number[i] == UNKNOWN_COUNT)
			printf("%8s", "-");
		else
			printf("%8d", (int)row->number[i]);
	}
	putchar('\n');
}

static uint64_t place(int index)
{
	return index < 0 ? UNKNOWN_COUNT : (uint64_t)index;
}

static int seats_list(struct lister *lister, const struct seat *seats, size_t count,
                      struct complaint *c)
{
	uint64_t workers = lister->options->workers ? lister->options->workers : count;

	if (workers > count && !lister->options->oversubscribe)
		return complain(c, EXIT_USAGE,
		                "%d workers, %zu allowed CPUs\nuse fewer, or --oversubscribe",
		                (int)workers, count);
	if (lister->text)
		printf("%8s%8s%8s%8s%8s%8s\n", "worker", "CPU", "core", "cache", "node", "package");
	for (uint64_t i = 0; i < workers; i++) {
		const struct seat *seat = &seats[i % count];
		struct listing row = {.number = {i, place(seat->cpu), place(seat->core),
		                                 place(seat->cache), place(seat->node),
		                                 place(seat->package)}};

		if (lister->text)
			cpu_print(&row);
		else
			csv_record(&lister->csv, &row);
	}
	return 0;
}

/* Who would sit where: also for a topology that is not this machine's. */
static int list_cpus(struct lister *lister, struct complaint *c)
{
	hwloc_bitmap_t pool = hwloc_bitmap_alloc();
	struct topology *topology = NULL;
	struct seat *seats = NULL;
	size_t count;
	int result = -1;

	if (topology_load(&topology, c) == 0 &&
	    pool_choose(topology, lister->options->cpus, pool, c) == 0 &&
	    topology_seats(topology, pool, (enum order)lister->options->order, &seats, &count, c) ==
	            0)
		result = seats_list(lister, seats, count, c);
	free(seats);
	topology_free(topology);
	hwloc_bitmap_free(pool);
	return result;
}

static int list_call(struct lister *lister, struct complaint *c)
{
	const char *what = lister->options->operand;
	const struct {
		const char *name;
		const struct column *columns;
	} lists[] = {
	        {"steps", step_list},
	        {"presets", preset_list},
	        {"columns", column_list},
	        {"cpus", cpu_list},
	};
	size_t i = 0;
	int result = 0;

	while (i < 4 && strcmp(what, lists[i].name) != 0)
		i++;
	if (i == 4)
		return complain(c, EXIT_USAGE,
		                "'%s' cannot be listed\nsay list steps, presets, columns or cpus",
		                what);
	csv_open(&lister->csv, STDOUT_FILENO, lists[i].columns);
	if (!lister->text)
		csv_header(&lister->csv);
	switch (i) {
	case 0:
		list_steps(lister);
		break;
	case 1:
		list_presets(lister);
		break;
	case 2:
		list_columns(lister);
		break;
	default:
		result = list_cpus(lister, c);
		break;
	}
	if (csv_close(&lister->csv))
		return complain(c, EXIT_FAILED, "cannot write to standard output: %s",
		                strerror(lister->csv.error));
	return result;
}

int list_main(int count, char *const words[], struct complaint *c)
{
	struct options options = {0};
	struct lister lister = {.options = &options};

	if (options_parse(COMMAND_LIST, count, words, &options, c))
		return -1;
	if (options.help || !*options.operand) {
		printf("usage: faultscale list steps|presets|columns|cpus [options]\n\n");
		options_help(COMMAND_LIST, stdout);
		return EXIT_OK;
	}
	lister.text = options.format == FORMAT_TEXT;
	return list_call(&lister, c) ? -1 : EXIT_OK;
}
