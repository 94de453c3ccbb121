// SPDX-License-Identifier: GPL-3.0-or-later
/* The head of the report for people: what was compared, on what, and how to measure it again. */
#include "comparison.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_TEXT = 16384 };

/* What the head of a report always shows, where it is known; the rest only where it differs. */
static const char *const shown_facts[] = {
        "kernel_release",
        "kernel_version",
        "kernel_cmdline",
        "version",
        "build_id",
        "host",
        "cpu_model",
        "hypervisor",
        "sockets",
        "cores",
        "threads",
        "nodes",
        "smt",
        "governor",
        "page_bytes",
        "thp",
        "mitigations",
        "memcg_path",
        "memcg_limit",
        NULL,
};

void comparison_plain(const char *text, size_t most, FILE *out)
{
	size_t length = strlen(text);

	for (size_t i = 0; i < length && i < most; i++)
		fputc(iscntrl((unsigned char)text[i]) ? '?' : text[i], out);
	if (length > most)
		fputs(" ...", out);
}

static const struct difference *difference_of(const struct likeness *likeness, const char *key)
{
	for (size_t i = 0; i < likeness->difference_count; i++)
		if (strcmp(likeness->differences[i].name, key) == 0)
			return &likeness->differences[i];
	return NULL;
}

static void difference_print(const struct difference *difference, FILE *out)
{
	static const char *const side[] = {"before", "after"};

	for (int s = 0; s < 2; s++) {
		fprintf(out, "%-16s %-7s", s ? "" : difference->name, side[s]);
		comparison_plain(*difference->value[s] ? difference->value[s] : "-",
		                 COMPARISON_SHOWN, out);
		fputc('\n', out);
	}
	if (*difference->meaning)
		fprintf(out, "%-24s(%s)\n", "", difference->meaning);
}

static void fact_print(const struct likeness *likeness, const char *key, char *value, FILE *out)
{
	const struct difference *difference = difference_of(likeness, key);

	if (difference) {
		difference_print(difference, out);
		return;
	}
	if (!likeness_value(likeness, 0, key, value, VALUE_TEXT))
		return;
	fprintf(out, "%-16s ", key);
	comparison_plain(*value ? value : "unknown", COMPARISON_SHOWN, out);
	fputc('\n', out);
}

static bool is_shown(const char *key)
{
	for (size_t i = 0; shown_facts[i]; i++)
		if (strcmp(shown_facts[i], key) == 0)
			return true;
	return false;
}

/* The first command line of each side, to measure again. */
static void commands_print(const struct likeness *likeness, FILE *out)
{
	static const char *const side[] = {"before", "after"};

	for (int s = 0; s < 2; s++)
		for (size_t i = 0; i < likeness->fact_count; i++) {
			const struct fact *fact = &likeness->facts[i];

			if (fact->side != s || strcmp(fact->key, "command") != 0)
				continue;
			fprintf(out, "%-16s %-7s", s ? "" : "to repeat", side[s]);
			comparison_plain(fact->value, 4096, out);
			fputc('\n', out);
			break;
		}
}

/* The fewest and the most repeats of the points of a side. */
static void repeats_print(const struct comparison *comparison, int side, FILE *out)
{
	const struct gathering *gathering = &comparison->gathering;
	size_t least = SIZE_MAX, most = 0;

	for (size_t i = 0; i < comparison->matching.count; i++) {
		const struct contrast_side *at = &comparison->contrasts[i].side[side];
		size_t count = at->repeats ? at->repeats : at->units.n;

		least = count < least ? count : least;
		most = count > most ? count : most;
	}
	fprintf(out, "n = %zu", least);
	if (most > least)
		fprintf(out, " to %zu", most);
	if (!comparison->tables)
		fprintf(out, " valid repeats a point, %u run%s, %zu boot%s",
		        gathering->runs_of[side], gathering->runs_of[side] == 1 ? "" : "s",
		        gathering->boots_of[side], gathering->boots_of[side] == 1 ? "" : "s");
	fputc('\n', out);
}

static void sides_print(const struct comparison *comparison, FILE *out)
{
	static const char *const side[] = {"before", "after"};
	const struct matching *matching = &comparison->matching;

	for (int s = 0; s < 2; s++) {
		fprintf(out, "%-7s ", side[s]);
		comparison_plain(comparison->name[s], COMPARISON_SHOWN, out);
		fputs(": ", out);
		repeats_print(comparison, s, out);
	}
	if (matching->invalid[0] + matching->invalid[1])
		fprintf(out, "left out: rows that are not valid: %zu before, %zu after\n",
		        matching->invalid[0], matching->invalid[1]);
	if (matching->only[0] + matching->only[1])
		fprintf(out, "left out: points on one side alone: %zu before, %zu after\n",
		        matching->only[0], matching->only[1]);
	fputc('\n', out);
}

void comparison_head(const struct comparison *comparison, FILE *out)
{
	const struct likeness *likeness = &comparison->likeness;
	char *value = malloc(VALUE_TEXT);

	sides_print(comparison, out);
	for (size_t i = 0; value && shown_facts[i]; i++)
		fact_print(likeness, shown_facts[i], value, out);
	for (size_t i = 0; i < likeness->difference_count; i++)
		if (!is_shown(likeness->differences[i].name))
			difference_print(&likeness->differences[i], out);
	commands_print(likeness, out);
	if (likeness->fact_count)
		fputc('\n', out);
	free(value);
}
