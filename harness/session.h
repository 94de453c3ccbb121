// SPDX-License-Identifier: GPL-3.0-or-later
/* What every command that measures sets up: the machine's facts, signals, results and their meta.
 */
#ifndef SESSION_H
#define SESSION_H

#include "machine.h"
#include "measure.h"

struct session {
	struct machine_fact *facts;
	size_t fact_count;
	struct results results;
	struct bench bench;
	bool alone; /* no other faultscale was measuring when this one began */
};

/*
 * Loads the topology, for planning, and collects the machine's facts.  The caller frees the
 * topology before it measures: no child should inherit it.
 */
int session_survey(struct session *session, struct topology **topology, struct complaint *c);

/* The command as it was typed, each word quoted for a shell where it has to be; cut at `size`. */
void session_command(const char *command, const struct word_list *words, char *out, size_t size);

/* Opens the results with their meta rows, takes the signals and times the clock. */
int session_open(struct session *session, const char *command, const struct word_list *words,
                 const struct options *options, unsigned files, struct complaint *c);

/* Frees everything.  If a signal came it does not return: the process dies of it. */
void session_close(struct session *session);

#endif
