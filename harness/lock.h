// SPDX-License-Identifier: GPL-3.0-or-later
/* Who else is at work: in a sweep's directory, and on this machine. */
#ifndef LOCK_H
#define LOCK_H

#include "complaint.h"

#include <stdbool.h>

/*
 * Takes the file `lock` in a directory for this process, until it ends in whatever way (flock(2)).
 * Waits a moment for one that is just being killed.  Returns 0, or -1 (EXIT_FAILED) naming the
 * process that has it.
 */
int lock_directory(const char *directory, struct complaint *c);

/*
 * Says that this process measures, by a name in the abstract socket namespace that the kernel takes
 * back when it ends.  False if another process of this network namespace has said so already.
 */
bool lock_machine(void);

#endif
