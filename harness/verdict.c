// SPDX-License-Identifier: GPL-3.0-or-later
#include "verdict.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

struct verdict verdict_make(const struct interval *ratio, double alpha, double margin,
                            enum better better)
{
	struct verdict verdict = {
	        .ratio = ratio->value,
	        .low = ratio->low,
	        .high = ratio->high,
	        .margin = margin,
	        .level = 1 - alpha,
	        .better = better,
	        .kind = VERDICT_UNKNOWN,
	};

	if (ratio->low >= 1 / (1 + margin) && ratio->high <= 1 + margin)
		verdict.kind = VERDICT_SAME;
	else if (ratio->low > 1)
		verdict.kind = better == BETTER_HIGH ? VERDICT_FASTER : VERDICT_SLOWER;
	else if (ratio->high < 1)
		verdict.kind = better == BETTER_HIGH ? VERDICT_SLOWER : VERDICT_FASTER;
	return verdict;
}

void verdict_withhold(struct verdict *verdict)
{
	if (verdict->kind != VERDICT_SAME)
		verdict->kind = VERDICT_UNKNOWN;
}

const char *verdict_word(const struct verdict *verdict)
{
	static const char *const words[] = {
	        [VERDICT_FASTER] = "faster",
	        [VERDICT_SLOWER] = "slower",
	        [VERDICT_SAME] = "same",
	        [VERDICT_UNKNOWN] = "unknown",
	};

	return words[verdict->kind];
}

int verdict_decimals(double error)
{
	int decimals = 1;

	for (double percent = 100 * error; percent < 0.095 && percent > 0 && decimals < 4;
	     percent *= 10)
		decimals++;
	return decimals;
}

/* Percent away from 1, signed. */
static double percent(double ratio)
{
	return 100 * (ratio - 1);
}

static void difference_text(const struct verdict *verdict, const char *b, int decimals, char *out)
{
	bool up = verdict->ratio > 1;
	double value = fabs(percent(verdict->ratio));
	double near = fabs(percent(up ? verdict->low : verdict->high));
	double far = fabs(percent(up ? verdict->high : verdict->low));
	const char *way;

	if (verdict->better == BETTER_HIGH)
		way = up ? "faster" : "slower";
	else
		way = up ? "more" : "less";
	snprintf(out, VERDICT_TEXT, "%.64s %s %.*f %% %s (%.4g %% CI %.*f to %.*f)", b,
	         verdict->better == BETTER_HIGH ? "is" : "needs", decimals, value, way,
	         100 * verdict->level, decimals, near, decimals, far);
}

static void unknown_text(const struct verdict *verdict, int decimals, char *out)
{
	if (!isfinite(verdict->ratio))
		snprintf(out, VERDICT_TEXT, "cannot tell: no ratio, since a value is not above 0");
	else if (!isfinite(verdict->low) || !isfinite(verdict->high))
		snprintf(out, VERDICT_TEXT, "cannot tell: %+.1f %%, too few values for an interval",
		         percent(verdict->ratio));
	else
		snprintf(out, VERDICT_TEXT, "cannot tell: %+.*f %% (%+.*f to %+.*f)", decimals,
		         percent(verdict->ratio), decimals, percent(verdict->low), decimals,
		         percent(verdict->high));
}

/* To the decimals it is printed with, so that what is said stays true. */
static double rounded_up(double value, double error)
{
	double unit = pow(10, -verdict_decimals(error));

	return fmax(0, ceil(value / unit - 1e-6)) * unit;
}

char *verdict_text(const struct verdict *verdict, const char *b, char out[VERDICT_TEXT])
{
	int decimals = verdict_decimals((verdict->high - verdict->low) / 2);
	double largest = fmax(verdict->high - 1, 1 - verdict->low);

	switch (verdict->kind) {
	case VERDICT_FASTER:
	case VERDICT_SLOWER:
		difference_text(verdict, b, decimals, out);
		break;
	case VERDICT_SAME:
		snprintf(out, VERDICT_TEXT, "no difference larger than %.*f %%",
		         verdict_decimals(largest), rounded_up(100 * largest, largest));
		break;
	case VERDICT_UNKNOWN:
		unknown_text(verdict, decimals, out);
		break;
	}
	return out;
}
