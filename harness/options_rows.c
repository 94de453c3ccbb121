// SPDX-License-Identifier: GPL-3.0-or-later
/* The table of option rows, and the words that choices are made of. */
#include "options.h"

const char *const command_names[] = {"run",  "list",   "sweep",  "duel", "compare",
                                     "plot", "export", "doctor", NULL};

static const char *const mode_names[] = {"process", "thread", NULL};
static const char *const order_names[] = {"cores", "siblings", "spread", "numeric", NULL};
static const char *const layout_names[] = {"guarded", "merged", "interleaved", NULL};
static const char *const thp_names[] = {"default", "never", "always", NULL};
static const char *const copy_names[] = {"libc", "movsb", "nontemporal", NULL};
static const char *const backing_names[] = {"anon", "memfd", "shmem", "file", "hugetlb", NULL};
static const char *const share_names[] = {"default", "private", "shared", NULL};
static const char *const memcg_names[] = {"none", "one", "each", NULL};
static const char *const format_names[] = {"text", "csv", NULL};
static const char *const report_names[] = {"text", "markdown", "csv", "json", NULL};
static const char *const exchange_names[] = {"json", "benchfmt", "will-it-scale", NULL};

#define FIELD(member) .offset = offsetof(struct options, member)
#define SECOND UINT64_C(1000000000)
#define DAYS (SECOND * 86400 * 30)
#define HUGE_SIZE (UINT64_C(1) << 50)
#define RUN COMMAND_RUN
#define LIST COMMAND_LIST
#define DOCTOR COMMAND_DOCTOR
#define SWEEP COMMAND_SWEEP
#define DUEL COMMAND_DUEL
#define COMPARE COMMAND_COMPARE
#define PLOT COMMAND_PLOT
#define EXPORT COMMAND_EXPORT
#define MEASURE (RUN | SWEEP | DUEL)

/* clang-format off */
const struct option_row option_rows[] = {
	{ "workers", 'n', OPTION_COUNT, "N", "all", "all", FIELD(workers), 1, 65536,
	  .commands = RUN | DUEL | LIST, .identity = true,
	  .help = "workers; all: one per allowed CPU" },
	{ "workers", 'n', OPTION_TEXT, "LIST", "topo", FIELD(counts), .commands = SWEEP,
	  .help = "counts, like 1-8,16-64:16, pow2, topo or all" },
	{ "mode", 0, OPTION_CHOICE, "MODE", "process", FIELD(mode), .choices = mode_names,
	  .commands = RUN | DUEL, .identity = true, .help = "process or thread" },
	{ "mode", 0, OPTION_TEXT, "LIST", "process,thread", FIELD(modes), .commands = SWEEP,
	  .help = "the curves" },
	{ "per-process", 0, OPTION_COUNT, "T", "", "", FIELD(per_process), 1, 65536,
	  .replaces = "mode", .commands = MEASURE, .identity = true,
	  .help = "threads in each process, between the two modes" },
	{ "bytes", 0, OPTION_SIZE, "SIZE", "2M", FIELD(bytes), .low = 1, .high = HUGE_SIZE,
	  .replaces = "total-bytes", .commands = MEASURE, .identity = true, .help = "memory of each worker" },
	{ "total-bytes", 0, OPTION_SIZE, "SIZE", "", "", FIELD(total_bytes), 1, HUGE_SIZE,
	  .replaces = "bytes", .commands = MEASURE, .identity = true,
	  .help = "memory of all, divided by the workers" },
	{ "piece", 0, OPTION_SIZE, "SIZE", "", "", FIELD(piece), 1, HUGE_SIZE,
	  .commands = MEASURE, .identity = true,
	  .help = "run the loop piece by piece over the memory" },
	{ "block", 0, OPTION_SIZE, "SIZE", "1K", FIELD(block), .low = 1, .high = HUGE_SIZE,
	  .commands = MEASURE, .identity = true, .help = "bytes that memcpy copies at a time" },
	{ "duration", 'd', OPTION_TIME, "TIME", "5s", FIELD(duration), .low = 1000000,
	  .high = DAYS, .replaces = "laps", .commands = MEASURE, .identity = true,
	  .timed = true, .help = "length of the measured window" },
	{ "warmup", 0, OPTION_TIME, "TIME", "1s", FIELD(warmup), .high = DAYS,
	  .commands = RUN | SWEEP, .identity = true, .timed = true,
	  .help = "work before the window, not counted" },
	{ "laps", 0, OPTION_COUNT, "N", "", "", FIELD(laps), 1, UINT64_C(1) << 40,
	  .replaces = "duration", .commands = MEASURE, .identity = true,
	  .help = "fixed work instead: N laps, cold" },
	{ "interval", 0, OPTION_TIME, "TIME", "100ms", FIELD(interval), .low = 1000000,
	  .high = DAYS, .commands = RUN | SWEEP, .help = "time between samples" },
	{ "repeat", 'r', OPTION_COUNT, "N", "1", FIELD(repeat), .low = 1, .high = 100000,
	  .commands = RUN | SWEEP, .whole = true,
	  .help = "measurements, each in fresh workers" },
	{ "timeout", 0, OPTION_TIME, "TIME", "60s", FIELD(timeout), .low = 100000000,
	  .high = DAYS, .commands = MEASURE,
	  .help = "give up when a worker does not move for so long" },
	{ "cpus", 0, OPTION_TEXT, "LIST", "", FIELD(cpus), .commands = MEASURE | LIST,
	  .identity = true, .list = true, .help = "use only these CPUs, like 0-3,8 or 0-15:2" },
	{ "order", 0, OPTION_CHOICE, "ORDER", "cores", FIELD(order), .choices = order_names,
	  .commands = MEASURE | LIST, .identity = true,
	  .help = "cores, siblings, spread or numeric" },
	{ "no-pin", 0, OPTION_FLAG, FIELD(no_pin), .replaces = "order", .commands = MEASURE,
	  .identity = true, .help = "let the scheduler place the workers" },
	{ "oversubscribe", 0, OPTION_FLAG, FIELD(oversubscribe), .commands = MEASURE | LIST,
	  .identity = true, .help = "allow more workers than CPUs" },
	{ "layout", 0, OPTION_CHOICE, "LAYOUT", "guarded", FIELD(layout),
	  .choices = layout_names, .commands = MEASURE, .identity = true,
	  .help = "guarded, merged or interleaved" },
	{ "thp", 0, OPTION_CHOICE, "WHEN", "default", FIELD(thp), .choices = thp_names,
	  .commands = MEASURE, .identity = true,
	  .help = "huge pages: default, never or always" },
	{ "mem", 0, OPTION_TEXT, "NODES", "local", FIELD(mem), .commands = MEASURE,
	  .identity = true, .list = true, .help = "local, interleave, remote or bind:LIST" },
	{ "events", 0, OPTION_TEXT, "LIST", "", FIELD(events), .commands = RUN | SWEEP,
	  .identity = true, .help = "perf events to count, like page-faults,cycles" },
	{ "seed", 0, OPTION_COUNT, "N", "", "", FIELD(seed), 1, UINT32_MAX, .commands = SWEEP,
	  .help = "of the random order; recorded" },
	{ "in-order", 0, OPTION_FLAG, FIELD(in_order), .replaces = "seed", .commands = SWEEP,
	  .help = "measure in ascending order instead" },
	{ "dry-run", 0, OPTION_FLAG, FIELD(dry_run), .commands = SWEEP,
	  .help = "print the plan and measure nothing" },
	{ "hosts", 0, OPTION_TEXT, "LIST", "", FIELD(hosts), .commands = SWEEP,
	  .help = "measure there by ssh, like a,root@b,c:2222" },
	{ "hosts-file", 0, OPTION_TEXT, "FILE", "", FIELD(hosts_file), .replaces = "hosts",
	  .commands = SWEEP, .help = "the same from a file, one a line" },
	{ "plan", 0, OPTION_TEXT, "FILE", "", FIELD(plan), .commands = RUN | SWEEP,
	  .whole = true, .help = "carry out this plan, or one job of it" },
	{ "job", 0, OPTION_TEXT, "KEY.REPEAT", "", FIELD(job), .commands = RUN,
	  .help = "the job" },
	{ "backing", 0, OPTION_CHOICE, "KIND", "anon", FIELD(backing), .choices = backing_names,
	  .commands = MEASURE, .identity = true,
	  .help = "anon, memfd, shmem, file or hugetlb" },
	{ "dir", 0, OPTION_TEXT, "DIR", "/tmp", FIELD(dir), .commands = MEASURE, .identity = true,
	  .help = "where --backing=file makes its files" },
	{ "one-file", 0, OPTION_FLAG, FIELD(one_file), .commands = MEASURE, .identity = true,
	  .help = "one file for all workers, each with its part" },
	{ "share", 0, OPTION_CHOICE, "HOW", "default", FIELD(share), .choices = share_names,
	  .commands = MEASURE, .identity = true,
	  .help = "private or shared; default: files shared" },
	{ "page-size", 0, OPTION_SIZE, "SIZE", "", "", FIELD(page_size), 1, HUGE_SIZE,
	  .commands = MEASURE, .identity = true, .help = "pages of --backing=hugetlb, like 2M" },
	{ "copy", 0, OPTION_CHOICE, "METHOD", "libc", FIELD(copy), .choices = copy_names,
	  .commands = MEASURE, .identity = true, .help = "memcpy by libc, movsb or nontemporal" },
	{ "memcg", 0, OPTION_CHOICE, "KIND", "none", FIELD(memcg), .choices = memcg_names,
	  .commands = MEASURE, .identity = true,
	  .help = "memory cgroups made: none, one or each" },
	{ "memcg-depth", 0, OPTION_COUNT, "N", "1", FIELD(memcg_depth), .low = 1, .high = 16,
	  .commands = MEASURE, .identity = true, .help = "groups one inside the other" },
	{ "memcg-max", 0, OPTION_SIZE, "SIZE", "", "", FIELD(memcg_max), 1, HUGE_SIZE,
	  .commands = MEASURE, .identity = true, .help = "limit of each of these groups" },
	{ "output", 'o', OPTION_TEXT, "DIR", "", FIELD(output), .commands = RUN | DUEL,
	  .help = "write the results into a new directory" },
	{ "output", 'o', OPTION_TEXT, "DIR", "", FIELD(output), .commands = SWEEP,
	  .help = "results: a new directory, or a sweep to go on with" },
	{ "format", 0, OPTION_CHOICE, "FORMAT", "text", FIELD(format), .choices = format_names,
	  .commands = MEASURE | LIST | DOCTOR, .whole = true, .help = "text or csv on standard output" },
	{ "precision", 0, OPTION_PERCENT, "N%", "", "", FIELD(precision),
	  .commands = MEASURE,
	  .help = "go on until the 95 % interval is +-N % or narrower" },
	{ "max-time", 0, OPTION_TIME, "TIME", "60s", FIELD(max_time), .low = 1000000,
	  .high = DAYS, .commands = MEASURE, .with = "precision",
	  .help = "but no longer than this; of a sweep, each point" },
	{ "a", 0, OPTION_TEXT, "'OPTIONS'", "", FIELD(side[0]), .commands = DUEL,
	  .help = "side A: options and workload that differ" },
	{ "b", 0, OPTION_TEXT, "'OPTIONS'", "", FIELD(side[1]), .commands = DUEL,
	  .help = "side B" },
	{ "launches", 0, OPTION_COUNT, "N", "", "", FIELD(launches), 10, 10000,
	  .commands = DUEL, .help = "fresh pairs of crews; else as many as pay, at least 10" },
	{ "margin", 0, OPTION_PERCENT, "N%", "1%", FIELD(margin), .commands = DUEL | COMPARE,
	  .help = "differences below this do not matter" },
	{ "seed", 0, OPTION_COUNT, "N", "1", FIELD(seed), .low = 0, .high = UINT32_MAX,
	  .commands = DUEL, .help = "of what is drawn by chance" },
	{ "terminal", 0, OPTION_FLAG, FIELD(terminal), .commands = PLOT,
	  .help = "draw in the terminal, write no files" },
	{ "format", 0, OPTION_CHOICE, "FORMAT", "json", FIELD(exchange),
	  .choices = exchange_names, .commands = EXPORT,
	  .help = "json, benchfmt or will-it-scale" },
	{ "format", 0, OPTION_CHOICE, "FORMAT", "text", FIELD(report), .choices = report_names,
	  .commands = COMPARE, .help = "text, markdown, csv or json" },
	{ "fail-if-worse", 0, OPTION_PERCENT, "N%", "0%", FIELD(fail_if_worse),
	  .commands = COMPARE, .help = "status 3 if worse by more than this, established" },
	{ "boot-sd", 0, OPTION_PERCENT, "N%", FIELD(boot_sd), .commands = COMPARE,
	  .help = "spread between boots that you vouch for" },
	{ "force", 0, OPTION_FLAG, FIELD(force), .commands = COMPARE,
	  .help = "compare even unlike with unlike" },
	{ "value", 0, OPTION_TEXT, "COL[,COL]", "", FIELD(value_columns), .commands = COMPARE,
	  .help = "column to compare; of one table, before and after" },
	{ "key", 0, OPTION_TEXT, "COL[,COL]", "", FIELD(key_columns), .commands = COMPARE,
	  .help = "columns of a plain table that tell its points apart" },
	{ "side", 0, OPTION_TEXT, "COL", "", FIELD(side_column), .commands = COMPARE,
	  .help = "column that says before or after; COL:BEFORE,AFTER" },
	{ "times", 0, OPTION_TEXT, "COL", "", FIELD(times_columns), .commands = COMPARE,
	  .help = "column or number to multiply by: totals" },
	{ "n", 0, OPTION_TEXT, "COL", "", FIELD(n_columns), .commands = COMPARE,
	  .help = "column or number: repeats behind each value" },
	{ "stddev", 0, OPTION_TEXT, "COL", "", FIELD(stddev_columns), .commands = COMPARE,
	  .help = "their standard deviation, absolute or percent" },
	{ "stderr", 0, OPTION_TEXT, "COL", "", FIELD(stderr_columns), .commands = COMPARE,
	  .help = "or standard error of the mean (perf's +-)" },
	{ "lower-is-better", 0, OPTION_FLAG, FIELD(lower_is_better), .commands = COMPARE,
	  .help = "values are times or counts of trouble" },
	{ "help", 'h', OPTION_FLAG, FIELD(help), .commands = MEASURE | LIST | COMPARE | PLOT | EXPORT | DOCTOR,
	  .whole = true, .help = "print this help" },
	{ .name = NULL },
};
/* clang-format on */

_Static_assert(sizeof(option_rows) / sizeof(option_rows[0]) <= OPTIONS_LIMIT,
               "options.set is too short");
