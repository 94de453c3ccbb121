// SPDX-License-Identifier: GPL-3.0-or-later
/* Puts the rows of a study in order: groups, labels, and the index by key; finds them by it. */
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
		result = order(b->valid, a->valid);
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

/* What the valid repeats of a group say together. */
static void group_fill(const struct study *study, struct study_group *group)
{
	const double *rates = &study->rows[group->first].rate;
	size_t stride = sizeof(struct study_row) / sizeof(double), n = group->count;

	static_assert(sizeof(struct study_row) % sizeof(double) == 0, "rates are a whole stride");
	group->mean = n ? gsl_stats_mean(rates, stride, n) : (double)NAN;
	group->low = n ? gsl_stats_min(rates, stride, n) : (double)NAN;
	group->high = n ? gsl_stats_max(rates, stride, n) : (double)NAN;
	group->deviation = n > 1 ? gsl_stats_sd(rates, stride, n) : (double)NAN;
}

/* Begins a group, and the groups of a curve, with a row. */
static void group_begin(struct study *study, size_t row)
{
	struct study_curve *curve = &study->curves[study->rows[row].curve];

	if (!curve->group_count++)
		curve->first = study->group_count;
	study->groups[study->group_count++] = (struct study_group){
	        .curve = study->rows[row].curve,
	        .workers = study->rows[row].workers,
	        .first = row,
	};
}

static void groups_fill(struct study *study)
{
	for (size_t i = 0; i < study->row_count; i++) {
		struct study_row *row = &study->rows[i];
		struct study_group *group;

		if (i == 0 || row->curve != row[-1].curve || row->workers != row[-1].workers)
			group_begin(study, i);
		row->group = study->group_count - 1;
		group = &study->groups[row->group];
		group->count += row->valid;
		group->others += !row->valid;
	}
	for (size_t i = 0; i < study->group_count; i++)
		group_fill(study, &study->groups[i]);
	for (size_t i = 0; i < study->row_count; i++) {
		struct study_row *row = &study->rows[i];
		const struct study_curve *curve = &study->curves[row->curve];

		row->widest = row->group + 1 == curve->first + curve->group_count;
	}
}

static void agreement_find(struct study *study)
{
	for (size_t cell = 0; cell < STUDY_CELLS; cell++) {
		study->agrees[cell] = true;
		for (size_t i = 1; i < study->curve_count; i++)
			study->agrees[cell] &= strcmp(study->curves[i].cells[cell],
			                              study->curves[0].cells[cell]) == 0;
	}
}

/* What differs between the curves: always the mode, and the directory where there are two. */
static void label_make(const struct study *study, struct study_curve *curve)
{
	if (study->directory_count > 1)
		snprintf(curve->label, STUDY_TEXT,
		         "%s: ", study->directories[curve->directory].name);
	study_describe(study, curve, 1U << STUDY_TITLE | 1U << STUDY_SIBLING | 1U << STUDY_OPTION,
	               curve->label);
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
	agreement_find(study);
	for (size_t i = 0; i < study->curve_count; i++)
		label_make(study, &study->curves[i]);
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
		if (row->valid && curve->directory == directory &&
		    strcmp(curve->cells[STUDY_HOST], host) == 0)
			return row;
	}
	return NULL;
}

const struct study_group *study_group_at(const struct study *study, const struct study_curve *curve,
                                         uint64_t workers)
{
	const struct study_group *groups = study->groups + curve->first;

	for (size_t i = 0; i < curve->group_count; i++)
		if (groups[i].workers == workers)
			return &groups[i];
	return NULL;
}

const struct study_curve *study_beside(const struct study *study, const struct study_curve *curve)
{
	return curve->next ? &study->curves[curve->next] : NULL;
}
