// SPDX-License-Identifier: GPL-3.0-or-later
/* What the parts of the command share. */
#ifndef SWEEP_H
#define SWEEP_H

#include "carrier.h"
#include "hosts.h"
#include "jobs.h"
#include "plan.h"
#include "session.h"

enum { SWEEP_META = 64, SWEEP_COMMAND = 8192 };

/* Everything that lives as long as the command. */
struct sweep {
	struct options options;
	struct session session; /* the facts of this machine */
	struct plan plan;
	uint64_t seed;            /* 0: in order */
	char directory[PATH_MAX]; /* of the results, absolute */
	struct hosts hosts;       /* none: this machine */
	struct carrier carrier;
	char command[SWEEP_COMMAND]; /* as typed */
	char seed_text[24];
	struct meta_row meta[SWEEP_META]; /* under which conditions: facts of this machine */
	size_t meta_count;
	FILE *out; /* for people: stdout, or stderr beside CSV */
};

/*
 * Puts the jobs' results together, prints how it scales and what is missing.  Returns the exit
 * status, or -1.  If a signal ended the measuring it does not return.
 */
int sweep_finish(struct sweep *sweep, struct complaint *c);

/* Says which of a source's points are not known as precisely as asked. */
void sweep_note_precision(const struct sweep *sweep, const struct jobs_source *source);

/* Says once of each event of which a worker could not count it. */
void sweep_note_events(const struct sweep *sweep);

/* What a directory's jobs were measured under must be what there is now: 0 or -1. */
int sweep_conditions(const struct sweep *sweep, struct complaint *c);

#endif
