// SPDX-License-Identifier: GPL-3.0-or-later
#include "check.h"

#include "kernel_config.h"
#include "pool.h"
#include "procfile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static check_look look_fact, look_file;

#define SYSTEM_CPU "/sys/devices/system/cpu"
#define KERNEL "/proc/sys/kernel/"
#define MM "/sys/kernel/mm/"

/* clang-format off */
const struct check checks[] = {
	{ "memory", look_free_memory, .source = "/proc/meminfo",
	  .meaning = "Little memory is free: faults wait for reclaim, and large workloads are refused.",
	  .command = "free -m; then stop what uses it" },
	{ "memory-cgroup", look_memory_group,
	  .meaning = "The memory cgroup leaves the workers this much, page tables included.",
	  .command = "raise memory.max (version 1: memory.limit_in_bytes) of that group" },
	{ "memory-groups", look_memory_groups,
	  .meaning = "No memory cgroups can be made here: --memcg is refused.",
	  .command = "run as root; or systemd-run --user --scope -p Delegate=yes" },
	{ "swap", look_swap, .source = "/proc/meminfo",
	  .meaning = "Pages may be swapped out and fault once more.", .command = "swapoff -a" },
	{ "thp", look_fact, "thp", "madvise never", CHECK_NOTE, MM "transparent_hugepage",
	  "Every workload may get huge pages: one fault for 512 base pages. --thp=never keeps a run from them.",
	  "echo madvise >/sys/kernel/mm/transparent_hugepage/enabled" },
	{ "mthp", look_mthp, "mthp",
	  .meaning = "Faults may bring several pages at once (multi-size huge pages). --thp=never keeps a run from them.",
	  .command = "echo never >/sys/kernel/mm/transparent_hugepage/hugepages-SIZE/enabled" },
	{ "hugetlb-pool", look_hugetlb, .source = "/proc/meminfo",
	  .meaning = "No huge page is reserved and free: workloads on hugetlb memory are refused.",
	  .command = "sysctl vm.nr_hugepages=N" },
	{ "ksm", look_fact, "ksm", "0", CHECK_SPOILS, MM "ksm",
	  "KSM scans and write-protects memory it is pointed at: faults more than are due.",
	  "echo 0 >/sys/kernel/mm/ksm/run" },
	{ "damon", look_fact, "damon", "off", CHECK_SPOILS, MM "damon",
	  "DAMON clears accessed bits while it samples: TLB misses, and CPU time for its thread.",
	  "echo off >/sys/kernel/mm/damon/admin/kdamonds/N/state" },
	{ "numa-balancing", look_numa_balancing, "numa_balancing",
	  .meaning = "The kernel unmaps pages to see who uses them: faults more than are due, and pages that move.",
	  .command = "sysctl kernel.numa_balancing=0" },
	{ "shm-space", look_space, .source = "/dev/shm",
	  .meaning = "Too small for 2 MiB a worker: files there need --dir elsewhere.",
	  .command = "mount -o remount,size=SIZE /dev/shm" },
	{ "tmp-space", look_space, .source = "/tmp",
	  .meaning = "Too small for 2 MiB a worker: files there need --dir elsewhere.",
	  .command = "df /tmp; then make room" },
	{ "allowed-cpus", look_allowed_cpus, .source = SYSTEM_CPU "/online",
	  .meaning = "A cpuset or taskset keeps workers from the other CPUs, which others may use.",
	  .command = "taskset -pc LIST $$; or cpuset.cpus of the group" },
	{ "cpu-quota", look_cpu_quota,
	  .meaning = "The cgroup's quota stops the workers for the rest of each period once it is used up.",
	  .command = "cpu.max (version 1: cpu.cfs_quota_us) of that group" },
	{ "smt", look_smt,
	  .meaning = "CPUs share cores: beyond one worker a core each gets slower. --order says who shares.",
	  .command = "echo off >/sys/devices/system/cpu/smt/control; or --cpus" },
	{ "hybrid-cores", look_hybrid,
	  .meaning = "The CPUs are of several kinds: a curve over workers bends where the slow ones begin.",
	  .command = "--cpus with CPUs of one kind: lscpu --extended" },
	{ "governor", look_fact, "governor", "performance", CHECK_SPOILS, SYSTEM_CPU "/cpu0/cpufreq",
	  "The frequency follows the load, so that it differs from point to point.",
	  "cpupower frequency-set -g performance" },
	{ "turbo", look_turbo,
	  .meaning = "The frequency falls as more cores work: a curve over workers falls with it.",
	  .command = "echo 1 >/sys/devices/system/cpu/intel_pstate/no_turbo; or echo 0 >/sys/devices/system/cpu/cpufreq/boost" },
	{ "load", look_load, .source = "/proc",
	  .meaning = "Other processes take CPU time, caches and memory bandwidth.",
	  .command = "top; then stop them, or wait" },
	{ "steal", look_steal, .source = "/proc/stat",
	  .meaning = "The hypervisor took CPU time away since boot: neighbours are busy.",
	  .command = "" },
	{ "hypervisor", look_hypervisor, "hypervisor",
	  .meaning = "A guest: its page tables are translated twice or by traps, and the host's noise need not show in steal. Compare by duel.",
	  .command = "" },
	{ "clock", look_clock, "clock_source",
	  .meaning = "The clock is slow to read or was found unstable: short steps are timed badly.",
	  .command = "cat /sys/devices/system/clocksource/clocksource0/available_clocksource" },
	{ "aslr", look_fact, "aslr", "2", CHECK_NOTE, KERNEL "randomize_va_space",
	  "Addresses are the same in every run: the effect of one layout passes for a result.",
	  "sysctl kernel.randomize_va_space=2" },
	{ "processes", look_processes,
	  .meaning = "RLIMIT_NPROC may refuse workers: it counts all tasks of this user.",
	  .command = "ulimit -u N" },
	{ "tasks-cgroup", look_tasks,
	  .meaning = "The pids cgroup leaves room for fewer tasks than there are CPUs.",
	  .command = "raise pids.max of that group" },
	{ "open-files", look_open_files,
	  .meaning = "Too few for run delay, migrations and events of one thread on each CPU: some stay empty.",
	  .command = "ulimit -n N" },
	{ "locked-memory", look_locked_memory,
	  .meaning = "2 MiB a worker cannot be locked in one process: mlock steps are refused.",
	  .command = "ulimit -l unlimited" },
	{ "software-events", look_event, .source = "page-faults",
	  .meaning = "--events counts less than it could, or nothing.",
	  .command = "sysctl kernel.perf_event_paranoid=1; or run as root" },
	{ "hardware-events", look_event, .source = "cycles",
	  .meaning = "--events counts no cycles, cache or TLB misses in kernel and user mode; their cells stay empty.",
	  .command = "sysctl kernel.perf_event_paranoid=1; or give the guest a PMU" },
	{ "nmi-watchdog", look_file, KERNEL "nmi_watchdog", "0", CHECK_NOTE,
	  KERNEL "nmi_watchdog", "It holds one hardware counter: fewer events fit at once.", "sysctl kernel.nmi_watchdog=0" },
	{ "run-delay", look_schedstat,
	  .meaning = "Without schedstat the time that workers wait for a CPU stays unknown.",
	  .command = "a kernel with CONFIG_SCHED_INFO" },
	{ "wait-places", look_wchan,
	  .meaning = "The kernel does not show where a task sleeps: waited_in stays empty.",
	  .command = "a kernel with CONFIG_KALLSYMS; or run as root" },
	{ "per-vma-locks", look_config, .source = "CONFIG_PER_VMA_LOCK",
	  .meaning = "Faults of threads take mmap_lock (before Linux 6.4 always): they scale worse.",
	  .command = "a kernel with CONFIG_PER_VMA_LOCK" },
	{ "memory-accounting", look_config, .source = "CONFIG_MEMCG",
	  .meaning = "No memory cgroups: --memcg is refused, and faults pay no charge.",
	  .command = "a kernel with CONFIG_MEMCG" },
	{ "debug-kernel", look_debug,
	  .meaning = "Checks built into this kernel cost more than what is measured.",
	  .command = "a kernel without them" },
	{ .name = NULL },
};
/* clang-format on */

const char *check_status_name(enum check_status status)
{
	static const char *const names[] = {
	        [CHECK_OK] = "ok",         [CHECK_UNKNOWN] = "unknown",   [CHECK_NOTE] = "note",
	        [CHECK_SPOILS] = "spoils", [CHECK_PREVENTS] = "prevents",
	};

	return names[status];
}

void finding_set(struct finding *finding, enum check_status status, const char *format, ...)
{
	va_list arguments;

	finding->status = status;
	va_start(arguments, format);
	vsnprintf(finding->value, sizeof(finding->value), format, arguments);
	va_end(arguments);
}

struct finding check_find(const struct check *check, const struct subject *subject)
{
	struct finding finding = {.status = CHECK_UNKNOWN};

	check->look(check, subject, &finding);
	return finding;
}

const char *subject_fact(const struct subject *subject, const char *key)
{
	for (size_t i = 0; i < subject->fact_count; i++)
		if (strcmp(subject->facts[i].key, key) == 0)
			return subject->facts[i].value;
	return "";
}

char *subject_path(const struct subject *subject, const char *path, char *out, size_t size)
{
	snprintf(out, size, "%s%s", subject->root, path);
	return out;
}

/* True if the whole word is one of a list separated by blanks. */
static bool words_have(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += length)
		if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
			return true;
	return false;
}

static void word_judge(const struct check *check, const char *word, struct finding *finding)
{
	finding_set(finding, words_have(check->good, word) ? CHECK_OK : check->or_else, "%s", word);
}

/* True (and said so) if the check's place does not exist. */
static bool place_missing(const struct check *check, const struct subject *subject,
                          struct finding *finding)
{
	char path[256];

	if (access(subject_path(subject, check->place, path, sizeof(path)), F_OK) == 0)
		return false;
	finding_set(finding, CHECK_OK, "not there");
	return true;
}

/* A fact of meta.csv. */
static void look_fact(const struct check *check, const struct subject *subject,
                      struct finding *finding)
{
	const char *value = subject_fact(subject, check->source);

	if (*value)
		word_judge(check, value, finding);
	else
		place_missing(check, subject, finding);
}

/* A file of one word. */
static void look_file(const struct check *check, const struct subject *subject,
                      struct finding *finding)
{
	char path[256], word[CHECK_VALUE];

	if (!place_missing(check, subject, finding) &&
	    procfile_line(subject_path(subject, check->source, path, sizeof(path)), word,
	                  sizeof(word)) == 0)
		word_judge(check, word, finding);
}

int examination_begin(struct examination *examination, struct complaint *c)
{
	struct subject *subject = &examination->subject;

	*examination = (struct examination){.pool = hwloc_bitmap_alloc()};
	subject->root = "";
	if (topology_load(&examination->topology, c) ||
	    pool_choose(examination->topology, "", examination->pool, c)) {
		examination_end(examination);
		return -1;
	}
	subject->topology = examination->topology;
	subject->pool = examination->pool;
	subject->cpus = (unsigned)hwloc_bitmap_weight(examination->pool);
	subject->fact_count = machine_facts(examination->topology, &examination->facts);
	subject->facts = examination->facts;
	examination->config = kernel_config_read();
	subject->config = examination->config;
	return 0;
}

void examination_end(struct examination *examination)
{
	free(examination->config);
	free(examination->facts);
	if (examination->topology)
		topology_free(examination->topology);
	hwloc_bitmap_free(examination->pool);
}
