// SPDX-License-Identifier: GPL-3.0-or-later
#include "mthp.h"

#include "csv.h"
#include "procfile.h"
#include "prose.h"
#include "units.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const files[] = {
        [MTHP_ANON_ALLOC] = "anon_fault_alloc",
        [MTHP_ANON_FALLBACK] = "anon_fault_fallback",
        [MTHP_SHMEM_ALLOC] = "shmem_alloc",
        [MTHP_SHMEM_FALLBACK] = "shmem_fallback",
};

static int size_compare(const void *a, const void *b)
{
	uint64_t left = ((const struct mthp_size *)a)->bytes;
	uint64_t right = ((const struct mthp_size *)b)->bytes;

	return (left > right) - (left < right);
}

static void size_read(const char *directory, const char *name, struct mthp_size *size)
{
	char path[PATH_MAX];

	for (int kind = 0; kind < MTHP_KINDS; kind++) {
		snprintf(path, sizeof(path), "%s/%s/stats/%s", directory, name, files[kind]);
		if (procfile_number(path, &size->count[kind]))
			size->count[kind] = UNKNOWN_COUNT;
	}
}

void mthp_read(const char *directory, struct mthp *mthp)
{
	DIR *entries = opendir(directory);
	struct dirent *entry;
	uint64_t kib;

	mthp->sizes = 0;
	if (!entries)
		return;
	while (mthp->sizes < MTHP_SIZES && (entry = readdir(entries))) {
		if (sscanf(entry->d_name, "hugepages-%" SCNu64 "kB", &kib) != 1)
			continue;
		mthp->size[mthp->sizes].bytes = kib * 1024;
		size_read(directory, entry->d_name, &mthp->size[mthp->sizes]);
		mthp->sizes++;
	}
	closedir(entries);
	qsort(mthp->size, mthp->sizes, sizeof(mthp->size[0]), size_compare);
}

void mthp_between(const struct mthp *before, const struct mthp *after, enum mthp_kind kind,
                  char out[MTHP_TEXT])
{
	size_t used = 0;
	bool known = false;

	out[0] = '\0';
	for (unsigned i = 0; i < after->sizes && before->sizes == after->sizes; i++) {
		uint64_t from = before->size[i].count[kind], to = after->size[i].count[kind];
		char size[UNIT_TEXT];

		if (from == UNKNOWN_COUNT || to == UNKNOWN_COUNT || to < from)
			continue;
		known = true;
		if (to > from)
			prose_append(out, MTHP_TEXT, &used, "%s%s:%" PRIu64, used ? " " : "",
			             size_format(after->size[i].bytes, size), to - from);
	}
	if (known && !used)
		snprintf(out, MTHP_TEXT, "none");
}
