// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A sweep on other machines: each gets what it is still to do as a plan of its own and this
 * faultscale, carries the plan out by itself and sends its jobs back.  One ssh session lasts for
 * the sweep of one machine, so a thousand machines are a thousand sessions, not one for each job.
 */
#ifndef FLEET_H
#define FLEET_H

#include "carrier.h"
#include "hosts.h"
#include "plan.h"

/* A host's directory below the sweep's, with its jobs/ and meta.csv, into `out`; returns out. */
char *fleet_path(const char *sweep, const struct host *host, char out[PATH_MAX]);

/*
 * Has every host carry out those jobs of the plan that did not come back yet.  *asked gets the
 * number of hosts that were asked.  A host that cannot be reached is no failure here: its jobs are
 * missing.  Needs GNU parallel and rsync on this machine; perl and rsync there.  Returns 0, also
 * after a signal, or -1 (EXIT_FAILED).
 */
int fleet_run(struct carrier *carrier, const struct hosts *hosts, const struct plan *plan,
              size_t *asked, struct complaint *c);

#endif
