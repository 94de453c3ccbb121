// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include <getopt.h>
#include <string.h>

/* One pass over words: where they come from and what has been set. */
struct pass {
	enum command command;
	struct options *options;
	bool *set;        /* rows that this pass sets; may be NULL */
	const bool *skip; /* rows put out of force by the command line; may be NULL */
};

/* The row of that name that the command has: a name may have one row for run, one for sweep. */
static size_t row_index(enum command command, const char *name)
{
	size_t i = 0;

	while (option_rows[i].name &&
	       (!(option_rows[i].commands & command) || strcmp(option_rows[i].name, name) != 0))
		i++;
	return i;
}

/* Sets a row from the words; a complaint is given the option's name in front. */
static int row_set(const struct pass *pass, const struct option_row *row, const char *text,
                   struct complaint *c)
{
	size_t index = (size_t)(row - option_rows);
	struct complaint why;

	if (pass->skip && pass->skip[index])
		return 0;
	if (option_parse(row, text, pass->options, &why))
		return complain(c, EXIT_USAGE, "--%s: %s", row->name, why.text);
	if (pass->set)
		pass->set[index] = true;
	return 0;
}

/* getopt_long's tables for a command; `value` of a long option is its row's index + 256. */
static void getopt_tables(enum command command, struct option *longs, char *shorts)
{
	*shorts++ = ':';
	for (int i = 0; option_rows[i].name; i++) {
		const struct option_row *row = &option_rows[i];
		bool argument = row->kind != OPTION_FLAG;

		if (!(row->commands & command))
			continue;
		*longs++ = (struct option){row->name, argument, NULL, i + 256};
		if (row->letter) {
			*shorts++ = row->letter;
			if (argument)
				*shorts++ = ':';
		}
	}
	*longs = (struct option){0};
	*shorts = '\0';
}

static const struct option_row *row_of(enum command command, int value)
{
	if (value >= 256)
		return &option_rows[value - 256];
	for (const struct option_row *row = option_rows; row->name; row++)
		if (row->commands & command && row->letter == value)
			return row;
	return NULL;
}

/* getopt_long accepts abbreviations; we do not: a script must not change its meaning later. */
static bool word_exact(const struct option_row *row, char *const words[])
{
	const char *word = words[optind - (optarg == words[optind - 1] ? 2 : 1)];

	return strncmp(word, "--", 2) != 0 || strcspn(word + 2, "=") == strlen(row->name);
}

static int word_refuse(int value, const char *word, struct complaint *c)
{
	/* Inside a bundle like -zn2 getopt has not moved on to the next word yet. */
	char letter[] = {'-', (char)optopt, '\0'};

	if (optopt > 0 && optopt < 256)
		word = letter;
	if (value == ':')
		return complain(c, EXIT_USAGE, "option '%s' needs a value\nwrite it like %s%sVALUE",
		                word, word, word[1] == '-' ? "=" : " ");
	if (optopt >= 256)
		return complain(c, EXIT_USAGE, "option '%s' takes no value\nwrite --%s", word,
		                option_rows[optopt - 256].name);
	return complain(c, EXIT_USAGE, "unknown option '%s'\n--help lists the options", word);
}

/* Keeps the words that are no options, apart and, unless they are names of files, joined. */
static int operands_take(struct options *options, bool joined, int count, char *const words[],
                         struct complaint *c)
{
	size_t used = 0;

	if (count > OPERANDS_LIMIT)
		return complain(c, EXIT_USAGE, "%d words that are no options\nuse at most %d",
		                count, OPERANDS_LIMIT);
	options->operand[0] = '\0';
	options->operand_count = (unsigned)count;
	for (int i = 0; i < count; i++) {
		options->operands[i] = words[i];
		if (!joined)
			continue;
		if (used + strlen(words[i]) + 2 > sizeof(options->operand))
			return complain(c, EXIT_USAGE, "the workload is longer than %zu bytes",
			                sizeof(options->operand) - 1);
		used += (size_t)snprintf(options->operand + used, sizeof(options->operand) - used,
		                         "%s%s", used ? " " : "", words[i]);
	}
	return 0;
}

/* Applies the options among `words`; the rest are operands. */
static int words_apply(const struct pass *pass, int count, char *const words[], struct complaint *c)
{
	struct option longs[OPTIONS_LIMIT + 1];
	char shorts[2 * OPTIONS_LIMIT + 2];
	char name[] = "faultscale";
	char *argv[256] = {name};
	int value;

	if (count > 254)
		return complain(c, EXIT_USAGE, "%d words on the command line\nuse fewer", count);
	getopt_tables(pass->command, longs, shorts);
	memcpy(argv + 1, words, (size_t)count * sizeof(*words));
	opterr = 0;
	optind = 0; /* glibc: start afresh */
	while ((value = getopt_long(count + 1, argv, shorts, longs, NULL)) != -1) {
		const struct option_row *row = row_of(pass->command, value);
		const char *word = argv[optind - 1];

		if (value == '?' || value == ':')
			return word_refuse(value, word, c);
		if (!word_exact(row, argv))
			return complain(c, EXIT_USAGE, "unknown option '%s'\nwrite --%s in full",
			                word, row->name);
		if (row_set(pass, row, optarg ? optarg : "", c))
			return -1;
	}
	return operands_take(pass->options, !(pass->command & COMMAND_COMPARE), count + 1 - optind,
	                     argv + optind, c);
}

static int defaults_apply(enum command command, struct options *options, struct complaint *c)
{
	*options = (struct options){.cpus = "",
	                            .mem = "local",
	                            .dir = "",
	                            .output = "",
	                            .events = "",
	                            .side = {"", ""},
	                            .counts = "",
	                            .modes = "",
	                            .hosts = "",
	                            .hosts_file = "",
	                            .plan = "",
	                            .job = "",
	                            .boot_sd = -1};
	for (const struct option_row *row = option_rows; row->name; row++)
		if (row->commands & command && row->initial && row->kind != OPTION_FLAG &&
		    option_parse(row, row->initial, options, c))
			return -1;
	return 0;
}

/* Applies what the preset sets, except what the command line puts out of force. */
static int preset_apply(enum command command, const struct preset *preset,
                        const bool set[OPTIONS_LIMIT], struct options *options, struct complaint *c)
{
	bool skip[OPTIONS_LIMIT] = {false};
	struct pass pass = {command, options, NULL, skip};
	char *words[32];
	int count = 0;

	for (size_t i = 0; option_rows[i].name; i++)
		if (set[i] && option_rows[i].replaces)
			skip[row_index(command, option_rows[i].replaces)] = true;
	snprintf(options->preset_words, sizeof(options->preset_words), "%s", preset->options);
	for (char *rest = options->preset_words, *word; (word = strsep(&rest, " "));)
		if (*word && count < 32)
			words[count++] = word;
	return words_apply(&pass, count, words, c);
}

/* Options of the command line that do not go together, or not alone. */
static int words_conflict(enum command command, const bool set[OPTIONS_LIMIT], struct complaint *c)
{
	for (size_t i = 0; option_rows[i].name; i++) {
		const char *other = option_rows[i].replaces, *with = option_rows[i].with;

		if (set[i] && with && !set[row_index(command, with)])
			return complain(c, EXIT_USAGE,
			                "--%s means nothing without --%s\ngive both, or neither",
			                option_rows[i].name, with);
		if (set[i] && other && set[row_index(command, other)])
			return complain(c, EXIT_USAGE,
			                "--%s and --%s exclude each other\ngive one of them",
			                option_rows[i].name, other);
	}
	return 0;
}

/* Applies the lists one after the other; the last operand there is stands. */
static int lists_apply(const struct pass *pass, const struct word_list lists[], size_t count,
                       struct complaint *c)
{
	char operand[sizeof(pass->options->operand)] = "";

	for (size_t i = 0; i < count; i++) {
		if (words_apply(pass, lists[i].count, lists[i].words, c))
			return -1;
		if (*pass->options->operand)
			memcpy(operand, pass->options->operand, sizeof(operand));
	}
	memcpy(pass->options->operand, operand, sizeof(operand));
	return 0;
}

int options_parse_lists(enum command command, const struct word_list lists[], size_t count,
                        struct options *options, struct complaint *c)
{
	bool set[OPTIONS_LIMIT] = {false};
	struct pass pass = {command, options, set, NULL};
	const struct preset *preset = NULL;

	if (defaults_apply(command, options, c) || lists_apply(&pass, lists, count, c) ||
	    words_conflict(command, set, c))
		return -1;
	memcpy(options->set, set, sizeof(set));
	if (!(command & (COMMAND_RUN | COMMAND_DUEL)))
		return 0;
	preset = options->operand[0] ? preset_find(options->operand) : preset_rows;
	if (!preset)
		return 0;
	if (defaults_apply(command, options, c) || preset_apply(command, preset, set, options, c) ||
	    lists_apply(&pass, lists, count, c))
		return -1;
	memcpy(options->set, set, sizeof(set));
	options->preset = preset;
	return 0;
}

int options_parse(enum command command, int count, char *const words[], struct options *options,
                  struct complaint *c)
{
	struct word_list list = {count, words};

	return options_parse_lists(command, &list, 1, options, c);
}

bool options_typed(const struct options *options, const char *name)
{
	return options->set[row_index(COMMAND_RUN, name)];
}
