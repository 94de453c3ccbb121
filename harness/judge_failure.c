// SPDX-License-Identifier: GPL-3.0-or-later
/* What a worker itself gave as the reason for its end. */
#include "judge.h"

#include "units.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static bool kernel_lacks(int error)
{
	return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP;
}

/* The rehearsal of a step did not take the faults that the contract derives. */
static void judge_rehearsal(struct outcome *outcome, unsigned worker, const struct step *step,
                            const struct failure *failure)
{
	if (!failure->got && step->faultless)
		judge_settle(outcome, JUDGE_UNSUPPORTED,
		             "'%s' took no faults in rehearsal where %" PRIu64 " were due: %s",
		             step->name, failure->due, step->faultless);
	else
		judge_settle(outcome, JUDGE_INVALID,
		             "worker %u: '%s' took %" PRIu64 " faults in rehearsal where %" PRIu64
		             " were due%s",
		             worker, step->name, failure->got, failure->due,
		             failure->got < failure->due ? ": are huge pages at work?" : "");
}

/* A page behind the memory could not be had. */
static void judge_bus(struct outcome *outcome, const struct point *point, unsigned worker,
                      const struct failure *failure)
{
	const char *where = point->backing.filesystem;
	char offset[UNIT_TEXT];

	if (failure->got == UINT64_MAX)
		judge_settle(outcome, JUDGE_INVALID,
		             "worker %u: SIGBUS outside its measured memory", worker);
	else
		judge_settle(
		        outcome, JUDGE_INVALID,
		        "worker %u: SIGBUS at offset %s of %s%s%s%s%s: no space or memory left for "
		        "a page?",
		        worker, size_format(failure->got, offset),
		        point->options.one_file ? "the file for all" : "its file or memory",
		        *where ? " on " : "", where,
		        point->backing.kind == BACKING_FILE ? " in " : "",
		        point->backing.kind == BACKING_FILE ? point->options.dir : "");
}

/* What a worker itself gave as the reason for its end. */
static void judge_failure(struct outcome *outcome, const struct point *point, unsigned worker,
                          const struct failure *failure)
{
	const struct workload *workload = &point->workload;
	const char *error = strerror(failure->error);

	switch ((enum failure_kind)atomic_load(&failure->kind)) {
	case FAILURE_NONE:
		return;
	case FAILURE_PIN:
		judge_settle(outcome, JUDGE_INVALID, "worker %u could not be pinned to CPU %d: %s",
		             worker, point->seats[worker].cpu,
		             failure->error == EXDEV ? "the kernel put it elsewhere" : error);
		break;
	case FAILURE_UNPINNED:
		judge_settle(outcome, JUDGE_INVALID,
		             "worker %u was no longer pinned to CPU %d at the end", worker,
		             point->seats[worker].cpu);
		break;
	case FAILURE_THREAD:
		judge_settle(outcome, JUDGE_INVALID,
		             "the thread of worker %u could not be made: %s", worker, error);
		break;
	case FAILURE_MEMORY:
		judge_settle(outcome, JUDGE_INVALID, "worker %u got no memory: %s", worker, error);
		break;
	case FAILURE_THP:
		judge_settle(outcome, JUDGE_UNSUPPORTED,
		             "huge pages cannot be ruled out by prctl: %s", error);
		break;
	case FAILURE_LAYOUT:
		judge_settle(
		        outcome, JUDGE_INVALID,
		        "worker %u: /proc/self/maps does not show the memory as the layout says",
		        worker);
		break;
	case FAILURE_POLICY:
		judge_settle(outcome, JUDGE_INVALID, "worker %u: set_mempolicy for --mem=%s: %s",
		             worker, point->options.mem, error);
		break;
	case FAILURE_NODES:
		judge_settle(outcome, JUDGE_INVALID,
		             "worker %u: move_pages does not tell if pages are where --mem=%s asks "
		             "for: %s",
		             worker, point->options.mem, error);
		break;
	case FAILURE_SETUP:
		judge_settle(outcome, JUDGE_INVALID, "worker %u: setup step '%s' failed: %s",
		             worker, workload->setup[failure->step].step->name, error);
		break;
	case FAILURE_REHEARSAL:
		if (kernel_lacks(failure->error))
			judge_settle(outcome, JUDGE_UNSUPPORTED, "this kernel refuses '%s': %s",
			             workload->loop[failure->step].step->name, error);
		else
			judge_settle(outcome, JUDGE_INVALID,
			             "worker %u: '%s' failed in rehearsal: %s", worker,
			             workload->loop[failure->step].step->name, error);
		break;
	case FAILURE_STEP:
		judge_settle(outcome, JUDGE_INVALID, "worker %u: '%s' failed: %s", worker,
		             workload->loop[failure->step].step->name, error);
		break;
	case FAILURE_FILE:
		judge_settle(outcome, JUDGE_INVALID, "worker %u could not make its file: %s",
		             worker, error);
		break;
	case FAILURE_BUS:
		judge_bus(outcome, point, worker, failure);
		break;
	case FAILURE_MEMCG:
		judge_settle(outcome, JUDGE_INVALID,
		             "worker %u could not enter its memory cgroup: %s", worker, error);
		break;
	case FAILURE_FAULTS:
		judge_rehearsal(outcome, worker, workload->loop[failure->step].step, failure);
		break;
	}
	outcome->workers[worker].status = "failed";
}

void judge_failures(struct outcome *outcome, const struct crew *crew)
{
	for (unsigned i = 0; i < crew->point->workers; i++)
		judge_failure(outcome, crew->point, i, &arena_slot(&crew->arena, i)->failure);
}
