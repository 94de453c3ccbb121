// SPDX-License-Identifier: GPL-3.0-or-later
/* Both sides of a comparison, from result directories or plain tables. */
#include "comparison.h"
#include "foreign.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef int path_reader(struct comparison *comparison, int side, const char *path,
                        struct complaint *c);

/* True if one of the paths in the first bytes of a list is this one, if by another name. */
static bool is_earlier(const char *list, size_t bytes, const char *path)
{
	struct stat one, other;
	char name[4096];

	if (stat(path, &one))
		return false;
	for (size_t at = 0; at < bytes; at += strlen(name) + 1) {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(list + at, ","), list + at);
		if (stat(name, &other) == 0 && one.st_dev == other.st_dev &&
		    one.st_ino == other.st_ino)
			return true;
	}
	return false;
}

/* Calls `read` for the path, or for each of several separated by commas where there is no such one.
 */
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
		return complain(c, EXIT_FAILED, "no memory for the names");
	while (result == 0 && (path = strsep(&rest, ","))) {
		if (!*path)
			result = complain(c, EXIT_USAGE, "'%s' has an empty name in it", list);
		else if (is_earlier(list, (size_t)(path - copy), path))
			result = complain(c, EXIT_USAGE,
			                  "'%s' is twice on one side\n"
			                  "the same values again say nothing new",
			                  path);
		else
			result = read(comparison, side, path, c);
	}
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

/* Whether the first path of the operand is a plain file: 1 or 0, or -1 if it is not there. */
static int is_table(const char *list, struct complaint *c)
{
	struct stat status;
	char first[4096];

	if (stat(list, &status)) {
		snprintf(first, sizeof(first), "%.*s", (int)strcspn(list, ","), list);
		if (stat(first, &status))
			return complain(c, EXIT_FAILED, "cannot read '%s': %s", first,
			                strerror(errno));
	}
	return !S_ISDIR(status.st_mode);
}

/* Options that say where the numbers of a plain table are mean nothing for results. */
static int table_options_check(const struct options *options, struct complaint *c)
{
	const struct {
		const char *name, *value;
	} all[] = {
	        {"key", options->key_columns},       {"side", options->side_column},
	        {"times", options->times_columns},   {"n", options->n_columns},
	        {"stddev", options->stddev_columns}, {"stderr", options->stderr_columns},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (*all[i].value)
			return complain(c, EXIT_USAGE,
			                "--%s is for plain tables, '%.200s' is a result directory\n"
			                "leave it out, or compare the points.csv in it",
			                all[i].name, options->operands[0]);
	return 0;
}

static int directories_read(struct comparison *comparison, struct complaint *c)
{
	struct gathering *gathering = &comparison->gathering;

	if (table_options_check(comparison->options, c))
		return -1;
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
	int table[2] = {is_table(options->operands[0], c), 0};

	if (table[0] < 0)
		return -1;
	comparison->tables = table[0];
	if (options->operand_count == 1 && comparison->tables) {
		comparison->name[1] = comparison->name[0];
		return paths_read(comparison, -1, comparison->name[0], table_read, c);
	}
	if (options->operand_count != 2)
		return complain(c, EXIT_USAGE,
		                "two sides are compared, %u given\n"
		                "write: faultscale compare BEFORE AFTER",
		                options->operand_count);
	table[1] = is_table(comparison->name[1], c);
	if (table[1] < 0)
		return -1;
	if (table[0] != table[1])
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
