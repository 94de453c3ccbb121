// SPDX-License-Identifier: GPL-3.0-or-later
#include "survey.h"

#include "procfile.h"

#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The line being written. */
struct line {
	char *text;
	size_t size;
};

/*
 * Adds what a directory's entry says to the line.  False if the entry could not be read or is of
 * another kind; one that was read may add nothing.
 */
typedef bool entry_reader(const char *directory, const char *name, struct line *line);

/* Appends to the line, after the separator unless it is empty. */
__attribute__((format(printf, 3, 4))) static void line_add(struct line *line, const char *separator,
                                                           const char *format, ...)
{
	size_t used = strlen(line->text);
	va_list arguments;

	if (used)
		used += (size_t)snprintf(line->text + used, line->size - used, "%s", separator);
	if (used >= line->size)
		return;
	va_start(arguments, format);
	vsnprintf(line->text + used, line->size - used, format, arguments);
	va_end(arguments);
}

static int entry_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Shows every entry of a directory to `read`, in order; returns how many it could read. */
static int entries_read(const char *directory, entry_reader *read, struct line *line)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, entry_visible, versionsort), known = 0;

	if (count < 0)
		return 0;
	for (int i = 0; i < count; i++) {
		known += read(directory, entries[i]->d_name, line);
		free(entries[i]);
	}
	free(entries);
	return known;
}

/* The first line of a file below a directory's entry, or of the entry itself. */
static bool entry_line(const char *directory, const char *name, const char *file, char *out,
                       size_t size)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), file ? "%s/%s/%s" : "%s/%s", directory, name, file);
	return procfile_line(path, out, size) == 0;
}

static bool mitigation_entry(const char *directory, const char *name, struct line *line)
{
	char text[512];

	if (!entry_line(directory, name, NULL, text, sizeof(text)))
		return false;
	if (strcmp(text, "Not affected") != 0)
		line_add(line, " | ", "%s: %s", name, text);
	return true;
}

void survey_mitigations(const char *directory, char *out, size_t size)
{
	struct line line = {.text = out, .size = size};

	out[0] = '\0';
	if (entries_read(directory, mitigation_entry, &line) && !out[0])
		line_add(&line, "", "none");
}

static bool mthp_entry(const char *directory, const char *name, struct line *line)
{
	static const char prefix[] = "hugepages-";
	char text[64], choice[64];

	if (strncmp(name, prefix, strlen(prefix)) != 0 ||
	    !entry_line(directory, name, "enabled", text, sizeof(text)) ||
	    !procfile_choice(text, choice, sizeof(choice)))
		return false;
	if (strcmp(choice, "never") != 0)
		line_add(line, " ", "%s:%s", name + strlen(prefix), choice);
	return true;
}

void survey_mthp(const char *directory, char *out, size_t size)
{
	struct line line = {.text = out, .size = size};

	out[0] = '\0';
	if (entries_read(directory, mthp_entry, &line) && !out[0])
		line_add(&line, "", "none");
}

static bool governor_entry(const char *directory, const char *name, struct line *line)
{
	char text[64];

	if (strncmp(name, "cpu", 3) != 0 ||
	    !entry_line(directory, name, "cpufreq/scaling_governor", text, sizeof(text)))
		return false;
	if (!strstr(line->text, text))
		line_add(line, " ", "%s", text);
	return true;
}

void survey_governors(const char *directory, char *out, size_t size)
{
	struct line line = {.text = out, .size = size};

	out[0] = '\0';
	entries_read(directory, governor_entry, &line);
}

/* A monitoring thread's directory, or the file with their number, which may be 0. */
static bool damon_thread_entry(const char *directory, const char *name, struct line *line)
{
	bool thread = name[0] >= '0' && name[0] <= '9';
	char text[64];

	if (!entry_line(directory, name, thread ? "state" : NULL, text, sizeof(text)))
		return false;
	if (thread && strcmp(text, "on") == 0 && !line->text[0])
		line_add(line, "", "on");
	return true;
}

/* damon_reclaim, damon_lru_sort, damon_stat. */
static bool damon_module_entry(const char *directory, const char *name, struct line *line)
{
	char text[64];

	if (strncmp(name, "damon_", 6) != 0 ||
	    !entry_line(directory, name, "parameters/enabled", text, sizeof(text)))
		return false;
	if (strcmp(text, "Y") == 0 && !line->text[0])
		line_add(line, "", "on");
	return true;
}

/* "off" needs the threads to be readable, or to have no list on a kernel that has the modules. */
void survey_damon(const char *directory, char *out, size_t size)
{
	struct line line = {.text = out, .size = size};
	bool threads, modules;

	out[0] = '\0';
	threads = entries_read(directory, damon_thread_entry, &line) > 0;
	modules = entries_read("/sys/module", damon_module_entry, &line) > 0;
	if (!out[0] && (threads || (modules && access(directory, F_OK) != 0)))
		line_add(&line, "", "off");
}
