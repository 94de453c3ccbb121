// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The table of steps.  The contract columns are read by harness/workload.c, which also derives
 * from them how many faults each step takes (a private anonymous page faults once when it becomes
 * PRESENT or OWNED), so that a workload is checked before it runs and its count while it runs.
 */
#include "verbs.h"

#include <string.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif
#ifndef MADV_DONTNEED_LOCKED
#define MADV_DONTNEED_LOCKED 24 /* Linux 5.18 */
#endif

#define EVERYTHING (MAPPED | ACCESSIBLE | PRESENT | OWNED | LOCKED | CACHED | UNCERTAIN)
#define USABLE (MAPPED | ACCESSIBLE)
#define HELD (PRESENT | OWNED)

const char *const fact_names[] = {"mapped", "accessible", "present",   "owned",
                                  "locked", "cached",     "uncertain", NULL};

#define NO_ZERO_PAGE \
	"read faults already gave pages of the worker's own: this kernel maps no shared zero page"

/* clang-format off */
const struct step step_rows[] = {
	{ .name = "map", .verb = mapping_make, .unit = UNIT_CALL,
	  .forbids = MAPPED, .gains = USABLE, .traits = CHANGES_VMAS,
	  .summary = "mmap the region at its place: private, anonymous, readable and writable" },
	{ .name = "unmap", .verb = mapping_drop, .unit = UNIT_PAGE,
	  .needs = MAPPED, .loses = EVERYTHING, .traits = CHANGES_VMAS,
	  .summary = "munmap the region" },
	{ .name = "fault", .verb = page_write, .unit = UNIT_PAGE,
	  .needs = USABLE, .forbids = PRESENT | UNCERTAIN, .gains = HELD, .traits = DIVISIBLE,
	  .summary = "write one byte to each page that is not present: a write fault a page" },
	{ .name = "touch", .verb = page_write, .unit = UNIT_PAGE,
	  .needs = USABLE | HELD, .forbids = UNCERTAIN, .traits = DIVISIBLE,
	  .summary = "write one byte to each page that is already the worker's: no fault" },
	{ .name = "read", .verb = page_read, .unit = UNIT_PAGE,
	  .needs = USABLE, .forbids = PRESENT | UNCERTAIN, .gains = PRESENT, .traits = DIVISIBLE,
	  .summary = "read one byte of each page that is not present: a read fault a page" },
	{ .name = "cow", .verb = page_write, .unit = UNIT_PAGE,
	  .needs = USABLE | PRESENT, .forbids = OWNED | UNCERTAIN, .gains = OWNED,
	  .traits = DIVISIBLE,
	  .summary = "write one byte to each page that is present but not the worker's own",
	  .faultless = NO_ZERO_PAGE },
	{ .name = "populate", .verb = memory_advise, .how = { MADV_POPULATE_WRITE },
	  .unit = UNIT_PAGE, .needs = USABLE, .forbids = PRESENT | UNCERTAIN, .gains = HELD,
	  .summary = "madvise(MADV_POPULATE_WRITE): the kernel writes all pages present (Linux 5.14)" },
	{ .name = "dontneed", .verb = memory_advise, .how = { MADV_DONTNEED }, .unit = UNIT_PAGE,
	  .needs = MAPPED | PRESENT, .forbids = LOCKED, .loses = HELD | UNCERTAIN,
	  .summary = "madvise(MADV_DONTNEED): drop the pages" },
	{ .name = "dontneed-locked", .verb = memory_advise, .how = { MADV_DONTNEED_LOCKED },
	  .unit = UNIT_PAGE, .needs = MAPPED | PRESENT | LOCKED, .loses = HELD | UNCERTAIN,
	  .summary = "madvise(MADV_DONTNEED_LOCKED): drop the pages of locked memory (Linux 5.18)" },
	{ .name = "free", .verb = memory_advise, .how = { MADV_FREE }, .unit = UNIT_PAGE,
	  .needs = MAPPED | HELD, .forbids = LOCKED, .gains = UNCERTAIN,
	  .summary = "madvise(MADV_FREE): let the kernel take the pages when it wants them" },
	{ .name = "mlock", .verb = memory_lock, .unit = UNIT_PAGE,
	  .needs = USABLE, .forbids = LOCKED | UNCERTAIN, .gains = LOCKED | HELD,
	  .traits = CHANGES_VMAS,
	  .summary = "mlock the region, which faults in what is not yet the worker's own",
	  .faultless = NO_ZERO_PAGE },
	{ .name = "munlock", .verb = memory_unlock, .unit = UNIT_PAGE,
	  .needs = MAPPED | LOCKED, .loses = LOCKED, .traits = CHANGES_VMAS,
	  .summary = "munlock the region; its pages stay" },
	{ .name = "memcpy", .verb = block_copy, .unit = UNIT_BYTE,
	  .needs = USABLE, .forbids = UNCERTAIN, .gains = HELD, .traits = DIVISIBLE,
	  .summary = "copy the block (--block) with the C library's memcpy until the region is full",
	  .faultless = NO_ZERO_PAGE },
	{ .name = "protect", .verb = access_set, .how = { PROT_NONE }, .unit = UNIT_PAGE,
	  .needs = USABLE, .loses = ACCESSIBLE, .traits = CHANGES_VMAS,
	  .summary = "mprotect(PROT_NONE)" },
	/* Locked memory that becomes writable is faulted in (Linux mm/mprotect.c, mprotect_fixup). */
	{ .name = "unprotect", .verb = access_set, .how = { PROT_READ | PROT_WRITE },
	  .unit = UNIT_PAGE, .needs = MAPPED, .forbids = ACCESSIBLE | LOCKED,
	  .gains = ACCESSIBLE, .traits = CHANGES_VMAS,
	  .summary = "mprotect(PROT_READ|PROT_WRITE)" },
	{ .name = "nop", .verb = nop_do, .unit = UNIT_CALL,
	  .summary = "do nothing: what remains is the cost of the harness" },
	{ .name = NULL },
};
/* clang-format on */

const struct step *step_find(const char *name)
{
	for (const struct step *step = step_rows; step->name; step++)
		if (strcmp(step->name, name) == 0)
			return step;
	return NULL;
}

const char *unit_name(enum unit unit)
{
	static const char *const names[] = {
	        [UNIT_CALL] = "call", [UNIT_PAGE] = "page", [UNIT_BYTE] = "byte"};

	return names[unit];
}
