// SPDX-License-Identifier: GPL-3.0-or-later
/* The edges of a worker's window and the samples inside it: clock and counts taken together. */
#ifndef WINDOW_H
#define WINDOW_H

#include "worker.h"

/*
 * Opens the window and returns the time of its edge: what takes time first, then counts, then the
 * clock, so that what follows is inside.
 */
uint64_t window_open(struct worker *worker, uint64_t now);

/* Puts what was done since the sample before into the ring, if it has room. */
void window_sample(struct worker *worker, uint64_t now);

/* Closes the window at `now`, the end of the last work that counts, and counts the worker in. */
void window_close(struct worker *worker, uint64_t now);

/*
 * Runs the code of the three above once, for nothing, so that it is present in this process and
 * takes no fault inside a window.
 */
void window_rehearse(struct worker *worker);

#endif
