// SPDX-License-Identifier: GPL-3.0-or-later
/* The lists of faultscale list: rows of one kind, whose columns depend on the list. */
#ifndef LIST_H
#define LIST_H

#include "csv.h"
#include "options.h"

#include <stdbool.h>

/* One row of any list. */
struct listing {
	const char *name, *text, *more, *facts[4];
	uint64_t number[6];
};

#define LISTING(name, kind, member) COLUMN(listing, name, kind, member, "")

/* Where a list's rows go: text for people, or CSV. */
struct lister {
	const struct options *options;
	struct csv csv;
	bool text;
};

/* Prints a list.  0, or -1 with a complaint. */
typedef int list_rows_print(struct lister *lister, struct complaint *c);

/* What this machine has. */
extern const struct column event_list[], cpu_list[];
list_rows_print list_events, list_cpus;

#endif
