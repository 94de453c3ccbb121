// SPDX-License-Identifier: GPL-3.0-or-later
/* madvise, mlock and munlock: advice and locks on memory that stays mapped. */
#include "verbs.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int span_advise(char *at, size_t bytes, const struct region *region, const struct how *how)
{
	(void)region;
	return madvise(at, bytes, how->argument);
}

int64_t memory_advise(struct region *region, const struct how *how)
{
	return region_call(region, how, span_advise);
}

/*
 * By number: the address sanitizer puts functions in place of mlock and munlock that do nothing.
 */
static int span_lock(char *at, size_t bytes, const struct region *region, const struct how *how)
{
	(void)region;
	return (int)(how->argument ? syscall(SYS_mlock2, at, bytes, how->argument)
	                           : syscall(SYS_mlock, at, bytes));
}

int64_t memory_lock(struct region *region, const struct how *how)
{
	return region_call(region, how, span_lock);
}

static int span_unlock(char *at, size_t bytes, const struct region *region, const struct how *how)
{
	(void)region;
	(void)how;
	return (int)syscall(SYS_munlock, at, bytes);
}

int64_t memory_unlock(struct region *region, const struct how *how)
{
	return region_call(region, how, span_unlock);
}
