// SPDX-License-Identifier: GPL-3.0-or-later
/* The directory that a sweep's results are in. */
#ifndef STORE_H
#define STORE_H

#include "complaint.h"

#include <limits.h>

/* How much longer than its directory's the path of a file in it may be. */
enum { STORE_FILE = 64 };

/*
 * Makes the directory `path` with jobs/ in it, or makes sure that an existing one is a sweep's or
 * empty; "" gives it a name that says when.  Its absolute path, short enough for files below, comes
 * into `out`.  Returns 0, or -1: EXIT_USAGE if it is something else, EXIT_FAILED if it cannot be
 * made.
 */
int store_make(const char *path, char out[PATH_MAX], struct complaint *c);

/* The path of a file in it, whose name is shorter than STORE_FILE.  Returns out. */
char *store_path(const char *store, const char *file, char out[PATH_MAX]);

#endif
