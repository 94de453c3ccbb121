// SPDX-License-Identifier: GPL-3.0-or-later
/* Options written out again: for the jobs of a sweep, as help, as the identity of a point. */
#include "options.h"

#include "cpulist.h"
#include "hash.h"

#include <inttypes.h>

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

		if (!sweep->set[i] || row->whole || !(row->commands & COMMAND_RUN))
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

/* Long enough for paths and for the list of every other one of a thousand CPUs. */
enum { IDENTITY_VALUE = 4096 + 16 };

/* The list at the end of a text as cpulist_format() writes it; where there is none, the text. */
static void list_settle(const char *text, char out[IDENTITY_VALUE])
{
	size_t word = strspn(text, "abcdefghijklmnopqrstuvwxyz:");
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	struct complaint ignored;

	snprintf(out, IDENTITY_VALUE, "%s", text);
	if (word < IDENTITY_VALUE && text[word] &&
	    cpulist_parse(text + word, UINT16_MAX, set, &ignored) == 0)
		cpulist_format(set, out + word, IDENTITY_VALUE - word);
	hwloc_bitmap_free(set);
}

/* A value as far as it tells points apart. */
static const char *identity_value(const struct option_row *row, const struct options *options,
                                  char out[IDENTITY_VALUE])
{
	option_text(row, options, out, IDENTITY_VALUE);
	if (row->list)
		list_settle(*(const char *const *)((const char *)options + row->offset), out);
	return out;
}

void options_identity(const struct options *options, char *out, size_t size)
{
	size_t used = 0;
	char text[IDENTITY_VALUE];

	for (const struct option_row *row = option_rows; row->name && used < size; row++)
		if (row->identity && !(row->timed && options->laps))
			used += (size_t)snprintf(out + used, size - used, "%s=%s ", row->name,
			                         identity_value(row, options, text));
	if (used < size)
		snprintf(out + used, size - used, "%s", options_workload(options));
}

void options_key(const struct options *options, char key[OPTIONS_KEY])
{
	char identity[4 * IDENTITY_VALUE];

	options_identity(options, identity, sizeof(identity));
	snprintf(key, OPTIONS_KEY, "%016" PRIx64, hash_text(HASH_START, identity));
}
