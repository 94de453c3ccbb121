// SPDX-License-Identifier: GPL-3.0-or-later
#include "cgroup.h"

#include "procfile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What this file needs of a line of mountinfo. */
struct mount {
	char *root, *point, *type, *options;
};

/* True if a list with that separator has the whole word: "cpu" is not in "cpuset,cpuacct". */
static bool list_has(const char *list, char separator, const char *word)
{
	size_t length = strlen(word);

	for (; list; list = strchr(list, separator)) {
		list += *list == separator;
		if (strncmp(list, word, length) == 0 &&
		    (list[length] == separator || !list[length]))
			return true;
	}
	return false;
}

static void line_chomp(char *line)
{
	line[strcspn(line, "\n")] = '\0';
}

/*
 * Reads a line "ID:CONTROLLERS:PATH" of /proc/self/cgroup.  Returns the version of the hierarchy, 0
 * if it is not one for this controller, and the path, which may itself contain colons.
 */
static int membership_parse(char *line, const char *controller, char **path)
{
	char *id, *controllers;

	line_chomp(line);
	id = strsep(&line, ":");
	controllers = strsep(&line, ":");
	if (!line)
		return 0;
	*path = line;
	if (list_has(controllers, ',', controller))
		return 1;
	return strcmp(id, "0") == 0 && !*controllers ? 2 : 0;
}

/* Which hierarchy holds the process for this controller (version 1 claims it first), and where. */
static int membership_find(const char *cgroups, const char *controller, char *path, size_t size)
{
	FILE *file = fopen(cgroups, "re");
	char *line = NULL, *found;
	size_t room = 0;
	int version = 0;

	while (file && version != 1 && getline(&line, &room, file) >= 0) {
		int parsed = membership_parse(line, controller, &found);

		if (parsed) {
			version = parsed;
			snprintf(path, size, "%s", found);
		}
	}
	free(line);
	if (file)
		fclose(file);
	return version;
}

/* Undoes the kernel's octal escapes of blanks and backslashes, in place. */
static void mount_unescape(char *text)
{
	char *out = text;

	while (*text) {
		if (text[0] == '\\' && strspn(text + 1, "01234567") >= 3) {
			*out++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 |
			                (text[3] - '0'));
			text += 4;
		} else {
			*out++ = *text++;
		}
	}
	*out = '\0';
}

/* Splits "ID PARENT DEVICE ROOT POINT FLAGS [TAGS...] - TYPE SOURCE OPTIONS" in place. */
static bool mount_parse(char *line, struct mount *mount)
{
	char *word;

	line_chomp(line);
	for (int i = 0; i < 3; i++)
		strsep(&line, " ");
	mount->root = strsep(&line, " ");
	mount->point = strsep(&line, " ");
	while ((word = strsep(&line, " ")) && strcmp(word, "-") != 0)
		;
	mount->type = strsep(&line, " ");
	strsep(&line, " ");
	mount->options = line;
	if (!mount->options)
		return false;
	mount_unescape(mount->root);
	mount_unescape(mount->point);
	return true;
}

/*
 * The part of `path` below `root`, both seen from the process's cgroup namespace; NULL if it is
 * elsewhere.  Groups outside the namespace are shown as "/..", without their names.
 */
static const char *path_below(const char *root, const char *path)
{
	size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);

	if (strncmp(path, root, length) != 0 || (path[length] && path[length] != '/'))
		return NULL;
	path += length;
	if (strcmp(path, "/..") == 0 || strncmp(path, "/../", 4) == 0)
		return NULL;
	return strcmp(path, "/") == 0 ? "" : path;
}

/* True if this mount shows the group at `path`; then `group` is its directory. */
static bool mount_shows(const struct mount *mount, const char *path, struct cgroup *group)
{
	const char *below = path_below(mount->root, path);
	int length;

	if (!below)
		return false;
	length = snprintf(group->path, sizeof(group->path), "%s%s", mount->point, below);
	group->mount = strlen(mount->point);
	/* The mount may be covered by another one, or lie outside a chroot. */
	return length < (int)sizeof(group->path) && access(group->path, F_OK) == 0;
}

static int mount_find(const char *mounts, const char *controller, const char *path,
                      struct cgroup *group)
{
	FILE *file = fopen(mounts, "re");
	bool found = false;
	struct mount mount;
	char *line = NULL;
	size_t room = 0;

	while (file && !found && getline(&line, &room, file) >= 0) {
		if (!mount_parse(line, &mount))
			continue;
		if (group->version == 1)
			found = strcmp(mount.type, "cgroup") == 0 &&
			        list_has(mount.options, ',', controller);
		else
			found = strcmp(mount.type, "cgroup2") == 0;
		found = found && mount_shows(&mount, path, group);
	}
	free(line);
	if (file)
		fclose(file);
	errno = ENOENT;
	return found ? 0 : -1;
}

/* Goes up to the nearest group that lists the controller in cgroup.controllers (version 2). */
static int controller_seek(struct cgroup *group, const char *controller)
{
	char path[PATH_MAX + NAME_MAX], list[1024];

	do {
		snprintf(path, sizeof(path), "%s/cgroup.controllers", group->path);
		if (procfile_line(path, list, sizeof(list)) == 0 && list_has(list, ' ', controller))
			return 0;
	} while (cgroup_ascend(group) == 0);
	return -1;
}

int cgroup_find_in(const char *cgroups, const char *mounts, const char *controller,
                   struct cgroup *group)
{
	char path[PATH_MAX];

	group->version = membership_find(cgroups, controller, path, sizeof(path));
	if (!group->version) {
		errno = ENOENT;
		return -1;
	}
	if (mount_find(mounts, controller, path, group))
		return -1;
	return group->version == 2 ? controller_seek(group, controller) : 0;
}

int cgroup_find(const char *controller, struct cgroup *group)
{
	return cgroup_find_in("/proc/self/cgroup", "/proc/self/mountinfo", controller, group);
}
