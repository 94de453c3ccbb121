// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * All launches of a duel and what they come to.  The unit of replication is the launch: within one
 * the slices share what is peculiar to it (where the crews' pages and page tables came to lie), so
 * that an interval from slices would be too narrow.  Each launch gives one log ratio; the interval
 * is Student's t over launches.
 */
#ifndef SCORE_H
#define SCORE_H

#include "launch.h"
#include "verdict.h"

struct score {
	struct launch *launches;
	size_t count, wanted;            /* launches */
	double seconds;                  /* that it all took */
	struct verdict verdict[METRICS]; /* laps and pages: more is better; ns: less is */
	double value[2][METRICS];        /* means over the launches */
	bool precise;                    /* the interval is as narrow as --precision asks */
	struct noise_reading before, after;
	struct noise noise; /* between the two; its texts lie in them */
	enum exit_status exit_status;
	char reason[256]; /* why the duel is not valid, or "" */
};

/*
 * Into how many launches the time after the first is divided, which took `start_ns` to start its
 * crews.  More and shorter launches make the interval narrower, since what differs from launch to
 * launch is hardly less in long ones; but each is to measure for a quarter of a second, and for as
 * long as it takes to start.  At least nine.
 */
unsigned score_division(uint64_t rest_ns, uint64_t start_ns);

/*
 * Carries out the launches: as many as --launches says, else as score_division() does from what the
 * first took to start, which measures for a tenth of the time; and with --precision more until the
 * interval of the headline is narrow enough or --max-time is over.  Returns 0, or -1 when crews
 * could not be started; a duel that is not valid has a reason and an exit status.
 */
int score_run(struct contest *contest, struct score *score, struct complaint *c);
void score_free(struct score *score);

/* For people; one row of CSV on a descriptor (0, or -1 and errno); rows for the result files. */
void score_print(const struct score *score, const struct contest *contest, FILE *out);
/* What may have disturbed it, and what was not reached: where the table says nothing of it. */
void score_warn(const struct score *score, const struct contest *contest, FILE *out);
int score_csv(const struct score *score, const struct contest *contest, int fd);
void score_rows(const struct score *score, const struct contest *contest);

#endif
