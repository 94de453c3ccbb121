// SPDX-License-Identifier: GPL-3.0-or-later
/* Texts in JSON (RFC 8259). */
#ifndef JSON_H
#define JSON_H

#include <stdio.h>

/* Prints a text as a string; bytes that are no UTF-8 are shown as U+FFFD each. */
void json_string(const char *text, FILE *out);

#endif
