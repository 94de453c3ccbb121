// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison.h"

#include "foreign.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int memory_out(struct complaint *c)
{
	return complain(c, EXIT_FAILED, "no memory for so many results");
}

/* Calls `read` for the path, or for each of several separated by commas where there is no such one.
 */
typedef int path_reader(struct comparison *comparison, int side, const char *path,
                        struct complaint *c);

static int paths_read(struct comparison *comparison, int side, const char *list, path_reader *read,
                      struct complaint *c)
{
	struct stat status;
	char *copy, *rest, *path;
	int result = 0;

	if (stat(list, &status) == 0)
		return read(comparison, side, list, c);
	copy = rest = strdup(list);
	if (!copy)
		return memory_out(c);
	while (result == 0 && (path = strsep(&rest, ",")))
		result = *path ? read(comparison, side, path, c)
		               : complain(c, EXIT_USAGE, "'%s' has an empty name in it", list);
	free(copy);
	return result;
}

static int directory_read(struct comparison *comparison, int side, const char *path,
                          struct complaint *c)
{
	return gather_directory(&comparison->gathering, side, path, c);
}

static int table_read(struct comparison *comparison, int side, const char *path,
                      struct complaint *c)
{
	const struct options *options = comparison->options;
	struct foreign_columns columns = {
	        .key = options->key_columns,
	        .value = options->value_columns,
	        .side = options->side_column,
	        .n = options->n_columns,
	        .stddev = options->stddev_columns,
	        .stderror = options->stderr_columns,
	        .times = options->times_columns,
	};

	return foreign_read(&comparison->matching, side, path, &columns, c);
}

/* True if the first path of the operand is a plain file. */
static bool is_table(const char *list)
{
	struct stat status;
	char first[4096];

	if (stat(list, &status)) {
		snprintf(first, sizeof(first), "%.*s", (int)strcspn(list, ","), list);
		if (stat(first, &status))
			return false;
	}
	return !S_ISDIR(status.st_mode);
}

static int directories_read(struct comparison *comparison, struct complaint *c)
{
	struct gathering *gathering = &comparison->gathering;

	gather_open(gathering);
	for (int s = 0; s < 2; s++)
		if (paths_read(comparison, s, comparison->name[s], directory_read, c))
			return -1;
	return gather_close(gathering, c) || likeness_compare(&comparison->likeness, c) ? -1 : 0;
}

int comparison_read(struct comparison *comparison, const struct options *options,
                    struct complaint *c)
{
	*comparison = (struct comparison){
	        .options = options,
	        .name = {options->operands[0], options->operands[1]},
	        .rules = {.margin = options->margin,
	                  .boot_sd = options->boot_sd,
	                  .better = options->lower_is_better ? BETTER_LOW : BETTER_HIGH},
	};
	comparison->gathering = (struct gathering){
	        .matching = &comparison->matching,
	        .likeness = &comparison->likeness,
	        .value = options->value_columns,
	};
	comparison->tables = is_table(comparison->name[0]);
	if (options->operand_count == 1 && comparison->tables) {
		comparison->name[1] = comparison->name[0];
		return paths_read(comparison, -1, comparison->name[0], table_read, c);
	}
	if (options->operand_count != 2)
		return complain(c, EXIT_USAGE,
		                "two sides are compared, %u given\n"
		                "write: faultscale compare BEFORE AFTER",
		                options->operand_count);
	if (comparison->tables != is_table(comparison->name[1]))
		return complain(c, EXIT_USAGE,
		                "a result directory cannot be compared with a plain table\n"
		                "use its points.csv, with --key and --value");
	if (!comparison->tables)
		return directories_read(comparison, c);
	for (int s = 0; s < 2; s++)
		if (paths_read(comparison, s, comparison->name[s], table_read, c))
			return -1;
	return 0;
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
	                "that are not valid",
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

bool comparison_regressed(const struct comparison *comparison)
{
	double limit = comparison->options->fail_if_worse;

	for (size_t i = 0; i < comparison->matching.count; i++)
		if (contrast_regressed(&comparison->contrasts[i], limit, &comparison->rules))
			return true;
	return comparison->matching.count > 1 &&
	       contrast_regressed(&comparison->overall, limit, &comparison->rules);
}

void comparison_free(struct comparison *comparison)
{
	matching_free(&comparison->matching);
	likeness_free(&comparison->likeness);
	gather_free(&comparison->gathering);
	free(comparison->contrasts);
	free(comparison->changes);
}
