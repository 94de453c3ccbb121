// SPDX-License-Identifier: GPL-3.0-or-later
/* The values of options: read from what was typed, and written as it would be. */
#include "options.h"

#include "units.h"

#include <inttypes.h>
#include <string.h>

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

int option_parse(const struct option_row *row, const char *text, struct options *options,
                 struct complaint *c)
{
	void *field = (char *)options + row->offset;
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
