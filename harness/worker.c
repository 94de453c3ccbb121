// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Clock readings may cost this share of the time of the laps. */
#define CLOCK_SHARE 0.002

void futex_wait(_Atomic uint32_t *word, uint32_t value)
{
	syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
}

void futex_wake_all(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void worker_count_in(struct worker *worker, _Atomic uint32_t *count)
{
	uint64_t one = 1;

	if (atomic_fetch_add(count, 1) + 1 == worker->point->workers)
		while (write(worker->wake_fd, &one, sizeof(one)) < 0 && errno == EINTR)
			;
}

/* The smallest prime that is at least n: a period that no other period is a multiple of. */
static uint64_t prime_from(uint64_t n)
{
	for (uint64_t divisor = 2; divisor * divisor <= n; divisor++)
		if (n % divisor == 0) {
			n++;
			divisor = 1;
		}
	return n;
}

void worker_calibrate(struct worker *worker, double pass_ns)
{
	const struct point *point = worker->point;
	double readings = point->workload.loop_steps + 1;
	double needed = readings * worker->clock_cost / CLOCK_SHARE / pass_ns;

	worker->plain = needed > 1 ? prime_from((uint64_t)needed) : 0;
	worker->split = !point->options.laps && !worker->arena->board->whole_laps &&
	                pass_ns * point->passes * 20 > (double)point->options.duration;
}
