// SPDX-License-Identifier: GPL-3.0-or-later
/* How many faults a page to expect where they are not derived exactly. */
#include "backing.h"

#include "procfile.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* fault_around_bytes unless debugfs says otherwise (mm/memory.c). */
#define AROUND_BYTES 65536

/* Kinds of file that behave alike. */
enum filing { FILING_UNKNOWN, FILING_SHMEM, FILING_SHMEM_HUGE, FILING_LARGE_FOLIOS };

static const struct {
	const char *name; /* what the file system's name begins with */
	enum filing filing;
} filings[] = {
        {"tmpfs huge=never", FILING_SHMEM},
        {"shmem huge=never", FILING_SHMEM},
        {"tmpfs", FILING_SHMEM_HUGE},
        {"shmem", FILING_SHMEM_HUGE},
        {"ramfs", FILING_SHMEM},
        {"ext4", FILING_LARGE_FOLIOS},
        {"xfs", FILING_LARGE_FOLIOS},
};

static enum filing filing_of(const char *filesystem)
{
	for (size_t i = 0; i < sizeof(filings) / sizeof(filings[0]); i++)
		if (strncmp(filesystem, filings[i].name, strlen(filings[i].name)) == 0)
			return filings[i].filing;
	return FILING_UNKNOWN;
}

static double around_pages(size_t page)
{
	uint64_t bytes = AROUND_BYTES;

	if (procfile_number("/sys/kernel/debug/fault_around_bytes", &bytes) || bytes < page)
		bytes = AROUND_BYTES;
	return (double)bytes / (double)page;
}

/* Pages that one page table, and so one huge page or fault, can map. */
static double table_pages(size_t page)
{
	size_t entries = page / 8;

	return (double)entries;
}

/* Of one step that makes pages present or the worker's own. */
static struct band stage_band(const struct backing *backing, const struct stage *stage)
{
	static const struct band one = {1, 1};
	enum filing filing = filing_of(backing->filesystem);
	bool writes = stage->step->gains & OWNED, cached = stage->before & CACHED;
	double least = 1 / table_pages(backing->page);

	if (stage->before & PRESENT) /* a write to what was only read before */
		return backing->shared ? (struct band){0, 1} : one;
	if (writes && !backing->shared)
		return one;
	switch (filing) {
	case FILING_SHMEM:
		if (writes || !cached)
			return one;
		return (struct band){1 / around_pages(backing->page), 1};
	case FILING_SHMEM_HUGE:
	case FILING_LARGE_FOLIOS:
		return (struct band){least, 1};
	case FILING_UNKNOWN:
		break;
	}
	return (struct band){NAN, NAN};
}

struct band backing_band(const struct backing *backing, const struct workload *workload,
                         bool huge_possible)
{
	struct band sum = {0, 0};

	for (unsigned s = 0; s < workload->loop_steps; s++) {
		const struct stage *stage = &workload->loop[s];
		struct band band = {0, 1};

		if (stage->faults_per_page && backing->kind == BACKING_ANON)
			band.low = huge_possible ? 1 / table_pages(backing->page) : 1;
		else if (stage->faults_per_page)
			band = stage_band(backing, stage);
		else if (!stage->unsure)
			continue;
		sum.low += band.low;
		sum.high += band.high;
	}
	return sum;
}
