// SPDX-License-Identifier: GPL-3.0-or-later
/* Which steps made a point faster or slower: their time per unit, before and after. */
#include "comparison.h"

#include "prose.h"

#include <stdlib.h>
#include <string.h>

/* Ends a list that is longer than its room. */
#define MORE "; ..."

static bool is_called(const struct contrast *contrast)
{
	return contrast->verdict.kind == VERDICT_FASTER || contrast->verdict.kind == VERDICT_SLOWER;
}

/* Where the rows of the matching are now, by their sequence numbers. */
static const struct matching_row **rows_by_sequence(const struct matching *matching)
{
	const struct matching_row **rows =
	        calloc(matching->row_count + 1, sizeof(const struct matching_row *));

	for (size_t i = 0; rows && i < matching->row_count; i++)
		rows[matching->rows[i].sequence] = &matching->rows[i];
	return rows;
}

/* True if a step was measured in a valid row of the point. */
static bool step_is_of(const struct comparison *comparison, const struct matching_row *row,
                       size_t point)
{
	return row->valid && strcmp(row->key, comparison->matching.points[point].row[0]->key) == 0;
}

/* Adds the steps of a point to the changes, each once and not yet judged. */
static int changes_add(struct comparison *comparison, const struct matching_row **rows,
                       size_t point)
{
	const struct gathering *gathering = &comparison->gathering;
	size_t first = comparison->change_count;

	for (size_t s = 0; s < gathering->step_count; s++) {
		const struct gathered_step *step = &gathering->steps[s];
		struct step_change *grown;
		size_t at = first;

		if (!step_is_of(comparison, rows[step->row], point))
			continue;
		while (at < comparison->change_count &&
		       strcmp(comparison->changes[at].step->step, step->step) != 0)
			at++;
		if (at < comparison->change_count)
			continue;
		grown = reallocarray(comparison->changes, at + 1, sizeof(*grown));
		if (!grown)
			return -1;
		comparison->changes = grown;
		grown[at] = (struct step_change){.point = point, .step = step};
		comparison->change_count++;
	}
	return 0;
}

/* All times of a step on one side; NULL when memory is out. */
static struct observation *times_of(const struct comparison *comparison,
                                    const struct matching_row **rows,
                                    const struct step_change *change, int side, size_t *count)
{
	const struct gathering *gathering = &comparison->gathering;
	struct observation *values = calloc(gathering->step_count, sizeof(*values));

	*count = 0;
	for (size_t i = 0; values && i < gathering->step_count; i++) {
		const struct gathered_step *step = &gathering->steps[i];
		const struct matching_row *row = rows[step->row];

		if (row->side != side || strcmp(step->step, change->step->step) != 0 ||
		    !step_is_of(comparison, row, change->point))
			continue;
		values[*count] = row->at;
		values[(*count)++].value = step->ns;
	}
	if (*count)
		qsort(values, *count, sizeof(*values), observation_order);
	return values;
}

/* Compares one step's times as the points' values were compared, but less is better.  Returns 0, 1
 * if a side has none, or -1 when memory is out. */
static int change_judge(const struct comparison *comparison, const struct matching_row **rows,
                        struct step_change *change)
{
	struct contrast_rules rules = comparison->rules;
	struct observed_pair pair = {{{.ordered = true}, {.ordered = true}}};
	int result = 0;

	rules.better = BETTER_LOW;
	for (int s = 0; s < 2; s++) {
		struct observed_side *side = &pair.side[s];

		side->values = times_of(comparison, rows, change, s, &side->count);
		result = !side->values ? -1 : result == 0 && !side->count ? 1 : result;
	}
	if (result == 0)
		result = contrast_make(&pair, &rules, &change->contrast);
	free(pair.side[0].values);
	free(pair.side[1].values);
	return result;
}

int comparison_steps_make(struct comparison *comparison)
{
	const struct matching_row **rows = rows_by_sequence(&comparison->matching);
	int result = rows ? 0 : -1;
	size_t kept = 0;

	for (size_t i = 0; result == 0 && i < comparison->matching.count; i++)
		if (is_called(&comparison->contrasts[i]))
			result = changes_add(comparison, rows, i);
	for (size_t i = 0; result >= 0 && i < comparison->change_count; i++) {
		result = change_judge(comparison, rows, &comparison->changes[i]);
		if (result == 0)
			comparison->changes[kept++] = comparison->changes[i];
	}
	comparison->change_count = kept;
	free(rows);
	return result < 0 ? -1 : 0;
}

static void change_print(const struct step_change *change, bool markdown, FILE *out)
{
	const struct contrast_side *side = change->contrast.side;
	char text[VERDICT_TEXT];

	fputs(markdown ? "  * " : "    ", out);
	comparison_plain(change->step->step, COMPARISON_SHOWN, out);
	fprintf(out, ": %.5g to %.5g ns/", side[0].units.mean, side[1].units.mean);
	comparison_plain(change->step->unit, COMPARISON_SHOWN, out);
	fprintf(out, ", %s\n", verdict_text(&change->contrast.verdict, "after", text));
}

/* The changed steps of a point; returns how many there are. */
static size_t point_print(const struct comparison *comparison, size_t point, bool markdown,
                          FILE *out)
{
	size_t changed = 0;

	for (size_t i = 0; i < comparison->change_count; i++) {
		const struct step_change *change = &comparison->changes[i];

		if (change->point != point || !is_called(&change->contrast))
			continue;
		change_print(change, markdown, out);
		changed++;
	}
	return changed;
}

void comparison_steps_print(const struct comparison *comparison, bool markdown, FILE *out)
{
	const struct matching *matching = &comparison->matching;

	if (!comparison->change_count)
		return;
	fputs("\nsteps of the points that differ, time per unit (each interval is at 95 % by\n"
	      "itself: false alarms among many steps are not controlled)\n",
	      out);
	for (size_t i = 0; i < comparison->change_count; i++) {
		size_t point = comparison->changes[i].point;

		if (i && point == comparison->changes[i - 1].point)
			continue;
		fputs(markdown ? "\n* " : "  ", out);
		comparison_plain(matching->points[point].row[0]->cell[matching->metric_column],
		                 COMPARISON_SHOWN, out);
		fputc(' ', out);
		comparison_plain(matching->points[point].label, COMPARISON_SHOWN, out);
		fputs(":\n", out);
		if (!point_print(comparison, point, markdown, out))
			fputs(markdown ? "  * no step by itself\n" : "    no step by itself\n",
			      out);
	}
}

char *comparison_steps_text(const struct comparison *comparison, size_t point,
                            char out[COMPARISON_TEXT])
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < comparison->change_count; i++) {
		const struct step_change *change = &comparison->changes[i];
		const struct interval *ratio = &change->contrast.ratio;

		if (change->point != point || !is_called(&change->contrast))
			continue;
		if (!prose_append(out, COMPARISON_TEXT - sizeof(MORE), &used,
		                  "%s%s %+.1f %% (%+.1f to %+.1f)", used ? "; " : "",
		                  change->step->step, 100 * (ratio->value - 1),
		                  100 * (ratio->low - 1), 100 * (ratio->high - 1))) {
			strcpy(out + used, MORE);
			break;
		}
	}
	return out;
}
