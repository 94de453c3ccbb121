// SPDX-License-Identifier: GPL-3.0-or-later
/* The parent's tick while workers measure: rings to samples.csv and timeline.csv, live line, waits.
 */
#ifndef DRAIN_H
#define DRAIN_H

#include "crew.h"
#include "results.h"
#include "trend.h"
#include "waits.h"

/* What has been drained of one worker's window. */
struct drained {
	uint64_t end_ns; /* of the last sample */
	uint64_t laps, faults;
	struct sample_step step[WORKLOAD_STEPS];
};

struct drain {
	const struct crew *crew;
	struct results *results;
	struct row_key row;
	uint64_t gate_ns; /* when the gate was opened: time 0 of the files */
	struct drained *drained;
	struct waits waits;
	struct trend trend; /* of the rate of pages, or of laps where the loop handles none */
	bool live;          /* show a line on stderr */
	bool torn;          /* an entry was not the one due */
	bool failed;
	struct complaint complaint; /* why the results cannot be written */
};

/* Returns 0, or -1 when memory is out. */
int drain_make(struct drain *drain, const struct crew *crew, struct results *results,
               const struct row_key *row, bool live);
void drain_free(struct drain *drain);

/* Drains every ring once and writes out whole rows; a watch's tick, whose context is the drain. */
void drain_tick(void *context, uint64_t now);

/*
 * After the workers have ended: drains what is left, then what no ring had room for, so that the
 * samples of a worker whose window closed add up to its window.
 */
void drain_finish(struct drain *drain);

#endif
