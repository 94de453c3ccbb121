// SPDX-License-Identifier: GPL-3.0-or-later
/* A directory of made-up kernel files, for modules that can be given another root than the real
 * one. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <assert.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture {
	char root[64];
	char path[PATH_MAX]; /* of the last file named */
};

/* A cmocka setup function: makes an empty directory in /tmp. */
static inline int fixture_setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	assert(fixture);
	*state = fixture;
	strcpy(fixture->root, "/tmp/fixture.XXXXXX");
	return mkdtemp(fixture->root) ? 0 : -1;
}

static inline int fixture_unlink(const char *path, const struct stat *status, int type,
                                 struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

/* A cmocka teardown function: removes the directory with all that is in it. */
static inline int fixture_teardown(void **state)
{
	struct fixture *fixture = *state;
	int result = nftw(fixture->root, fixture_unlink, 16, FTW_DEPTH | FTW_PHYS);

	free(fixture);
	return result;
}

/* The path of a file in the fixture; good until the next call. */
static inline const char *fixture_path(struct fixture *fixture, const char *name)
{
	snprintf(fixture->path, sizeof(fixture->path), "%s/%s", fixture->root, name);
	return fixture->path;
}

/* Writes a file, and makes the directories above it. */
static inline void fixture_write(struct fixture *fixture, const char *name, const char *text)
{
	FILE *file;

	fixture_path(fixture, name);
	for (char *slash = fixture->path + strlen(fixture->root) + 1; (slash = strchr(slash, '/'));
	     slash++) {
		*slash = '\0';
		mkdir(fixture->path, 0700);
		*slash = '/';
	}
	file = fopen(fixture->path, "w");
	assert(file);
	fputs(text, file);
	fclose(file);
}

#endif
