// SPDX-License-Identifier: GPL-3.0-or-later
/* What must be there before workers are started, so that they do not die of its lack. */
#include "backing.h"

#include "limit.h"
#include "procfile.h"
#include "units.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Descriptors that a process has besides those of its workers' files. */
#define DESCRIPTORS_BESIDE 64

/* a * b, or the largest number. */
static uint64_t product(uint64_t a, uint64_t b)
{
	uint64_t result;

	return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

static uint64_t need_total(const struct backing_need *need)
{
	return product(need->bytes + need->rehearsal, need->workers);
}

/* The line of /proc/self/mountinfo for a mount, by its id (its first field, proc(5)). */
static bool mount_line(uint64_t id, char *line, int size)
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	bool found = false;

	while (mounts && !found && fgets(line, size, mounts))
		found = strtoull(line, NULL, 10) == id;
	if (mounts)
		fclose(mounts);
	return found;
}

/* The type of the file system that holds `dir`, and of tmpfs its huge= option. */
static void filesystem_name(const char *dir, char *out, size_t size)
{
	char line[4096], *type, *huge;
	struct statx status;

	out[0] = '\0';
	if (statx(AT_FDCWD, dir, 0, STATX_MNT_ID, &status) || !(status.stx_mask & STATX_MNT_ID) ||
	    !mount_line(status.stx_mnt_id, line, sizeof(line)))
		return;
	type = strstr(line, " - ");
	if (!type)
		return;
	type += 3;
	huge = strstr(type, ",huge=");
	snprintf(out, size, "%.*s", (int)strcspn(type, " \n"), type);
	if (strcmp(out, "tmpfs") == 0)
		snprintf(out, size, "tmpfs huge=%.*s", huge ? (int)strcspn(huge + 6, ", \n") : 5,
		         huge ? huge + 6 : "never");
}

static int directory_check(const struct options *options, struct backing *backing,
                           struct complaint *c)
{
	struct stat status;
	struct statfs fs;

	if (stat(options->dir, &status) || statfs(options->dir, &fs))
		return complain(c, EXIT_USAGE, "--dir=%s: %s\nname a directory to make files in",
		                options->dir, strerror(errno));
	if (!S_ISDIR(status.st_mode))
		return complain(c, EXIT_USAGE, "--dir=%s: not a directory\nname one", options->dir);
	backing->in_memory =
	        (unsigned long)fs.f_type == TMPFS_MAGIC || (unsigned long)fs.f_type == RAMFS_MAGIC;
	filesystem_name(options->dir, backing->filesystem, sizeof(backing->filesystem));
	return 0;
}

/* memfd and shared anonymous memory live in a mount of the kernel's own, with its own setting. */
static void shmem_name(char *out, size_t size)
{
	char text[256], choice[64];

	snprintf(out, size, "shmem");
	if (procfile_line("/sys/kernel/mm/transparent_hugepage/shmem_enabled", text,
	                  sizeof(text)) == 0 &&
	    procfile_choice(text, choice, sizeof(choice)))
		snprintf(out, size, "shmem huge=%.32s", choice);
}

static int space_check(const struct options *options, const struct backing_need *need,
                       const struct statvfs *fs, struct complaint *c)
{
	uint64_t blocks = geteuid() == 0 ? fs->f_bfree : fs->f_bavail;
	uint64_t room = product(blocks, fs->f_frsize), total = need_total(need);
	char each[UNIT_TEXT], all[UNIT_TEXT], is[UNIT_TEXT];

	/* Without a limit (ramfs, tmpfs with size=0) there are no blocks at all. */
	if (fs->f_blocks == 0 || total <= room)
		return 0;
	return complain(c, EXIT_FAILED,
	                "--dir=%s: %u x %s, %s needed, %s free\n"
	                "ask for less, or use another directory",
	                options->dir, need->workers, size_format(need->bytes, each),
	                size_format(total, all), size_format(room, is));
}

static int inodes_check(const struct options *options, const struct backing_need *need,
                        const struct statvfs *fs, struct complaint *c)
{
	uint64_t files = options->one_file ? 1 : need->workers;

	if (need->rehearsal)
		files *= 2;
	if (fs->f_files == 0 || files <= fs->f_favail)
		return 0;
	return complain(c, EXIT_FAILED,
	                "--dir=%s: %" PRIu64 " files needed, %" PRIu64 " inodes free\n"
	                "use --one-file, or another directory",
	                options->dir, files, (uint64_t)fs->f_favail);
}

/* The limits on files that a process has: their length (setrlimit(2): SIGXFSZ) and their number. */
static int limits_check_files(const struct options *options, const struct backing_need *need,
                              struct complaint *c)
{
	uint64_t length = options->one_file ? product(need->bytes, need->workers) : need->bytes;
	uint64_t files = options->one_file ? 2 : 2 * (uint64_t)need->per_process;
	char is[UNIT_TEXT], asked[UNIT_TEXT];
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && length > limit.rlim_cur)
		return complain(c, EXIT_FAILED,
		                "a file of %s is needed, the limit is %s (RLIMIT_FSIZE)\n"
		                "raise it with 'ulimit -f', or ask for less",
		                size_format(length, asked), size_format(limit.rlim_cur, is));
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && files + DESCRIPTORS_BESIDE > limit.rlim_cur)
		return complain(c, EXIT_FAILED,
		                "%" PRIu64 " open files needed in a process, the limit is %" PRIu64
		                " (RLIMIT_NOFILE)\n"
		                "raise it with 'ulimit -n', or use --one-file",
		                files + DESCRIPTORS_BESIDE, (uint64_t)limit.rlim_cur);
	return 0;
}

static int file_check(const struct backing *backing, const struct options *options,
                      const struct backing_need *need, struct complaint *c)
{
	struct statvfs fs;
	int fd;

	if (limits_check_files(options, need, c))
		return -1;
	if (backing->kind == BACKING_FILE && statvfs(options->dir, &fs) == 0 &&
	    (inodes_check(options, need, &fs, c) || space_check(options, need, &fs, c)))
		return -1;
	fd = backing_open(backing, options, 0);
	if (fd < 0)
		return complain(c, EXIT_FAILED,
		                "cannot make a file%s%s: %s\n"
		                "use a directory that can be written to",
		                backing->kind == BACKING_FILE ? " in " : "",
		                backing->kind == BACKING_FILE ? options->dir : "", strerror(errno));
	close(fd);
	return 0;
}

/* Memory that cannot be given back: pages of the workers' own, and a page cache without a disk. */
static uint64_t need_memory(const struct backing *backing, const struct backing_need *need)
{
	uint64_t each = need->block;

	if (!backing->shared)
		each += need->bytes;
	if (backing->in_memory)
		each += need->bytes;
	return product(each, need->workers);
}

int backing_check(struct backing *backing, const struct options *options,
                  const struct backing_need *need, struct complaint *c)
{
	switch (backing->kind) {
	case BACKING_HUGETLB:
		return backing_check_pool(backing, need_total(need), c);
	case BACKING_FILE:
		if (directory_check(options, backing, c))
			return -1;
		break;
	case BACKING_MEMFD:
	case BACKING_SHMEM:
		shmem_name(backing->filesystem, sizeof(backing->filesystem));
		break;
	case BACKING_ANON:
		break;
	}
	if (backing->descriptor && file_check(backing, options, need, c))
		return -1;
	backing->memory = need_memory(backing, need);
	return limits_check_memory(backing->memory, "the workers' memory", c);
}
