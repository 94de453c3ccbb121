// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Two sides of values compared, point by point and over all.  Pure.
 *
 * Values are compared by their logarithms, as suits rates and times, whose errors are shares of
 * them: the ratio is one of geometric means.  Summaries that others made are taken as they are.
 * There is no ratio where a value is not above 0.
 *
 * What counts as one independent value is the unit: the boot where each side has three or more, for
 * a kernel laid out anew differs from itself by more than repeats show; else the run (directory)
 * where each boot has three or more, for repeats of one run share its time; else the repeat.  With
 * runs and repeats boots are fixed groups, and nothing is known of other boots.
 */
#ifndef CONTRAST_H
#define CONTRAST_H

#include "stats.h"
#include "verdict.h"

#include <stdint.h>

/* A measured value; boots and runs are numbered through both sides and all points. */
struct observation {
	double value;
	unsigned boot, run;
	uint64_t repeat;
};

/* For qsort: by boot, run and repeat. */
int observation_order(const void *left, const void *right);

/* One side of a point: measured values, or a summary that somebody else made of them. */
struct observed_side {
	struct observation *values; /* by boot, run and repeat */
	size_t count;
	struct summary given; /* if `summarised` */
	bool summarised;
	bool ordered; /* repeats were measured in their order, so that neighbours may be alike */
};

struct observed_pair {
	struct observed_side side[2];
};

enum unit { UNIT_OF_BOOTS, UNIT_OF_RUNS, UNIT_OF_REPEATS, UNIT_GIVEN };

struct contrast_rules {
	double margin;  /* the difference that does not matter */
	double boot_sd; /* spread between boots that the user vouches for; negative: not */
	enum better better;
};

/* What a side comes to. */
struct contrast_side {
	struct summary units; /* number of units, their geometric mean, and sd */
	size_t boots, runs, repeats;
	double median;          /* of the units */
	double within, between; /* sd of repeats in a boot, and of boots; NAN if unknown */
	size_t outliers;        /* among the repeats */
	struct humps humps;     /* in the repeats */
	struct estimate log_mean;
};

struct contrast {
	struct contrast_side side[2];
	enum unit unit;
	double rho;               /* correlation of neighbours that widened the interval, or 0 */
	struct estimate measured; /* log_ratio without a spread between boots that is vouched for */
	struct estimate log_ratio; /* of B/A */
	struct interval ratio;
	struct interval robust; /* Hodges-Lehmann, of the units */
	double p;
	struct verdict verdict;
	double detectable; /* smallest difference found in 80 of 100 cases, as a fraction */
	size_t needed;     /* further units a side to detect the margin, STATS_MANY: or more */
	bool needed_known;
};

/* Returns 0, or -1 when memory is out. */
int contrast_make(const struct observed_pair *pair, const struct contrast_rules *rules,
                  struct contrast *contrast);

/* Fills log_ratio: what is measured, and the spread between boots where that is only vouched for.
 */
void contrast_vouch(const struct contrast_rules *rules, struct contrast *contrast);

/* Draws from log_ratio what follows from it: interval, p, verdict, what is detectable. */
void contrast_conclude(const struct contrast_rules *rules, struct contrast *contrast);

/*
 * Over all points, the geometric mean of the ratios.  Its error comes from
 * the units that have all points, each by its geometric mean, so that what moves all points of a
 * boot together counts; else (*independent is set) from the points, taken as independent.  Points
 * without a ratio are left out.  Returns 0, or -1 when memory is out.
 */
int contrast_overall(const struct observed_pair pairs[], const struct contrast contrasts[],
                     size_t count, const struct contrast_rules *rules, struct contrast *overall,
                     bool *independent);

/*
 * Settles which differences stand among so many points (stats_discoveries).  Those that do get
 * intervals at 1 - alpha R/m, R of m being chosen (Benjamini and Yekutieli, J. Am. Stat. Assoc.
 * 100, 2005); a difference that does not is "cannot tell".  Returns how many were withheld.
 */
size_t contrast_settle(struct contrast contrasts[], size_t count,
                       const struct contrast_rules *rules);

/*
 * True if B is established to be worse by more than `limit`: all of the interval lies beyond it,
 * and the spread between boots is in it or vouched for.
 */
bool contrast_regressed(const struct contrast *contrast, double limit,
                        const struct contrast_rules *rules);

#endif
