// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int memory_out(struct complaint *c)
{
	return complain(c, EXIT_FAILED, "no memory for so many results");
}

/* Where no point is on both sides: what tells the sides apart. */
static int points_unlike(struct comparison *comparison, struct complaint *c)
{
	struct matching *matching = &comparison->matching;
	const char *value[2];
	char text[512] = "";
	size_t used = 0;

	for (size_t i = 0; i < matching->columns && used < sizeof(text); i++)
		if (matching->column[i].identity && matching_constant(matching, 0, i, &value[0]) &&
		    matching_constant(matching, 1, i, &value[1]) && value[0] && value[1] &&
		    strcmp(value[0], value[1]) != 0) {
			used += (size_t)snprintf(text + used, sizeof(text) - used,
			                         "%s%s: '%.60s' against '%.60s'", used ? "; " : "",
			                         matching->column[i].name, value[0], value[1]);
			if (comparison->options->force &&
			    likeness_add(&comparison->likeness, matching->column[i].name, value[0],
			                 value[1], "not the same work; compared by --force", true,
			                 c))
				return -1;
		}
	if (comparison->options->force)
		return 0;
	return complain(c, EXIT_USAGE, "no point is on both sides: %s\n%s",
	                used ? text : "the options differ",
	                comparison->tables ? "check --key" : "--force compares them all the same");
}

/* Matches the rows; with --force, what has no match by the identity of its point is matched by what
 * it has in common. */
static int points_match(struct comparison *comparison, struct complaint *c)
{
	struct matching *matching = &comparison->matching;

	if (matching_make(matching))
		return memory_out(c);
	if (matching->count == 0 && matching->only[0] && matching->only[1]) {
		if (points_unlike(comparison, c))
			return -1;
		comparison->rekeyed = true;
		if (matching_rekey(matching) || matching_make(matching))
			return memory_out(c);
	}
	if (matching->twice)
		return complain(c, EXIT_FAILED,
		                "a point has more than one summary on a side\n"
		                "name with --key all columns that tell points apart");
	if (matching->count)
		return 0;
	return complain(c, EXIT_FAILED,
	                "nothing to compare: %zu points before, %zu after, %zu and %zu rows "
	                "that are not valid or have no number there",
	                matching->only[0], matching->only[1], matching->invalid[0],
	                matching->invalid[1]);
}

static int alike_check(struct comparison *comparison, struct complaint *c)
{
	const struct likeness *likeness = &comparison->likeness;
	char text[700] = "";
	size_t used = 0;

	if (!comparison->tables && gather_compare(&comparison->gathering, c))
		return -1;
	if (comparison->options->force || !likeness_refused(likeness))
		return 0;
	for (size_t i = 0; i < likeness->difference_count && used < sizeof(text); i++) {
		const struct difference *at = &likeness->differences[i];

		if (at->refuse)
			used += (size_t)snprintf(text + used, sizeof(text) - used,
			                         "%s%s: '%.80s' against '%.80s' (%s)",
			                         used ? "; " : "", at->name, at->value[0],
			                         at->value[1], at->meaning);
	}
	return complain(c, EXIT_USAGE, "unlike with unlike: %s\n--force compares all the same",
	                text);
}

int comparison_make(struct comparison *comparison, struct complaint *c)
{
	const struct matching *matching = &comparison->matching;

	if (points_match(comparison, c) || alike_check(comparison, c))
		return -1;
	comparison->contrasts = calloc(matching->count, sizeof(*comparison->contrasts));
	if (!comparison->contrasts)
		return memory_out(c);
	for (size_t i = 0; i < matching->count; i++)
		if (contrast_make(&matching->pairs[i], &comparison->rules,
		                  &comparison->contrasts[i]))
			return memory_out(c);
	if (contrast_overall(matching->pairs, comparison->contrasts, matching->count,
	                     &comparison->rules, &comparison->overall, &comparison->independent))
		return memory_out(c);
	comparison->withheld =
	        contrast_settle(comparison->contrasts, matching->count, &comparison->rules);
	return comparison_steps_make(comparison) ? memory_out(c) : 0;
}

bool comparison_point_regressed(const struct comparison *comparison, size_t point)
{
	return contrast_regressed(&comparison->contrasts[point], comparison->options->fail_if_worse,
	                          &comparison->rules);
}

bool comparison_overall_regressed(const struct comparison *comparison)
{
	return comparison->matching.count > 1 &&
	       contrast_regressed(&comparison->overall, comparison->options->fail_if_worse,
	                          &comparison->rules);
}

bool comparison_regressed(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->matching.count; i++)
		if (comparison_point_regressed(comparison, i))
			return true;
	return comparison_overall_regressed(comparison);
}

void comparison_free(struct comparison *comparison)
{
	matching_free(&comparison->matching);
	likeness_free(&comparison->likeness);
	gather_free(&comparison->gathering);
	free(comparison->contrasts);
	free(comparison->changes);
}
