// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * One item of a list of numbers, in the grammar that the kernel has for lists of CPUs and that we
 * also use for lists of worker counts.
 */
#ifndef RANGE_H
#define RANGE_H

#include <stdbool.h>

/* The first `used` of every `group` numbers from `first` to `last`. */
struct range {
	unsigned long long first, last, used, group;
};

/*
 * Reads the item from `at` up to `end`: A, A-B, A-B:STRIDE or A-B:USED/GROUP.  False if it has no
 * such form.  A number that is too large comes out as ULLONG_MAX; nothing else is checked.
 */
bool range_read(const char *at, const char *end, struct range *range);

#endif
