// SPDX-License-Identifier: GPL-3.0-or-later
/* The scaling law of a curve. */
#include "study.h"

#include <stdlib.h>

int study_law(const struct study *study, const struct study_curve *curve, struct usl *usl)
{
	const struct study_group *groups = study->groups + curve->first;
	size_t count = 0, taken = 0;
	double *workers, *rates;
	int result = -1;

	for (size_t i = 0; i < curve->group_count; i++)
		count += groups[i].count;
	workers = calloc(count + 1, sizeof(*workers));
	rates = calloc(count + 1, sizeof(*rates));
	for (size_t i = 0; workers && rates && i < curve->group_count; i++)
		for (size_t j = 0; j < groups[i].count; j++) {
			workers[taken] = (double)groups[i].workers;
			rates[taken++] = study->rows[groups[i].first + j].rate;
		}
	if (taken)
		result = usl_fit(workers, rates, taken, usl);
	free(workers);
	free(rates);
	return result;
}
