// SPDX-License-Identifier: GPL-3.0-or-later
#include "hosts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Takes a user or host name; returns what comes after it, NULL if there is none. */
static const char *name_skip(const char *text)
{
	size_t length = strspn(text, LETTERS DIGITS "._-");

	return length && *text != '-' && *text != '.' ? text + length : NULL;
}

static bool port_is(const char *text)
{
	size_t length = strspn(text, DIGITS);
	unsigned long port = strtoul(text, NULL, 10);

	return length && length < 6 && !text[length] && port >= 1 && port <= 65535;
}

/* Fills host->name; false if the login is not of the form. */
static bool login_split(struct host *host)
{
	const char *start = host->login, *end = name_skip(start);

	if (end && *end == '@') {
		start = end + 1;
		end = name_skip(start);
	}
	if (!end || (*end && (*end != ':' || !port_is(end + 1))))
		return false;
	snprintf(host->name, sizeof(host->name), "%s", start);
	return true;
}

static int host_add(struct hosts *hosts, const char *login, size_t length, struct complaint *c)
{
	struct host host = {0}, *grown;

	if (length < sizeof(host.login))
		memcpy(host.login, login, length);
	if (!login_split(&host))
		return complain(c, EXIT_USAGE, "'%.*s' is not a host: write [USER@]HOST[:PORT]",
		                length < 80 ? (int)length : 80, login);
	for (size_t i = 0; i < hosts->count; i++)
		if (strcmp(hosts->hosts[i].name, host.name) == 0)
			return complain(c, EXIT_USAGE, "host '%s' is given twice", host.name);
	for (size_t i = 0; i < length; i++)
		host.id[i] = login[i];
	for (char *at = host.id; *at; at++) {
		if (*at == '@')
			*at = '=';
		if (*at == ':')
			*at = '%';
	}
	grown = realloc(hosts->hosts, (hosts->count + 1) * sizeof(*grown));
	if (!grown)
		return complain(c, EXIT_FAILED, "no memory for the hosts");
	hosts->hosts = grown;
	hosts->hosts[hosts->count++] = host;
	return 0;
}

int hosts_parse(const char *list, struct hosts *hosts, struct complaint *c)
{
	*hosts = (struct hosts){0};
	for (;; list++) {
		size_t length = strcspn(list, ",");

		if (host_add(hosts, list, length, c)) {
			hosts_free(hosts);
			return -1;
		}
		list += length;
		if (!*list)
			return 0;
	}
}

int hosts_read(const char *path, struct hosts *hosts, struct complaint *c)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	int result = 0;

	*hosts = (struct hosts){0};
	if (!file)
		return complain(c, EXIT_USAGE, "cannot read '%s': %s", path, strerror(errno));
	while (result == 0 && getline(&line, &room, file) >= 0) {
		const char *start = line + strspn(line, " \t\r\n");
		size_t length = strcspn(start, " \t\r\n");

		if (length && *start != '#')
			result =
			        start[length + strspn(start + length, " \t\r\n")]
			                ? complain(c, EXIT_USAGE,
			                           "'%.80s': one host a line, and nothing after it",
			                           start)
			                : host_add(hosts, start, length, c);
	}
	free(line);
	fclose(file);
	if (result == 0 && !hosts->count)
		result = complain(c, EXIT_USAGE, "'%s' names no host", path);
	if (result)
		hosts_free(hosts);
	return result;
}

void hosts_free(struct hosts *hosts)
{
	free(hosts->hosts);
	*hosts = (struct hosts){0};
}
