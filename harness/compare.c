// SPDX-License-Identifier: GPL-3.0-or-later
/* faultscale compare: is AFTER faster or slower than BEFORE? */
#include "commands.h"
#include "comparison.h"

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
	if (comparison_read(&comparison, &options, c) == 0 &&
	    comparison_make(&comparison, c) == 0 && compare_show(&comparison, c) == 0)
		status = comparison_regressed(&comparison) ? EXIT_REGRESSION : EXIT_OK;
	comparison_free(&comparison);
	return status;
}
