// SPDX-License-Identifier: GPL-3.0-or-later
#include "preset.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
const struct preset preset_rows[] = {
	{ "multi-fault", "--bytes=2M --thp=never", "map: fault dontneed",
	  "write-fault 2 MiB page by page and drop it (the default)" },
	{ "page_fault1", "--bytes=128M --thp=never", "map fault unmap",
	  "map, write-fault and unmap 128 MiB, as will-it-scale's page_fault1 does" },
	{ "memory-test", "--bytes=1G --thp=never --block=1K --laps=1",
	  "map: fault memcpy dontneed",
	  "prefault 1 GiB, then fill it with copies of a 1 KiB block" },
	{ "memory-test-mlock", "--bytes=1G --thp=never --block=1K --laps=1",
	  "map: mlock touch memcpy munlock dontneed",
	  "the same with mlock before the first touch" },
	{ "zero-page", "--bytes=2M --thp=never", "map: read dontneed",
	  "read-fault 2 MiB: the kernel's shared zero page, where it has one" },
	{ "zero-cow", "--bytes=2M --thp=never", "map: read cow dontneed",
	  "read-fault, then write: copy-on-write from the zero page" },
	{ "prefault", "--bytes=2M --thp=never", "map: populate dontneed",
	  "let the kernel populate 2 MiB in one madvise call" },
	{ "pft", "--bytes=128M --thp=never --laps=1", "map fault unmap",
	  "one cold pass of write faults, as pft does" },
	{ "idle", "--bytes=4K --thp=never", "nop",
	  "laps that do nothing: the cost of the harness itself" },
	{ NULL, NULL, NULL, NULL },
};
/* clang-format on */

const struct preset *preset_find(const char *name)
{
	for (const struct preset *preset = preset_rows; preset->name; preset++)
		if (strcmp(preset->name, name) == 0)
			return preset;
	return NULL;
}
