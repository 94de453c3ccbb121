// SPDX-License-Identifier: GPL-3.0-or-later
/* What a report says of the huge pages that were really had. */
#include "report.h"

#include "prose.h"
#include "units.h"

#include <string.h>

/* Appends to the text of `size` bytes: "; faults got 2M:3, fell back from 64K:1". */
static void huge_counts(const char *who, const char *got, const char *missed, char *out,
                        size_t size)
{
	size_t used = strlen(out);

	if (*got && (strcmp(got, "none") != 0 || strcmp(missed, "none") != 0))
		snprintf(out + used, size - used, "; %s got %s, fell back from %s", who, got,
		         *missed ? missed : "unknown");
}

void report_huge(const struct point_row *row, const struct point *point, FILE *out)
{
	bool pool = point->backing.kind == BACKING_HUGETLB;
	bool sampled = row->sampled_bytes != UNKNOWN_COUNT;
	char text[4 * MTHP_TEXT + 256], size[UNIT_TEXT];

	if (!point_may_be_huge(point))
		return;
	snprintf(text, sizeof(text), "huge pages: ");
	if (sampled)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
		         "%.1f %% of %s found present after the windows",
		         100 * (double)row->sampled_huge_bytes / (double)row->sampled_bytes,
		         size_format(row->sampled_bytes, size));
	else
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
		         "no memory found present after the windows");
	if (!pool) {
		huge_counts("faults", row->mthp_anon_alloc, row->mthp_anon_fallback, text,
		            sizeof(text));
		huge_counts("shared memory", row->mthp_shmem_alloc, row->mthp_shmem_fallback, text,
		            sizeof(text));
	}
	prose_print(text, 0, 4, out);
}
