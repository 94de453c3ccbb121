// SPDX-License-Identifier: GPL-3.0-or-later
/* faultscale duel: two variants on the same CPUs, in alternation, until it can be said who wins. */
#include "affinity.h"
#include "commands.h"
#include "limit.h"
#include "quote.h"
#include "score.h"
#include "session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Everything that lives as long as the command. */
struct duel {
	struct options options[2]; /* of the sides; what is not of a side is the same in both */
	struct point points[2];
	struct session session;
	struct contest contest;
	struct score score;
};

enum { SIDE_WORDS = 64 };

/* Splits a side's text at blanks that are not quoted; the words point into `copy`. */
static int side_words(const char *text, char *copy, size_t size, char *words[SIDE_WORDS],
                      struct complaint *c)
{
	int count = 0;

	if ((size_t)snprintf(copy, size, "%s", text) >= size)
		return complain(c, EXIT_USAGE, "a side is longer than %zu bytes", size - 1);
	if (strpbrk(copy, "'\"")) {
		count = quote_split(copy, words, SIDE_WORDS);
		return count >= 0 ? count
		                  : complain(c, EXIT_USAGE,
		                             "the quotes in '%.200s' cannot be read\n"
		                             "write words with blanks in single quotes, one blank "
		                             "between words",
		                             text);
	}
	for (char *rest = copy, *word; (word = strsep(&rest, " \t\n"));) {
		if (!*word)
			continue;
		if (count == SIDE_WORDS)
			return complain(c, EXIT_USAGE, "a side has more than %d words", SIDE_WORDS);
		words[count++] = word;
	}
	return count;
}

/* The options of a side: the common words, then its own. */
static int side_parse(struct duel *duel, int side, int count, char *const words[], char *copy,
                      size_t size, struct complaint *c)
{
	char *own[SIDE_WORDS];
	struct options common = {0};
	struct complaint why;
	int own_count;

	if (options_parse(COMMAND_DUEL, count, words, &common, c))
		return -1;
	duel->options[side] = common;
	if (common.help)
		return 0;
	own_count = side_words(common.side[side], copy, size, own, &why);
	if (own_count >= 0) {
		const struct word_list lists[] = {{count, words}, {own_count, own}};

		if (options_parse_lists(COMMAND_DUEL, lists, 2, &duel->options[side], &why) == 0)
			return 0;
	}
	return complain(c, why.status, "side %c: %s", "AB"[side], why.text);
}

/* Options that are the whole duel's are not a side's. */
static int duel_check_common(const struct options *a, const struct options *b, struct complaint *c)
{
	const struct {
		const char *name;
		bool same;
	} common[] = {
	        {"duration", a->laps || a->duration == b->duration},
	        {"launches", a->launches == b->launches},
	        {"margin", a->margin == b->margin},
	        {"seed", a->seed == b->seed},
	        {"precision", a->precision == b->precision},
	        {"max-time", a->max_time == b->max_time},
	        {"output", strcmp(a->output, b->output) == 0},
	        {"format", a->format == b->format},
	};

	for (size_t i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		if (!common[i].same)
			return complain(c, EXIT_USAGE,
			                "the sides' --%s differ\ngive it once, for both",
			                common[i].name);
	return 0;
}

/* What the sides cannot differ in. */
static int duel_check(const struct duel *duel, struct complaint *c)
{
	const struct options *a = &duel->options[0], *b = &duel->options[1];

	if (!a->laps != !b->laps)
		return complain(c, EXIT_USAGE,
		                "one side is fixed work (--laps), the other a window\n"
		                "give both --laps, or both -d");
	return duel_check_common(a, b, c);
}

/* In slices the memory of both sides is there at the same time. */
static int duel_check_memory(const struct duel *duel, struct complaint *c)
{
	const struct point *a = &duel->points[0], *b = &duel->points[1];

	if (a->options.laps)
		return 0;
	return limits_check_memory(a->backing.memory + b->backing.memory,
	                           "the memory of both sides", c);
}

static int duel_plan(struct duel *duel, struct complaint *c)
{
	struct topology *topology = NULL;
	struct complaint why;
	int side;

	if (duel_check(duel, c) || session_survey(&duel->session, &topology, c))
		return -1;
	for (side = 0; side < 2; side++)
		if (point_make(&duel->options[side], topology, &duel->points[side], &why))
			break;
	topology_free(topology);
	if (side < 2)
		return complain(c, why.status, "side %c: %s", "AB"[side], why.text);
	return duel_check_memory(duel, c);
}

static void duel_help(void)
{
	printf("usage: faultscale duel [options] --a='OPTIONS' --b='OPTIONS' [preset | "
	       "workload]\n\n"
	       "Measures two variants in alternation on the same CPUs: what is given for both, "
	       "and\n"
	       "what differs as one text a side, like --a='--mode=process' --b='--mode=thread'.\n"
	       "-d is the time of all launches together.\n\n");
	options_help(COMMAND_DUEL, stdout);
}

static bool point_uses(const struct point *point, int cpu)
{
	for (unsigned i = 0; i < point->workers; i++)
		if (point->seats[i].cpu == cpu)
			return true;
	return false;
}

/*
 * Pins the parent to a CPU that no worker of either side uses.  Workers that are not pinned go
 * where the parent may go, so that it stays free then.
 */
static void duel_pin(const struct point points[2])
{
	for (int side = 0; side < 2; side++)
		if (points[side].options.no_pin)
			return;
	for (int side = 0; side < 2; side++) {
		int cpu = points[side].parent_cpu;

		if (cpu >= 0 && !point_uses(&points[!side], cpu)) {
			affinity_pin(cpu);
			return;
		}
	}
}

static int duel_measure(struct duel *duel, int count, char *const words[], struct complaint *c)
{
	const struct word_list list = {count, words};
	const struct options *options = &duel->options[0];
	int status;

	if (session_open(&duel->session, "duel", &list, options, RESULTS_DUEL, c))
		return -1;
	duel_pin(duel->points);
	duel->contest = (struct contest){.bench = &duel->session.bench, .sides = duel->points};
	status = score_run(&duel->contest, &duel->score, c);
	if (status < 0) {
		results_abandon(&duel->session.results, false);
		return status;
	}
	score_rows(&duel->score, &duel->contest);
	if (options->format == FORMAT_TEXT) {
		score_print(&duel->score, &duel->contest, stdout);
		if (!duel->session.alone)
			printf("warning: another faultscale was measuring when this one began\n");
	} else if (score_csv(&duel->score, &duel->contest, STDOUT_FILENO))
		return complain(c, EXIT_FAILED, "cannot write to standard output: %s",
		                strerror(errno));
	else
		score_warn(&duel->score, &duel->contest, stderr);
	if (results_commit(&duel->session.results, c))
		return -1;
	return (int)duel->score.exit_status;
}

int duel_main(int count, char *const words[], struct complaint *c)
{
	struct duel duel = {0};
	char copies[2][4096];
	int status = 0;

	for (int side = 0; side < 2 && status == 0; side++)
		status = side_parse(&duel, side, count, words, copies[side], sizeof(copies[side]),
		                    c);
	if (status == 0 && duel.options[0].help) {
		duel_help();
		return EXIT_OK;
	}
	if (status == 0)
		status = duel_plan(&duel, c);
	if (status == 0)
		status = duel_measure(&duel, count, words, c);
	for (int side = 0; side < 2; side++)
		point_free(&duel.points[side]);
	score_free(&duel.score);
	session_close(&duel.session);
	return status;
}
