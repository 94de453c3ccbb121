// SPDX-License-Identifier: GPL-3.0-or-later
#include "range.h"

#include <stdlib.h>

static bool number_read(const char **at, unsigned long long *value)
{
	char *end;

	if (**at < '0' || **at > '9')
		return false;
	*value = strtoull(*at, &end, 10); /* too many digits give ULLONG_MAX: above any limit */
	*at = end;
	return true;
}

static bool character_read(const char **at, char wanted)
{
	if (**at != wanted)
		return false;
	(*at)++;
	return true;
}

bool range_read(const char *at, const char *end, struct range *range)
{
	*range = (struct range){.used = 1, .group = 1};
	if (!number_read(&at, &range->first))
		return false;
	range->last = range->first;
	if (at == end)
		return true;
	if (!character_read(&at, '-') || !number_read(&at, &range->last))
		return false;
	if (at == end)
		return true;
	if (!character_read(&at, ':') || !number_read(&at, &range->group))
		return false;
	if (at == end)
		return true;
	range->used = range->group;
	return character_read(&at, '/') && number_read(&at, &range->group) && at == end;
}
