// SPDX-License-Identifier: GPL-3.0-or-later
#include "session.h"

#include "affinity.h"
#include "lock.h"
#include "quote.h"
#include "signals.h"
#include "version.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *session_fact(const struct session *session, const char *key)
{
	for (size_t i = 0; i < session->fact_count; i++)
		if (strcmp(session->facts[i].key, key) == 0)
			return session->facts[i].value;
	return "";
}

int session_survey(struct session *session, struct topology **topology, struct complaint *c)
{
	hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
	/* First, since hwloc does not come back where the kernel refuses to tell the mask. */
	int result = affinity_allowed(allowed, c);

	hwloc_bitmap_free(allowed);
	if (result || topology_load(topology, c))
		return -1;
	session->fact_count = machine_facts(*topology, &session->facts);
	return 0;
}

void session_command(const char *command, const struct word_list *words, char *out, size_t size)
{
	snprintf(out, size, "faultscale %s", command);
	for (int i = 0; i < words->count && quote_word(words->words[i], out, size) == 0; i++)
		;
}

static void session_meta(struct session *session, const char *command_line)
{
	char clock_cost[32];
	const struct meta_row rows[] = {
	        {"schema", "1"},           {"version", version_text}, {"build_id", build_id},
	        {"command", command_line}, {"clock_ns", clock_cost},
	};

	snprintf(clock_cost, sizeof(clock_cost), "%.1f", session->bench.clock_cost);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		results_row(&session->results, RESULT_META, &rows[i]);
	for (size_t i = 0; i < session->fact_count; i++)
		results_row(&session->results, RESULT_META,
		            &(struct meta_row){session->facts[i].key, session->facts[i].value});
}

int session_open(struct session *session, const char *command, const struct word_list *words,
                 const struct options *options, unsigned files, struct complaint *c)
{
	char command_line[8192];

	session->bench = (struct bench){
	        .results = &session->results,
	        .host = session_fact(session, "host"),
	        .boot_id = session_fact(session, "boot_id"),
	        .clock_cost = machine_clock_cost(),
	        .live = isatty(STDERR_FILENO) && options->format == FORMAT_TEXT,
	};
	session->alone = lock_machine();
	if (results_open(&session->results, options->output, files, c))
		return -1;
	session_command(command, words, command_line, sizeof(command_line));
	session_meta(session, command_line);
	session->bench.watch.signal_fd = signals_open();
	if (session->bench.watch.signal_fd < 0)
		return complain(c, EXIT_FAILED, "signalfd: %s", strerror(errno));
	return 0;
}

void session_close(struct session *session)
{
	free(session->facts);
	session->facts = NULL;
	if (session->bench.watch.signal) {
		fflush(stdout);
		signals_die(session->bench.watch.signal);
	}
}
