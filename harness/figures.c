// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct figure_row *figures_row(struct figures *figures)
{
	struct figure_row *row;

	if (figures->row_count == figures->room) {
		size_t room = figures->room ? 2 * figures->room : 64;
		struct figure_row *rows = reallocarray(figures->rows, room, sizeof(*rows));

		if (!rows)
			return NULL;
		figures->rows = rows;
		figures->room = room;
	}
	row = &figures->rows[figures->row_count];
	*row = (struct figure_row){.sequence = figures->row_count++};
	return row;
}

static const char *cell_of(const struct figure_row *row, size_t column)
{
	assert(row);
	return row->cell[column] ? row->cell[column] : "";
}

bool figures_constant(const struct figures *figures, int side, size_t column, const char **value)
{
	*value = NULL;
	for (size_t i = 0; i < figures->row_count; i++) {
		const struct figure_row *row = &figures->rows[i];

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

int figures_rekey(struct figures *figures)
{
	bool used[FIGURE_COLUMNS] = {false};
	const char *value;

	for (size_t c = 0; c < figures->columns; c++)
		used[c] =
		        figures->column[c].identity && (!figures_constant(figures, 0, c, &value) ||
		                                        !figures_constant(figures, 1, c, &value));
	for (size_t i = 0; i < figures->row_count; i++) {
		char *key = strdup("");

		for (size_t c = 0; key && c < figures->columns; c++)
			if (used[c] && text_add(&key, figures->column[c].name,
			                        cell_of(&figures->rows[i], c))) {
				free(key);
				return -1;
			}
		if (!key)
			return -1;
		free(figures->rows[i].key);
		figures->rows[i].key = key;
	}
	return 0;
}

static int row_order(const void *left, const void *right)
{
	const struct figure_row *a = left, *b = right;
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

/* Takes a side's valid rows, which begin at `row`, into a figure. */
static int side_take(const struct figure_row *row, size_t count, bool ordered,
                     struct figure_side *side)
{
	*side = (struct figure_side){
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
static int figure_take(struct figures *figures, size_t start, size_t end)
{
	struct figure_pair *pair = &figures->pairs[figures->count];
	size_t first[2] = {start, start}, valid[2] = {0, 0};

	for (size_t i = start; i < end; i++) {
		const struct figure_row *row = &figures->rows[i];

		figures->invalid[row->side] += !row->valid;
		if (row->valid && valid[row->side]++ == 0)
			first[row->side] = i;
		if (row->valid && row->summarised && valid[row->side] > 1)
			figures->twice = row;
	}
	if (!valid[0] || !valid[1]) {
		figures->only[0] += valid[0] > 0;
		figures->only[1] += valid[1] > 0;
		return 0;
	}
	for (int s = 0; s < 2; s++) {
		const struct figure_row *row = &figures->rows[first[s]];

		figures->figure[figures->count].row[s] = row;
		if (side_take(row, valid[s], figures->ordered, &pair->side[s]))
			return -1;
	}
	figures->count++;
	return 0;
}

static int cells_order(const struct figures *figures, const struct figure *a,
                       const struct figure *b)
{
	assert(a->row[0] && b->row[0]);
	if (!figures->sorted)
		return a->row[0]->sequence < b->row[0]->sequence ? -1 : 1;
	for (size_t c = 0; c < figures->columns; c++) {
		int order = strverscmp(cell_of(a->row[0], c), cell_of(b->row[0], c));

		if (order)
			return order;
	}
	return strcmp(a->row[0]->key, b->row[0]->key);
}

/* By insertion: figures and pairs move together, and there are few. */
static void figures_sort(struct figures *figures)
{
	for (size_t i = 1; i < figures->count; i++) {
		struct figure figure = figures->figure[i];
		struct figure_pair pair = figures->pairs[i];
		size_t to = i;

		for (; to && cells_order(figures, &figure, &figures->figure[to - 1]) < 0; to--) {
			figures->figure[to] = figures->figure[to - 1];
			figures->pairs[to] = figures->pairs[to - 1];
		}
		figures->figure[to] = figure;
		figures->pairs[to] = pair;
	}
}

static bool column_varies(const struct figures *figures, size_t column)
{
	for (size_t i = 1; i < figures->count; i++)
		if (strcmp(cell_of(figures->figure[i].row[0], column),
		           cell_of(figures->figure[0].row[0], column)) != 0)
			return true;
	return false;
}

/* What tells each point from the others, and what is always shown. */
static int figures_label(struct figures *figures)
{
	for (size_t c = 0; c < figures->columns; c++) {
		const struct figure_column *column = &figures->column[c];

		if (!column->identity || (!column->shown && !column_varies(figures, c)))
			continue;
		for (size_t i = 0; i < figures->count; i++)
			if (text_add(&figures->figure[i].label, column->name,
			             cell_of(figures->figure[i].row[0], c)))
				return -1;
	}
	for (size_t i = 0; i < figures->count; i++)
		if (!figures->figure[i].label && !(figures->figure[i].label = strdup("")))
			return -1;
	return 0;
}

/* Frees what figures_match made. */
static void figures_unmatch(struct figures *figures)
{
	for (size_t i = 0; i < figures->count; i++) {
		free(figures->figure[i].label);
		free(figures->pairs[i].side[0].values);
		free(figures->pairs[i].side[1].values);
	}
	free(figures->figure);
	free(figures->pairs);
	figures->figure = NULL;
	figures->pairs = NULL;
	figures->count = 0;
	figures->twice = NULL;
	memset(figures->only, 0, sizeof(figures->only));
	memset(figures->invalid, 0, sizeof(figures->invalid));
}

int figures_match(struct figures *figures)
{
	size_t end;

	figures_unmatch(figures);
	figures->figure = calloc(figures->row_count + 1, sizeof(*figures->figure));
	figures->pairs = calloc(figures->row_count + 1, sizeof(*figures->pairs));
	if (!figures->figure || !figures->pairs)
		return -1;
	if (figures->row_count)
		qsort(figures->rows, figures->row_count, sizeof(*figures->rows), row_order);
	for (size_t start = 0; start < figures->row_count; start = end) {
		for (end = start + 1; end < figures->row_count; end++)
			if (strcmp(figures->rows[start].key, figures->rows[end].key) != 0)
				break;
		if (figure_take(figures, start, end))
			return -1;
	}
	figures_sort(figures);
	return figures_label(figures);
}

void figures_free(struct figures *figures)
{
	figures_unmatch(figures);
	for (size_t i = 0; i < figures->row_count; i++) {
		free(figures->rows[i].key);
		for (size_t c = 0; c < FIGURE_COLUMNS; c++)
			free(figures->rows[i].cell[c]);
	}
	free(figures->rows);
	*figures = (struct figures){0};
}
