// SPDX-License-Identifier: GPL-3.0-or-later
/* Text for people: broken into lines, and lists in one. */
#ifndef PROSE_H
#define PROSE_H

#include <stdbool.h>
#include <stdio.h>

enum { PROSE_WIDTH = 79 };

/*
 * Prints `text` from column `column` on, where the line now ends, breaking it at blanks so that no
 * line is longer than PROSE_WIDTH; further lines begin at column `indent`.  Ends with a newline.
 */
void prose_print(const char *text, size_t column, size_t indent, FILE *out);

/*
 * Appends an entry to the list of length *used in `out`, which has room for `size` bytes.  False if
 * it does not fit whole: then the list stays as it was, since half a number is a wrong number.
 */
__attribute__((format(printf, 4, 5))) bool prose_append(char *out, size_t size, size_t *used,
                                                        const char *format, ...);

#endif
