// SPDX-License-Identifier: GPL-3.0-or-later
#include "prose.h"

#include <stdarg.h>
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

bool prose_append(char *out, size_t size, size_t *used, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(out + *used, size - *used, format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= size - *used) {
		out[*used] = '\0';
		return false;
	}
	*used += (size_t)length;
	return true;
}
