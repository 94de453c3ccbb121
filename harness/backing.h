// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What is behind the workers' memory: nothing (private anonymous), a file without a name, shared
 * anonymous memory, or the kernel's pool of huge pages.
 *
 * Files never have a name that could stay behind: they are made with O_TMPFILE, and where a file
 * system lacks it unlinked as soon as they are open, so that even a killed worker leaves none.
 */
#ifndef BACKING_H
#define BACKING_H

#include "options.h"
#include "workload.h"

/* The options on memory, resolved. */
struct backing {
	enum backing_kind kind;
	bool shared;
	bool descriptor;     /* there is a file, one for each worker or one for all */
	uint64_t memory;     /* bytes of all workers that cannot be given back */
	bool in_memory;      /* its page cache is memory that cannot be written back to a disk */
	size_t page;         /* what memory is counted in: base pages, or huge ones for hugetlb */
	int map_flags;       /* of mmap, without MAP_FIXED */
	char filesystem[64]; /* "ext4", "tmpfs huge=always", "shmem huge=never"; "" if none */
	struct ground ground;
};

/* Resolves the options.  Returns 0, or -1 (EXIT_USAGE) for options that contradict each other. */
int backing_resolve(struct options *options, struct backing *backing, struct complaint *c);

/* How much of it a point takes. */
struct backing_need {
	unsigned workers, per_process;
	uint64_t bytes;     /* of each worker, in whole pages */
	uint64_t rehearsal; /* of each worker on top, for a rehearsal elsewhere; or 0 */
	uint64_t block;     /* of each worker, the other end of its copies; or 0 */
};

/*
 * Looks at what this machine has and names the file system.  Refuses a directory that is none
 * (EXIT_USAGE), a size of huge pages that this kernel has not (EXIT_UNSUPPORTED), and
 * (EXIT_FAILED), with the numbers, what would end in SIGBUS or an OOM kill: more than the file
 * system has space or inodes for; more than MemAvailable or the memory cgroup leaves; more than the
 * free huge pages or the hugetlb cgroup; files longer or more than the limits on them. What cannot
 * be read is not held against the run.
 */
int backing_check(struct backing *backing, const struct options *options,
                  const struct backing_need *need, struct complaint *c);

/* The part of it for huge pages of the pool; `bytes` are those of all workers. */
int backing_check_pool(const struct backing *backing, uint64_t bytes, struct complaint *c);

/*
 * Makes a file of that length, all of it a hole.  Returns its descriptor, or -1 with errno.  To be
 * called for a backing with descriptors.
 */
int backing_open(const struct backing *backing, const struct options *options, uint64_t bytes);

/* Faults per page to expect of a lap, with their headline pages; NAN where nothing is known. */
struct band {
	double low, high;
};

/*
 * From the table of what was measured (Linux 6.18): how many pages one fault maps depends on the
 * file system, on the kind of access and on whether the page is in the page cache before.  A read
 * fault maps the pages around it as far as fault_around_bytes goes, or a whole large folio; a write
 * fault on a shared mapping of ext4 or xfs a whole large folio; all others one page.
 */
struct band backing_band(const struct backing *backing, const struct workload *workload,
                         bool huge_possible);

#endif
