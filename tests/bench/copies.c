// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * What the copy steps reach of what the machine can do: for blocks of 1 KiB and for one block as
 * large as the memory, the rate of each --copy method by that of the bare loop with the method that
 * is fastest here, on two CPUs where there are two.
 */
#include "bare.h"

#include "verbs.h"

#define MEMORY ((size_t)16 << 20) /* beyond most caches, with the block and another worker's */
#define SLICE_NS 30700000

enum { METHODS = COPY_NONTEMPORAL + 1, ROUNDS = 10 };

static const char *const method_names[METHODS] = {"libc", "movsb", "nontemporal"};

static void lap_copy(char *memory, size_t bytes, const char *block, size_t block_bytes,
                     copy_call *copy)
{
	for (size_t at = 0; at < bytes; at += block_bytes)
		copy(memory + at, block, block_bytes);
}

#define LAP(name, method)                                                                   \
	static void name(char *memory, size_t bytes, const char *block, size_t block_bytes) \
	{                                                                                   \
		lap_copy(memory, bytes, block, block_bytes, copy_calls[method]);            \
	}

LAP(lap_libc, COPY_LIBC)
LAP(lap_movsb, COPY_MOVSB)
LAP(lap_nontemporal, COPY_NONTEMPORAL)

static bare_lap *const laps[METHODS] = {lap_libc, lap_movsb, lap_nontemporal};

/* MiB/s of each bare method: medians over rounds in which all take their turn. */
static void bare_rates(struct bare_case *c, const struct point *point, double rates[METHODS])
{
	double laps_per_s[METHODS][ROUNDS];
	struct bare_crew crews[METHODS];

	for (int m = 0; m < METHODS; m++) {
		c->lap = laps[m];
		if (copy_supported((enum copy_method)m))
			bare_launch(&crews[m], c, point);
	}
	for (int round = 0; round < ROUNDS; round++)
		for (int m = 0; m < METHODS; m++)
			laps_per_s[m][round] = copy_supported((enum copy_method)m)
			                               ? bare_slice(&crews[m], c->workers, SLICE_NS)
			                               : 0;
	for (int m = 0; m < METHODS; m++) {
		if (copy_supported((enum copy_method)m))
			bare_end(&crews[m], c->workers);
		rates[m] = gsl_stats_median(laps_per_s[m], 1, ROUNDS) * (double)(MEMORY >> 20);
	}
}

/* The fastest method, by its bare loop. */
static int best_find(struct bare_case *c)
{
	struct seat seats[BARE_WORKERS] = {{.cpu = 0}, {.cpu = 1}};
	struct point point = {.seats = seats, .workers = c->workers};
	double rates[METHODS];
	int best = 0;

	bare_rates(c, &point, rates);
	printf("bare loops, blocks of %zuK:", c->block >> 10);
	for (int m = 0; m < METHODS; m++) {
		if (rates[m] > 0)
			printf(" %s %.0f MiB/s", method_names[m], rates[m]);
		best = rates[m] > rates[best] ? m : best;
	}
	printf("; best %s\n", method_names[best]);
	return best;
}

/* All methods at one size of block; true if the best one is as fast as its bare loop. */
static bool copies_measure(size_t block, unsigned workers, const char *only, struct watch *watch,
                           double clock_cost)
{
	char options[128], name[64];
	struct bare_case c = {
	        .name = name,
	        .options = options,
	        .workload = "map fault: memcpy",
	        .bytes = MEMORY,
	        .block = block,
	        .workers = workers,
	        .populated = true,
	        .slice_ns = SLICE_NS,
	        .launches = 8, /* each faults some 100 MiB in first */
	};
	int best = best_find(&c);
	bool good = true;

	c.lap = laps[best];
	for (int m = 0; m < METHODS; m++) {
		snprintf(name, sizeof(name), "%s, %zuK blocks", method_names[m], block >> 10);
		snprintf(options, sizeof(options),
		         "-n%u --bytes=%zu --thp=never --block=%zu --copy=%s", workers, MEMORY,
		         block, method_names[m]);
		c.least = m == best ? 0.99 : 0;
		if (strstr(name, only))
			good &= bare_measure(&c, watch, clock_cost);
	}
	return good;
}

int main(int argc, char *argv[])
{
	const char *only = argc > 1 ? argv[1] : ""; /* cases with this in their name */
	struct watch watch = {.signal_fd = signals_open()};
	double clock_cost = machine_clock_cost();
	unsigned workers = sysconf(_SC_NPROCESSORS_ONLN) < BARE_WORKERS ? 1 : BARE_WORKERS;
	bool good;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("bytes copied by %u workers, harness by best bare loop: ratio, 95 %% interval\n",
	       workers);
	good = copies_measure(1 << 10, workers, only, &watch, clock_cost);
	good &= copies_measure(MEMORY, workers, only, &watch, clock_cost);
	return good ? 0 : 1;
}
