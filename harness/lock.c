// SPDX-License-Identifier: GPL-3.0-or-later
#include "lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { TRIES = 20, TRY_US = 100000 };

/* The process id that the owner of the lock has written into it. */
static void owner_read(int fd, char *out, size_t size)
{
	ssize_t got = pread(fd, out, size - 1, 0);

	out[got > 0 ? got : 0] = '\0';
}

int lock_directory(const char *directory, struct complaint *c)
{
	char path[PATH_MAX], owner[32];
	int fd;

	snprintf(path, sizeof(path), "%s/lock", directory);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return complain(c, EXIT_FAILED, "cannot open '%s': %s", path, strerror(errno));
	for (int i = 0; flock(fd, LOCK_EX | LOCK_NB); i++) {
		if (i < TRIES && errno == EWOULDBLOCK && usleep(TRY_US) == 0)
			continue;
		owner_read(fd, owner, sizeof(owner));
		close(fd);
		return complain(c, EXIT_FAILED,
		                "another sweep is at work in '%s': process %s\n"
		                "wait for it, or end it",
		                directory, owner);
	}
	if (ftruncate(fd, 0) || dprintf(fd, "%d", (int)getpid()) < 0)
		return complain(c, EXIT_FAILED, "cannot write '%s': %s", path, strerror(errno));
	return 0; /* open until the process ends */
}

bool lock_machine(void)
{
	static const char name[] = "\0faultscale-measures";
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + sizeof(name) - 1);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	memcpy(address.sun_path, name, sizeof(name) - 1);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) == 0)
		return true; /* open until the process ends */
	close(fd);
	return errno != EADDRINUSE;
}
