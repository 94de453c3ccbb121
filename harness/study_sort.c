// SPDX-License-Identifier: GPL-3.0-or-later
/* Puts the rows of a study in order: groups, labels, and the index by key. */
#include "study.h"

#include <assert.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int row_order(const void *left, const void *right)
{
	const struct study_row *a = left, *b = right;
	int result = order(a->curve, b->curve);

	if (!result)
		result = order(a->workers, b->workers);
	if (!result)
		result = strcmp(a->key, b->key);
	return result ? result : order(a->repeat, b->repeat);
}

static int key_order(const void *left, const void *right, void *rows)
{
	const struct study_row *a = (struct study_row *)rows + *(const size_t *)left;
	const struct study_row *b = (struct study_row *)rows + *(const size_t *)right;
	int result = strcmp(a->key, b->key);

	return result ? result : order(a->repeat, b->repeat);
}

/* What the repeats of a group say together. */
static void group_fill(struct study *study, struct study_group *group)
{
	const double *rates = &study->rows[group->first].rate;
	size_t stride = sizeof(struct study_row) / sizeof(double);

	static_assert(sizeof(struct study_row) % sizeof(double) == 0, "rates are a whole stride");
	group->curve = study->rows[group->first].curve;
	group->workers = study->rows[group->first].workers;
	group->mean = gsl_stats_mean(rates, stride, group->count);
	group->low = gsl_stats_min(rates, stride, group->count);
	group->high = gsl_stats_max(rates, stride, group->count);
	group->deviation =
	        group->count > 1 ? gsl_stats_sd(rates, stride, group->count) : (double)NAN;
}

static void groups_fill(struct study *study)
{
	for (size_t i = 0; i < study->row_count; i++) {
		struct study_row *row = &study->rows[i];

		if (i == 0 || row->curve != row[-1].curve || row->workers != row[-1].workers)
			study->groups[study->group_count++].first = i;
		study->groups[study->group_count - 1].count++;
		row->group = study->group_count - 1;
	}
	for (size_t i = 0; i < study->group_count; i++) {
		struct study_group *group = &study->groups[i];
		bool widest;

		group_fill(study, group);
		widest = i + 1 == study->group_count ||
		         study->rows[group->first + group->count].curve != group->curve;
		for (size_t j = 0; j < group->count; j++)
			study->rows[group->first + j].widest = widest;
	}
}

bool study_agrees(const struct study *study, size_t column)
{
	for (unsigned i = 1; i < study->curve_count; i++)
		if (strcmp(study->curves[i].cells[column], study->curves[0].cells[column]) != 0)
			return false;
	return true;
}

/* What differs between the curves: always the mode, and the directory where there are two. */
static void label_make(const struct study *study, const struct study_curve *curve, char *label)
{
	size_t used = 0;

	if (study->directory_count > 1)
		used = (size_t)snprintf(label, STUDY_TEXT,
		                        "%s: ", study->directories[curve->directory].name);
	for (size_t i = 0; i < STUDY_CELLS && used < STUDY_TEXT; i++) {
		bool mode = strcmp(study_columns[i].name, "mode") == 0;
		char text[STUDY_TEXT];

		if ((mode || !study_agrees(study, i)) && *study_cell_text(curve, i, text))
			used += (size_t)snprintf(label + used, STUDY_TEXT - used, "%s%s",
			                         used && label[used - 1] != ' ' ? ", " : "", text);
	}
}

int study_sort(struct study *study, struct complaint *c)
{
	if (study->row_count)
		qsort(study->rows, study->row_count, sizeof(*study->rows), row_order);
	study->groups = calloc(study->row_count + 1, sizeof(*study->groups));
	study->by_key = calloc(study->row_count + 1, sizeof(*study->by_key));
	if (!study->groups || !study->by_key)
		return complain(c, EXIT_FAILED, "no memory for %zu rows", study->row_count);
	groups_fill(study);
	for (size_t i = 0; i < study->row_count; i++)
		study->by_key[i] = i;
	qsort_r(study->by_key, study->row_count, sizeof(*study->by_key), key_order, study->rows);
	for (unsigned i = 0; i < study->curve_count; i++) {
		char label[STUDY_TEXT] = "";

		label_make(study, &study->curves[i], label);
		memcpy(study->labels[i], label, sizeof(label));
	}
	return 0;
}

/* The first place in by_key that is not before (key, repeat). */
static size_t key_place(const struct study *study, const char *key, uint64_t repeat)
{
	size_t low = 0, high = study->row_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct study_row *row = &study->rows[study->by_key[middle]];
		int result = strcmp(row->key, key);

		if (result < 0 || (result == 0 && row->repeat < repeat))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct study_row *study_find(const struct study *study, unsigned directory, const char *host,
                                   const char *key, uint64_t repeat)
{
	for (size_t i = key_place(study, key, repeat); i < study->row_count; i++) {
		const struct study_row *row = &study->rows[study->by_key[i]];
		const struct study_curve *curve = &study->curves[row->curve];

		if (row->repeat != repeat || strcmp(row->key, key) != 0)
			break;
		if (curve->directory == directory && strcmp(study_cell(curve, "host"), host) == 0)
			return row;
	}
	return NULL;
}
