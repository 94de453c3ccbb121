// SPDX-License-Identifier: GPL-3.0-or-later
/* What this kernel was built with, and what it lets this user see. */
#include "check.h"
#include "events.h"
#include "procfile.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

/* Tries to open the event for this thread. */
void look_event(const struct check *check, const struct subject *subject, struct finding *finding)
{
	char path[256], paranoid[16] = "unknown";
	struct event_tally tally = {0};
	struct event_list list;
	struct event_set set;
	struct complaint c;

	if (events_parse(check->source, &list, &c))
		return;
	procfile_line(subject_path(subject, PARANOID, path, sizeof(path)), paranoid,
	              sizeof(paranoid));
	events_open(&list, &set, &tally);
	events_close(&set);
	finding_set(finding, tally.scope[0] == SCOPE_ALL ? CHECK_OK : CHECK_NOTE,
	            "%s, perf_event_paranoid=%s",
	            tally.error[0] ? strerror(tally.error[0])
	                           : event_scope_name((enum event_scope)tally.scope[0]),
	            paranoid);
}

/* The value of a line "OPTION=value" of the kernel's configuration, into `out`; "n" without one. */
static const char *config_value(const struct subject *subject, const char *option, char *out,
                                size_t size)
{
	size_t length = strlen(option);

	snprintf(out, size, "n");
	for (const char *at = subject->config; (at = strstr(at, option)); at += length)
		if ((at == subject->config || at[-1] == '\n') && at[length] == '=') {
			at += length + 1;
			snprintf(out, size, "%.*s", (int)strcspn(at, "\n"), at);
			break;
		}
	return out;
}

void look_config(const struct check *check, const struct subject *subject, struct finding *finding)
{
	char value[16];

	if (!subject->config)
		return;
	config_value(subject, check->source, value, sizeof(value));
	finding_set(finding, strcmp(value, "y") == 0 ? CHECK_OK : CHECK_NOTE, "%s=%s",
	            check->source, value);
}

/* Options that make page faults several times as slow, or slow in another way. */
void look_debug(const struct check *check, const struct subject *subject, struct finding *finding)
{
	static const char *const options[] = {
	        "CONFIG_KASAN",         "CONFIG_KCSAN",
	        "CONFIG_KMSAN",         "CONFIG_PROVE_LOCKING",
	        "CONFIG_LOCK_STAT",     "CONFIG_DEBUG_VM",
	        "CONFIG_SLUB_DEBUG_ON", "CONFIG_DEBUG_PAGEALLOC_ENABLE_DEFAULT",
	};
	char found[CHECK_VALUE] = "", value[16];
	size_t used = 0;

	(void)check;
	if (!subject->config)
		return;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (strcmp(config_value(subject, options[i], value, sizeof(value)), "y") == 0 &&
		    used < sizeof(found))
			used += (size_t)snprintf(found + used, sizeof(found) - used, "%s%s",
			                         used ? " " : "", options[i]);
	finding_set(finding, used ? CHECK_SPOILS : CHECK_OK, "%s", used ? found : "none");
}

/* What the kernel shows of where a child sleeps that is known to sleep. */
static bool sleeper_place(pid_t pid, char *out, size_t size)
{
	const struct timespec moment = {0, 1000000};
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/wchan", (int)pid);
	for (int tries = 0; tries < 50; tries++) {
		if (procfile_line(path, out, size) == 0 && *out && strcmp(out, "0") != 0)
			return true;
		nanosleep(&moment, NULL);
	}
	return false;
}

void look_wchan(const struct check *check, const struct subject *subject, struct finding *finding)
{
	char place[64];
	pid_t pid = fork();

	(void)check;
	(void)subject;
	if (pid == 0)
		for (;;)
			pause();
	if (pid < 0)
		return;
	if (sleeper_place(pid, place, sizeof(place)))
		finding_set(finding, CHECK_OK, "seen: %s", place);
	else
		finding_set(finding, CHECK_NOTE, "hidden");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

void look_schedstat(const struct check *check, const struct subject *subject,
                    struct finding *finding)
{
	char line[128];

	(void)check;
	(void)subject;
	if (procfile_line("/proc/self/schedstat", line, sizeof(line)) == 0 && *line)
		finding_set(finding, CHECK_OK, "seen");
	else
		finding_set(finding, CHECK_NOTE, "hidden");
}
