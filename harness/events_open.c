// SPDX-License-Identifier: GPL-3.0-or-later
#include "events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int event_open(const struct event *event, bool user_only, int group)
{
	struct perf_event_attr attr = {
	        .type = event->type,
	        .size = sizeof(attr),
	        .config = event->config,
	        .config1 = event->config1,
	        .config2 = event->config2,
	        .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
	                       PERF_FORMAT_TOTAL_TIME_RUNNING,
	        .exclude_user = event->exclude_user,
	        .exclude_kernel = user_only || event->exclude_kernel,
	        .exclude_hv = user_only,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
}

/* Opens the event in the group, or where it does not fit by itself; *alone says which. */
static int event_join(const struct event *event, bool user_only, int group, bool *alone)
{
	int fd = event_open(event, user_only, group);

	*alone = group < 0;
	if (fd < 0 && errno == EINVAL && group >= 0) {
		*alone = true;
		fd = event_open(event, user_only, -1);
	}
	return fd;
}

/* The first event of the group that this one may join, or -1. */
static int group_find(const struct event_list *list, const struct event_set *set, unsigned index)
{
	for (unsigned i = index; i-- > 0;)
		if (list->event[index].type != PERF_TYPE_SOFTWARE && set->fd[i] >= 0 &&
		    list->event[i].type != PERF_TYPE_SOFTWARE)
			return (int)set->leader[i];
	return -1;
}

static void event_add(const struct event_list *list, unsigned index, struct event_set *set,
                      struct event_tally *tally)
{
	const struct event *event = &list->event[index];
	int leader = group_find(list, set, index);
	int group = leader < 0 ? -1 : set->fd[leader];
	enum event_scope scope = event->exclude_kernel ? SCOPE_USER
	                         : event->exclude_user ? SCOPE_KERNEL
	                                               : SCOPE_ALL;
	bool alone;
	int fd = event_join(event, false, group, &alone);

	if (fd < 0 && (errno == EACCES || errno == EPERM) && scope == SCOPE_ALL && !event->kernel) {
		scope = SCOPE_USER;
		fd = event_join(event, true, group, &alone);
	}
	set->fd[index] = fd;
	set->leader[index] = alone ? index : (unsigned)leader;
	tally->error[index] = fd < 0 ? errno : 0;
	tally->scope[index] = fd < 0 ? SCOPE_NONE : scope;
}

void events_open(const struct event_list *list, struct event_set *set, struct event_tally *tally)
{
	set->count = list->count;
	for (unsigned i = 0; i < list->count; i++)
		event_add(list, i, set, tally);
}

/* What read() gives for a group (perf_event_open(2)). */
struct group_reading {
	uint64_t count, enabled_ns, running_ns, value[EVENTS_MAX];
};

void events_read(const struct event_set *set, struct event_count counts[EVENTS_MAX])
{
	memset(counts, 0, set->count * sizeof(*counts));
	for (unsigned leader = 0; leader < set->count; leader++) {
		struct group_reading group = {0};
		unsigned place = 0;

		if (set->fd[leader] < 0 || set->leader[leader] != leader ||
		    read(set->fd[leader], &group, sizeof(group)) <= 0)
			continue;
		for (unsigned i = leader; i < set->count && place < group.count; i++)
			if (set->fd[i] >= 0 && set->leader[i] == leader)
				counts[i] = (struct event_count){
				        group.value[place++], group.enabled_ns, group.running_ns};
	}
}

void events_close(struct event_set *set)
{
	for (unsigned i = 0; i < set->count; i++)
		if (set->fd[i] >= 0)
			close(set->fd[i]);
	set->count = 0;
}
