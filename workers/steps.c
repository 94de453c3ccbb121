// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The table of steps.  The contract columns are read by harness/workload.c, which also derives
 * from them how many faults each step takes (a private anonymous page faults once when it becomes
 * PRESENT or OWNED), so that a workload is checked before it runs and its count while it runs.
 */
#include "verbs.h"

#include <string.h>
#include <sys/mman.h>

#ifndef MADV_COLD
#define MADV_COLD 20 /* Linux 5.4 */
#define MADV_PAGEOUT 21
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_READ 22 /* Linux 5.14 */
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_DONTNEED_LOCKED
#define MADV_DONTNEED_LOCKED 24 /* Linux 5.18 */
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25 /* Linux 6.1 */
#endif

/* What unmapping takes; the page cache of a file stays. */
#define EVERYTHING (MAPPED | ACCESSIBLE | PRESENT | OWNED | LOCKED | UNCERTAIN)
#define USABLE (MAPPED | ACCESSIBLE)
#define HELD (PRESENT | OWNED)

const char *const fact_names[] = {"mapped", "accessible", "present", "owned", "locked",
                                  "cached", "uncertain",  "forked",  NULL};

#define NO_ZERO_PAGE \
	"read faults already gave pages of the worker's own: this kernel maps no shared zero page"

/* clang-format off */
const struct step step_rows[] = {
	{ .name = "map", .verb = mapping_make, .unit = UNIT_CALL,
	  .forbids = MAPPED, .gains = USABLE, .traits = CHANGES_VMAS,
	  .summary = "mmap the region at its place, readable and writable" },
	{ .name = "map-populate", .verb = mapping_populate, .how.argument = MAP_POPULATE,
	  .unit = UNIT_PAGE, .forbids = MAPPED, .gains = USABLE | HELD, .traits = CHANGES_VMAS,
	  .summary = "the same with MAP_POPULATE: the kernel faults all pages in" },
	{ .name = "unmap", .verb = mapping_drop, .unit = UNIT_PAGE,
	  .needs = MAPPED, .loses = EVERYTHING, .traits = CHANGES_VMAS,
	  .summary = "munmap the region" },
	{ .name = "fault", .verb = page_write, .unit = UNIT_PAGE,
	  .needs = USABLE, .forbids = PRESENT | UNCERTAIN, .gains = HELD, .traits = DIVISIBLE,
	  .summary = "write one byte to each page that is not present: a write fault a page" },
	{ .name = "fault-reverse", .verb = page_write, .how.visit = VISIT_REVERSE,
	  .unit = UNIT_PAGE, .needs = USABLE, .forbids = PRESENT | UNCERTAIN, .gains = HELD,
	  .summary = "the same from the last page to the first" },
	{ .name = "fault-random", .verb = page_write, .how.visit = VISIT_RANDOM,
	  .unit = UNIT_PAGE, .needs = USABLE, .forbids = PRESENT | UNCERTAIN, .gains = HELD,
	  .summary = "the same in random order, each page once" },
	{ .name = "touch", .verb = page_write, .unit = UNIT_PAGE,
	  .needs = USABLE | HELD, .forbids = UNCERTAIN, .traits = DIVISIBLE,
	  .summary = "write one byte to each page that is already the worker's: no fault" },
	{ .name = "touch-read", .verb = page_read, .unit = UNIT_PAGE,
	  .needs = USABLE | PRESENT, .forbids = UNCERTAIN, .traits = DIVISIBLE,
	  .summary = "read one byte of each page that is present: no fault" },
	{ .name = "reuse", .verb = page_write, .unit = UNIT_PAGE,
	  .needs = USABLE | OWNED | UNCERTAIN, .gains = HELD, .loses = UNCERTAIN, .traits = DIVISIBLE,
	  .summary = "write one byte to each page that the kernel may have taken: a fault if it had" },
	{ .name = "read", .verb = page_read, .unit = UNIT_PAGE,
	  .needs = USABLE, .forbids = PRESENT | UNCERTAIN, .gains = PRESENT, .traits = DIVISIBLE,
	  .summary = "read one byte of each page that is not present: a read fault a page" },
	{ .name = "read-reverse", .verb = page_read, .how.visit = VISIT_REVERSE,
	  .unit = UNIT_PAGE, .needs = USABLE, .forbids = PRESENT | UNCERTAIN, .gains = PRESENT,
	  .summary = "the same from the last page to the first" },
	{ .name = "read-random", .verb = page_read, .how.visit = VISIT_RANDOM,
	  .unit = UNIT_PAGE, .needs = USABLE, .forbids = PRESENT | UNCERTAIN, .gains = PRESENT,
	  .summary = "the same in random order, each page once" },
	{ .name = "cow", .verb = page_write, .unit = UNIT_PAGE,
	  .needs = USABLE | PRESENT, .forbids = OWNED | UNCERTAIN, .gains = OWNED,
	  .traits = DIVISIBLE,
	  .summary = "write one byte to each page that is present but not the worker's own",
	  .faultless = NO_ZERO_PAGE },
	{ .name = "populate", .verb = memory_advise, .how.argument = MADV_POPULATE_WRITE,
	  .unit = UNIT_PAGE, .needs = USABLE, .forbids = PRESENT | UNCERTAIN, .gains = HELD,
	  .summary = "madvise(MADV_POPULATE_WRITE): the kernel writes all pages present (Linux 5.14)" },
	{ .name = "populate-read", .verb = memory_advise, .how.argument = MADV_POPULATE_READ,
	  .unit = UNIT_PAGE, .needs = USABLE, .forbids = PRESENT | UNCERTAIN, .gains = PRESENT,
	  .summary = "madvise(MADV_POPULATE_READ): the kernel reads all pages present (Linux 5.14)" },
	{ .name = "dontneed", .verb = memory_advise, .how.argument = MADV_DONTNEED, .unit = UNIT_PAGE,
	  .needs = MAPPED | PRESENT, .forbids = LOCKED, .loses = HELD | UNCERTAIN,
	  .summary = "madvise(MADV_DONTNEED): drop the pages" },
	{ .name = "dontneed-locked", .verb = memory_advise, .how.argument = MADV_DONTNEED_LOCKED,
	  .unit = UNIT_PAGE, .needs = MAPPED | PRESENT, .loses = HELD | UNCERTAIN,
	  .summary = "madvise(MADV_DONTNEED_LOCKED): drop the pages, locked or not (Linux 5.18)" },
	{ .name = "free", .verb = memory_advise, .how.argument = MADV_FREE, .unit = UNIT_PAGE,
	  .needs = MAPPED | HELD, .forbids = LOCKED, .gains = UNCERTAIN,
	  .summary = "madvise(MADV_FREE): let the kernel take the pages when it wants them" },
	{ .name = "cold", .verb = memory_advise, .how.argument = MADV_COLD, .unit = UNIT_PAGE,
	  .needs = MAPPED | PRESENT, .forbids = LOCKED,
	  .summary = "madvise(MADV_COLD): make the pages the first to be reclaimed (Linux 5.4)" },
	{ .name = "pageout", .verb = memory_advise, .how.argument = MADV_PAGEOUT,
	  .unit = UNIT_PAGE, .needs = MAPPED | PRESENT, .forbids = LOCKED, .gains = UNCERTAIN,
	  .summary = "madvise(MADV_PAGEOUT): reclaim the pages that can be (Linux 5.4)" },
	{ .name = "collapse", .verb = memory_advise, .how.argument = MADV_COLLAPSE,
	  .unit = UNIT_PAGE, .needs = USABLE | PRESENT,
	  .summary = "madvise(MADV_COLLAPSE): put the pages into huge ones (Linux 6.1)" },
	{ .name = "willneed", .verb = memory_advise, .how.argument = MADV_WILLNEED,
	  .unit = UNIT_PAGE, .needs = MAPPED, .traits = SHARED_ONLY,
	  .summary = "madvise(MADV_WILLNEED): begin to read the file ahead" },
	{ .name = "advise-random", .verb = memory_advise, .how.argument = MADV_RANDOM,
	  .unit = UNIT_PAGE, .needs = MAPPED, .traits = CHANGES_VMAS,
	  .summary = "madvise(MADV_RANDOM): no read-ahead" },
	{ .name = "advise-sequential", .verb = memory_advise, .how.argument = MADV_SEQUENTIAL,
	  .unit = UNIT_PAGE, .needs = MAPPED, .traits = CHANGES_VMAS,
	  .summary = "madvise(MADV_SEQUENTIAL): much read-ahead" },
	{ .name = "mremap", .verb = mapping_move, .unit = UNIT_PAGE,
	  .needs = MAPPED | PRESENT, .forbids = LOCKED, .traits = CHANGES_VMAS,
	  .summary = "mremap to another place and back: page-table entries move twice (Linux 5.7)" },
	{ .name = "mlock", .verb = memory_lock, .unit = UNIT_PAGE,
	  .needs = USABLE, .forbids = LOCKED | UNCERTAIN, .gains = LOCKED | HELD,
	  .traits = CHANGES_VMAS,
	  .summary = "mlock the region, which faults in what is not yet the worker's own",
	  .faultless = NO_ZERO_PAGE },
	{ .name = "mlock-onfault", .verb = memory_lock, .how.argument = MLOCK_ONFAULT,
	  .unit = UNIT_PAGE, .needs = USABLE, .forbids = LOCKED | UNCERTAIN, .gains = LOCKED,
	  .traits = CHANGES_VMAS,
	  .summary = "mlock2(MLOCK_ONFAULT): lock pages as they are faulted in (Linux 4.4)" },
	{ .name = "munlock", .verb = memory_unlock, .unit = UNIT_PAGE,
	  .needs = MAPPED | LOCKED, .loses = LOCKED, .traits = CHANGES_VMAS,
	  .summary = "munlock the region; its pages stay" },
	{ .name = "memcpy", .verb = block_copy, .unit = UNIT_BYTE,
	  .needs = USABLE, .forbids = UNCERTAIN, .gains = HELD, .traits = DIVISIBLE | NEEDS_BLOCK,
	  .summary = "copy the block (--block) with the C library's memcpy until the region is full",
	  .faultless = NO_ZERO_PAGE },
	{ .name = "memcpy-random", .verb = block_copy, .how.visit = VISIT_RANDOM,
	  .unit = UNIT_BYTE, .needs = USABLE, .forbids = UNCERTAIN, .gains = HELD, .traits = NEEDS_BLOCK,
	  .summary = "the same in random order, each block's place once",
	  .faultless = NO_ZERO_PAGE },
	{ .name = "memcpy-out", .verb = block_copy_out, .unit = UNIT_BYTE,
	  .needs = USABLE, .forbids = UNCERTAIN, .gains = PRESENT, .traits = DIVISIBLE | NEEDS_BLOCK,
	  .summary = "copy the region out, --block bytes at a time" },
	{ .name = "memcpy-out-reverse", .verb = block_copy_out, .how.visit = VISIT_REVERSE,
	  .unit = UNIT_BYTE, .needs = USABLE, .forbids = UNCERTAIN, .gains = PRESENT, .traits = NEEDS_BLOCK,
	  .summary = "the same from the last block to the first" },
	{ .name = "memcpy-out-random", .verb = block_copy_out, .how.visit = VISIT_RANDOM,
	  .unit = UNIT_BYTE, .needs = USABLE, .forbids = UNCERTAIN, .gains = PRESENT, .traits = NEEDS_BLOCK,
	  .summary = "the same in random order, each block once" },
	{ .name = "memcpy-half", .verb = block_copy_half, .unit = UNIT_BYTE,
	  .needs = USABLE | HELD, .forbids = UNCERTAIN,
	  .summary = "copy the lower half of the region to the upper, --block bytes at a time" },
	{ .name = "pwrite", .verb = file_write, .unit = UNIT_BYTE, .gains = CACHED,
	  .traits = FILE_ONLY | NEEDS_BLOCK,
	  .summary = "write the block to the file until it is full: fills the page cache" },
	{ .name = "readahead", .verb = file_readahead, .unit = UNIT_PAGE, .traits = FILE_ONLY,
	  .summary = "readahead(2): begin to read the file into the page cache" },
	{ .name = "msync", .verb = file_sync, .how.argument = MS_SYNC, .unit = UNIT_PAGE,
	  .needs = MAPPED, .traits = SHARED_ONLY,
	  .summary = "msync(MS_SYNC): write what was changed to the file" },
	{ .name = "punch", .verb = file_punch, .unit = UNIT_PAGE, .needs = CACHED,
	  .forbids = LOCKED, .loses = HELD | CACHED | UNCERTAIN, .traits = FILE_ONLY | SHARED_ONLY,
	  .summary = "fallocate(FALLOC_FL_PUNCH_HOLE): free the pages of the file" },
	{ .name = "remove", .verb = memory_advise, .how.argument = MADV_REMOVE,
	  .unit = UNIT_PAGE, .needs = MAPPED | CACHED, .forbids = LOCKED,
	  .loses = HELD | CACHED | UNCERTAIN, .traits = SHARED_ONLY,
	  .summary = "madvise(MADV_REMOVE): the same through the mapping" },
	{ .name = "truncate", .verb = file_truncate, .unit = UNIT_PAGE, .needs = CACHED,
	  .forbids = LOCKED, .loses = HELD | CACHED | UNCERTAIN, .traits = FILE_ONLY | WHOLE_FILE,
	  .summary = "ftruncate to nothing and back: free the pages of the file" },
	{ .name = "fork", .verb = child_fork, .unit = UNIT_PAGE,
	  .needs = MAPPED | HELD, .forbids = FORKED | LOCKED | UNCERTAIN, .gains = FORKED,
	  .loses = OWNED, .traits = PROCESS_ONLY | PRIVATE_ONLY,
	  .summary = "fork a child that sleeps: the region's pages become copy-on-write" },
	{ .name = "reap", .verb = child_reap, .unit = UNIT_PAGE,
	  .needs = FORKED, .loses = FORKED, .traits = PROCESS_ONLY | PRIVATE_ONLY,
	  .summary = "kill and reap that child" },
	{ .name = "protect", .verb = access_set, .how.argument = PROT_NONE, .unit = UNIT_PAGE,
	  .needs = USABLE, .loses = ACCESSIBLE, .traits = CHANGES_VMAS,
	  .summary = "mprotect(PROT_NONE)" },
	/* Locked memory that becomes writable is faulted in (Linux mm/mprotect.c, mprotect_fixup). */
	{ .name = "unprotect", .verb = access_set, .how.argument = PROT_READ | PROT_WRITE,
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
