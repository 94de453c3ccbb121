// SPDX-License-Identifier: GPL-3.0-or-later
/* faultscale compare: is AFTER faster or slower than BEFORE? */
#include "commands.h"
#include "comparison.h"
#include "units.h"

static int compare_show(const struct comparison *comparison, struct complaint *c)
{
	switch (comparison->options->report) {
	case REPORT_CSV:
		return comparison_csv(comparison, c);
	case REPORT_JSON:
		comparison_json(comparison, stdout);
		return 0;
	case REPORT_MARKDOWN:
		comparison_markdown(comparison, stdout);
		return 0;
	default:
		comparison_text(comparison, stdout);
		return 0;
	}
}

/* A regression that the margin calls no difference cannot fail. */
static int compare_check(const struct options *options, struct complaint *c)
{
	char text[2][UNIT_TEXT];

	if (!(options->fail_if_worse > 0) || options->fail_if_worse >= options->margin)
		return 0;
	snprintf(text[0], sizeof(text[0]), "%g%%", 100 * options->fail_if_worse);
	snprintf(text[1], sizeof(text[1]), "%g%%", 100 * options->margin);
	return complain(c, EXIT_USAGE,
	                "--fail-if-worse=%s is less than the margin of %s, within which nothing "
	                "is worse\ngive --margin=%s, too",
	                text[0], text[1], text[0]);
}

int compare_main(int count, char *const words[], struct complaint *c)
{
	struct options options = {0};
	struct comparison comparison;
	int status = -1;

	if (options_parse(COMMAND_COMPARE, count, words, &options, c))
		return -1;
	if (options.help || !options.operand_count) {
		printf("usage: faultscale compare [options] BEFORE[,BEFORE...] AFTER[,AFTER...]\n"
		       "       faultscale compare [options] --value=COLUMN BEFORE.csv AFTER.csv\n"
		       "       faultscale compare [options] --value=BEFORE,AFTER TABLE.csv\n\n"
		       "Compares result directories point by point, or columns of plain CSV tables "
		       "by\nothers: faster, slower, no difference larger than so much, or cannot "
		       "tell.\n\n");
		options_help(COMMAND_COMPARE, stdout);
		return EXIT_OK;
	}
	if (compare_check(&options, c))
		return -1;
	if (comparison_read(&comparison, &options, c) == 0 &&
	    comparison_make(&comparison, c) == 0 && compare_show(&comparison, c) == 0)
		status = comparison_regressed(&comparison) ? EXIT_REGRESSION : EXIT_OK;
	comparison_free(&comparison);
	return status;
}
