// SPDX-License-Identifier: GPL-3.0-or-later
/* What every format says in the same words. */
#include "comparison.h"

#include <math.h>
#include <string.h>

/* How many boots a side has, over all its points. */
static size_t boots_of(const struct comparison *comparison, int side)
{
	return comparison->gathering.boots_of[side];
}

static bool boots_enough(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->matching.count; i++)
		if (comparison->contrasts[i].unit != UNIT_OF_BOOTS)
			return false;
	return true;
}

char *comparison_unit_text(const struct comparison *comparison, char out[COMPARISON_TEXT])
{
	size_t before = boots_of(comparison, 0), after = boots_of(comparison, 1);
	const char *shared = gather_shared_boots(&comparison->gathering)
	                             ? " (the sides share a boot, and a difference may be its own)"
	                             : "";

	if (comparison->tables)
		snprintf(out, COMPARISON_TEXT,
		         "plain tables: what lies between boots or machines is unknown");
	else if (boots_enough(comparison))
		snprintf(out, COMPARISON_TEXT,
		         "%zu boots before, %zu after: their spread is in the intervals", before,
		         after);
	else if (before == 1 && after == 1)
		snprintf(out, COMPARISON_TEXT,
		         "one boot each: the spread between boots is unknown%s", shared);
	else
		snprintf(out, COMPARISON_TEXT,
		         "boots: %zu before, %zu after: the spread between boots is unknown, it "
		         "takes three a side%s",
		         before, after, shared);
	if (comparison->rules.boot_sd >= 0 && !boots_enough(comparison)) {
		size_t used = strlen(out);

		snprintf(out + used, COMPARISON_TEXT - used,
		         "; %.3g %% of it are in the intervals by --boot-sd",
		         100 * comparison->rules.boot_sd);
	}
	return out;
}

char *comparison_table_text(const struct comparison *comparison, char out[COMPARISON_TEXT])
{
	size_t tests = 0;

	out[0] = '\0';
	for (size_t i = 0; i < comparison->matching.count; i++)
		tests += isfinite(comparison->contrasts[i].p) ? 1 : 0;
	if (tests > 1)
		snprintf(
		        out, COMPARISON_TEXT,
		        "%zu points: where nothing differs, such a table calls any difference with "
		        "5 %% probability; of those called, at most 5 %% are expected to be false "
		        "(Benjamini-Hochberg). Not called for that reason: %zu",
		        comparison->matching.count, comparison->withheld);
	return out;
}
