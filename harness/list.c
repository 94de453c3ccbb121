// SPDX-License-Identifier: GPL-3.0-or-later
/* faultscale list: what there is to name, from the tables themselves. */
#include "commands.h"
#include "events.h"
#include "options.h"
#include "pool.h"
#include "preset.h"
#include "rows.h"
#include "workload.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIST_TEXT = 128 };

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
	LISTING("mirrors", COLUMN_TEXT, facts[0], ""),
	{.name = NULL},
};

static const struct column column_list[] = {
	LISTING("column", COLUMN_TEXT, name, ""),
	LISTING("file", COLUMN_TEXT, text, ""),
	LISTING("meaning", COLUMN_TEXT, more, ""),
	{.name = NULL},
};

static const struct column option_list[] = {
	LISTING("option", COLUMN_TEXT, name, ""),
	LISTING("argument", COLUMN_TEXT, text, ""),
	LISTING("default", COLUMN_TEXT, facts[0], ""),
	LISTING("commands", COLUMN_TEXT, facts[1], ""),
	LISTING("what", COLUMN_TEXT, more, ""),
	{.name = NULL},
};

static const struct column event_list[] = {
	LISTING("event", COLUMN_TEXT, name, ""),
	LISTING("alias", COLUMN_TEXT, text, ""),
	LISTING("here", COLUMN_TEXT, facts[0], ""),
	LISTING("why", COLUMN_TEXT, facts[1], ""),
	LISTING("what", COLUMN_TEXT, more, ""),
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

/* The names of the bits that are set, separated by blanks. */
static char *bits_text(unsigned bits, const char *const names[], char out[LIST_TEXT])
{
	size_t used = 0;

	out[0] = '\0';
	for (int i = 0; names[i] && used < LIST_TEXT; i++)
		if (bits & 1u << i)
			used += (size_t)snprintf(out + used, LIST_TEXT - used, "%s%s",
			                         used ? " " : "", names[i]);
	return out;
}

static int list_steps(struct lister *lister, struct complaint *c)
{
	char facts[4][LIST_TEXT];

	(void)c;
	for (const struct step *step = step_rows; step->name; step++) {
		struct listing row = {
		        .name = step->name,
		        .text = unit_name(step->unit),
		        .more = step->summary,
		        .facts = {bits_text(step->needs, fact_names, facts[0]),
		                  bits_text(step->forbids, fact_names, facts[1]),
		                  bits_text(step->gains, fact_names, facts[2]),
		                  bits_text(step->loses, fact_names, facts[3])},
		};

		if (lister->text)
			printf("%-19s %s\n", row.name, row.more);
		else
			csv_record(&lister->csv, &row);
	}
	return 0;
}

static int list_presets(struct lister *lister, struct complaint *c)
{
	char command[512];

	(void)c;
	for (const struct preset *preset = preset_rows; preset->name; preset++) {
		struct listing row = {
		        .name = preset->name,
		        .text = command,
		        .more = preset->summary,
		        .facts = {preset->mirrors},
		};

		snprintf(command, sizeof(command), "faultscale run %s '%s'", preset->options,
		         preset->workload);
		if (lister->text)
			printf("%s\n    %s\n    %s\n%s%s%s", row.name, row.more, row.text,
			       *preset->mirrors ? "    like " : "", preset->mirrors,
			       *preset->mirrors ? "\n" : "");
		else
			csv_record(&lister->csv, &row);
	}
	return 0;
}

static int list_columns(struct lister *lister, struct complaint *c)
{
	(void)c;
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
	return 0;
}

static int list_options(struct lister *lister, struct complaint *c)
{
	char name[64], commands[LIST_TEXT];

	(void)c;
	for (const struct option_row *at = option_rows; at->name; at++) {
		struct listing row = {
		        .name = name,
		        .text = at->placeholder,
		        .more = at->help,
		        .facts = {at->initial, bits_text(at->commands, command_names, commands)},
		};

		snprintf(name, sizeof(name), at->letter ? "--%s, -%c" : "--%s", at->name,
		         at->letter);
		if (lister->text)
			printf("%-24s %s\n", name, at->help);
		else
			csv_record(&lister->csv, &row);
	}
	return 0;
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

/* Whether this thread may count the event: "yes", "user" (mode only) or "no"; and why not. */
static void event_try(const char *name, struct listing *row)
{
	struct event_list list;
	struct event_tally tally = {0};
	struct event_set set;
	struct complaint c;

	if (events_parse(name, &list, &c))
		return;
	events_open(&list, &set, &tally);
	events_close(&set);
	row->facts[0] = tally.error[0] ? "no" : tally.scope[0] == SCOPE_USER ? "user" : "yes";
	row->facts[1] = tally.error[0] ? strerror(tally.error[0]) : NULL;
}

static int list_events(struct lister *lister, struct complaint *c)
{
	(void)c;
	if (lister->text)
		printf("%-24s %-5s\n", "event", "here");
	for (const struct event_name *name = event_names; name->name; name++) {
		struct listing row = {
		        .name = name->name, .text = name->alias, .more = name->meaning};

		event_try(name->name, &row);
		if (lister->text)
			printf("%-24s %-5s %s\n", row.name, row.facts[0], row.more);
		else
			csv_record(&lister->csv, &row);
	}
	if (lister->text)
		printf("%s\n", events_have_pfm()
		                       ? "and the names that libpfm4 knows for this CPU"
		                       : "(built without libpfm4: no names of the CPU's own)");
	return 0;
}

static const struct list_row {
	const char *name;
	const struct column *columns;
	int (*list)(struct lister *lister, struct complaint *c);
} list_rows[] = {
        {"steps", step_list, list_steps},
        {"presets", preset_list, list_presets},
        {"columns", column_list, list_columns},
        {"options", option_list, list_options},
        {"events", event_list, list_events},
        {"cpus", cpu_list, list_cpus},
        {NULL, NULL, NULL},
};

static int list_call(struct lister *lister, struct complaint *c)
{
	const char *what = lister->options->operand;
	const struct list_row *row = list_rows;
	int result;

	while (row->name && strcmp(what, row->name) != 0)
		row++;
	if (!row->name)
		return complain(c, EXIT_USAGE,
		                "'%s' cannot be listed\n"
		                "say list steps, presets, columns, options, events or cpus",
		                what);
	csv_open(&lister->csv, STDOUT_FILENO, row->columns);
	if (!lister->text)
		csv_header(&lister->csv);
	result = row->list(lister, c);
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
		printf("usage: faultscale list steps|presets|columns|options|events|cpus "
		       "[options]\n\n");
		options_help(COMMAND_LIST, stdout);
		return EXIT_OK;
	}
	lister.text = options.format == FORMAT_TEXT;
	return list_call(&lister, c) ? -1 : EXIT_OK;
}
