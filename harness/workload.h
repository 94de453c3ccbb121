// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A workload: `[setup steps:] loop steps`, words separated by blanks, as in "map: fault dontneed".
 * Parsing walks the contract of the steps (workers/steps.c), so that a workload which parses does
 * the same work on each lap, and derives how many faults each step takes.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include "../workers/step.h"
#include "complaint.h"

enum {
	WORKLOAD_STEPS = 16, /* at most this many steps in the setup and in the loop */
	WORKLOAD_TEXT = 512, /* bytes of the canonical text, its final NUL included */
};

/* A step at its place in a workload. */
struct stage {
	const struct step *step;
	unsigned faults_per_page; /* derived, for private anonymous base pages: 0 or 1 */
	unsigned facts;           /* what is true of the memory after it (enum fact) */
	bool unsure;              /* up to one more a page: the kernel may have taken pages away */
	unsigned before;          /* what is true before it (enum fact) */
};

/* What the steps of a workload act on, as far as it changes their contracts. */
struct ground {
	const char *name;       /* "private anonymous memory" */
	unsigned unfit;         /* steps with one of these traits cannot act on it */
	unsigned with_presence; /* facts gained together with PRESENT: CACHED where a file is behind
	                         */
	unsigned with_mapping;  /* facts lost together with MAPPED */
};
extern const struct ground ground_private_anonymous;

struct workload {
	char text[WORKLOAD_TEXT]; /* canonical: single blanks, "setup: loop" */
	struct stage setup[WORKLOAD_STEPS], loop[WORKLOAD_STEPS];
	unsigned setup_steps, loop_steps;
	unsigned facts; /* what is true of the memory before and after each lap (enum fact) */
	int headline;   /* the loop step whose work gives the point's pages, -1 if none does */
};

/*
 * Parses and checks `text`.  Returns 0, or -1 with EXIT_USAGE and the reason: the unknown word, or
 * the step whose contract is broken, where, and which steps would mend it.
 *
 * The rule for faults: a page of private anonymous memory faults once when it becomes PRESENT or
 * OWNED.  (Linux mm/memory.c, handle_pte_fault: an absent entry or a write to a page that is not
 * the task's own is one fault; populate and mlock count through fixup by faultin_page, mm/gup.c.
 * Compared with ru_minflt on Linux 6.1 and 6.18.)
 */
int workload_parse(const char *text, struct workload *workload, struct complaint *c);

/* The same for memory of another kind than private and anonymous. */
int workload_parse_on(const struct ground *ground, const char *text, struct workload *workload,
                      struct complaint *c);

/* True if a loop step (or with `setup`, a setup step after the first) has the trait. */
bool workload_has_trait(const struct workload *workload, enum trait trait, bool setup);

/* The first step, of setup or loop, that has the trait, or NULL. */
const struct step *workload_step_with(const struct workload *workload, enum trait trait);

/* The first step, of setup or loop, that gains the fact, or NULL. */
const struct step *workload_step_gaining(const struct workload *workload, enum fact fact);

/* Faults that `work` units of a loop step's work take, given the bytes of a page. */
uint64_t stage_faults(const struct stage *stage, uint64_t work, size_t page);

/* A busy kernel may add so many, as a share of those due: NUMA hints, KSM, reclaim. */
#define SURPLUS_ALLOWED 0.001

/* How many more it may take when it cannot be known whether pages are still present. */
uint64_t stage_doubt(const struct stage *stage, uint64_t work, size_t page);

/* `work` units of a step's work in pages: bytes / page for byte steps, 0 for calls. */
double step_pages(const struct step *step, double work, size_t page);

#endif
