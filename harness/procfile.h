// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Reading the small text files that the kernel shows in /proc, /sys and cgroup file systems.  All
 * functions return 0, or -1 with errno: the file's own error, ENOENT when it lacks the key, EINVAL
 * when it does not hold what was asked for.
 */
#ifndef PROCFILE_H
#define PROCFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first line without the blanks around it, cut to `size` bytes.  "" for an empty file. */
int procfile_line(const char *path, char *out, size_t size);

/* The file's one number.  "max", cgroup v2's word for no limit, is UINT64_MAX. */
int procfile_number(const char *path, uint64_t *value);

/*
 * The rest of the first line that starts with the whole word `key`, which a blank or a colon ends,
 * as in /proc/meminfo, /proc/cpuinfo and memory.stat; without the blanks around it.
 */
int procfile_field(const char *path, const char *key, char *out, size_t size);

/* The number such a line begins with; a unit behind it ("kB") is not looked at. */
int procfile_key(const char *path, const char *key, uint64_t *value);

/* The chosen word of a line such as "always [madvise] never"; false if it has none. */
bool procfile_choice(const char *line, char *out, size_t size);

#endif
