// SPDX-License-Identifier: GPL-3.0-or-later
/* Many points: over all of them, and which of their differences stand. */
#include "contrast.h"

#include <math.h>
#include <stdlib.h>

int observation_order(const void *left, const void *right)
{
	const struct observation *a = left, *b = right;

	if (a->boot != b->boot)
		return a->boot < b->boot ? -1 : 1;
	if (a->run != b->run)
		return a->run < b->run ? -1 : 1;
	return a->repeat < b->repeat ? -1 : a->repeat > b->repeat;
}

static bool has_ratio(const struct contrast *contrast)
{
	return isfinite(contrast->log_ratio.value);
}

/*
 * Makes one side out of one side of all points: for each repeat that all points have, the geometric
 * mean.  Returns its observations, to be freed; their number is 0 if no repeat is complete.
 */
static struct observation *side_merge(const struct observed_pair pairs[], int which,
                                      const struct contrast contrasts[], size_t points,
                                      size_t *merged)
{
	size_t room = 1, count = 0, used = 0;
	struct observation *all;

	for (size_t i = 0; i < points; i++)
		room += pairs[i].side[which].count;
	all = calloc(room, sizeof(*all));
	for (size_t i = 0; all && i < points; i++)
		for (size_t j = 0; has_ratio(&contrasts[i]) && j < pairs[i].side[which].count; j++)
			all[count++] = pairs[i].side[which].values[j];
	if (count)
		qsort(all, count, sizeof(*all), observation_order);
	*merged = 0;
	for (size_t i = 0; i < points; i++)
		used += has_ratio(&contrasts[i]);
	for (size_t start = 0, end; start < count; start = end) {
		double logs = 0;

		for (end = start; end < count && !observation_order(&all[start], &all[end]); end++)
			logs += log(all[end].value);
		if (end - start == used && isfinite(logs)) {
			all[*merged] = all[start];
			all[(*merged)++].value = exp(logs / (double)used);
		}
	}
	return all;
}

/*
 * Takes the points' errors for independent, but for the spread between boots that is vouched for: a
 * boot's is common to all its points.
 */
static int overall_independent(const struct contrast contrasts[], size_t count,
                               const struct contrast_rules *rules, struct contrast *overall)
{
	struct estimate *ratios = calloc(count + 1, sizeof(*ratios));
	size_t used = 0;

	if (!ratios)
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (!has_ratio(&contrasts[i]))
			continue;
		if (!used || contrasts[i].unit != UNIT_OF_BOOTS)
			overall->unit = contrasts[i].unit;
		for (int s = 0; s < 2; s++)
			if (!used || contrasts[i].side[s].boots < overall->side[s].boots)
				overall->side[s].boots = contrasts[i].side[s].boots;
		ratios[used++] = contrasts[i].measured;
	}
	overall->measured = estimate_average(ratios, used);
	contrast_vouch(rules, overall);
	free(ratios);
	return 0;
}

/* The mean of the points' log ratios. */
static double overall_value(const struct contrast contrasts[], size_t count)
{
	double sum = 0, used = 0;

	for (size_t i = 0; i < count; i++)
		if (has_ratio(&contrasts[i])) {
			sum += contrasts[i].log_ratio.value;
			used++;
		}
	return sum / used;
}

int contrast_overall(const struct observed_pair pairs[], const struct contrast contrasts[],
                     size_t count, const struct contrast_rules *rules, struct contrast *overall,
                     bool *independent)
{
	struct observed_pair merged = {{{.ordered = count && pairs[0].side[0].ordered},
	                                {.ordered = count && pairs[0].side[1].ordered}}};
	int result = -1;

	for (int s = 0; s < 2; s++)
		merged.side[s].values =
		        side_merge(pairs, s, contrasts, count, &merged.side[s].count);
	if (merged.side[0].values && merged.side[1].values)
		result = contrast_make(&merged, rules, overall);
	*independent = result == 0 && !isfinite(overall->log_ratio.se);
	if (*independent)
		result = overall_independent(contrasts, count, rules, overall);
	else if (result == 0)
		overall->log_ratio.value = overall_value(contrasts, count);
	if (result == 0)
		contrast_conclude(rules, overall);
	free(merged.side[0].values);
	free(merged.side[1].values);
	return result;
}

bool contrast_regressed(const struct contrast *contrast, double limit,
                        const struct contrast_rules *rules)
{
	const struct verdict *verdict = &contrast->verdict;
	bool beyond =
	        rules->better == BETTER_HIGH ? verdict->high < 1 - limit : verdict->low > 1 + limit;

	return verdict->kind == VERDICT_SLOWER && beyond &&
	       (contrast->unit == UNIT_OF_BOOTS || rules->boot_sd >= 0);
}

size_t contrast_settle(struct contrast contrasts[], size_t count,
                       const struct contrast_rules *rules)
{
	double *p = calloc(count + 1, sizeof(*p));
	bool *chosen = calloc(count + 1, sizeof(*chosen));
	size_t tests = 0, found = 0, withheld = 0;

	for (size_t i = 0; i < count && p && chosen; i++)
		p[i] = contrasts[i].p;
	if (p && chosen)
		found = stats_discoveries(p, count, STATS_ALPHA, chosen, &tests);
	for (size_t i = 0; i < count; i++) {
		struct verdict *verdict = &contrasts[i].verdict;
		double alpha = STATS_ALPHA * (double)found / (double)tests;
		struct interval logs;

		if (chosen && chosen[i]) {
			logs = estimate_interval(&contrasts[i].log_ratio, alpha);
			contrasts[i].ratio = interval_exp(&logs);
			*verdict = verdict_make(&contrasts[i].ratio, alpha, rules->margin,
			                        rules->better);
		} else if (verdict->kind == VERDICT_FASTER || verdict->kind == VERDICT_SLOWER) {
			verdict_withhold(verdict);
			withheld++;
		}
	}
	free(p);
	free(chosen);
	return withheld;
}
