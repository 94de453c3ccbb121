// SPDX-License-Identifier: GPL-3.0-or-later
#include "waits.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Looks at one drain: each costs the parent some 6 us. */
#define LOOKS_PER_DRAIN 16

int waits_make(struct waits *waits, unsigned workers)
{
	*waits = (struct waits){.looks = calloc(workers, sizeof(*waits->looks))};
	return waits->looks ? 0 : -1;
}

void waits_free(struct waits *waits)
{
	free(waits->sites);
	free(waits->looks);
	*waits = (struct waits){0};
}

/* The function that the thread sleeps in; false if it runs, or cannot be looked at. */
static bool thread_sleeps_in(pid_t tid, char *symbol, size_t size)
{
	char path[64];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/wchan", (int)tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = read(fd, symbol, size - 1);
	close(fd);
	if (got <= 0)
		return false;
	symbol[got] = '\0';
	return strcmp(symbol, "0") != 0;
}

static void waits_note(struct waits *waits, unsigned worker, unsigned step, const char *symbol)
{
	struct wait_site *sites;

	for (size_t i = 0; i < waits->count; i++) {
		struct wait_site *site = &waits->sites[i];

		if (site->worker == worker && site->step == step &&
		    strcmp(site->symbol, symbol) == 0) {
			site->seen++;
			return;
		}
	}
	sites = realloc(waits->sites, (waits->count + 1) * sizeof(*sites));
	if (!sites)
		return;
	waits->sites = sites;
	sites[waits->count] = (struct wait_site){.worker = worker, .step = step, .seen = 1};
	snprintf(sites[waits->count++].symbol, sizeof(sites->symbol), "%s", symbol);
}

void waits_look(struct waits *waits, const struct crew *crew)
{
	unsigned workers = crew->point->workers;
	unsigned looks = workers < LOOKS_PER_DRAIN ? workers : LOOKS_PER_DRAIN;
	char symbol[64];

	for (unsigned i = 0; i < looks; i++) {
		unsigned worker = waits->next++ % workers;
		struct slot *slot = arena_slot(&crew->arena, worker);

		if (atomic_load(&slot->reached) != REACHED_OPEN)
			continue;
		waits->looks[worker]++;
		if (thread_sleeps_in(slot->tid, symbol, sizeof(symbol)))
			waits_note(waits, worker, atomic_load(&slot->step), symbol);
	}
}

const struct wait_site *waits_most(const struct waits *waits, unsigned worker)
{
	const struct wait_site *most = NULL;

	for (size_t i = 0; i < waits->count; i++)
		if (waits->sites[i].worker == worker &&
		    (!most || waits->sites[i].seen > most->seen))
			most = &waits->sites[i];
	return most;
}
