// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include "units.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const command_names[] = {"run",  "list",   "sweep",  "duel", "compare",
                                     "plot", "export", "doctor", NULL};

static const char *const mode_names[] = {"process", "thread", NULL};
static const char *const order_names[] = {"cores", "siblings", "spread", "numeric", NULL};
static const char *const layout_names[] = {"guarded", "merged", "interleaved", NULL};
static const char *const thp_names[] = {"default", "never", "always", NULL};
static const char *const copy_names[] = {"libc", "movsb", "nontemporal", NULL};
static const char *const backing_names[] = {"anon", "memfd", "shmem", "file", "hugetlb", NULL};
static const char *const share_names[] = {"default", "private", "shared", NULL};
static const char *const memcg_names[] = {"none", "one", "each", NULL};
static const char *const format_names[] = {"text", "csv", NULL};
static const char *const report_names[] = {"text", "markdown", "csv", "json", NULL};
static const char *const exchange_names[] = {"json", "benchfmt", "will-it-scale", NULL};

#define FIELD(member) .offset = offsetof(struct options, member)
#define SECOND UINT64_C(1000000000)
#define DAYS (SECOND * 86400 * 30)
#define HUGE_SIZE (UINT64_C(1) << 50)
#define RUN COMMAND_RUN
#define LIST COMMAND_LIST
#define DOCTOR COMMAND_DOCTOR
#define SWEEP COMMAND_SWEEP
#define DUEL COMMAND_DUEL
#define COMPARE COMMAND_COMPARE
#define PLOT COMMAND_PLOT
#define EXPORT COMMAND_EXPORT
#define MEASURE (RUN | SWEEP | DUEL)

/* clang-format off */
const struct option_row option_rows[] = {
	{ "workers", 'n', OPTION_COUNT, "N", "all", "all", FIELD(workers), 1, 65536,
	  .commands = RUN | DUEL | LIST, .identity = true,
	  .help = "workers; all: one per allowed CPU" },
	{ "workers", 'n', OPTION_TEXT, "LIST", "topo", FIELD(counts), .commands = SWEEP,
	  .help = "counts, like 1-8,16-64:16, pow2, topo or all" },
	{ "mode", 0, OPTION_CHOICE, "MODE", "process", FIELD(mode), .choices = mode_names,
	  .commands = RUN | DUEL, .identity = true, .help = "process or thread" },
	{ "mode", 0, OPTION_TEXT, "LIST", "process,thread", FIELD(modes), .commands = SWEEP,
	  .help = "the curves" },
	{ "per-process", 0, OPTION_COUNT, "T", "", "", FIELD(per_process), 1, 65536,
	  .replaces = "mode", .commands = MEASURE, .identity = true,
	  .help = "threads in each process, between the two modes" },
	{ "bytes", 0, OPTION_SIZE, "SIZE", "2M", FIELD(bytes), .low = 1, .high = HUGE_SIZE,
	  .replaces = "total-bytes", .commands = MEASURE, .identity = true, .help = "memory of each worker" },
	{ "total-bytes", 0, OPTION_SIZE, "SIZE", "", "", FIELD(total_bytes), 1, HUGE_SIZE,
	  .replaces = "bytes", .commands = MEASURE, .identity = true,
	  .help = "memory of all, divided by the workers" },
	{ "piece", 0, OPTION_SIZE, "SIZE", "", "", FIELD(piece), 1, HUGE_SIZE,
	  .commands = MEASURE, .identity = true,
	  .help = "run the loop piece by piece over the memory" },
	{ "block", 0, OPTION_SIZE, "SIZE", "1K", FIELD(block), .low = 1, .high = HUGE_SIZE,
	  .commands = MEASURE, .identity = true, .help = "bytes that memcpy copies at a time" },
	{ "duration", 'd', OPTION_TIME, "TIME", "5s", FIELD(duration), .low = 1000000,
	  .high = DAYS, .replaces = "laps", .commands = MEASURE, .identity = true,
	  .help = "length of the measured window" },
	{ "warmup", 0, OPTION_TIME, "TIME", "1s", FIELD(warmup), .high = DAYS,
	  .commands = RUN | SWEEP, .identity = true, .help = "work before the window, not counted" },
	{ "laps", 0, OPTION_COUNT, "N", "", "", FIELD(laps), 1, UINT64_C(1) << 40,
	  .replaces = "duration", .commands = MEASURE, .identity = true,
	  .help = "fixed work instead: N laps, cold" },
	{ "interval", 0, OPTION_TIME, "TIME", "100ms", FIELD(interval), .low = 1000000,
	  .high = DAYS, .commands = RUN | SWEEP, .help = "time between samples" },
	{ "repeat", 'r', OPTION_COUNT, "N", "1", FIELD(repeat), .low = 1, .high = 100000,
	  .commands = RUN | SWEEP, .whole = true,
	  .help = "measurements, each in fresh workers" },
	{ "timeout", 0, OPTION_TIME, "TIME", "60s", FIELD(timeout), .low = 100000000,
	  .high = DAYS, .commands = MEASURE, .help = "give up when no worker moves for so long" },
	{ "cpus", 0, OPTION_TEXT, "LIST", "", FIELD(cpus), .commands = MEASURE | LIST,
	  .identity = true, .help = "use only these CPUs, like 0-3,8 or 0-15:2" },
	{ "order", 0, OPTION_CHOICE, "ORDER", "cores", FIELD(order), .choices = order_names,
	  .commands = MEASURE | LIST, .identity = true,
	  .help = "cores, siblings, spread or numeric" },
	{ "no-pin", 0, OPTION_FLAG, FIELD(no_pin), .replaces = "order", .commands = MEASURE,
	  .identity = true, .help = "let the scheduler place the workers" },
	{ "oversubscribe", 0, OPTION_FLAG, FIELD(oversubscribe), .commands = MEASURE | LIST,
	  .identity = true, .help = "allow more workers than CPUs" },
	{ "layout", 0, OPTION_CHOICE, "LAYOUT", "guarded", FIELD(layout),
	  .choices = layout_names, .commands = MEASURE, .identity = true,
	  .help = "guarded, merged or interleaved" },
	{ "thp", 0, OPTION_CHOICE, "WHEN", "default", FIELD(thp), .choices = thp_names,
	  .commands = MEASURE, .identity = true,
	  .help = "huge pages: default, never or always" },
	{ "mem", 0, OPTION_TEXT, "NODES", "local", FIELD(mem), .commands = MEASURE,
	  .identity = true, .help = "local, interleave, remote or bind:LIST" },
	{ "events", 0, OPTION_TEXT, "LIST", "", FIELD(events), .commands = RUN | SWEEP,
	  .identity = true, .help = "perf events to count, like page-faults,cycles" },
	{ "seed", 0, OPTION_COUNT, "N", "", "", FIELD(seed), 1, UINT32_MAX, .commands = SWEEP,
	  .help = "of the random order; recorded" },
	{ "in-order", 0, OPTION_FLAG, FIELD(in_order), .replaces = "seed", .commands = SWEEP,
	  .help = "measure in ascending order instead" },
	{ "dry-run", 0, OPTION_FLAG, FIELD(dry_run), .commands = SWEEP,
	  .help = "print the plan and measure nothing" },
	{ "hosts", 0, OPTION_TEXT, "LIST", "", FIELD(hosts), .commands = SWEEP,
	  .help = "measure there by ssh, like a,root@b,c:2222" },
	{ "hosts-file", 0, OPTION_TEXT, "FILE", "", FIELD(hosts_file), .replaces = "hosts",
	  .commands = SWEEP, .help = "the same from a file, one a line" },
	{ "plan", 0, OPTION_TEXT, "FILE", "", FIELD(plan), .commands = RUN | SWEEP,
	  .whole = true, .help = "carry out this plan, or one job of it" },
	{ "job", 0, OPTION_TEXT, "KEY.REPEAT", "", FIELD(job), .commands = RUN,
	  .help = "the job" },
	{ "backing", 0, OPTION_CHOICE, "KIND", "anon", FIELD(backing), .choices = backing_names,
	  .commands = MEASURE, .identity = true,
	  .help = "anon, memfd, shmem, file or hugetlb" },
	{ "dir", 0, OPTION_TEXT, "DIR", "/tmp", FIELD(dir), .commands = MEASURE, .identity = true,
	  .help = "where --backing=file makes its files" },
	{ "one-file", 0, OPTION_FLAG, FIELD(one_file), .commands = MEASURE, .identity = true,
	  .help = "one file for all workers, each with its part" },
	{ "share", 0, OPTION_CHOICE, "HOW", "default", FIELD(share), .choices = share_names,
	  .commands = MEASURE, .identity = true,
	  .help = "private or shared; default: files shared" },
	{ "page-size", 0, OPTION_SIZE, "SIZE", "", "", FIELD(page_size), 1, HUGE_SIZE,
	  .commands = MEASURE, .identity = true, .help = "pages of --backing=hugetlb, like 2M" },
	{ "copy", 0, OPTION_CHOICE, "METHOD", "libc", FIELD(copy), .choices = copy_names,
	  .commands = MEASURE, .identity = true, .help = "memcpy by libc, movsb or nontemporal" },
	{ "memcg", 0, OPTION_CHOICE, "KIND", "none", FIELD(memcg), .choices = memcg_names,
	  .commands = MEASURE, .identity = true,
	  .help = "memory cgroups made: none, one or each" },
	{ "memcg-depth", 0, OPTION_COUNT, "N", "1", FIELD(memcg_depth), .low = 1, .high = 16,
	  .commands = MEASURE, .identity = true, .help = "groups one inside the other" },
	{ "memcg-max", 0, OPTION_SIZE, "SIZE", "", "", FIELD(memcg_max), 1, HUGE_SIZE,
	  .commands = MEASURE, .identity = true, .help = "limit of each of these groups" },
	{ "output", 'o', OPTION_TEXT, "DIR", "", FIELD(output), .commands = RUN | DUEL,
	  .help = "write the results into a new directory" },
	{ "output", 'o', OPTION_TEXT, "DIR", "", FIELD(output), .commands = SWEEP,
	  .help = "results: a new directory, or a sweep to go on with" },
	{ "format", 0, OPTION_CHOICE, "FORMAT", "text", FIELD(format), .choices = format_names,
	  .commands = MEASURE | LIST | DOCTOR, .whole = true, .help = "text or csv on standard output" },
	{ "precision", 0, OPTION_PERCENT, "N%", "", "", FIELD(precision),
	  .commands = RUN | DUEL,
	  .help = "go on until the 95 % interval is +-N % or narrower" },
	{ "max-time", 0, OPTION_TIME, "TIME", "60s", FIELD(max_time), .low = 1000000,
	  .high = DAYS, .commands = RUN | DUEL, .help = "but no longer than this" },
	{ "a", 0, OPTION_TEXT, "'OPTIONS'", "", FIELD(side[0]), .commands = DUEL,
	  .help = "side A: options and workload that differ" },
	{ "b", 0, OPTION_TEXT, "'OPTIONS'", "", FIELD(side[1]), .commands = DUEL,
	  .help = "side B" },
	{ "launches", 0, OPTION_COUNT, "N", "10", FIELD(launches), .low = 10, .high = 10000,
	  .commands = DUEL, .help = "fresh pairs of crews" },
	{ "margin", 0, OPTION_PERCENT, "N%", "1%", FIELD(margin), .commands = DUEL | COMPARE,
	  .help = "differences below this do not matter" },
	{ "seed", 0, OPTION_COUNT, "N", "1", FIELD(seed), .low = 0, .high = UINT32_MAX,
	  .commands = DUEL, .help = "of what is drawn by chance" },
	{ "terminal", 0, OPTION_FLAG, FIELD(terminal), .commands = PLOT,
	  .help = "draw in the terminal, write no files" },
	{ "format", 0, OPTION_CHOICE, "FORMAT", "json", FIELD(exchange),
	  .choices = exchange_names, .commands = EXPORT,
	  .help = "json, benchfmt or will-it-scale" },
	{ "format", 0, OPTION_CHOICE, "FORMAT", "text", FIELD(report), .choices = report_names,
	  .commands = COMPARE, .help = "text, markdown, csv or json" },
	{ "fail-if-worse", 0, OPTION_PERCENT, "N%", "0%", FIELD(fail_if_worse),
	  .commands = COMPARE, .help = "status 3 if worse by more than this, established" },
	{ "boot-sd", 0, OPTION_PERCENT, "N%", FIELD(boot_sd), .commands = COMPARE,
	  .help = "spread between boots that you vouch for" },
	{ "force", 0, OPTION_FLAG, FIELD(force), .commands = COMPARE,
	  .help = "compare even unlike with unlike" },
	{ "value", 0, OPTION_TEXT, "COL[,COL]", "", FIELD(value_columns), .commands = COMPARE,
	  .help = "column to compare; of one table, before and after" },
	{ "key", 0, OPTION_TEXT, "COL[,COL]", "", FIELD(key_columns), .commands = COMPARE,
	  .help = "columns of a plain table that tell its points apart" },
	{ "side", 0, OPTION_TEXT, "COL", "", FIELD(side_column), .commands = COMPARE,
	  .help = "column that says before or after; COL:BEFORE,AFTER" },
	{ "times", 0, OPTION_TEXT, "COL", "", FIELD(times_columns), .commands = COMPARE,
	  .help = "column or number to multiply by: totals" },
	{ "n", 0, OPTION_TEXT, "COL", "", FIELD(n_columns), .commands = COMPARE,
	  .help = "column or number: repeats behind each value" },
	{ "stddev", 0, OPTION_TEXT, "COL", "", FIELD(stddev_columns), .commands = COMPARE,
	  .help = "their standard deviation, absolute or percent" },
	{ "stderr", 0, OPTION_TEXT, "COL", "", FIELD(stderr_columns), .commands = COMPARE,
	  .help = "or standard error of the mean (perf's +-)" },
	{ "lower-is-better", 0, OPTION_FLAG, FIELD(lower_is_better), .commands = COMPARE,
	  .help = "values are times or counts of trouble" },
	{ "help", 'h', OPTION_FLAG, FIELD(help), .commands = MEASURE | LIST | COMPARE | PLOT | EXPORT | DOCTOR,
	  .whole = true, .help = "print this help" },
	{ .name = NULL },
};
/* clang-format on */

enum { OPTION_ROWS = sizeof(option_rows) / sizeof(option_rows[0]) };

_Static_assert((int)OPTION_ROWS <= (int)OPTIONS_LIMIT, "options.set is too short");

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

static void *row_field(const struct option_row *row, struct options *options)
{
	return (char *)options + row->offset;
}

static int choice_parse(const struct option_row *row, const char *text, int *value,
                        struct complaint *c)
{
	char known[256] = "";

	for (int i = 0; row->choices[i]; i++) {
		if (strcmp(row->choices[i], text) == 0) {
			*value = i;
			return 0;
		}
		strncat(known, i ? ", " : "", sizeof(known) - strlen(known) - 1);
		strncat(known, row->choices[i], sizeof(known) - strlen(known) - 1);
	}
	return complain(c, EXIT_USAGE, "'%s' is not one of %s", text, known);
}

static int range_check(const struct option_row *row, const char *text, uint64_t value,
                       struct complaint *c)
{
	char low[UNIT_TEXT], high[UNIT_TEXT];
	bool size = row->kind == OPTION_SIZE;

	if (value >= row->low && value <= row->high)
		return 0;
	return complain(c, EXIT_USAGE, "'%s' is out of range: from %s to %s", text,
	                size ? size_format(row->low, low) : time_format(row->low, low),
	                size ? size_format(row->high, high) : time_format(row->high, high));
}

/* Parses `text` into the row's field. */
static int row_parse(const struct option_row *row, const char *text, struct options *options,
                     struct complaint *c)
{
	void *field = row_field(row, options);
	uint64_t *number = field;

	if (row->zero && strcmp(text, row->zero) == 0) {
		*number = 0; /* of a double as well */
		return 0;
	}
	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)field = true;
		return 0;
	case OPTION_COUNT:
		return count_parse(text, row->low, row->high, number, c);
	case OPTION_SIZE:
		return size_parse(text, number, c) || range_check(row, text, *number, c) ? -1 : 0;
	case OPTION_TIME:
		return time_parse(text, number, c) || range_check(row, text, *number, c) ? -1 : 0;
	case OPTION_PERCENT:
		return percent_parse(text, field, c);
	case OPTION_CHOICE:
		return choice_parse(row, text, field, c);
	case OPTION_TEXT:
		*(const char **)field = text;
		return 0;
	}
	return -1;
}

/* Sets a row from the words; a complaint is given the option's name in front. */
static int row_set(const struct pass *pass, const struct option_row *row, const char *text,
                   struct complaint *c)
{
	size_t index = (size_t)(row - option_rows);
	struct complaint why;

	if (pass->skip && pass->skip[index])
		return 0;
	if (row_parse(row, text, pass->options, &why))
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
	struct option longs[OPTION_ROWS + 1];
	char shorts[2 * OPTION_ROWS + 2];
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
	return operands_take(pass->options, !(pass->command & COMPARE), count + 1 - optind,
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
		    row_parse(row, row->initial, options, c))
			return -1;
	return 0;
}

/* Applies what the preset sets, except what the command line puts out of force. */
static int preset_apply(enum command command, const struct preset *preset,
                        const bool set[OPTION_ROWS], struct options *options, struct complaint *c)
{
	bool skip[OPTION_ROWS] = {false};
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

/* Two options of the command line that put each other out of force. */
static int words_conflict(enum command command, const bool set[OPTION_ROWS], struct complaint *c)
{
	for (size_t i = 0; option_rows[i].name; i++) {
		const char *other = option_rows[i].replaces;

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
	bool set[OPTION_ROWS] = {false};
	struct pass pass = {command, options, set, NULL};
	const struct preset *preset = NULL;

	if (defaults_apply(command, options, c) || lists_apply(&pass, lists, count, c) ||
	    words_conflict(command, set, c))
		return -1;
	memcpy(options->set, set, sizeof(set));
	if (!(command & (RUN | DUEL)))
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

int options_words(const struct options *sweep, char **text)
{
	size_t size = 0;
	char value[256];
	int count = 0;
	FILE *out = open_memstream(text, &size);

	if (!out)
		return -1;
	for (size_t i = 0; option_rows[i].name; i++) {
		const struct option_row *row = &option_rows[i];

		if (!sweep->set[i] || row->whole || !(row->commands & RUN))
			continue;
		fprintf(out, "--%s", row->name);
		if (row->kind == OPTION_TEXT)
			fprintf(out, "=%s",
			        *(const char *const *)((const char *)sweep + row->offset));
		else if (row->kind != OPTION_FLAG)
			fprintf(out, "=%s", option_text(row, sweep, value, sizeof(value)));
		fputc('\0', out);
		count++;
	}
	return fclose(out) == 0 ? count : -1;
}

const char *options_workload(const struct options *options)
{
	return options->preset ? options->preset->workload : options->operand;
}

char *option_text(const struct option_row *row, const struct options *options, char *out,
                  size_t size)
{
	const void *field = (const char *)options + row->offset;
	char text[UNIT_TEXT];

	if (row->zero && *(const uint64_t *)field == 0) {
		snprintf(out, size, "%s", row->zero);
		return out;
	}
	switch (row->kind) {
	case OPTION_FLAG:
		snprintf(out, size, "%s", *(const bool *)field ? "yes" : "no");
		break;
	case OPTION_COUNT:
		snprintf(out, size, "%" PRIu64, *(const uint64_t *)field);
		break;
	case OPTION_SIZE:
		snprintf(out, size, "%s", size_format(*(const uint64_t *)field, text));
		break;
	case OPTION_TIME:
		snprintf(out, size, "%s", time_format(*(const uint64_t *)field, text));
		break;
	case OPTION_PERCENT:
		snprintf(out, size, "%.10g%%", 100 * *(const double *)field);
		break;
	case OPTION_CHOICE:
		snprintf(out, size, "%s", row->choices[*(const int *)field]);
		break;
	case OPTION_TEXT:
		snprintf(out, size, "%s", *(const char *const *)field);
		break;
	}
	return out;
}

void options_help(enum command command, FILE *out)
{
	char left[64];

	for (const struct option_row *row = option_rows; row->name; row++) {
		char letter[8] = "   ";

		if (!(row->commands & command))
			continue;
		if (row->letter)
			snprintf(letter, sizeof(letter), "-%c,", row->letter);
		snprintf(left, sizeof(left), "  %s --%s%s%s", letter, row->name,
		         row->placeholder ? "=" : "", row->placeholder ? row->placeholder : "");
		fprintf(out, "%-25s %s", left, row->help);
		if (row->initial && *row->initial)
			fprintf(out, " [%s]", row->initial);
		fputc('\n', out);
	}
}

void options_identity(const struct options *options, char *out, size_t size)
{
	size_t used = 0;
	char text[256];

	for (const struct option_row *row = option_rows; row->name && used < size; row++)
		if (row->identity)
			used += (size_t)snprintf(out + used, size - used, "%s=%s ", row->name,
			                         option_text(row, options, text, sizeof(text)));
	if (used < size)
		snprintf(out + used, size - used, "%s", options_workload(options));
}

void options_key(const struct options *options, char key[OPTIONS_KEY])
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	char identity[2048];

	options_identity(options, identity, sizeof(identity));
	for (const char *at = identity; *at; at++)
		hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
	snprintf(key, OPTIONS_KEY, "%016" PRIx64, hash);
}
