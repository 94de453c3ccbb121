// SPDX-License-Identifier: GPL-3.0-or-later
#include "procfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

/* Copies `text` without the blanks around it. */
static void text_trim(const char *text, char *out, size_t size)
{
	size_t length;

	text += strspn(text, blanks);
	length = strlen(text);
	while (length && strchr(blanks, text[length - 1]))
		length--;
	snprintf(out, size, "%.*s", (int)length, text);
}

/* The decimal number at the start of `text`; `end` is what follows.  strtoull() would take "-1". */
static int number_parse(const char *text, char **end, uint64_t *value)
{
	if (*text < '0' || *text > '9') {
		errno = EINVAL;
		return -1;
	}
	errno = 0;
	*value = strtoull(text, end, 10);
	return errno ? -1 : 0;
}

int procfile_line(const char *path, char *out, size_t size)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	int error = 0;

	if (!file)
		return -1;
	if (getline(&line, &room, file) < 0) {
		error = feof(file) ? 0 : errno;
		out[0] = '\0';
	} else {
		text_trim(line, out, size);
	}
	free(line);
	fclose(file);
	errno = error;
	return error ? -1 : 0;
}

int procfile_number(const char *path, uint64_t *value)
{
	char text[64], *end;

	if (procfile_line(path, text, sizeof(text)))
		return -1;
	if (strcmp(text, "max") == 0) {
		*value = UINT64_MAX;
		return 0;
	}
	if (number_parse(text, &end, value))
		return -1;
	errno = EINVAL;
	return *end ? -1 : 0;
}

/* What follows the key in a line that starts with it, or NULL. */
static const char *line_field(const char *line, const char *key)
{
	size_t length = strlen(key);

	if (strncmp(line, key, length) != 0 || !line[length] || !strchr(" \t:", line[length]))
		return NULL;
	line += length + strspn(line + length, " \t");
	return *line == ':' ? line + 1 : line;
}

int procfile_field(const char *path, const char *key, char *out, size_t size)
{
	FILE *file = fopen(path, "re");
	const char *field = NULL;
	char *line = NULL;
	size_t room = 0;
	int error;

	if (!file)
		return -1;
	while (!field && getline(&line, &room, file) >= 0)
		field = line_field(line, key);
	error = feof(file) ? ENOENT : errno;
	if (field)
		text_trim(field, out, size);
	free(line);
	fclose(file);
	errno = error;
	return field ? 0 : -1;
}

int procfile_key(const char *path, const char *key, uint64_t *value)
{
	char text[64], *end;

	if (procfile_field(path, key, text, sizeof(text)))
		return -1;
	return number_parse(text, &end, value);
}

bool procfile_choice(const char *line, char *out, size_t size)
{
	const char *open = strchr(line, '['), *close = open ? strchr(open, ']') : NULL;

	if (!close)
		return false;
	snprintf(out, size, "%.*s", (int)(close - open - 1), open + 1);
	return true;
}
