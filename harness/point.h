// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A point: one workload at one count, mode, placement and set of options, with everything resolved
 * that the options leave open.  Workers read it and never change it.
 */
#ifndef POINT_H
#define POINT_H

#include "backing.h"
#include "events.h"
#include "mempolicy.h"
#include "workload.h"

struct point {
	struct options options; /* as they come out: the same point has the same ones */
	struct workload workload;
	struct event_list events;
	char key[OPTIONS_KEY];
	char cpus[256]; /* the CPUs used, as a list; cut with "..." */
	unsigned workers,
	        processes; /* processes have per_process workers each, the last maybe fewer */
	unsigned per_process;
	uint64_t total_bytes; /* as asked: memory of all workers; 0: so much for each */
	struct backing backing;
	size_t page;        /* bytes of a page: a base page, or a huge one of hugetlb */
	size_t pages;       /* of each worker */
	size_t pass_pages;  /* of one pass through the loop: all, or a piece */
	unsigned passes;    /* that make a lap */
	struct seat *seats; /* one for each worker; its cpu is -1 when not pinned */
	int parent_cpu;     /* an allowed CPU that no worker uses, or -1 */
	bool oversubscribed;
	size_t rehearsal_pages; /* of a rehearsal elsewhere, for fixed work; 0: on the same memory
	                         */
	bool huge;              /* transparent huge pages may come */
	bool exact;             /* private memory, one size of page: faults must be as derived */
	struct band band;       /* faults a page to expect where they are not exact */
	char note[128];         /* what was rounded, or "" */
	/* Where each worker's memory shall lie; why that cannot be set (mempolicy_probe), or 0. */
	struct mempolicy *policies;
	int numa_error;
};

/*
 * Resolves the options into a point.  Returns 0, or -1 with EXIT_USAGE (a count, size or list that
 * cannot be), EXIT_FAILED (this machine's memory is too small, its CPUs cannot be told) or
 * EXIT_UNSUPPORTED (a memory policy is asked for that cannot be set here).
 */
int point_make(const struct options *options, const struct topology *topology, struct point *point,
               struct complaint *c);
void point_free(struct point *point);

/*
 * The same without seats, and without a look at this machine's memory: also for a topology that is
 * not this machine's.  Enough for the key.  Needs no point_free().
 */
int point_plan(const struct options *options, const struct topology *topology, struct point *point,
               struct complaint *c);

/*
 * Parts of point_make; 0, or -1 with a complaint.  The number of workers, for which the pool of
 * CPUs must suffice.
 */
int point_count(struct point *point, hwloc_const_bitmap_t pool, struct complaint *c);

/* Gives each worker its seat, going round when there are more workers than CPUs. */
int point_seats(struct point *point, const struct topology *topology, hwloc_const_bitmap_t pool,
                struct complaint *c);

/*
 * The policy of each worker's memory.  Where the kernel forbids to set one, or has no NUMA, the run
 * goes on without, unless the command line asks for one.
 */
int point_policies(struct point *point, struct complaint *c);

/* A step that acts on the whole process needs one for each worker. */
int point_check_process(const struct point *point, struct complaint *c);

/*
 * In the merged and interleaved layouts the workers of a process share a VMA; a step that changes
 * VMAs would take it apart (and a 2nd "map" would meet the neighbour's memory).
 */
int point_check_layout(const struct point *point, struct complaint *c);

/* A process is in one memory cgroup; a limit must leave room for what is to be in it. */
int point_check_memcg(const struct point *point, struct complaint *c);

/* What is to be had before a worker is started; sets the band. */
int point_check_needs(struct point *point, struct complaint *c);

/* True if huge pages may be in play: transparent ones, those of the pool, large ones of files. */
bool point_may_be_huge(const struct point *point);

/* "process", "thread" or "hybrid". */
const char *point_mode(const struct point *point);

/* The first worker of a process, and how many it has. */
unsigned point_first(const struct point *point, unsigned process);
unsigned point_members(const struct point *point, unsigned process);

#endif
