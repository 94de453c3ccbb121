// SPDX-License-Identifier: GPL-3.0-or-later
/* The CPUs: what they share, how fast they run, and who else uses them. */
#include "check.h"
#include "procfile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Above these, others take a share of the CPUs that is seen in a result. */
#define LOAD_ALLOWED 0.05    /* tasks for each CPU */
#define PRESSURE_ALLOWED 1.0 /* percent of the time in which a task waited for a CPU */
#define STEAL_ALLOWED 0.01   /* share of the time since boot */

/* A reading of a clock that the CPU itself keeps takes about 25 ns, one through a device 1 us. */
#define CLOCK_ALLOWED_NS 200

void look_smt(const struct check *check, const struct subject *subject, struct finding *finding)
{
	struct seat *seats;
	struct complaint c;
	size_t count, cores = 0;

	(void)check;
	if (topology_seats(subject->topology, subject->pool, ORDER_SIBLINGS, &seats, &count, &c))
		return;
	/* In this order the threads of a core follow one another. */
	for (size_t i = 0; i < count; i++)
		cores += i == 0 || seats[i].core != seats[i - 1].core || seats[i].core < 0;
	free(seats);
	finding_set(finding, cores < count ? CHECK_NOTE : CHECK_OK, "%zu CPUs on %zu cores", count,
	            cores);
}

void look_hybrid(const struct check *check, const struct subject *subject, struct finding *finding)
{
	int kinds = topology_kinds(subject->topology, subject->pool);

	(void)check;
	if (kinds > 0)
		finding_set(finding, kinds > 1 ? CHECK_SPOILS : CHECK_OK, "%d kind%s", kinds,
		            kinds > 1 ? "s" : "");
}

void look_turbo(const struct check *check, const struct subject *subject, struct finding *finding)
{
	static const struct {
		const char *path, *on;
	} switches[] = {
	        {"/sys/devices/system/cpu/intel_pstate/no_turbo", "0"},
	        {"/sys/devices/system/cpu/cpufreq/boost", "1"},
	};
	char path[256], word[16];

	(void)check;
	for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
		if (procfile_line(subject_path(subject, switches[i].path, path, sizeof(path)), word,
		                  sizeof(word)))
			continue;
		if (strcmp(word, switches[i].on) == 0)
			finding_set(finding, CHECK_NOTE, "on");
		else
			finding_set(finding, CHECK_OK, "off");
		return;
	}
	finding_set(finding, CHECK_OK, "not there");
}

/* The "avg10" of the line "some" of /proc/pressure/cpu (Linux 4.20), in percent; 0 if unknown. */
static double cpu_pressure(const struct check *check, const struct subject *subject)
{
	char path[256], line[128];
	double percent;

	snprintf(path, sizeof(path), "%s%s/pressure/cpu", subject->root, check->source);
	if (procfile_field(path, "some", line, sizeof(line)) ||
	    sscanf(line, "avg10=%lf", &percent) != 1)
		return 0;
	return percent;
}

void look_load(const struct check *check, const struct subject *subject, struct finding *finding)
{
	double load, pressure = cpu_pressure(check, subject);
	char path[256], line[128];
	unsigned running;
	bool busy;

	snprintf(path, sizeof(path), "%s%s/loadavg", subject->root, check->source);
	if (procfile_line(path, line, sizeof(line)) ||
	    sscanf(line, "%lf %*f %*f %u/", &load, &running) != 2)
		return;
	running -= running > 0; /* this program */
	busy = running > 0 || load > LOAD_ALLOWED * subject->cpus || pressure > PRESSURE_ALLOWED;
	finding_set(finding, busy ? CHECK_SPOILS : CHECK_OK,
	            "%u running now, load %.2f, %.1f %% of the last 10 s with a task waiting",
	            running, load, pressure);
}

void look_steal(const struct check *check, const struct subject *subject, struct finding *finding)
{
	uint64_t time[8], all = 0;
	char path[256], line[512];

	if (procfile_field(subject_path(subject, check->source, path, sizeof(path)), "cpu", line,
	                   sizeof(line)) ||
	    sscanf(line,
	           "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
	           " %" SCNu64 " %" SCNu64,
	           &time[0], &time[1], &time[2], &time[3], &time[4], &time[5], &time[6],
	           &time[7]) != 8)
		return;
	for (int i = 0; i < 8; i++)
		all += time[i];
	if (!all)
		return;
	finding_set(finding,
	            (double)time[7] > STEAL_ALLOWED * (double)all ? CHECK_SPOILS : CHECK_OK,
	            "%.2f %% since boot", 100 * (double)time[7] / (double)all);
}

void look_hypervisor(const struct check *check, const struct subject *subject,
                     struct finding *finding)
{
	const char *name = subject_fact(subject, check->source);

	if (*name)
		finding_set(finding, strcmp(name, "none") == 0 ? CHECK_OK : CHECK_NOTE, "%s", name);
}

void look_clock(const struct check *check, const struct subject *subject, struct finding *finding)
{
	static const char *const devices[] = {"hpet", "acpi_pm", "jiffies", "refined-jiffies"};
	const char *source = subject_fact(subject, check->source);
	double cost = machine_clock_cost();
	bool slow = cost > CLOCK_ALLOWED_NS;

	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++)
		slow = slow || strcmp(source, devices[i]) == 0;
	finding_set(finding, slow ? CHECK_SPOILS : CHECK_OK, "%s, %.0f ns a reading",
	            *source ? source : "unknown source", cost);
}
