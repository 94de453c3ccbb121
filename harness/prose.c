// SPDX-License-Identifier: GPL-3.0-or-later
#include "prose.h"

#include <string.h>

void prose_print(const char *text, size_t column, size_t indent, FILE *out)
{
	const char *gap = "";

	for (;;) {
		size_t length;

		text += strspn(text, " ");
		length = strcspn(text, " ");
		if (!length)
			break;
		if (*gap && column + 1 + length > PROSE_WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
			gap = "";
		}
		column += strlen(gap) + length;
		fprintf(out, "%s%.*s", gap, (int)length, text);
		text += length;
		gap = " ";
	}
	fputc('\n', out);
}
