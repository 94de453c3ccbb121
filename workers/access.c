// SPDX-License-Identifier: GPL-3.0-or-later
/* mprotect. */
#include "verbs.h"

#include <sys/mman.h>

static int span_protect(char *at, size_t bytes, const struct region *region, const struct how *how)
{
	(void)region;
	return mprotect(at, bytes, how->argument);
}

int64_t access_set(struct region *region, const struct how *how)
{
	return region_call(region, how, span_protect);
}
