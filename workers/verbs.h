// SPDX-License-Identifier: GPL-3.0-or-later
/* The verbs behind the steps.  Each does its act once over the region and returns its work. */
#ifndef VERBS_H
#define VERBS_H

#include "step.h"

/* A call over `bytes` bytes at `at`; returns 0, or -1 with errno. */
typedef int span_call(char *at, size_t bytes, const struct region *region, const struct how *how);

/*
 * Makes the call once over a contiguous region, else once per page.  Returns the region's pages,
 * or -1 with the errno of the call that failed.
 */
int64_t region_call(struct region *region, const struct how *how, span_call *call);

verb nop_do;        /* nothing; work is 1 call */
verb mapping_make;  /* mmap at the region's place; work is 1 call */
verb mapping_drop;  /* munmap; pages */
verb access_set;    /* mprotect to how->argument; pages */
verb page_write;    /* one byte per page; pages */
verb page_read;     /* one byte per page; pages */
verb memory_advise; /* madvise(how->argument); pages */
verb memory_lock;   /* mlock; pages */
verb memory_unlock; /* munlock; pages */
verb block_copy;    /* memcpy of the block until the region is full; bytes */

#endif
