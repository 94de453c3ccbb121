// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Command lines as text: words quoted for a POSIX shell, and read back without one.  The plan of a
 * sweep keeps its command lines so; no shell ever sees them.
 */
#ifndef QUOTE_H
#define QUOTE_H

#include <stddef.h>

/*
 * Appends ` word` to `out`, in single quotes where a shell would take it for anything else than
 * itself.  Returns 0, or -1 when `size` bytes do not hold it; `out` is then as it was.
 */
int quote_word(const char *word, char *out, size_t size);

/*
 * Splits what quote_word() wrote, in place; *words point into `text`.  Returns the number of words,
 * or -1 if the text is not of that form (an open quote, an unquoted character that a shell would
 * act on) or has more than `limit`.
 */
int quote_split(char *text, char *words[], int limit);

#endif
