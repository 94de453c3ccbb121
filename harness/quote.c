// SPDX-License-Identifier: GPL-3.0-or-later
#include "quote.h"

#include <stdbool.h>
#include <string.h>

/* Characters that mean themselves to every shell, also at the start of a word. */
static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                            "0123456789-_=,.:/+%@";

/* How a quote is written inside single quotes: end them, a quote by backslash, begin again. */
static const char inner_quote[] = "'\\''";

int quote_word(const char *word, char *out, size_t size)
{
	size_t used = strlen(out), length = strlen(word);
	bool bare = length && strspn(word, plain) == length;
	char *to = out + used;

	for (const char *at = word; *at; at++)
		length += *at == '\'' ? sizeof(inner_quote) - 2 : 0;
	if (used + 1 + length + (bare ? 0 : 2) >= size)
		return -1;
	if (used)
		*to++ = ' ';
	if (!bare)
		*to++ = '\'';
	for (; *word; word++) {
		if (*word == '\'')
			to = stpcpy(to, inner_quote);
		else
			*to++ = *word;
	}
	if (!bare)
		*to++ = '\'';
	*to = '\0';
	return 0;
}

/* Reads one word at *from, to *to, which never overtakes it; false if it is not of our form. */
static bool word_read(char **from, char **to)
{
	bool quoted = false;

	for (; **from && (quoted || **from != ' '); (*from)++) {
		if (**from == '\'')
			quoted = !quoted;
		else if (!quoted && (*from)[0] == '\\' && (*from)[1] == '\'')
			*(*to)++ = *++*from;
		else if (quoted || strchr(plain, **from))
			*(*to)++ = **from;
		else
			return false;
	}
	return !quoted;
}

int quote_split(char *text, char *words[], int limit)
{
	char *from = text, *to = text;
	int count = 0;

	while (*from) {
		bool more;

		if (count == limit)
			return -1;
		words[count++] = to;
		if (!word_read(&from, &to))
			return -1;
		more = *from == ' ';
		from += more;
		if (more && !*from)
			return -1;
		*to++ = '\0';
	}
	return count;
}
