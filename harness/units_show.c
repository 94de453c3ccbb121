// SPDX-License-Identifier: GPL-3.0-or-later
/* Figures written for people. */
#include "units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *count_format(double count, char out[UNIT_TEXT])
{
	char digits[UNIT_TEXT];
	const char *from = digits;
	char *to = out;

	if (!isfinite(count))
		return strcpy(out, "-");
	if (fabs(count) >= 1e18) {
		snprintf(out, UNIT_TEXT, "%.3g", count);
		return out;
	}
	/* Adding 0 turns the -0 that a small negative count rounds to into 0. */
	snprintf(digits, sizeof(digits), "%.0f", round(count) + 0.0);
	if (*from == '-')
		*to++ = *from++;
	for (size_t left = strlen(from); left; left--) {
		*to++ = *from++;
		if (left > 1 && left % 3 == 1)
			*to++ = ',';
	}
	*to = '\0';
	return out;
}

char *duration_format(double ns, char out[UNIT_TEXT])
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	char digits[UNIT_TEXT];
	double value;
	size_t unit = 0;

	if (!isfinite(ns))
		return strcpy(out, "-");
	/* Rounded before the unit is chosen: 999.6 ns is 1.00 us, not 1000 ns. */
	snprintf(digits, sizeof(digits), "%.2e", ns);
	value = strtod(digits, NULL);
	for (; fabs(value) >= 1000 && unit < 3; unit++)
		value /= 1000;
	if (value == 0 || fabs(value) >= 100)
		snprintf(out, UNIT_TEXT, "%.0f %s", value, units[unit]);
	else
		snprintf(out, UNIT_TEXT, "%#.3g %s", value, units[unit]);
	return out;
}
