// SPDX-License-Identifier: GPL-3.0-or-later
#include "preset.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
/* What the presets of the mmap file test have in common. */
#define MMAP_FILE \
	"--total-bytes=256M --backing=file --share=shared --block=4K --laps=1"
#define IOZONE(what) \
	"iozone -B " what " with 4K records, total size divided; ours: unmapping is not in its time"

const struct preset preset_rows[] = {
	{ "multi-fault", "--bytes=2M --thp=never", "map: fault dontneed",
	  "write-fault 2 MiB page by page and drop it (the default)", "" },
	{ "page_fault1", "--bytes=128M --thp=never", "map fault unmap",
	  "map, write-fault and unmap 128 MiB",
	  "will-it-scale page_fault1; ours: no huge pages, so that each touch is a fault" },
	{ "page_fault2", "--bytes=128M --backing=file --share=private",
	  "map fault unmap: map fault unmap",
	  "the same on a private mapping of a cached file: each write copies a page",
	  "will-it-scale page_fault2; ours: the page cache is filled before the window" },
	{ "page_fault3", "--bytes=128M --backing=file --share=shared",
	  "map fault unmap: map fault unmap",
	  "the same on a shared mapping of a cached file",
	  "will-it-scale page_fault3; ours: counts faults, of which one may map many pages" },
	{ "page_fault4", "--bytes=128M --backing=file --share=shared",
	  "map read unmap: map read unmap",
	  "read-fault a shared mapping of a cached file",
	  "will-it-scale page_fault4 (hansendc); ours: counts faults, not touches" },
	{ "page_fault5", "--bytes=128M --backing=file --share=shared",
	  "map read protect unmap: map read protect unmap",
	  "the same with mprotect(PROT_NONE) before munmap",
	  "will-it-scale page_fault5 (hansendc); ours: counts faults, not touches" },
	{ "page_fault_zero", "--bytes=128M --thp=never", "map read unmap",
	  "read-fault 128 MiB of anonymous memory",
	  "will-it-scale page_fault_zero (hansendc)" },
	{ "madvise_dontneed", "--bytes=128M --piece=4K --thp=never", "map: fault dontneed",
	  "write-fault and drop 128 MiB, one page after the other",
	  "will-it-scale madvise_dontneed (hansendc); ours: stays mapped" },
	{ "tlb_flush1", "--bytes=128M --piece=4K --backing=file --share=private",
	  "map fault dontneed: fault dontneed read dontneed-locked",
	  "write, drop and read each page of a private file mapping: two faults a page",
	  "will-it-scale tlb_flush1; ours: one more madvise a page instead of munmap at the end" },
	{ "tlb_flush2", "--bytes=1M --piece=4K --thp=never",
	  "map: fault dontneed read dontneed-locked",
	  "the same on 1 MiB of anonymous memory",
	  "will-it-scale tlb_flush2; ours: one more madvise a page instead of munmap at the end" },
	{ "tlb_flush3", "--bytes=128M --piece=4K --backing=file --share=shared",
	  "map fault dontneed: fault dontneed read dontneed-locked",
	  "the same on a shared file mapping",
	  "will-it-scale tlb_flush3; ours: one more madvise a page instead of munmap at the end" },
	{ "mmap1", "--bytes=128M --thp=never", "map unmap",
	  "map and unmap 128 MiB without touching it", "will-it-scale mmap1" },
	{ "memory-test", "--bytes=1G --thp=never --block=1K --laps=1",
	  "map: fault memcpy dontneed",
	  "prefault 1 GiB, then fill it with copies of a 1 KiB block", "" },
	{ "memory-test-mlock", "--bytes=1G --thp=never --block=1K --laps=1",
	  "map: mlock touch memcpy munlock dontneed",
	  "the same with mlock before the first touch", "" },
	{ "zero-page", "--bytes=2M --thp=never", "map: read dontneed",
	  "read-fault 2 MiB: the kernel's shared zero page, where it has one", "" },
	{ "zero-cow", "--bytes=2M --thp=never", "map: read cow dontneed",
	  "read-fault, then write: copy-on-write from the zero page", "" },
	{ "fork-cow", "--bytes=2M --thp=never", "map fault: fork cow reap",
	  "share 2 MiB with a sleeping child, then write: copy-on-write after fork", "" },
	{ "prefault", "--bytes=2M --thp=never", "map: populate dontneed",
	  "let the kernel populate 2 MiB in one madvise call", "" },
	{ "pft", "--bytes=128M --thp=never --laps=1", "map fault unmap",
	  "one cold pass of write faults",
	  "pft; ours: 128 MiB a worker, where its default is one page in all" },
	{ "usemem-anon-w-seq", "--total-bytes=1G --block=8 --laps=1", "map memcpy unmap",
	  "one pass of 8-byte writes over 1 GiB in all",
	  "vm-scalability anon-w-seq; ours: 1 GiB in all, where it takes half of the memory" },
	{ "usemem-anon-r-seq", "--total-bytes=1G --block=8 --laps=1", "map memcpy-out unmap",
	  "one pass of 8-byte reads over 1 GiB in all",
	  "vm-scalability anon-r-seq; ours: 1 GiB in all, copied to a block" },
	{ "usemem-anon-cow-seq", "--total-bytes=1G --block=8 --laps=1",
	  "map fault: fork memcpy reap",
	  "one pass of 8-byte writes over 1 GiB in all, shared with sleeping children",
	  "vm-scalability anon-cow-seq; ours: the parent writes, not the child" },
	{ "cortenmm-pf-low", "--mode=thread --bytes=128K --thp=never", "map: fault dontneed",
	  "threads fault 32 pages each, in page tables of their own",
	  "CortenMM pf, low contention; ours: a VMA each, and many laps for one" },
	{ "cortenmm-pf-high", "--mode=thread --bytes=128K --thp=never --layout=interleaved",
	  "map: fault dontneed",
	  "threads fault 32 pages each, dealt out within one VMA",
	  "CortenMM pf, high contention; ours: dealt round robin, and many laps for one" },
	{ "mapbench-local", "--mode=thread --bytes=4K --thp=never", "map fault unmap",
	  "threads map, write and unmap one page each",
	  "sv6 mapbench local; ours: slots of 2 MiB" },
	{ "multiload-memcpy", "--mode=thread --bytes=256M --thp=never --block=128M --warmup=4s "
	  "--duration=10s", "map fault: memcpy-half",
	  "threads copy one half of 256 MiB to the other in one call",
	  "multiload memcpy-libc; ours: halves are not swapped" },
	{ "mmap-file-write", MMAP_FILE, "map: memcpy truncate",
	  "write a new file through a mapping, record by record", IOZONE("initial write") },
	{ "mmap-file-rewrite", MMAP_FILE, "map memcpy dontneed: memcpy dontneed",
	  "write it again, from the page cache", IOZONE("rewrite") },
	{ "mmap-file-read", MMAP_FILE, "map memcpy dontneed: memcpy-out dontneed",
	  "read it, from the page cache", IOZONE("read") },
	{ "mmap-file-reread", MMAP_FILE, "map memcpy: memcpy-out",
	  "read it again, with its pages still mapped",
	  "iozone -B re-read with 4K records, total size divided; ours: not mapped anew" },
	{ "mmap-file-reverse-read", MMAP_FILE, "map memcpy dontneed: memcpy-out-reverse dontneed",
	  "read it from the last record to the first", IOZONE("backward read") },
	{ "mmap-file-random-read", MMAP_FILE, "map memcpy dontneed: memcpy-out-random dontneed",
	  "read it in random order, each record once", IOZONE("random read") },
	{ "mmap-file-random-write", MMAP_FILE, "map memcpy dontneed: memcpy-random dontneed",
	  "write it in random order, each record once", IOZONE("random write") },
	{ "idle", "--bytes=4K --thp=never", "nop",
	  "laps that do nothing: the cost of the harness itself", "" },
	{ .name = NULL },
};
/* clang-format on */

const struct preset *preset_find(const char *name)
{
	for (const struct preset *preset = preset_rows; preset->name; preset++)
		if (strcmp(preset->name, name) == 0)
			return preset;
	return NULL;
}
