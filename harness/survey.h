// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Facts that the kernel spreads over the files of a directory, each made into one line.  `out` is
 * "" if nothing could be read: unknown is not "none".
 */
#ifndef SURVEY_H
#define SURVEY_H

#include <stddef.h>

typedef void survey(const char *directory, char *out, size_t size);

/*
 * /sys/devices/system/cpu/vulnerabilities: what the CPU is affected by and what the kernel does
 * about it, as "meltdown: Mitigation; PTI | l1tf: ..."; "none" if by nothing.
 */
survey survey_mitigations;

/*
 * /sys/kernel/mm/transparent_hugepage: the sizes of multi-size THP (Linux 6.8) for anonymous memory
 * that are not off, as "64kB:always 2048kB:inherit"; "none" if all are.
 */
survey survey_mthp;

/* /sys/devices/system/cpu: the cpufreq governors of all CPUs, each once: one word if all agree. */
survey survey_governors;

/*
 * /sys/kernel/mm/damon/admin/kdamonds (Linux 5.18, readable by root only) and the modules that run
 * DAMON by themselves: "on" if a monitoring thread is, else "off".
 */
survey survey_damon;

#endif
