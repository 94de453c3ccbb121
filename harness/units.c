// SPDX-License-Identifier: GPL-3.0-or-later
#include "units.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A token in a message, cut so that a very long one cannot push the advice out of the text. */
#define TOKEN "'%.60s'"

struct unit {
	const char *suffix;
	uint64_t factor;
};

/* A kind of quantity.  Parsing accepts every suffix; formatting takes the first row of a factor. */
struct notation {
	const char *noun;
	const char *expected;
	const char *grain;
	const char *largest; /* what UINT64_MAX is, in the largest unit, rounded down */
	int (*suffix_compare)(const char *, const char *);
	const struct unit *units; /* begins with factor 1, ends with a row whose suffix is NULL */
};

static const struct unit size_units[] = {
        {"", 1},
        {"B", 1},
        {"K", UINT64_C(1) << 10},
        {"KB", UINT64_C(1) << 10},
        {"KiB", UINT64_C(1) << 10},
        {"M", UINT64_C(1) << 20},
        {"MB", UINT64_C(1) << 20},
        {"MiB", UINT64_C(1) << 20},
        {"G", UINT64_C(1) << 30},
        {"GB", UINT64_C(1) << 30},
        {"GiB", UINT64_C(1) << 30},
        {"T", UINT64_C(1) << 40},
        {"TB", UINT64_C(1) << 40},
        {"TiB", UINT64_C(1) << 40},
        {NULL, 0},
};

static const struct unit time_units[] = {
        {"ns", 1},
        {"us", UINT64_C(1000)},
        {"ms", UINT64_C(1000000)},
        {"s", UINT64_C(1000000000)},
        {"", UINT64_C(1000000000)},
        {"m", UINT64_C(60000000000)},
        {NULL, 0},
};

static const struct notation size_notation = {
        .noun = "size",
        .expected = "a number with K, M, G or T, like 2M",
        .grain = "bytes",
        .largest = "16777215T",
        .suffix_compare = strcasecmp,
        .units = size_units,
};

static const struct notation time_notation = {
        .noun = "time",
        .expected = "a number with us, ms, s or m, like 10ms",
        .grain = "nanoseconds",
        .largest = "307445734m",
        .suffix_compare = strcmp,
        .units = time_units,
};

enum outcome {
	NUMBER_GOOD,
	NUMBER_JUNK,
	NUMBER_LARGE, /* more than 64 bits */
	NUMBER_FINE,  /* a fraction of what cannot be divided */
};

/* The value is digits / 10^places. */
struct decimal {
	uint64_t digits;
	unsigned places;
};

/* Appends decimal digits to `*value`; false if it no longer fits. */
static bool digits_append(uint64_t *value, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(text[i] - '0'), value))
			return false;
	return true;
}

/* Reads "12", "1.5" or ".5" from the start of `text`; `*rest` is what follows it. */
static enum outcome decimal_scan(const char *text, struct decimal *number, const char **rest)
{
	const char *fraction;
	size_t whole = strspn(text, "0123456789"), places = 0;

	*number = (struct decimal){0};
	*rest = text + whole;
	if (**rest == '.') {
		fraction = *rest + 1;
		places = strspn(fraction, "0123456789");
		*rest = fraction + places;
		if (!places)
			return NUMBER_JUNK;
		while (places && fraction[places - 1] == '0')
			places--;
	} else if (!whole) {
		return NUMBER_JUNK;
	}
	if (!digits_append(&number->digits, text, whole))
		return NUMBER_LARGE;
	if (places && !digits_append(&number->digits, fraction, places))
		return NUMBER_FINE; /* or past 64 bits */
	number->places = (unsigned)places;
	return NUMBER_GOOD;
}

/*
 * digits * factor / 10^places in whole numbers.  Dividing each 2 and 5 out of one of the two
 * factors before they are multiplied makes the overflow check exact and shows what does not divide.
 */
static enum outcome decimal_scale(struct decimal number, uint64_t factor, uint64_t *value)
{
	uint64_t product;

	for (; number.places; number.places--)
		for (unsigned prime = 2; prime <= 5; prime += 3) {
			if (number.digits % prime == 0)
				number.digits /= prime;
			else if (factor % prime == 0)
				factor /= prime;
			else
				return NUMBER_FINE;
		}
	if (__builtin_mul_overflow(number.digits, factor, &product))
		return NUMBER_LARGE;
	*value = product;
	return NUMBER_GOOD;
}

static enum outcome quantity_scan(const struct notation *notation, const char *text,
                                  uint64_t *value)
{
	const struct unit *unit;
	struct decimal number;
	enum outcome outcome;
	const char *suffix;

	outcome = decimal_scan(text, &number, &suffix);
	if (outcome == NUMBER_JUNK)
		return outcome;
	for (unit = notation->units; unit->suffix; unit++)
		if (!notation->suffix_compare(suffix, unit->suffix))
			break;
	if (!unit->suffix)
		return NUMBER_JUNK;
	return outcome == NUMBER_GOOD ? decimal_scale(number, unit->factor, value) : outcome;
}

static int quantity_parse(const struct notation *notation, const char *text, uint64_t *value,
                          struct complaint *c)
{
	switch (quantity_scan(notation, text, value)) {
	case NUMBER_GOOD:
		return 0;
	case NUMBER_LARGE:
		return complain(c, EXIT_USAGE, "bad %s " TOKEN ": too large, at most %s",
		                notation->noun, text, notation->largest);
	case NUMBER_FINE:
		return complain(c, EXIT_USAGE, "bad %s " TOKEN ": not a whole number of %s",
		                notation->noun, text, notation->grain);
	case NUMBER_JUNK:
		break;
	}
	return complain(c, EXIT_USAGE, "bad %s " TOKEN ": expected %s", notation->noun, text,
	                notation->expected);
}

static char *quantity_format(const struct notation *notation, uint64_t value, char out[UNIT_TEXT])
{
	const char *suffix = notation->units->suffix;
	uint64_t factor = 1;

	for (const struct unit *unit = notation->units; value && unit->suffix; unit++)
		if (unit->factor > factor && value % unit->factor == 0) {
			suffix = unit->suffix;
			factor = unit->factor;
		}
	snprintf(out, UNIT_TEXT, "%" PRIu64 "%s", value / factor, value ? suffix : "");
	return out;
}

int size_parse(const char *text, uint64_t *bytes, struct complaint *c)
{
	return quantity_parse(&size_notation, text, bytes, c);
}

int time_parse(const char *text, uint64_t *ns, struct complaint *c)
{
	return quantity_parse(&time_notation, text, ns, c);
}

int count_parse(const char *text, uint64_t low, uint64_t high, uint64_t *value, struct complaint *c)
{
	size_t length = strspn(text, "0123456789");
	uint64_t count = 0;

	if (length && !text[length] && digits_append(&count, text, length) && count >= low &&
	    count <= high) {
		*value = count;
		return 0;
	}
	if (high == UINT64_MAX)
		return complain(c, EXIT_USAGE,
		                "bad count " TOKEN ": expected a whole number of at least %" PRIu64,
		                text, low);
	return complain(c, EXIT_USAGE,
	                "bad count " TOKEN ": expected a whole number from %" PRIu64 " to %" PRIu64,
	                text, low, high);
}

int percent_parse(const char *text, double *fraction, struct complaint *c)
{
	struct decimal number;
	const char *suffix;
	double value;

	if (decimal_scan(text, &number, &suffix) != NUMBER_GOOD || (*suffix && strcmp(suffix, "%")))
		return complain(c, EXIT_USAGE,
		                "bad percentage " TOKEN ": expected a number with %%, like 1%%",
		                text);
	if (!*suffix)
		return complain(c, EXIT_USAGE,
		                "bad percentage " TOKEN ": the sign is missing, write %.60s%%",
		                text, text);
	value = (double)number.digits / pow(10, number.places + 2);
	if (value > 1)
		return complain(c, EXIT_USAGE, "bad percentage " TOKEN ": expected 0%% to 100%%",
		                text);
	*fraction = value;
	return 0;
}

char *size_format(uint64_t bytes, char out[UNIT_TEXT])
{
	return quantity_format(&size_notation, bytes, out);
}

char *time_format(uint64_t ns, char out[UNIT_TEXT])
{
	return quantity_format(&time_notation, ns, out);
}
