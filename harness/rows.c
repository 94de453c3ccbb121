// SPDX-License-Identifier: GPL-3.0-or-later
#include "rows.h"

/* clang-format off */
#define KEY_COLUMNS(type)                                                                  \
	COLUMN(type, "host", COLUMN_TEXT, row.host, "machine"),                            \
	COLUMN(type, "key", COLUMN_TEXT, row.key, "the point: a hash of its workload and options"), \
	COLUMN(type, "repeat", COLUMN_COUNT, row.repeat, "from 1")

#define POINT(...) COLUMN(point_row, __VA_ARGS__)
#define WORKER(...) COLUMN(worker_row, __VA_ARGS__)
#define STEP(...) COLUMN(step_row, __VA_ARGS__)
#define SAMPLE(...) COLUMN(sample_row, __VA_ARGS__)
#define TIMELINE(...) COLUMN(timeline_row, __VA_ARGS__)
#define DUEL(...) COLUMN(duel_row, __VA_ARGS__)
#define LAUNCH(...) COLUMN(launch_row, __VA_ARGS__)
#define EVENT(...) COLUMN(event_row, __VA_ARGS__)
#define META(...) COLUMN(meta_row, __VA_ARGS__)

static const struct column point_columns[] = {
	KEY_COLUMNS(point_row),
	POINT("status", COLUMN_TEXT, status, "valid, invalid, unsupported or interrupted"),
	POINT("reason", COLUMN_TEXT, reason, "why it is not valid"),
	POINT("boot_id", COLUMN_TEXT, boot_id, "the kernel's id of this boot"),
	POINT("workload", COLUMN_TEXT, workload, "setup steps: loop steps"),
	POINT("preset", COLUMN_TEXT, preset, "name of the preset, if one was used"),
	POINT("mode", COLUMN_TEXT, mode, "process, thread or hybrid"),
	POINT("workers", COLUMN_COUNT, workers, "workers"),
	POINT("per_process", COLUMN_COUNT, per_process, "threads in each process"),
	POINT("cpus", COLUMN_TEXT, cpus, "CPUs the workers were on"),
	POINT("order", COLUMN_TEXT, order, "order in which workers take CPUs; none: not pinned"),
	POINT("nodes", COLUMN_TEXT, nodes, "NUMA nodes of these CPUs"),
	POINT("bytes", COLUMN_COUNT, bytes, "memory of each worker"),
	POINT("page_bytes", COLUMN_COUNT, page_bytes, "base page"),
	POINT("piece", COLUMN_COUNT, piece, "bytes of one pass through the loop, if less than all"),
	POINT("block", COLUMN_COUNT, block, "bytes memcpy copies at a time"),
	POINT("backing", COLUMN_TEXT, backing, "kind of memory"),
	POINT("share", COLUMN_TEXT, share, "private or shared mapping"),
	POINT("layout", COLUMN_TEXT, layout, "guarded, merged or interleaved"),
	POINT("thp", COLUMN_TEXT, thp, "transparent huge pages: default, never or always"),
	POINT("mem", COLUMN_TEXT, mem, "NUMA memory policy"),
	POINT("memcg", COLUMN_TEXT, memcg, "memory cgroups made for the workers"),
	POINT("window_s", COLUMN_SECONDS, window_ns, "mean length of the workers' windows"),
	POINT("laps", COLUMN_COUNT, laps, "laps ended in the windows, all workers"),
	POINT("timed_laps", COLUMN_REAL, timed_laps, "of these, laps whose steps were timed"),
	POINT("pages", COLUMN_COUNT, pages, "pages handled by the loop's first step that counts pages"),
	POINT("derived_faults", COLUMN_COUNT, derived_faults, "faults due by the contract of the steps, one a page: in files and huge pages one may map many"),
	POINT("minor_faults", COLUMN_COUNT, minor_faults, "ru_minflt of the workers in their windows"),
	POINT("major_faults", COLUMN_COUNT, major_faults, "ru_majflt of the same"),
	POINT("stray_faults", COLUMN_COUNT, stray_faults, "minor faults beyond those due"),
	POINT("faults_per_page", COLUMN_REAL, faults_per_page, "minor and major faults by pages"),
	POINT("pages_per_s", COLUMN_REAL, pages_per_s, "the headline: all workers together; with --laps over the wall time"),
	POINT("floor_pages_per_s", COLUMN_REAL, floor_pages_per_s, "from the p10 of lap time: a diagnostic, not a result"),
	POINT("bytes_per_s", COLUMN_REAL, bytes_per_s, "bytes copied, by the same time"),
	POINT("sum_of_worker_rates", COLUMN_REAL, sum_of_worker_rates, "pages/s, each worker over its own time"),
	POINT("total_over_wall", COLUMN_REAL, total_over_wall, "pages/s, all work from first start to last end"),
	POINT("worker_min_pages_per_s", COLUMN_REAL, worker_min, "slowest worker"),
	POINT("worker_mean_pages_per_s", COLUMN_REAL, worker_mean, "mean of the workers"),
	POINT("worker_max_pages_per_s", COLUMN_REAL, worker_max, "fastest worker"),
	POINT("fairness", COLUMN_REAL, fairness, "Jain's index of the workers' rates: 1 is equal"),
	POINT("start_skew_s", COLUMN_SECONDS, start_skew_ns, "between the first and last window's start"),
	POINT("stop_skew_s", COLUMN_SECONDS, stop_skew_ns, "between the first and last window's end"),
	POINT("busy", COLUMN_REAL, busy, "share of the windows spent on a CPU"),
	POINT("blocked", COLUMN_REAL, blocked, "share spent asleep in the kernel"),
	POINT("run_delay", COLUMN_REAL, run_delay, "share spent runnable, waiting for a CPU"),
	POINT("steal", COLUMN_REAL, steal, "share that the hypervisor took from the workers' CPUs"),
	POINT("involuntary_switches", COLUMN_COUNT, involuntary_switches, "ru_nivcsw of the workers"),
	POINT("migrations", COLUMN_COUNT, migrations, "moves to another CPU"),
	POINT("percent_local", COLUMN_REAL, percent_local, "of sampled pages on the node of their worker's CPU, 0 to 100"),
	POINT("coalesced", COLUMN_COUNT, coalesced, "samples added to the next because a ring was full"),
	POINT("laps_per_s", COLUMN_REAL, laps_per_s, "laps, by the same time as pages_per_s"),
	POINT("faults_per_s", COLUMN_REAL, faults_per_s, "faults, by the same time as pages_per_s"),
	POINT("parent_busy", COLUMN_REAL, parent_busy, "CPU time of the parent, by the time from the gate to the closing of the windows"),
	POINT("clock_ns", COLUMN_REAL, clock_ns, "cost of one reading of the clock"),
	POINT("throttled_periods", COLUMN_COUNT, noise.throttled_periods, "periods in which the cgroup's CPU quota ran out"),
	POINT("numa_hint_faults", COLUMN_COUNT, noise.numa_hint_faults, "faults that NUMA balancing made, on the whole machine"),
	POINT("numa_migrated_pages", COLUMN_COUNT, noise.numa_migrated_pages, "pages it moved, on the whole machine"),
	POINT("khugepaged_collapses", COLUMN_COUNT, noise.khugepaged_collapses, "huge pages khugepaged made or failed to, on the whole machine"),
	POINT("compaction_stalls", COLUMN_COUNT, noise.compaction_stalls, "allocations that waited for compaction, on the whole machine"),
	POINT("compaction_pages", COLUMN_COUNT, noise.compaction_pages, "pages compaction looked at, on the whole machine"),
	POINT("reclaim_pages", COLUMN_COUNT, noise.reclaim_pages, "pages reclaim looked at, on the whole machine"),
	POINT("thp_fault_alloc", COLUMN_COUNT, noise.thp_fault_alloc, "faults that got a huge page, on the whole machine"),
	POINT("thp_fault_fallback", COLUMN_COUNT, noise.thp_fault_fallback, "faults that wanted a huge page and got small ones"),
	POINT("swap_in_pages", COLUMN_COUNT, noise.swap_in_pages, "pages that came back from swap, on the whole machine"),
	POINT("swap_out_pages", COLUMN_COUNT, noise.swap_out_pages, "pages that went to swap, on the whole machine"),
	POINT("damon", COLUMN_TEXT, noise.damon, "whether DAMON was sampling memory accesses: on or off"),
	POINT("frequency_hz", COLUMN_REAL, noise.frequency_hz, "of the workers' CPUs as the windows closed: mean of at most 16"),
	POINT("clock_source", COLUMN_TEXT, noise.clock_source, "the kernel's clock source before"),
	POINT("clock_source_after", COLUMN_TEXT, noise.clock_source_after, "and after: the kernel may have given it up"),
	POINT("drift", COLUMN_REAL, noise.drift, "rise of the rate over the window: a line through the samples"),
	POINT("drift_error", COLUMN_REAL, noise.drift_error, "standard error of drift"),
	POINT("lap_p50_by_p10", COLUMN_REAL, noise.lap_p50_by_p10, "median of lap time by its p10: 1 is steady"),
	POINT("warnings", COLUMN_TEXT, warnings, "columns that the report warns about, separated by blanks"),
	POINT("percent_asked", COLUMN_REAL, percent_asked, "of sampled pages on the nodes that mem asks for, 0 to 100"),
	POINT("memory_nodes", COLUMN_TEXT, memory_nodes, "NUMA nodes that sampled pages were found on"),
	POINT("total_bytes", COLUMN_COUNT, total_bytes, "memory of all workers, where it was divided among them"),
	POINT("fixed_laps", COLUMN_COUNT, fixed_laps, "laps of fixed work (--laps), if it was not a window"),
	POINT("filesystem", COLUMN_TEXT, filesystem, "what holds the files, of tmpfs with its huge= setting"),
	POINT("copy", COLUMN_TEXT, copy, "how bytes are copied: libc, movsb or nontemporal"),
	POINT("band_low", COLUMN_REAL, band_low, "least faults_per_page to expect where it is not exact"),
	POINT("band_high", COLUMN_REAL, band_high, "most"),
	POINT("mthp_anon_alloc", COLUMN_TEXT, mthp_anon_alloc, "faults that got a huge page, by size, on the whole machine, like 64K:16 2M:3; none"),
	POINT("mthp_anon_fallback", COLUMN_TEXT, mthp_anon_fallback, "faults that wanted this size and got a smaller one"),
	POINT("mthp_shmem_alloc", COLUMN_TEXT, mthp_shmem_alloc, "huge pages that tmpfs and shared memory got, by size, on the whole machine"),
	POINT("mthp_shmem_fallback", COLUMN_TEXT, mthp_shmem_fallback, "wanted and not got"),
	POINT("sampled_bytes", COLUMN_COUNT, sampled_bytes, "of the workers' memory that smaps showed present after the windows"),
	POINT("sampled_huge_bytes", COLUMN_COUNT, sampled_huge_bytes, "of these, mapped by huge pages"),
	POINT("sum_of_worker_bytes_per_s", COLUMN_REAL, sum_of_worker_bytes, "bytes copied, each worker over its own time"),
	POINT("worker_min_bytes_per_s", COLUMN_REAL, worker_min_bytes, "slowest worker's"),
	POINT("worker_mean_bytes_per_s", COLUMN_REAL, worker_mean_bytes, "mean of the workers'"),
	POINT("worker_max_bytes_per_s", COLUMN_REAL, worker_max_bytes, "fastest worker's"),
	{.name = NULL},
};

static const struct column worker_columns[] = {
	KEY_COLUMNS(worker_row),
	WORKER("worker", COLUMN_COUNT, worker, "from 0"),
	WORKER("cpu", COLUMN_COUNT, cpu, "CPU it was pinned to"),
	WORKER("node", COLUMN_COUNT, node, "NUMA node of that CPU"),
	WORKER("process", COLUMN_COUNT, process, "process of the crew it belongs to, from 0"),
	WORKER("start_s", COLUMN_SECONDS, start_ns, "start of its window after the opening of the gate"),
	WORKER("window_s", COLUMN_SECONDS, window_ns, "length of its window"),
	WORKER("laps", COLUMN_COUNT, laps, "laps ended in it"),
	WORKER("pages", COLUMN_COUNT, pages, "pages handled"),
	WORKER("minor_faults", COLUMN_COUNT, minor_faults, "ru_minflt"),
	WORKER("major_faults", COLUMN_COUNT, major_faults, "ru_majflt"),
	WORKER("pages_per_s", COLUMN_REAL, pages_per_s, "over its own window"),
	WORKER("floor_pages_per_s", COLUMN_REAL, floor_pages_per_s, "from the p10 of its lap time"),
	WORKER("bytes_per_s", COLUMN_REAL, bytes_per_s, "bytes copied over its own window"),
	WORKER("busy", COLUMN_REAL, busy, "share of its window on a CPU"),
	WORKER("blocked", COLUMN_REAL, blocked, "share asleep in the kernel"),
	WORKER("run_delay", COLUMN_REAL, run_delay, "share runnable, waiting for a CPU"),
	WORKER("voluntary_switches", COLUMN_COUNT, voluntary_switches, "ru_nvcsw"),
	WORKER("involuntary_switches", COLUMN_COUNT, involuntary_switches, "ru_nivcsw"),
	WORKER("migrations", COLUMN_COUNT, migrations, "moves to another CPU"),
	WORKER("waited_step", COLUMN_TEXT, waited_step, "step it was seen blocked in most often"),
	WORKER("waited_in", COLUMN_TEXT, waited_in, "kernel function it then slept in"),
	WORKER("waited_looks", COLUMN_COUNT, waited_looks, "times it was seen so"),
	WORKER("looks", COLUMN_COUNT, looks, "times it was looked at"),
	WORKER("status", COLUMN_TEXT, status, "ok, or what went wrong with it"),
	WORKER("percent_local", COLUMN_REAL, percent_local, "of its sampled pages on its node, 0 to 100"),
	WORKER("percent_asked", COLUMN_REAL, percent_asked, "of these on the nodes that mem asks for"),
	WORKER("memory_nodes", COLUMN_TEXT, memory_nodes, "NUMA nodes they were found on"),
	{.name = NULL},
};

static const struct column step_columns[] = {
	KEY_COLUMNS(step_row),
	STEP("step", COLUMN_TEXT, step, "step, or lap for the whole lap"),
	STEP("calls", COLUMN_COUNT, calls, "timed calls"),
	STEP("work", COLUMN_COUNT, work, "work of these calls, in units"),
	STEP("unit", COLUMN_TEXT, unit, "call, page or byte"),
	STEP("total_s", COLUMN_SECONDS, total_ns, "time of these calls"),
	STEP("ns_per_unit", COLUMN_REAL, ns_per_unit, "time by work"),
	STEP("p10_s", COLUMN_SECONDS, p10_ns, "10 % of calls took at most this long"),
	STEP("p50_s", COLUMN_SECONDS, p50_ns, "median"),
	STEP("p90_s", COLUMN_SECONDS, p90_ns, "90 %"),
	STEP("p99_s", COLUMN_SECONDS, p99_ns, "99 %"),
	STEP("max_s", COLUMN_SECONDS, max_ns, "longest"),
	{.name = NULL},
};

static const struct column sample_columns[] = {
	KEY_COLUMNS(sample_row),
	SAMPLE("t_s", COLUMN_SECONDS, t_ns, "end of the sample after the opening of the gate"),
	SAMPLE("worker", COLUMN_COUNT, worker, "from 0"),
	SAMPLE("laps", COLUMN_COUNT, laps, "laps ended since the sample before"),
	SAMPLE("step", COLUMN_TEXT, step, "step, or lap for the whole lap"),
	SAMPLE("work", COLUMN_COUNT, work, "step: timed work in its unit; lap: pages"),
	SAMPLE("ns", COLUMN_COUNT, ns, "step: time of that work; lap: time since the sample before"),
	SAMPLE("faults", COLUMN_COUNT, faults, "lap: minor and major faults"),
	{.name = NULL},
};

static const struct column timeline_columns[] = {
	KEY_COLUMNS(timeline_row),
	TIMELINE("worker", COLUMN_COUNT, worker, "from 0"),
	TIMELINE("lap", COLUMN_COUNT, lap, "from 0"),
	TIMELINE("step", COLUMN_TEXT, step, "step"),
	TIMELINE("start_s", COLUMN_SECONDS, start_ns, "its start after the opening of the gate"),
	TIMELINE("end_s", COLUMN_SECONDS, end_ns, "its end"),
	{.name = NULL},
};

static const struct column duel_columns[] = {
	KEY_COLUMNS(duel_row),
	DUEL("status", COLUMN_TEXT, status, "valid or invalid"),
	DUEL("reason", COLUMN_TEXT, reason, "why it is not valid"),
	DUEL("side_a", COLUMN_TEXT, side_a, "what --a gave"),
	DUEL("side_b", COLUMN_TEXT, side_b, "what --b gave"),
	DUEL("metric", COLUMN_TEXT, metric_text, "what is compared, with its unit"),
	DUEL("a", COLUMN_REAL, a, "mean of side A over the launches"),
	DUEL("b", COLUMN_REAL, b, "mean of side B"),
	DUEL("ratio", COLUMN_REAL, ratio, "B/A: geometric mean over the launches"),
	DUEL("ratio_low", COLUMN_REAL, ratio_low, "lower end of its 95 % interval"),
	DUEL("ratio_high", COLUMN_REAL, ratio_high, "upper end"),
	DUEL("verdict", COLUMN_TEXT, verdict, "faster, slower, same or unknown"),
	DUEL("margin", COLUMN_REAL, margin, "difference that does not matter, as a fraction"),
	DUEL("launches", COLUMN_COUNT, launches, "fresh pairs of crews"),
	DUEL("quads", COLUMN_COUNT, quads, "quads of slices in the first launch"),
	DUEL("slice_s", COLUMN_SECONDS, slice_ns, "length of a slice; 0 with fixed work"),
	DUEL("seconds", COLUMN_REAL, seconds, "that the duel took"),
	{.name = NULL},
};

static const struct column launch_columns[] = {
	KEY_COLUMNS(launch_row),
	LAUNCH("launch", COLUMN_COUNT, launch, "from 0"),
	LAUNCH("metric", COLUMN_TEXT, metric, "what is compared, with its unit"),
	LAUNCH("a", COLUMN_REAL, a, "mean of side A in this launch"),
	LAUNCH("b", COLUMN_REAL, b, "mean of side B"),
	LAUNCH("log_ratio", COLUMN_REAL, log_ratio, "ln(B/A): interquartile mean over the quads; of cut laps from their steps or means"),
	LAUNCH("quads", COLUMN_COUNT, quads, "quads of slices"),
	LAUNCH("late_quads", COLUMN_COUNT, late_quads, "further quads that do not count: a worker began late"),
	LAUNCH("slice_s", COLUMN_SECONDS, slice_ns, "length of a slice"),
	{.name = NULL},
};

static const struct column event_columns[] = {
	KEY_COLUMNS(event_row),
	EVENT("worker", COLUMN_COUNT, worker, "from 0"),
	EVENT("event", COLUMN_TEXT, event, "name, as in --events"),
	EVENT("value", COLUMN_COUNT, value, "count in its window; if it ran for a part only, scaled to all of it"),
	EVENT("enabled_s", COLUMN_SECONDS, enabled_ns, "time the worker ran while the event was asked for"),
	EVENT("running_s", COLUMN_SECONDS, running_ns, "of it, time the event was counted"),
	EVENT("scope", COLUMN_TEXT, scope, "user+kernel, user or kernel: where it was counted"),
	EVENT("error", COLUMN_TEXT, error, "why it was not"),
	{.name = NULL},
};

static const struct column meta_columns[] = {
	META("key", COLUMN_TEXT, key, "fact"),
	META("value", COLUMN_TEXT, value, "its value; empty if unknown"),
	{.name = NULL},
};
/* clang-format on */

const struct result_table result_tables[RESULT_FILES] = {
        [RESULT_POINTS] = {"points.csv", point_columns},
        [RESULT_WORKERS] = {"workers.csv", worker_columns},
        [RESULT_STEPS] = {"steps.csv", step_columns},
        [RESULT_SAMPLES] = {"samples.csv", sample_columns},
        [RESULT_TIMELINE] = {"timeline.csv", timeline_columns},
        [RESULT_DUEL] = {"duel.csv", duel_columns},
        [RESULT_LAUNCHES] = {"launches.csv", launch_columns},
        [RESULT_EVENTS] = {"events.csv", event_columns},
        [RESULT_META] = {"meta.csv", meta_columns},
};
