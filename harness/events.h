// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Counters of perf_event_open(2), for the calling thread.  Each worker opens those of --events
 * before its rehearsal and reads them twice, at the edges of its window: they run all the time, so
 * that the loop itself is the same with them and without.
 *
 * Hardware events form a group, which the kernel counts together or not at all; one that does not
 * fit into it (EINVAL) begins another.  Where there are more groups than counters the kernel takes
 * turns: then running is less than enabled time and the value is an estimate.  Software events are
 * always counted, so each stands alone: that also keeps task-clock right, which Linux 6.18 does not
 * bring up to date when it is read as a member of another event's group.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include "complaint.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EVENTS_MAX = 8, EVENT_NAME = 64 };

/* An event that the kernel itself names (linux/perf_event.h, Linux 6.18). */
struct event_name {
	const char *name, *alias; /* as perf-list(1) has them; alias "" if none */
	uint32_t type;
	bool kernel; /* happens in the kernel: user mode alone would count none of it */
	uint64_t config;
	const char *meaning;
};

/* The table; ends with a row whose name is NULL. */
extern const struct event_name event_names[];

/* An event to be counted. */
struct event {
	char name[EVENT_NAME];
	uint32_t type;
	uint64_t config, config1, config2;
	bool kernel;                       /* as above */
	bool exclude_user, exclude_kernel; /* asked for in its name (libpfm4's ":k" and ":u") */
};

struct event_list {
	unsigned count;
	struct event event[EVENTS_MAX];
};

/*
 * Parses names separated by commas; "" is none.  A name is one of event_names, or, where this
 * program was built with libpfm4, one that it knows for this CPU.  EXIT_USAGE for an unknown name,
 * one that comes twice, or too many.
 */
int events_parse(const char *text, struct event_list *list, struct complaint *c);

/* Whether this program was built with libpfm4; fills the event if it knows the name. */
bool events_have_pfm(void);
bool events_pfm_find(const char *name, struct event *event);

enum event_scope { SCOPE_NONE, SCOPE_ALL, SCOPE_USER, SCOPE_KERNEL };

/* "user+kernel", "user", "kernel", or "" for an event that is not counted. */
const char *event_scope_name(enum event_scope scope);

/* One reading of an event since it was opened; all 0 where it could not be read. */
struct event_count {
	uint64_t value, enabled_ns, running_ns;
};

/* What a worker's slot has of its events. */
struct event_tally {
	int32_t error[EVENTS_MAX];  /* errno of the opening, 0 if it went well */
	uint32_t scope[EVENTS_MAX]; /* enum event_scope */
	struct event_count open[EVENTS_MAX], close[EVENTS_MAX];
};

/* A thread's open events. */
struct event_set {
	unsigned count;
	int fd[EVENTS_MAX];          /* -1: not open */
	unsigned leader[EVENTS_MAX]; /* the first event of its group */
};

/*
 * Opens the events for the calling thread and notes in the tally how that went.  Where the kernel
 * may not be counted (kernel.perf_event_paranoid), user mode alone is.
 */
void events_open(const struct event_list *list, struct event_set *set, struct event_tally *tally);

/* Reads all of them: one system call for each group. */
void events_read(const struct event_set *set, struct event_count counts[EVENTS_MAX]);

void events_close(struct event_set *set);

/*
 * The value between two readings; where the event ran for a part of the time only, the estimate
 * value * enabled / running (perf_event_open(2)), without overflow.  UINT64_MAX if it never ran, or
 * could not be read.
 */
uint64_t event_value(const struct event_count *from, const struct event_count *to);

/*
 * One line on why an event is not counted (error: its errno), or in user mode only: the sysctl or
 * limit that did it, and what to do.  "" if it is counted as asked for.
 */
void event_explain(const struct event *event, int error, enum event_scope scope, char *out,
                   size_t size);

#endif
