// SPDX-License-Identifier: GPL-3.0-or-later
/* What the harness costs: the rates of its loop by those of a bare loop, and the least wanted. */
#include "bare.h"

/* Several laps, and no multiple of a tick. */
#define SLICE_NS 30700000

/* The loops that someone would write by hand. */
static void lap_multi_fault(char *memory, size_t bytes, const char *block, size_t block_bytes)
{
	(void)block;
	(void)block_bytes;
	for (size_t at = 0; at < bytes; at += 4096)
		*(volatile char *)(memory + at) = 1;
	madvise(memory, bytes, MADV_DONTNEED);
}

static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

static void lap_memcpy(char *memory, size_t bytes, const char *block, size_t block_bytes)
{
	for (size_t at = 0; at < bytes; at += block_bytes)
		copy(memory + at, block, block_bytes);
}

static const struct bare_case cases[] = {
        {"multi-fault, 1 worker", "-n1 --bytes=2M --thp=never", "map: fault dontneed", 2 << 20,
         1024, 1, false, lap_multi_fault, 0.995, SLICE_NS, 20},
        {"multi-fault, 2 workers", "-n2 --bytes=2M --thp=never", "map: fault dontneed", 2 << 20,
         1024, 2, false, lap_multi_fault, 0.995, SLICE_NS, 20},
        {"one page, 1 worker", "-n1 --bytes=4K --thp=never", "map: fault dontneed", 4096, 1024, 1,
         false, lap_multi_fault, 0.99, SLICE_NS, 20},
        {"memcpy of 1 KiB blocks", "-n1 --bytes=256K --thp=never --block=1K", "map fault: memcpy",
         256 << 10, 1024, 1, true, lap_memcpy, 0.995, SLICE_NS, 20},
};

int main(int argc, char *argv[])
{
	struct watch watch = {.signal_fd = signals_open()};
	double clock_cost = machine_clock_cost();
	bool good = true;

	printf("%-26s %-6s  %-18s\n", "rate, harness by bare loop", "ratio", "95 % interval");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (argc < 2 || strstr(cases[i].name, argv[1]))
			good &= bare_measure(&cases[i], &watch, clock_cost);
	return good ? 0 : 1;
}
