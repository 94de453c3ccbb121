// SPDX-License-Identifier: GPL-3.0-or-later
#include "backing.h"

#include "procfile.h"
#include "units.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_HUGE_SHIFT
#define MAP_HUGE_SHIFT 26
#endif

/* What is true of each kind, by enum backing_kind. */
static const struct kind_row {
	bool shared_by_default, may_be_private, may_be_shared, descriptor, in_memory;
	const char *wrong_share; /* what to use instead */
} kind_rows[] = {
        [BACKING_ANON] = {false, true, false, false, false,
                          "--backing=shmem is shared anonymous memory"},
        [BACKING_MEMFD] = {true, true, true, true, true, NULL},
        [BACKING_SHMEM] = {true, false, true, false, true,
                           "--backing=anon is private anonymous memory"},
        [BACKING_FILE] = {true, true, true, true, false, NULL},
        [BACKING_HUGETLB] = {false, true, true, false, false, NULL},
};

/* Private or shared, written back into the options so that default and explicit are one point. */
static int share_resolve(struct options *options, struct backing *backing, struct complaint *c)
{
	const struct kind_row *row = &kind_rows[backing->kind];

	backing->shared = options->share == SHARE_DEFAULT ? row->shared_by_default
	                                                  : options->share == SHARE_SHARED;
	options->share = backing->shared ? SHARE_SHARED : SHARE_PRIVATE;
	if (backing->shared ? row->may_be_shared : row->may_be_private)
		return 0;
	return complain(c, EXIT_USAGE, "this backing cannot be %s\n%s",
	                backing->shared ? "shared" : "private", row->wrong_share);
}

/* The contracts of the steps on this kind of memory. */
static void ground_resolve(struct backing *backing, const struct options *options)
{
	struct ground *ground = &backing->ground;
	bool cache = backing->descriptor || backing->shared;

	*ground = ground_private_anonymous;
	if (!cache)
		return;
	ground->name = !backing->descriptor ? "shared anonymous memory"
	               : backing->shared    ? "a shared mapping of a file"
	                                    : "a private mapping of a file";
	ground->unfit = backing->shared ? PRIVATE_ONLY : SHARED_ONLY;
	ground->with_presence = CACHED;
	if (!backing->descriptor) {
		ground->unfit |= FILE_ONLY;
		ground->with_mapping = CACHED;
	}
	if (options->one_file) {
		ground->name = "one file for all workers";
		ground->unfit |= WHOLE_FILE;
	}
}

/* The size of huge pages: the one asked for, or the kernel's default. */
static int huge_resolve(struct options *options, struct backing *backing, struct complaint *c)
{
	char size[UNIT_TEXT];
	uint64_t kib;

	if (!options->page_size && procfile_key("/proc/meminfo", "Hugepagesize", &kib) == 0)
		options->page_size = kib * 1024;
	if (!options->page_size || options->page_size & (options->page_size - 1) ||
	    options->page_size < backing->page)
		return complain(c, EXIT_USAGE,
		                "--page-size=%s: no size of a huge page\n"
		                "see /sys/kernel/mm/hugepages",
		                size_format(options->page_size, size));
	backing->page = options->page_size;
	backing->map_flags |= MAP_HUGETLB | (__builtin_ctzll(options->page_size) << MAP_HUGE_SHIFT);
	return 0;
}

int backing_resolve(struct options *options, struct backing *backing, struct complaint *c)
{
	*backing = (struct backing){
	        .kind = (enum backing_kind)options->backing,
	        .page = (size_t)sysconf(_SC_PAGESIZE),
	};
	backing->descriptor = kind_rows[backing->kind].descriptor;
	backing->in_memory = kind_rows[backing->kind].in_memory;
	if (share_resolve(options, backing, c))
		return -1;
	if (options->one_file && !backing->descriptor)
		return complain(c, EXIT_USAGE,
		                "--one-file without a file\nuse --backing=file or memfd");
	if (options->page_size && backing->kind != BACKING_HUGETLB)
		return complain(c, EXIT_USAGE,
		                "--page-size without huge pages\nuse --backing=hugetlb");
	if (options->layout != LAYOUT_GUARDED && backing->descriptor && !options->one_file)
		return complain(c, EXIT_USAGE,
		                "workers cannot share a VMA with a file each\n"
		                "add --one-file, or use --layout=guarded");
	backing->map_flags = backing->shared ? MAP_SHARED : MAP_PRIVATE;
	if (!backing->descriptor)
		backing->map_flags |= MAP_ANONYMOUS;
	ground_resolve(backing, options);
	return backing->kind == BACKING_HUGETLB ? huge_resolve(options, backing, c) : 0;
}

/* For file systems without O_TMPFILE: a name that is gone before anyone could write to the file. */
static int file_unnamed(const char *dir)
{
	char path[4096];
	int fd;

	if (snprintf(path, sizeof(path), "%s/faultscale.XXXXXX", dir) >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int backing_open(const struct backing *backing, const struct options *options, uint64_t bytes)
{
	int fd;

	if (backing->kind == BACKING_MEMFD) {
		fd = memfd_create("faultscale", MFD_CLOEXEC);
	} else {
		fd = open(options->dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
		if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
			fd = file_unnamed(options->dir);
	}
	if (fd >= 0 && ftruncate(fd, (off_t)bytes)) {
		int error = errno;

		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}
