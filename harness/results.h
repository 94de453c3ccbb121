// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The result directory.  It is written under another name beside its own (DIR.partial-PID) and
 * renamed when whole, so that DIR is never half a result; after a crash what was measured is there.
 */
#ifndef RESULTS_H
#define RESULTS_H

#include "complaint.h"
#include "rows.h"

#include <limits.h>
#include <stdbool.h>

struct results {
	bool on; /* false: no -o, every call does nothing */
	int directory;
	char path[PATH_MAX], partial[PATH_MAX];
	unsigned wanted; /* bits of the files there are */
	struct csv files[RESULT_FILES];
	size_t header[RESULT_FILES]; /* bytes of each file's header */
};

/*
 * Makes the directory and those files whose bits (1 << enum result_file) are set; "" turns results
 * off.  EXIT_USAGE if the directory exists.
 */
int results_open(struct results *results, const char *path, unsigned files, struct complaint *c);

/* Appends a row to one of the files; of one that was not asked for it is dropped. */
void results_row(struct results *results, enum result_file file, const void *row);

/* Writes out whole rows.  Returns 0, or -1 (EXIT_FAILED) with the file and errno. */
int results_flush(struct results *results, struct complaint *c);

/* Flushes, closes and gives the directory its name. */
int results_commit(struct results *results, struct complaint *c);

/* True if a file holds more than its header. */
bool results_written(const struct results *results);

/* Closes the files; `keep` leaves the partial directory with what it holds, else it is removed. */
void results_abandon(struct results *results, bool keep);

#endif
