// SPDX-License-Identifier: GPL-3.0-or-later
#include "events.h"

#include "procfile.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* Type, whether it happens in the kernel, and config. */
#define SOFTWARE(name) PERF_TYPE_SOFTWARE, false, PERF_COUNT_SW_##name
#define KERNEL(name) PERF_TYPE_SOFTWARE, true, PERF_COUNT_SW_##name
#define HARDWARE(name) PERF_TYPE_HARDWARE, false, PERF_COUNT_HW_##name
#define CACHE(cache, op, result)                                                 \
	PERF_TYPE_HW_CACHE, false,                                               \
	        PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##op << 8 | \
	                PERF_COUNT_HW_CACHE_RESULT_##result << 16

/* clang-format off */
const struct event_name event_names[] = {
	{ "page-faults", "faults", SOFTWARE(PAGE_FAULTS),
	  "page faults; those inside a populate or mlock call do not count" },
	{ "minor-faults", "", SOFTWARE(PAGE_FAULTS_MIN), "those without input" },
	{ "major-faults", "", SOFTWARE(PAGE_FAULTS_MAJ), "those that waited for input" },
	{ "context-switches", "cs", KERNEL(CONTEXT_SWITCHES), "switches to another task" },
	{ "cpu-migrations", "migrations", KERNEL(CPU_MIGRATIONS),
	  "moves to another CPU" },
	{ "task-clock", "", SOFTWARE(TASK_CLOCK), "ns on a CPU" },
	{ "alignment-faults", "", SOFTWARE(ALIGNMENT_FAULTS),
	  "unaligned accesses that the kernel mended" },
	{ "cycles", "cpu-cycles", HARDWARE(CPU_CYCLES), "CPU cycles" },
	{ "instructions", "", HARDWARE(INSTRUCTIONS), "instructions retired" },
	{ "cache-references", "", HARDWARE(CACHE_REFERENCES),
	  "accesses that reached the last-level cache" },
	{ "cache-misses", "", HARDWARE(CACHE_MISSES), "and missed it" },
	{ "branches", "branch-instructions", HARDWARE(BRANCH_INSTRUCTIONS),
	  "branches retired" },
	{ "branch-misses", "", HARDWARE(BRANCH_MISSES), "branches predicted wrongly" },
	{ "bus-cycles", "", HARDWARE(BUS_CYCLES), "bus cycles" },
	{ "ref-cycles", "", HARDWARE(REF_CPU_CYCLES),
	  "cycles at a frequency that does not change" },
	{ "stalled-cycles-frontend", "", HARDWARE(STALLED_CYCLES_FRONTEND),
	  "cycles without an instruction to issue" },
	{ "stalled-cycles-backend", "", HARDWARE(STALLED_CYCLES_BACKEND),
	  "cycles with nowhere to issue it to" },
	{ "L1-dcache-load-misses", "", CACHE(L1D, READ, MISS),
	  "loads that missed the first-level data cache" },
	{ "LLC-load-misses", "", CACHE(LL, READ, MISS),
	  "loads that missed the last-level cache" },
	{ "LLC-store-misses", "", CACHE(LL, WRITE, MISS),
	  "stores that missed the last-level cache" },
	{ "dTLB-load-misses", "", CACHE(DTLB, READ, MISS),
	  "loads that missed the data TLB" },
	{ "dTLB-store-misses", "", CACHE(DTLB, WRITE, MISS),
	  "stores that missed the data TLB" },
	{ "iTLB-load-misses", "", CACHE(ITLB, READ, MISS),
	  "fetches that missed the instruction TLB" },
	{ "node-load-misses", "", CACHE(NODE, READ, MISS),
	  "loads from another node's memory" },
	{ .name = NULL },
};
/* clang-format on */

/* Fills the event from the table; false if the name is not in it. */
static bool name_find(const char *name, struct event *event)
{
	for (const struct event_name *row = event_names; row->name; row++) {
		if (strcmp(row->name, name) != 0 && strcmp(row->alias, name) != 0)
			continue;
		snprintf(event->name, sizeof(event->name), "%s", row->name);
		event->type = row->type;
		event->config = row->config;
		event->kernel = row->kernel;
		return true;
	}
	return false;
}

static int name_add(const char *name, struct event_list *list, struct complaint *c)
{
	struct event *event = &list->event[list->count];

	if (list->count == EVENTS_MAX)
		return complain(c, EXIT_USAGE, "more than %d events\nname fewer, in several runs",
		                EVENTS_MAX);
	*event = (struct event){0};
	if (!name_find(name, event) && !events_pfm_find(name, event))
		return complain(c, EXIT_USAGE,
		                "'%s' is no event%s\n'faultscale list events' lists them", name,
		                events_have_pfm() ? "" : " (built without libpfm4)");
	for (unsigned i = 0; i < list->count; i++)
		if (strcmp(list->event[i].name, event->name) == 0)
			return complain(c, EXIT_USAGE, "'%s' comes twice\nname it once", name);
	list->count++;
	return 0;
}

int events_parse(const char *text, struct event_list *list, struct complaint *c)
{
	char name[EVENT_NAME];

	*list = (struct event_list){0};
	while (*text) {
		size_t length = strcspn(text, ",");

		if (!length || length >= sizeof(name) || (text[length] && !text[length + 1]))
			return complain(c, EXIT_USAGE,
			                "'%s' is no list of events\n"
			                "separate their names by single commas",
			                text);
		snprintf(name, sizeof(name), "%.*s", (int)length, text);
		if (name_add(name, list, c))
			return -1;
		text += length + (text[length] == ',');
	}
	return 0;
}

const char *event_scope_name(enum event_scope scope)
{
	static const char *const names[] = {[SCOPE_NONE] = "",
	                                    [SCOPE_ALL] = "user+kernel",
	                                    [SCOPE_USER] = "user",
	                                    [SCOPE_KERNEL] = "kernel"};

	return names[scope];
}

uint64_t event_value(const struct event_count *from, const struct event_count *to)
{
	uint64_t value = to->value - from->value;
	uint64_t enabled = to->enabled_ns - from->enabled_ns;
	uint64_t running = to->running_ns - from->running_ns;
	unsigned __int128 scaled;

	if (!running)
		return UINT64_MAX;
	if (running >= enabled)
		return value;
	scaled = ((unsigned __int128)value * enabled + running / 2) / running;
	return scaled < UINT64_MAX ? (uint64_t)scaled : UINT64_MAX;
}

/* What each errno means here; the first line that fits is taken. */
static const struct {
	int error;
	const char *hint;
} hints[] = {
        {EACCES, "run as root or with CAP_PERFMON, or sysctl kernel.perf_event_paranoid=1"},
        {EPERM, "run as root or with CAP_PERFMON, or sysctl kernel.perf_event_paranoid=1"},
        {ENOENT, "this CPU, or the hypervisor, has no such counter"},
        {EOPNOTSUPP, "this CPU, or the hypervisor, has no such counter"},
        {ENODEV, "this CPU, or the hypervisor, has no such counter"},
        {EINVAL, "this kernel does not know it"},
        {EMFILE, "raise the number of open files: ulimit -n"},
        {ENFILE, "the system has too many open files: fs.file-max"},
        {ENOSYS, "no CONFIG_PERF_EVENTS, or the container's seccomp filter forbids it"},
};

static const char *hint_find(int error)
{
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (hints[i].error == error)
			return hints[i].hint;
	return "see perf_event_open(2)";
}

/* The limit that stands behind an errno, as " (name value)", or "". */
static void limit_describe(int error, char *out, size_t size)
{
	struct rlimit limit;
	char level[32];

	out[0] = '\0';
	if ((error == EACCES || error == EPERM) &&
	    procfile_line(PARANOID, level, sizeof(level)) == 0)
		snprintf(out, size, " (kernel.perf_event_paranoid=%s)", level);
	if (error == EMFILE && getrlimit(RLIMIT_NOFILE, &limit) == 0)
		snprintf(out, size, " (RLIMIT_NOFILE %" PRIu64 ")", (uint64_t)limit.rlim_cur);
}

void event_explain(const struct event *event, int error, enum event_scope scope, char *out,
                   size_t size)
{
	char limit[64];

	out[0] = '\0';
	limit_describe(error ? error : EACCES, limit, sizeof(limit));
	if (error)
		snprintf(out, size, "not counted: %s%s: %s", strerror(error), limit,
		         hint_find(error));
	else if (scope == SCOPE_USER && !event->exclude_kernel)
		snprintf(out, size,
		         "counted in user mode only%s: of what a fault costs that is little; %s",
		         limit, hint_find(EACCES));
}
