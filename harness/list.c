// SPDX-License-Identifier: GPL-3.0-or-later
/* faultscale list: what there is to name, from the tables themselves. */
#include "list.h"

#include "commands.h"
#include "preset.h"
#include "rows.h"
#include "workload.h"

#include <string.h>
#include <unistd.h>

enum { LIST_TEXT = 128 };

/* clang-format off */
static const struct column step_list[] = {
	LISTING("step", COLUMN_TEXT, name),
	LISTING("unit", COLUMN_TEXT, text),
	LISTING("needs", COLUMN_TEXT, facts[0]),
	LISTING("forbids", COLUMN_TEXT, facts[1]),
	LISTING("gains", COLUMN_TEXT, facts[2]),
	LISTING("loses", COLUMN_TEXT, facts[3]),
	LISTING("what", COLUMN_TEXT, more),
	{.name = NULL},
};

static const struct column preset_list[] = {
	LISTING("preset", COLUMN_TEXT, name),
	LISTING("command", COLUMN_TEXT, text),
	LISTING("what", COLUMN_TEXT, more),
	LISTING("mirrors", COLUMN_TEXT, facts[0]),
	{.name = NULL},
};

static const struct column column_list[] = {
	LISTING("column", COLUMN_TEXT, name),
	LISTING("file", COLUMN_TEXT, text),
	LISTING("meaning", COLUMN_TEXT, more),
	{.name = NULL},
};

static const struct column option_list[] = {
	LISTING("option", COLUMN_TEXT, name),
	LISTING("argument", COLUMN_TEXT, text),
	LISTING("default", COLUMN_TEXT, facts[0]),
	LISTING("commands", COLUMN_TEXT, facts[1]),
	LISTING("what", COLUMN_TEXT, more),
	{.name = NULL},
};
/* clang-format on */

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

static void list_table(struct lister *lister, const char *file, const struct column *columns)
{
	if (lister->text)
		printf("%s%s\n", columns == result_tables[0].columns ? "" : "\n", file);
	for (const struct column *at = columns; at->name; at++) {
		struct listing row = {.name = at->name, .text = file, .more = at->meaning};

		if (lister->text)
			printf("    %-24s %s\n", row.name, row.more);
		else
			csv_record(&lister->csv, &row);
	}
}

static int list_columns(struct lister *lister, struct complaint *c)
{
	(void)c;
	for (int i = 0; i < RESULT_FILES; i++)
		list_table(lister, result_tables[i].file, result_tables[i].columns);
	list_table(lister, "compare --format=csv", contrast_columns);
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

static const struct list_row {
	const char *name;
	const struct column *columns;
	list_rows_print *list;
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
