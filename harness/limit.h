// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The limits a run can hit, with their numbers: which one stopped a fork, and whether the memory
 * asked for can be had and locked.  Asked before the workers start, since a limit that bites during
 * a measurement costs the result.
 */
#ifndef LIMIT_H
#define LIMIT_H

#include "complaint.h"

#include <stddef.h>
#include <stdint.h>

/*
 * One line on why fork or clone failed with errno `error`, to be called before the children started
 * so far are reaped.  For EAGAIN it names, of the limits on tasks that can be read, the one with
 * least room left (fork(2)): RLIMIT_NPROC, which does not bind root; pids.max; threads-max;
 * pid_max.
 */
void limits_explain_fork(int error, char *out, size_t size);

/*
 * Refuses (EXIT_FAILED) if more bytes are needed than MemAvailable (swap not counted) or the memory
 * cgroup leaves.  What cannot be read is not held against the run.  `what` names what needs them,
 * like "2 workers of 64M".
 */
int limits_check_memory(uint64_t bytes, const char *what, struct complaint *c);

/*
 * Refuses (EXIT_FAILED) if one process may not lock `bytes_each` for each of its workers.  Locks an
 * untouched mapping of that size (mlock2 with MLOCK_ONFAULT, Linux 4.4: checked against
 * RLIMIT_MEMLOCK and CAP_IPC_LOCK like mlock, but faults nothing in) rather than compare numbers.
 */
int limits_check_lock(uint64_t bytes_each, unsigned workers_per_process, struct complaint *c);

#endif
