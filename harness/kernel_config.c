// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernel_config.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

/* All of a file, to be freed; NULL if it cannot be read or is empty. */
static char *text_read(FILE *file)
{
	char *text = NULL;
	size_t room = 0;

	if (file && getdelim(&text, &room, '\0', file) <= 0) {
		free(text);
		text = NULL;
	}
	return text;
}

/* What gzip makes of a file; no shell has a part in it. */
static char *text_unpack(const char *path)
{
	char program[] = "gzip", option[] = "-dc", name[64];
	char *arguments[] = {program, option, name, NULL};
	posix_spawn_file_actions_t actions;
	char *text = NULL;
	int ends[2];
	FILE *file;
	pid_t pid;

	snprintf(name, sizeof(name), "%s", path);
	if (access(path, R_OK) || pipe2(ends, O_CLOEXEC))
		return NULL;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, program, &actions, NULL, arguments, environ))
		pid = -1;
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	file = fdopen(ends[0], "r");
	if (pid > 0)
		text = text_read(file);
	if (file)
		fclose(file);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return text;
}

char *kernel_config_read(void)
{
	struct utsname kernel = {0};
	char path[256], *text;
	FILE *file;

	uname(&kernel);
	snprintf(path, sizeof(path), "/boot/config-%s", kernel.release);
	file = fopen(path, "re");
	text = text_read(file);
	if (file)
		fclose(file);
	return text ? text : text_unpack("/proc/config.gz");
}
