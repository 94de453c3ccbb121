// SPDX-License-Identifier: GPL-3.0-or-later
/* Options written out again: as typed, as help, as the identity of a point. */
#include "options.h"

#include "units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
