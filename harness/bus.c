// SPDX-License-Identifier: GPL-3.0-or-later
#include "bus.h"

#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The one thing a signal handler can know of its process is what is written in a variable. */
static const struct bus_order *bus;

/* The offset of an address in its file; UINT64_MAX if it is none of the workers' memory. */
static uint64_t bus_offset(const char *address)
{
	for (int i = 0; i < 2; i++) {
		const struct layout *layout = bus->layouts[i];
		struct region whole = layout_whole(layout);

		for (unsigned member = 0; member < bus->members; member++) {
			struct region region = layout_region(layout, member);
			uintptr_t from = (uintptr_t)region.base, at = (uintptr_t)address;
			size_t bytes = layout_dealt(layout) ? whole.pages * whole.page
			                                    : region.pages * region.page;

			if (at >= from && at - from < bytes)
				return region.offset + (at - from);
		}
	}
	return UINT64_MAX;
}

static void bus_handle(int signal, siginfo_t *info, void *context)
{
	pid_t tid = (pid_t)syscall(SYS_gettid);
	unsigned member = 0;
	struct slot *slot;

	(void)signal;
	(void)context;
	while (member + 1 < bus->members && arena_slot(bus->arena, bus->first + member)->tid != tid)
		member++;
	slot = arena_slot(bus->arena, bus->first + member);
	slot->failure.got = bus_offset(info->si_addr);
	slot_fail(slot, FAILURE_BUS, 0, 0);
	_exit(EXIT_FAILED);
}

void bus_guard(const struct bus_order *order)
{
	struct sigaction action = {.sa_sigaction = bus_handle, .sa_flags = SA_SIGINFO};

	bus = order;
	sigaction(SIGBUS, &action, NULL);
}
