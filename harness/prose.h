// SPDX-License-Identifier: GPL-3.0-or-later
/* Text for people, broken into lines. */
#ifndef PROSE_H
#define PROSE_H

#include <stdio.h>

enum { PROSE_WIDTH = 79 };

/*
 * Prints `text` from column `column` on, where the line now ends, breaking it at blanks so that no
 * line is longer than PROSE_WIDTH; further lines begin at column `indent`.  Ends with a newline.
 */
void prose_print(const char *text, size_t column, size_t indent, FILE *out);

#endif
