// SPDX-License-Identifier: GPL-3.0-or-later
/* The machines of a sweep: ssh logins of the form [USER@]HOST[:PORT], and nothing else. */
#ifndef HOSTS_H
#define HOSTS_H

#include "complaint.h"

#include <stddef.h>

enum { HOST_TEXT = 256 };

struct host {
	char login[HOST_TEXT]; /* as typed */
	char name[HOST_TEXT];  /* without the user: what the host is called in results */
	char id[HOST_TEXT]; /* the login as a file name and as a word that no shell changes: '@' is
	                       '=' and ':' is '%' */
};

struct hosts {
	struct host *hosts;
	size_t count;
};

/*
 * Reads a list separated by commas, or a file with one login a line, where blank lines and those
 * that begin with '#' are left out.  USER and HOST are letters, digits, '.', '_' and '-', not '-'
 * or '.' first; PORT is a number.  Refuses (EXIT_USAGE) anything else, a login given twice and an
 * empty list.
 */
int hosts_parse(const char *list, struct hosts *hosts, struct complaint *c);
int hosts_read(const char *path, struct hosts *hosts, struct complaint *c);
void hosts_free(struct hosts *hosts);

#endif
