// SPDX-License-Identifier: GPL-3.0-or-later
/* The lists that ask this machine: its CPUs as workers would sit on them, events it counts. */
#include "list.h"

#include "events.h"
#include "pool.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
const struct column event_list[] = {
	LISTING("event", COLUMN_TEXT, name),
	LISTING("alias", COLUMN_TEXT, text),
	LISTING("here", COLUMN_TEXT, facts[0]),
	LISTING("why", COLUMN_TEXT, facts[1]),
	LISTING("what", COLUMN_TEXT, more),
	{.name = NULL},
};

const struct column cpu_list[] = {
	LISTING("worker", COLUMN_COUNT, number[0]),
	LISTING("cpu", COLUMN_COUNT, number[1]),
	LISTING("core", COLUMN_COUNT, number[2]),
	LISTING("cache", COLUMN_COUNT, number[3]),
	LISTING("node", COLUMN_COUNT, number[4]),
	LISTING("package", COLUMN_COUNT, number[5]),
	{.name = NULL},
};
/* clang-format on */

static void cpu_print(const struct listing *row)
{
	for (int i = 0; i < 6; i++) {
		if (row->number[i] == UNKNOWN_COUNT)
			printf("%8s", "-");
		else
			printf("%8d", (int)row->number[i]);
	}
	putchar('\n');
}

static uint64_t place(int index)
{
	return index < 0 ? UNKNOWN_COUNT : (uint64_t)index;
}

static int seats_list(struct lister *lister, const struct seat *seats, size_t count,
                      struct complaint *c)
{
	uint64_t workers = lister->options->workers ? lister->options->workers : count;

	if (workers > count && !lister->options->oversubscribe)
		return complain(c, EXIT_USAGE,
		                "%d workers, %zu allowed CPUs\nuse fewer, or --oversubscribe",
		                (int)workers, count);
	if (lister->text)
		printf("%8s%8s%8s%8s%8s%8s\n", "worker", "CPU", "core", "cache", "node", "package");
	for (uint64_t i = 0; i < workers; i++) {
		const struct seat *seat = &seats[i % count];
		struct listing row = {.number = {i, place(seat->cpu), place(seat->core),
		                                 place(seat->cache), place(seat->node),
		                                 place(seat->package)}};

		if (lister->text)
			cpu_print(&row);
		else
			csv_record(&lister->csv, &row);
	}
	return 0;
}

/* Who would sit where: also for a topology that is not this machine's. */
int list_cpus(struct lister *lister, struct complaint *c)
{
	hwloc_bitmap_t pool = hwloc_bitmap_alloc();
	struct topology *topology = NULL;
	struct seat *seats = NULL;
	size_t count;
	int result = -1;

	if (topology_load(&topology, c) == 0 &&
	    pool_choose(topology, lister->options->cpus, pool, c) == 0 &&
	    topology_seats(topology, pool, (enum order)lister->options->order, &seats, &count, c) ==
	            0)
		result = seats_list(lister, seats, count, c);
	free(seats);
	topology_free(topology);
	hwloc_bitmap_free(pool);
	return result;
}

/* Whether this thread may count the event: "yes", "user" (mode only) or "no"; and why not. */
static void event_try(const char *name, struct listing *row)
{
	struct event_list list;
	struct event_tally tally = {0};
	struct event_set set;
	struct complaint c;

	if (events_parse(name, &list, &c))
		return;
	events_open(&list, &set, &tally);
	events_close(&set);
	row->facts[0] = tally.error[0] ? "no" : tally.scope[0] == SCOPE_USER ? "user" : "yes";
	row->facts[1] = tally.error[0] ? strerror(tally.error[0]) : NULL;
}

int list_events(struct lister *lister, struct complaint *c)
{
	(void)c;
	if (lister->text)
		printf("%-24s %-5s\n", "event", "here");
	for (const struct event_name *name = event_names; name->name; name++) {
		struct listing row = {
		        .name = name->name, .text = name->alias, .more = name->meaning};

		event_try(name->name, &row);
		if (lister->text)
			printf("%-24s %-5s %s\n", row.name, row.facts[0], row.more);
		else
			csv_record(&lister->csv, &row);
	}
	if (lister->text)
		printf("%s\n", events_have_pfm()
		                       ? "and the names that libpfm4 knows for this CPU"
		                       : "(built without libpfm4: no names of the CPU's own)");
	return 0;
}
