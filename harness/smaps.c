// SPDX-License-Identifier: GPL-3.0-or-later
#include "smaps.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The lines of a mapping that say how much memory is there. */
static const struct {
	const char *key;
	bool resident, huge;
} lines[] = {
        {"Rss:", true, false},
        {"AnonHugePages:", false, true},
        {"ShmemPmdMapped:", false, true},
        {"FilePmdMapped:", false, true},
        {"Shared_Hugetlb:", true, true},
        {"Private_Hugetlb:", true, true},
};

/* Adds the line "KEY: N kB" of a mapping, if it is one of those. */
static void line_add(const char *line, struct smaps *smaps)
{
	uint64_t kib;
	char key[32];

	if (sscanf(line, "%31s %" SCNu64 " kB", key, &kib) != 2)
		return;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (strcmp(lines[i].key, key) == 0) {
			smaps->resident += lines[i].resident ? kib * 1024 : 0;
			smaps->huge += lines[i].huge ? kib * 1024 : 0;
		}
}

int smaps_read(const char *path, uintptr_t start, uintptr_t end, struct smaps *smaps)
{
	FILE *file = fopen(path, "re");
	bool inside = false, past = false;
	uintptr_t from, to;
	char line[512];

	*smaps = (struct smaps){0, 0};
	if (!file)
		return -1;
	while (!past && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2) {
			inside = from < end && to > start;
			past = from >= end;
		} else if (inside) {
			line_add(line, smaps);
		}
	}
	fclose(file);
	return 0;
}
