// SPDX-License-Identifier: GPL-3.0-or-later
#include "matching.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct matching_row *matching_row_add(struct matching *matching)
{
	struct matching_row *row;

	if (matching->row_count == matching->room) {
		size_t room = matching->room ? 2 * matching->room : 64;
		struct matching_row *rows = reallocarray(matching->rows, room, sizeof(*rows));

		if (!rows)
			return NULL;
		matching->rows = rows;
		matching->room = room;
	}
	row = &matching->rows[matching->row_count];
	*row = (struct matching_row){.sequence = matching->row_count++};
	return row;
}

static const char *cell_of(const struct matching_row *row, size_t column)
{
	assert(row);
	return row->cell[column] ? row->cell[column] : "";
}

bool matching_constant(const struct matching *matching, int side, size_t column, const char **value)
{
	*value = NULL;
	for (size_t i = 0; i < matching->row_count; i++) {
		const struct matching_row *row = &matching->rows[i];

		if (row->side != side)
			continue;
		if (*value && strcmp(*value, cell_of(row, column)) != 0)
			return false;
		*value = cell_of(row, column);
	}
	return true;
}

/* Appends "name=value " to a text, which grows. */
static int text_add(char **text, const char *name, const char *value)
{
	char *longer;

	if (asprintf(&longer, "%s%s%s=%s", *text ? *text : "", *text ? " " : "", name, value) < 0)
		return -1;
	free(*text);
	*text = longer;
	return 0;
}

int matching_rekey(struct matching *matching)
{
	bool used[MATCHING_COLUMNS] = {false};
	const char *value;

	for (size_t c = 0; c < matching->columns; c++)
		used[c] = matching->column[c].identity &&
		          (!matching_constant(matching, 0, c, &value) ||
		           !matching_constant(matching, 1, c, &value));
	for (size_t i = 0; i < matching->row_count; i++) {
		char *key = strdup("");

		for (size_t c = 0; key && c < matching->columns; c++)
			if (used[c] && text_add(&key, matching->column[c].name,
			                        cell_of(&matching->rows[i], c))) {
				free(key);
				return -1;
			}
		if (!key)
			return -1;
		free(matching->rows[i].key);
		matching->rows[i].key = key;
	}
	return 0;
}

static int row_order(const void *left, const void *right)
{
	const struct matching_row *a = left, *b = right;
	int order = strcmp(a->key, b->key);

	if (order)
		return order;
	if (a->side != b->side)
		return a->side - b->side;
	if (a->valid != b->valid)
		return a->valid ? -1 : 1;
	if (a->at.boot != b->at.boot)
		return a->at.boot < b->at.boot ? -1 : 1;
	if (a->at.run != b->at.run)
		return a->at.run < b->at.run ? -1 : 1;
	if (a->at.repeat != b->at.repeat)
		return a->at.repeat < b->at.repeat ? -1 : 1;
	return a->sequence < b->sequence ? -1 : 1;
}

/* Takes a side's valid rows, which begin at `row`. */
static int side_take(const struct matching_row *row, size_t count, bool ordered,
                     struct observed_side *side)
{
	*side = (struct observed_side){
	        .values = calloc(count, sizeof(*side->values)),
	        .count = row->summarised ? 0 : count,
	        .given = row->given,
	        .summarised = row->summarised,
	        .ordered = ordered,
	};
	if (!side->values)
		return -1;
	for (size_t i = 0; i < side->count; i++)
		side->values[i] = row[i].at;
	return 0;
}

/* Makes a point of the rows from `start` to `end`, which have one key, if both sides are there. */
static int matched_take(struct matching *matching, size_t start, size_t end)
{
	struct observed_pair *pair = &matching->pairs[matching->count];
	size_t first[2] = {start, start}, valid[2] = {0, 0};

	for (size_t i = start; i < end; i++) {
		const struct matching_row *row = &matching->rows[i];

		matching->invalid[row->side] += !row->valid;
		if (row->valid && valid[row->side]++ == 0)
			first[row->side] = i;
		if (row->valid && row->summarised && valid[row->side] > 1)
			matching->twice = row;
	}
	if (!valid[0] || !valid[1]) {
		matching->only[0] += valid[0] > 0;
		matching->only[1] += valid[1] > 0;
		return 0;
	}
	for (int s = 0; s < 2; s++) {
		const struct matching_row *row = &matching->rows[first[s]];

		matching->points[matching->count].row[s] = row;
		if (side_take(row, valid[s], matching->ordered, &pair->side[s]))
			return -1;
	}
	matching->count++;
	return 0;
}

static int cells_order(const struct matching *matching, const struct matched *a,
                       const struct matched *b)
{
	assert(a->row[0] && b->row[0]);
	if (!matching->sorted)
		return a->row[0]->sequence < b->row[0]->sequence ? -1 : 1;
	for (size_t c = 0; c < matching->columns; c++) {
		int order = strverscmp(cell_of(a->row[0], c), cell_of(b->row[0], c));

		if (order)
			return order;
	}
	return strcmp(a->row[0]->key, b->row[0]->key);
}

/* By insertion: points and pairs move together, and there are few. */
static void matching_sort(struct matching *matching)
{
	for (size_t i = 1; i < matching->count; i++) {
		struct matched point = matching->points[i];
		struct observed_pair pair = matching->pairs[i];
		size_t to = i;

		for (; to && cells_order(matching, &point, &matching->points[to - 1]) < 0; to--) {
			matching->points[to] = matching->points[to - 1];
			matching->pairs[to] = matching->pairs[to - 1];
		}
		matching->points[to] = point;
		matching->pairs[to] = pair;
	}
}

bool matching_varies(const struct matching *matching, size_t column)
{
	for (size_t i = 1; i < matching->count; i++)
		if (strcmp(cell_of(matching->points[i].row[0], column),
		           cell_of(matching->points[0].row[0], column)) != 0)
			return true;
	return false;
}

/* What tells each point from the others, and what is always shown. */
static int matching_label(struct matching *matching)
{
	for (size_t c = 0; c < matching->columns; c++) {
		const struct matching_column *column = &matching->column[c];

		if (!column->identity || (!column->shown && !matching_varies(matching, c)))
			continue;
		for (size_t i = 0; i < matching->count; i++)
			if (text_add(&matching->points[i].label, column->name,
			             cell_of(matching->points[i].row[0], c)))
				return -1;
	}
	for (size_t i = 0; i < matching->count; i++)
		if (!matching->points[i].label && !(matching->points[i].label = strdup("")))
			return -1;
	return 0;
}

/* Frees what matching_make made. */
static void matching_undo(struct matching *matching)
{
	for (size_t i = 0; i < matching->count; i++) {
		free(matching->points[i].label);
		free(matching->pairs[i].side[0].values);
		free(matching->pairs[i].side[1].values);
	}
	free(matching->points);
	free(matching->pairs);
	matching->points = NULL;
	matching->pairs = NULL;
	matching->count = 0;
	matching->twice = NULL;
	memset(matching->only, 0, sizeof(matching->only));
	memset(matching->invalid, 0, sizeof(matching->invalid));
}

int matching_make(struct matching *matching)
{
	size_t end;

	matching_undo(matching);
	matching->points = calloc(matching->row_count + 1, sizeof(*matching->points));
	matching->pairs = calloc(matching->row_count + 1, sizeof(*matching->pairs));
	if (!matching->points || !matching->pairs)
		return -1;
	if (matching->row_count)
		qsort(matching->rows, matching->row_count, sizeof(*matching->rows), row_order);
	for (size_t start = 0; start < matching->row_count; start = end) {
		for (end = start + 1; end < matching->row_count; end++)
			if (strcmp(matching->rows[start].key, matching->rows[end].key) != 0)
				break;
		if (matched_take(matching, start, end))
			return -1;
	}
	matching_sort(matching);
	return matching_label(matching);
}

void matching_free(struct matching *matching)
{
	matching_undo(matching);
	for (size_t i = 0; i < matching->row_count; i++) {
		free(matching->rows[i].key);
		for (size_t c = 0; c < MATCHING_COLUMNS; c++)
			free(matching->rows[i].cell[c]);
	}
	free(matching->rows);
	*matching = (struct matching){0};
}
