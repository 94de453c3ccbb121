// SPDX-License-Identifier: GPL-3.0-or-later
/* What two sides of a comparison have in common besides what is compared, and what not. */
#ifndef LIKENESS_H
#define LIKENESS_H

#include "complaint.h"

#include <stdbool.h>
#include <stddef.h>

/* A fact of one result directory. */
struct fact {
	int side;
	char *key, *value;
};

/* A fact that is not the same on both sides, or not within one. */
struct difference {
	const char *name;
	char *value[2];
	const char *meaning; /* what it does to the comparison; "" if not known */
	bool refuse;         /* it makes the comparison meaningless */
};

struct likeness {
	struct fact *facts;
	size_t fact_count, fact_room;
	struct difference *differences;
	size_t difference_count, difference_room;
};

/* Adds the facts of DIRECTORY/meta.csv to a side. */
int likeness_read(struct likeness *likeness, int side, const char *directory, struct complaint *c);

/*
 * A side's value of a fact, or several joined by " | ", into `out`; "" if unknown.  Returns how
 * many values there are.
 */
size_t likeness_value(const struct likeness *likeness, int side, const char *key, char *out,
                      size_t size);

/* Adds a difference; values are copied.  Returns 0, or -1 (EXIT_FAILED) when memory is out. */
int likeness_add(struct likeness *likeness, const char *name, const char *before, const char *after,
                 const char *meaning, bool refuse, struct complaint *c);

/* Adds what differs among the facts. */
int likeness_compare(struct likeness *likeness, struct complaint *c);

/* True if a difference makes the comparison meaningless. */
bool likeness_refused(const struct likeness *likeness);

void likeness_free(struct likeness *likeness);

#endif
