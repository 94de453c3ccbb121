// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The checks of `faultscale doctor`: one row of a table (check.c) for each, with a small function
 * that looks.  They read, try what an unprivileged program may try, and change nothing.
 */
#ifndef CHECK_H
#define CHECK_H

#include "machine.h"
#include "topology.h"

#include <hwloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum check_status {
	CHECK_OK,
	CHECK_UNKNOWN,  /* this kernel or user cannot tell */
	CHECK_NOTE,     /* bounds what can be measured, or what a result means */
	CHECK_SPOILS,   /* makes results wrong, or noisier than they need be */
	CHECK_PREVENTS, /* nothing can be measured at all */
	CHECK_STATUSES,
};

/* What one worker takes unless it is told otherwise (--bytes). */
#define CHECK_WORKER_BYTES (UINT64_C(2) << 20)

enum { CHECK_VALUE = 128 };

struct finding {
	enum check_status status;
	char value[CHECK_VALUE]; /* "" if unknown */
};

/* What is looked at: this machine, or one made up for a test. */
struct subject {
	const char *root; /* before every path; "" for this machine */
	const struct topology *topology;
	hwloc_const_bitmap_t pool; /* CPUs that workers may be given */
	unsigned cpus;             /* how many that are */
	const struct machine_fact *facts;
	size_t fact_count;
	const char *config; /* the kernel's configuration, or NULL */
};

struct check;
typedef void check_look(const struct check *check, const struct subject *subject,
                        struct finding *finding);

struct check {
	const char *name;
	check_look *look;
	const char *source;        /* a path, the key of a fact or of the configuration */
	const char *good;          /* words that are as they should be, separated by blanks */
	enum check_status or_else; /* the status of other words */
	const char *place;         /* what is missing where there is nothing to look at, or NULL */
	const char *meaning;       /* of a status that is not ok */
	const char *command;       /* what changes it; "" if nothing does */
};

/* The table; ends with a row whose name is NULL. */
extern const struct check checks[];

/* "ok", "unknown", "note", "spoils" or "prevents". */
const char *check_status_name(enum check_status status);

/* Looks. */
struct finding check_find(const struct check *check, const struct subject *subject);

/*
 * Describes this machine, about 50 ms: the facts, the CPUs and the kernel's configuration
 * (/boot/config-RELEASE, else /proc/config.gz through gzip).  Returns 0, or -1.
 */
struct examination {
	struct subject subject;
	struct topology *topology;
	hwloc_bitmap_t pool;
	struct machine_fact *facts;
	char *config;
};
int examination_begin(struct examination *examination, struct complaint *c);
void examination_end(struct examination *examination);

/* For the functions that look: the finding in printf's manner. */
__attribute__((format(printf, 3, 4))) void
finding_set(struct finding *finding, enum check_status status, const char *format, ...);

/* The value of a fact; "" if unknown. */
const char *subject_fact(const struct subject *subject, const char *key);

/* A path below the subject's root, into `out`; returns out. */
char *subject_path(const struct subject *subject, const char *path, char *out, size_t size);

/* check_limits.c */
check_look look_processes, look_tasks, look_open_files, look_locked_memory, look_memory_group,
        look_memory_groups, look_cpu_quota, look_allowed_cpus;
/* check_memory.c */
check_look look_free_memory, look_swap, look_mthp, look_space, look_hugetlb, look_numa_balancing;
/* check_cpu.c */
check_look look_smt, look_hybrid, look_turbo, look_load, look_steal, look_clock, look_hypervisor;
/* check_kernel.c */
check_look look_event, look_config, look_debug, look_wchan, look_schedstat;

#endif
