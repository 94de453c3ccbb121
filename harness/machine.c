// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine.h"

#include "cgroup.h"
#include "mempolicy.h"
#include "procfile.h"
#include "survey.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

struct query;

/* Writes the value of a fact, FACT_TEXT bytes; it is "" before. */
typedef void fact_reader(const struct query *query, char *value);

struct row {
	const char *key;
	fact_reader *read;
	const char *path; /* of the file or directory, for readers that need one */
	survey *survey;   /* for fact_survey */
	size_t number;    /* an RLIMIT_ constant, or an offset into struct topology_size */
};

struct query {
	const struct row *row;
	const struct topology *topology;
};

static void fact_file(const struct query *query, char *value)
{
	if (procfile_line(query->row->path, value, FACT_TEXT))
		value[0] = '\0';
}

static void fact_choice(const struct query *query, char *value)
{
	char line[256];

	if (procfile_line(query->row->path, line, sizeof(line)) == 0)
		procfile_choice(line, value, FACT_TEXT);
}

static void fact_survey(const struct query *query, char *value)
{
	query->row->survey(query->row->path, value, FACT_TEXT);
}

/* The kernel's name for the processor; where it gives none (arm64), hwloc's. */
static void fact_cpu_model(const struct query *query, char *value)
{
	const char *model = NULL;

	if (procfile_field(query->row->path, "model name", value, FACT_TEXT) == 0)
		return;
	if (topology_is_here(query->topology))
		model = topology_cpu_model(query->topology);
	snprintf(value, FACT_TEXT, "%s", model ? model : "");
}

static void fact_size(const struct query *query, char *value)
{
	struct topology_size size;
	int count;

	topology_size(query->topology, &size);
	memcpy(&count, (const char *)&size + query->row->number, sizeof(count));
	if (count > 0 && topology_is_here(query->topology))
		snprintf(value, FACT_TEXT, "%d", count);
}

static void fact_numa(const struct query *query, char *value)
{
	(void)query;
	mempolicy_state(value, FACT_TEXT);
}

static void fact_page_bytes(const struct query *query, char *value)
{
	(void)query;
	snprintf(value, FACT_TEXT, "%ld", sysconf(_SC_PAGESIZE));
}

static void hypervisor_cpuid(char *value)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned eax, ebx, ecx, edx;

	/* Bit 31 of ecx in leaf 1: there is a hypervisor; leaf 0x40000000: its signature. */
	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return;
	if (ecx >> 31) {
		unsigned signature[3];

		__cpuid(0x40000000, eax, signature[0], signature[1], signature[2]);
		memcpy(value, signature, sizeof(signature));
		value[sizeof(signature)] = '\0';
	} else {
		strcpy(value, "none");
	}
#else
	value[0] = '\0';
#endif
}

static void fact_hypervisor(const struct query *query, char *value)
{
	fact_file(query, value);
	if (!value[0])
		hypervisor_cpuid(value);
}

static void fact_swap(const struct query *query, char *value)
{
	uint64_t kib;

	if (procfile_key(query->row->path, "SwapTotal", &kib) == 0)
		snprintf(value, FACT_TEXT, "%" PRIu64, kib * 1024);
}

static void fact_memcg_path(const struct query *query, char *value)
{
	struct cgroup group;

	(void)query;
	if (cgroup_find("memory", &group) == 0)
		snprintf(value, FACT_TEXT, "%s", group.path);
}

static void limit_write(uint64_t limit, bool unlimited, char *value)
{
	if (unlimited)
		snprintf(value, FACT_TEXT, "unlimited");
	else
		snprintf(value, FACT_TEXT, "%" PRIu64, limit);
}

static void fact_memcg_limit(const struct query *query, char *value)
{
	uint64_t limit, usage;
	char where[PATH_MAX];

	(void)query;
	if (cgroup_memory_limit(&limit, &usage, where, sizeof(where)) == 0)
		limit_write(limit, limit == UINT64_MAX, value);
}

static void fact_rlimit(const struct query *query, char *value)
{
	struct rlimit limit;

	if (getrlimit((__rlimit_resource_t)query->row->number, &limit) == 0)
		limit_write(limit.rlim_cur, limit.rlim_cur == RLIM_INFINITY, value);
}

static void fact_start(const struct query *query, char *value)
{
	time_t now = time(NULL);
	struct tm utc;

	(void)query;
	if (gmtime_r(&now, &utc))
		strftime(value, FACT_TEXT, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static void fact_user(const struct query *query, char *value)
{
	(void)query;
	snprintf(value, FACT_TEXT, "%u", getuid());
}

#define CPU_DIRECTORY "/sys/devices/system/cpu"
#define THP_DIRECTORY "/sys/kernel/mm/transparent_hugepage"
#define KERNEL "/proc/sys/kernel/"
#define SIZE(member) .number = offsetof(struct topology_size, member)

static const struct row rows[] = {
        {.key = "start_utc", .read = fact_start},
        {.key = "user", .read = fact_user},
        {.key = "host", .read = fact_file, .path = KERNEL "hostname"},
        {.key = "kernel_release", .read = fact_file, .path = KERNEL "osrelease"},
        {.key = "kernel_version", .read = fact_file, .path = KERNEL "version"},
        {.key = "kernel_cmdline", .read = fact_file, .path = "/proc/cmdline"},
        {.key = "boot_id", .read = fact_file, .path = KERNEL "random/boot_id"},
        {.key = "cpu_model", .read = fact_cpu_model, .path = "/proc/cpuinfo"},
        {.key = "sockets", .read = fact_size, SIZE(packages)},
        {.key = "cores", .read = fact_size, SIZE(cores)},
        {.key = "threads", .read = fact_size, SIZE(threads)},
        {.key = "nodes", .read = fact_size, SIZE(nodes)},
        {.key = "numa", .read = fact_numa},
        {.key = "memory_nodes", .read = fact_file, .path = "/sys/devices/system/node/has_memory"},
        {.key = "smt", .read = fact_file, .path = CPU_DIRECTORY "/smt/control"},
        {.key = "governor", .read = fact_survey, .path = CPU_DIRECTORY, .survey = survey_governors},
        {.key = "mitigations",
         .read = fact_survey,
         .path = CPU_DIRECTORY "/vulnerabilities",
         .survey = survey_mitigations},
        {.key = "hypervisor", .read = fact_hypervisor, .path = "/sys/hypervisor/type"},
        {.key = "clock_source", .read = fact_file, .path = MACHINE_CLOCK_SOURCE},
        {.key = "page_bytes", .read = fact_page_bytes},
        {.key = "thp", .read = fact_choice, .path = THP_DIRECTORY "/enabled"},
        {.key = "thp_shmem", .read = fact_choice, .path = THP_DIRECTORY "/shmem_enabled"},
        {.key = "thp_bytes", .read = fact_file, .path = THP_DIRECTORY "/hpage_pmd_size"},
        {.key = "mthp", .read = fact_survey, .path = THP_DIRECTORY, .survey = survey_mthp},
        {.key = "aslr", .read = fact_file, .path = KERNEL "randomize_va_space"},
        {.key = "numa_balancing", .read = fact_file, .path = KERNEL "numa_balancing"},
        {.key = "damon",
         .read = fact_survey,
         .path = "/sys/kernel/mm/damon/admin/kdamonds",
         .survey = survey_damon},
        {.key = "ksm", .read = fact_file, .path = "/sys/kernel/mm/ksm/run"},
        {.key = "swap_bytes", .read = fact_swap, .path = "/proc/meminfo"},
        {.key = "memcg_path", .read = fact_memcg_path},
        {.key = "memcg_limit", .read = fact_memcg_limit},
        {.key = "rlimit_memlock", .read = fact_rlimit, .number = RLIMIT_MEMLOCK},
        {.key = "rlimit_nproc", .read = fact_rlimit, .number = RLIMIT_NPROC},
        {.key = "rlimit_nofile", .read = fact_rlimit, .number = RLIMIT_NOFILE},
        {.key = "perf_event_paranoid", .read = fact_file, .path = KERNEL "perf_event_paranoid"},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* Makes it one line without blanks around it, whatever the source put in. */
static void value_tidy(char *value)
{
	size_t start = 0, length = strlen(value);

	for (size_t i = 0; i < length; i++)
		if (iscntrl((unsigned char)value[i]))
			value[i] = ' ';
	while (length && value[length - 1] == ' ')
		length--;
	while (start < length && value[start] == ' ')
		start++;
	memmove(value, value + start, length - start);
	value[length - start] = '\0';
}

size_t machine_facts(const struct topology *topology, struct machine_fact **facts)
{
	struct machine_fact *fact = calloc(ROWS, sizeof(*fact));

	*facts = fact;
	if (!fact)
		return 0;
	for (size_t i = 0; i < ROWS; i++) {
		struct query query = {.row = &rows[i], .topology = topology};

		fact[i].key = rows[i].key;
		rows[i].read(&query, fact[i].value);
		value_tidy(fact[i].value);
	}
	return ROWS;
}
