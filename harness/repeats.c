// SPDX-License-Identifier: GPL-3.0-or-later
#include "repeats.h"

#include "units.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* Before so many, the interval itself is too uncertain to stop by. */
#define PRECISION_REPEATS 10

/* With --precision so many in a row without a valid one are enough. */
#define HOPELESS_REPEATS 3

int repeats_add(struct repeats *repeats, double rate, bool valid)
{
	double *rates;

	repeats->done++;
	if (!valid)
		return 0;
	rates = realloc(repeats->rates, (repeats->count + 1) * sizeof(*rates));
	if (!rates)
		return -1;
	repeats->rates = rates;
	rates[repeats->count++] = rate;
	return 0;
}

void repeats_free(struct repeats *repeats)
{
	free(repeats->rates);
	*repeats = (struct repeats){0};
}

struct interval repeats_interval(const struct repeats *repeats)
{
	struct summary summary = stats_summary(repeats->rates, repeats->count);
	struct estimate estimate = estimate_mean(&summary);

	return estimate_interval(&estimate, STATS_ALPHA);
}

double repeats_precision(const struct repeats *repeats)
{
	struct interval interval = repeats_interval(repeats);

	return (interval.high - interval.low) / 2 / interval.value;
}

/* True if going on would not bring what is asked for. */
static bool repeats_hopeless(const struct repeats *repeats)
{
	return repeats->unsupported || (repeats->done >= HOPELESS_REPEATS && !repeats->count);
}

bool repeats_enough(const struct repeats *repeats, const struct options *options, uint64_t now)
{
	if (options->precision > 0 && repeats_hopeless(repeats))
		return true;
	if (repeats->done < options->repeat)
		return false;
	if (!(options->precision > 0) || now - repeats->start_ns > options->max_time)
		return true;
	return repeats->count >= PRECISION_REPEATS &&
	       repeats_precision(repeats) <= options->precision;
}

struct repeats_time repeats_expect(const struct options *options, uint64_t once)
{
	uint64_t asked = options->repeat * once, first = PRECISION_REPEATS * once;
	uint64_t soon = first < options->max_time ? first : options->max_time;
	uint64_t late = options->max_time + once;

	if (!(options->precision > 0))
		return (struct repeats_time){asked, asked};
	return (struct repeats_time){asked > soon ? asked : soon, asked > late ? asked : late};
}

void repeats_print(const struct repeats *repeats, const char *unit, FILE *out)
{
	struct interval interval = repeats_interval(repeats);
	char text[3][UNIT_TEXT];

	if (repeats->done < 2)
		return;
	fprintf(out, "\n%zu valid repeats", repeats->count);
	if (repeats->count > 1)
		fprintf(out, ": mean %s %s, standard deviation %.2f %%",
		        count_format(interval.value, text[0]), unit,
		        100 * gsl_stats_sd(repeats->rates, 1, repeats->count) / interval.value);
	if (isfinite(interval.low))
		fprintf(out, "\n95 %% interval of the mean: %s to %s (+-%.2f %%)",
		        count_format(interval.low, text[1]), count_format(interval.high, text[2]),
		        100 * repeats_precision(repeats));
	fputc('\n', out);
}

void repeats_warn(const struct repeats *repeats, const struct options *options, FILE *out)
{
	char text[UNIT_TEXT];

	if (!(options->precision > 0) || repeats_precision(repeats) <= options->precision)
		return;
	if (repeats_hopeless(repeats))
		fprintf(out, "warning: no more were tried: %s\n",
		        repeats->unsupported ? "not supported here" : "none was valid");
	else
		fprintf(out, "warning: +-%g %% was not reached within --max-time=%s\n",
		        100 * options->precision, time_format(options->max_time, text));
}
