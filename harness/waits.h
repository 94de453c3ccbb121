// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Where blocked workers sleep: the parent looks, when it drains, at a few workers in turn and notes
 * the step and the kernel function (/proc/TID/wchan, CONFIG_KALLSYMS, same user) of those asleep.
 */
#ifndef WAITS_H
#define WAITS_H

#include "crew.h"

/* A place where a worker was seen. */
struct wait_site {
	unsigned worker, step;
	char symbol[64];
	uint64_t seen;
};

struct waits {
	struct wait_site *sites;
	size_t count;
	uint64_t *looks; /* at each worker */
	unsigned next;   /* worker to look at */
};

/* Returns 0, or -1 when memory is out. */
int waits_make(struct waits *waits, unsigned workers);
void waits_free(struct waits *waits);

/* Looks at some workers whose windows are open. */
void waits_look(struct waits *waits, const struct crew *crew);

/* Where this worker was seen most often, or NULL. */
const struct wait_site *waits_most(const struct waits *waits, unsigned worker);

#endif
