// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The measuring loop.  A lap is made of passes: one, or with --piece one for each piece of the
 * region.  A timed pass reads the clock at each step's border; where passes are so short that this
 * would cost more than 0.2 %, plain passes without any clock run between two timed ones.
 */
#ifndef LOOP_H
#define LOOP_H

#include "worker.h"

/* Comes to the gate, works each turn it opens, and leaves when told.  Does not return. */
void worker_serve(struct worker *worker);

#endif
