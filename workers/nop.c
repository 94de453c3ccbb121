// SPDX-License-Identifier: GPL-3.0-or-later
#include "verbs.h"

int64_t nop_do(struct region *region, const struct how *how)
{
	(void)region;
	(void)how;
	return 1;
}
