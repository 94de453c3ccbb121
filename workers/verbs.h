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

/* The orders in which a step can visit pages or records; step_rows puts one into how->visit. */
size_t visit_place(enum visit visit, size_t index, size_t count, uint64_t seed);

/*
 * The place of the index-th visit in a random order of `count` places, each visited once: without a
 * table and without state that workers would share.  A mixing function that is one-to-one on the
 * next power of two, walked until it lands below `count` (J. Black, P. Rogaway: Ciphers with
 * Arbitrary Finite Domains, CT-RSA 2002).
 */
size_t visit_random(size_t index, size_t count, uint64_t seed);

/* Copies like memcpy; by enum copy_method. */
typedef void *copy_call(void *to, const void *from, size_t bytes);
extern copy_call *volatile const copy_calls[];

verb nop_do;           /* nothing; work is 1 call */
verb mapping_make;     /* mmap at the region's place; work is 1 call */
verb mapping_populate; /* the same with how->argument among the flags; pages */
verb mapping_move;     /* mremap to another place and back; pages */
verb mapping_drop;     /* munmap; pages */
verb access_set;       /* mprotect to how->argument; pages */
verb page_write;       /* one byte per page, in the order how->visit; pages */
verb page_read;        /* one byte per page, in the order how->visit; pages */
verb memory_advise;    /* madvise(how->argument); pages */
verb memory_lock;      /* mlock, or mlock2 with the flags how->argument; pages */
verb memory_unlock;    /* munlock; pages */
verb block_copy;       /* the block to each record of the region, in the order how->visit; bytes */
verb block_copy_out;   /* each record of the region to the block; bytes */
verb block_copy_half;  /* the lower half of the region to the upper, a block at a time; bytes */
verb file_write;       /* pwrite of the block until the file's part is full; bytes */
verb file_punch;       /* fallocate(FALLOC_FL_PUNCH_HOLE); pages */
verb file_truncate;    /* ftruncate to nothing and back to full length; pages */
verb file_readahead;   /* readahead(2); pages */
verb file_sync;        /* msync with the flags how->argument; pages */
verb child_fork;       /* make a child that sleeps and shares the region; pages */
verb child_reap;       /* end it; pages */

#endif
