// SPDX-License-Identifier: GPL-3.0-or-later
/* Event names of the CPU's own, by libpfm4 where it was there to build with. */
#include "events.h"

#ifdef HAVE_LIBPFM

#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>

bool events_have_pfm(void)
{
	return true;
}

bool events_pfm_find(const char *name, struct event *event)
{
	struct perf_event_attr attr = {0};
	pfm_perf_encode_arg_t encoding = {.attr = &attr, .size = sizeof(encoding)};

	if (pfm_initialize() != PFM_SUCCESS ||
	    pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &encoding) !=
	            PFM_SUCCESS)
		return false;
	snprintf(event->name, sizeof(event->name), "%s", name);
	event->type = attr.type;
	event->config = attr.config;
	event->config1 = attr.config1;
	event->config2 = attr.config2;
	event->exclude_user = attr.exclude_user;
	event->exclude_kernel = attr.exclude_kernel;
	return true;
}

#else

bool events_have_pfm(void)
{
	return false;
}

bool events_pfm_find(const char *name, struct event *event)
{
	(void)name;
	(void)event;
	return false;
}

#endif
