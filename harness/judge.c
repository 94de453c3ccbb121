// SPDX-License-Identifier: GPL-3.0-or-later
#include "judge.h"

#include "signals.h"
#include "totals.h"
#include "units.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/wait.h>

/* Windows whose edges lie further apart than this share of their length were not common. */
#define SKEW_ALLOWED 0.1

void judge_settle(struct outcome *outcome, const char *status, enum exit_status exit_status,
                  const char *format, ...)
{
	va_list arguments;

	if (outcome->point.status)
		return;
	outcome->point.status = status;
	outcome->exit_status = exit_status;
	va_start(arguments, format);
	vsnprintf(outcome->reason, sizeof(outcome->reason), format, arguments);
	va_end(arguments);
}

/* "worker 3", or in a process of several "workers 0-3". */
static void casualty_name(const struct crew *crew, char *out, size_t size)
{
	unsigned process = crew->casualty.process;
	unsigned first = point_first(crew->point, process);
	unsigned members = point_members(crew->point, process);

	if (members == 1)
		snprintf(out, size, "worker %u", first);
	else
		snprintf(out, size, "the process of workers %u-%u", first, first + members - 1);
}

/* Marks the process's workers, but for one that gave a reason of its own. */
static void casualty_mark(struct outcome *outcome, const struct crew *crew, const char *status)
{
	unsigned first = point_first(crew->point, crew->casualty.process);

	for (unsigned i = first; i < first + point_members(crew->point, crew->casualty.process);
	     i++)
		if (atomic_load(&arena_slot(&crew->arena, i)->failure.kind) == FAILURE_NONE)
			outcome->workers[i].status = status;
}

/* A process that ended, was killed or stopped. */
static void judge_casualty(struct outcome *outcome, const struct crew *crew,
                           const struct surroundings *surroundings)
{
	const struct casualty *casualty = &crew->casualty;
	char who[64], signal[SIGNAL_NAME], oom[96] = "";

	if (surroundings->noise.oom_kills)
		snprintf(oom, sizeof(oom), "; its memory cgroup counts %" PRIu64 " more OOM kill%s",
		         surroundings->noise.oom_kills,
		         surroundings->noise.oom_kills == 1 ? "" : "s");
	casualty_name(crew, who, sizeof(who));
	switch (casualty->code) {
	case CLD_KILLED:
	case CLD_DUMPED:
		judge_settle(outcome, JUDGE_INVALID, "%s was killed by %s%s", who,
		             signals_name(casualty->status, signal), oom);
		casualty_mark(outcome, crew, "killed");
		break;
	case CLD_STOPPED:
		judge_settle(outcome, JUDGE_INVALID, "%s was stopped by %s", who,
		             signals_name(casualty->status, signal));
		casualty_mark(outcome, crew, "stopped");
		break;
	default:
		judge_settle(outcome, JUDGE_INVALID, "%s ended early with status %d", who,
		             casualty->status);
		casualty_mark(outcome, crew, "ended early");
		break;
	}
}

static void judge_end(struct outcome *outcome, const struct crew *crew,
                      const struct surroundings *surroundings)
{
	char signal[SIGNAL_NAME], time[UNIT_TEXT];

	switch (surroundings->result) {
	case CREW_OK:
	case CREW_FAILED: /* without workers there is nothing to judge */
		break;
	case CREW_INTERRUPTED:
		judge_settle(outcome, "interrupted", EXIT_FAILED, "interrupted by %s",
		             signals_name(surroundings->signal, signal));
		break;
	case CREW_STUCK:
		judge_settle(outcome, JUDGE_INVALID, "worker %u did not move for %s (--timeout)",
		             crew->casualty.worker,
		             time_format(crew->point->options.timeout, time));
		outcome->workers[crew->casualty.worker].status = "stuck";
		break;
	case CREW_LOST:
		judge_casualty(outcome, crew, surroundings);
		break;
	}
	if (surroundings->torn)
		judge_settle(outcome, JUDGE_INVALID, "a ring of samples was overwritten");
}

static void judge_skew(struct outcome *outcome, const struct point *point)
{
	const struct point_row *row = &outcome->point;
	uint64_t skew =
	        row->start_skew_ns > row->stop_skew_ns ? row->start_skew_ns : row->stop_skew_ns;
	char time[UNIT_TEXT];

	if (point->options.laps || row->window_ns == UNKNOWN_COUNT ||
	    (double)skew < SKEW_ALLOWED * (double)row->window_ns)
		return;
	judge_settle(outcome, JUDGE_INVALID,
	             "%s skew %s is %.0f %% of the window: the workers did not run together",
	             skew == row->start_skew_ns ? "start" : "stop",
	             duration_format((double)skew, time),
	             100 * (double)skew / (double)row->window_ns);
}

static void judge_worker(struct outcome *outcome, const struct point *point, unsigned index)
{
	struct worker_row *row = &outcome->workers[index];
	uint64_t due = worker_due(outcome, point, index), work = 0;
	uint64_t handled = row->pages == UNKNOWN_COUNT ? 0 : row->pages;
	uint64_t allowed = (uint64_t)(SURPLUS_ALLOWED * (double)(due ? due : handled));

	for (unsigned s = 0; s < point->workload.loop_steps; s++)
		work += outcome->worker_steps[index][s].work;
	if (!work)
		judge_settle(outcome, JUDGE_INVALID, "worker %u did nothing in its window", index);
	if (!point->exact ||
	    (row->minor_faults >= due &&
	     row->minor_faults - due <= allowed + worker_doubt(outcome, point, index)))
		return;
	row->status = "faults";
	judge_settle(outcome, JUDGE_INVALID,
	             "worker %u took %" PRIu64 " faults where %" PRIu64 " were due", index,
	             row->minor_faults, due);
}

static void judge_placement(struct outcome *outcome, const struct crew *crew)
{
	char why[256];

	for (unsigned i = 0; i < crew->point->workers; i++) {
		const struct placement *placement = &arena_slot(&crew->arena, i)->placement;

		if (!outcome_misplaced(crew->point, i, placement, why, sizeof(why)))
			continue;
		outcome->workers[i].status = "misplaced";
		judge_settle(outcome, JUDGE_INVALID, "worker %u: %s", i, why);
	}
	if (outcome_uneven(crew, why, sizeof(why)))
		judge_settle(outcome, JUDGE_INVALID, "%s", why);
}

/* Where faults are not exact, none at all is still impossible when pages became present. */
static void judge_none(struct outcome *outcome, const struct point *point)
{
	const struct point_row *row = &outcome->point;

	if (point->exact || !row->derived_faults || row->minor_faults || row->major_faults)
		return;
	judge_settle(outcome, JUDGE_INVALID,
	             "no faults at all, where pages became present: something else maps them");
}

void judge(struct outcome *outcome, const struct crew *crew,
           const struct surroundings *surroundings)
{
	judge_failures(outcome, crew);
	judge_end(outcome, crew, surroundings);
	if (outcome->point.window_ns != UNKNOWN_COUNT) {
		for (unsigned i = 0; i < crew->point->workers; i++)
			judge_worker(outcome, crew->point, i);
		judge_placement(outcome, crew);
		judge_none(outcome, crew->point);
		judge_skew(outcome, crew->point);
	}
	judge_settle(outcome, "valid", EXIT_OK, "%s", "");
	outcome->point.reason = outcome->reason;
}
