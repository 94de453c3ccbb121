// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The vocabulary of work.  A step is one named act on one region: a row of the table in steps.c
 * that joins a verb (a C function, one file per family of system calls or kind of access), its
 * argument, the unit of its work and the contract that keeps a workload honest.
 */
#ifndef STEP_H
#define STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What can be true of every page of a region.  A step needs, forbids, gains and loses facts. */
enum fact {
	MAPPED = 1 << 0,     /* a mapping covers it */
	ACCESSIBLE = 1 << 1, /* readable and writable, not PROT_NONE */
	PRESENT = 1 << 2,    /* it has a page-table entry */
	OWNED = 1 << 3,      /* its page is the worker's own, not the zero page or another's */
	LOCKED = 1 << 4,     /* VM_LOCKED */
	CACHED = 1 << 5,     /* its file page is in the page cache */
	UNCERTAIN = 1 << 6,  /* the kernel may have taken it away (MADV_FREE, MADV_PAGEOUT) */
	FORKED = 1 << 7,     /* a sleeping child of the worker maps it too */
};

/* In what a step counts its work. */
enum unit { UNIT_CALL, UNIT_PAGE, UNIT_BYTE };

/* What the harness must know of a step beyond its contract. */
enum trait {
	DIVISIBLE = 1 << 0,    /* acts from user space page by page: may be run in parts */
	CHANGES_VMAS = 1 << 1, /* may split, merge, make or remove kernel VMAs */
	FILE_ONLY = 1 << 2,    /* acts on the file behind the memory through its descriptor */
	SHARED_ONLY = 1 << 3,  /* acts on pages that a private mapping may have copied */
	PRIVATE_ONLY = 1 << 4, /* has no meaning for a shared mapping */
	WHOLE_FILE = 1 << 5,   /* acts on all of the file: it must be the worker's own */
	PROCESS_ONLY = 1 << 6, /* acts on all of the process: it must be the worker's own */
	NEEDS_BLOCK = 1 << 7,  /* copies from or to the block */
};

/* How a copy of a block is done (--copy). */
enum copy_method { COPY_LIBC, COPY_MOVSB, COPY_NONTEMPORAL };

/* False if this CPU (or this build's architecture) has no such way to copy. */
bool copy_supported(enum copy_method method);

/* What is behind a region that is not private anonymous memory. */
struct source {
	int fd;       /* open file, or -1: anonymous */
	int flags;    /* of mmap, without MAP_FIXED */
	bool own;     /* the file is this region's alone: it begins at offset 0 */
	size_t bytes; /* of the file */
};

/* The sleeping child that shares a worker's pages (fork, reap). */
struct sibling {
	int pid;     /* 0: there is none */
	char *stack; /* of the child; MAP_SHARED, so that the worker's use of it is no fault */
};

/*
 * What one worker acts on: `pages` pages of `page` bytes, `stride` bytes apart.  The stride is the
 * page size except in the interleaved layout, where the workers' pages alternate.
 */
struct region {
	char *base;
	size_t page;
	size_t pages;
	size_t stride;
	bool huge;          /* map asks for transparent huge pages (MADV_HUGEPAGE) */
	char *block;        /* other end of copies: written memory of the worker's own */
	size_t block_bytes; /* bytes per copy */
	enum copy_method copy;
	const struct source *source; /* NULL: private anonymous memory */
	uint64_t offset;             /* of the first page in the source's file */
	uint64_t seed;               /* of the random orders: another one for each worker */
	struct sibling *sibling;     /* for steps that fork; else NULL */
};

/* The order in which a step visits pages or records, each once. */
enum visit { VISIT_FORWARD, VISIT_REVERSE, VISIT_RANDOM };

/* What tells two steps with the same verb apart. */
struct how {
	int argument;
	enum visit visit;
};

/* Acts once on the whole region; returns the work done in the step's unit, or -1 with errno. */
typedef int64_t verb(struct region *region, const struct how *how);

struct step {
	const char *name;
	const char *summary;
	verb *verb;
	struct how how;
	enum unit unit;
	unsigned needs, forbids, gains, loses; /* enum fact */
	unsigned traits;                       /* enum trait */
	const char *faultless; /* why a kernel may take no fault here where the contract has one a
	                          page */
};

/* The table of steps; ends with a row whose name is NULL. */
extern const struct step step_rows[];

/* The step of that exact name, or NULL. */
const struct step *step_find(const char *name);

/* "call", "page" or "byte". */
const char *unit_name(enum unit unit);

/* A word for each fact, in the order of enum fact; ends with NULL. */
extern const char *const fact_names[];

/* True if the region's pages follow one another, so that one call covers it. */
static inline bool region_contiguous(const struct region *region)
{
	return region->stride == region->page;
}

/* The part of a region that starts at page `first` and has at most `pages` pages. */
static inline struct region region_part(const struct region *region, size_t first, size_t pages)
{
	struct region part = *region;

	part.base += first * region->stride;
	part.offset += first * region->stride;
	part.pages = region->pages - first < pages ? region->pages - first : pages;
	return part;
}

#endif
