// SPDX-License-Identifier: GPL-3.0-or-later
#include "json.h"

void json_string(const char *text, FILE *out)
{
	const unsigned char *at = (const unsigned char *)text;

	fputc('"', out);
	while (*at) {
		int more = *at >= 0xf0 && *at < 0xf5 ? 3 : *at >= 0xe0 ? 2 : *at >= 0xc2 ? 1 : 0;
		int length = 1;

		while (length <= more && (at[length] & 0xc0) == 0x80)
			length++;
		if (*at == '"' || *at == '\\')
			fprintf(out, "\\%c", *at);
		else if (*at < 0x20)
			fprintf(out, "\\u%04x", *at);
		else if (*at < 0x80 || (more && *at < 0xf5 && length == more + 1))
			fwrite(at, 1, (size_t)length, out);
		else
			fputs("\\ufffd", out);
		at += *at < 0x80 || length == more + 1 ? length : 1;
	}
	fputc('"', out);
}
