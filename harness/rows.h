// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The rows of the result files and the tables of their columns.  A column's place in its table is
 * its place in the file; `faultscale list columns` and the check of results/README.md read the same
 * tables.  Columns are added at the end, never renamed.
 */
#ifndef ROWS_H
#define ROWS_H

#include "csv.h"

/* What every row but those of meta.csv begins with. */
struct row_key {
	const char *host;
	const char *key; /* of the point, options_key() */
	uint64_t repeat; /* from 1 */
};

/* What may have disturbed a point, machine-wide (noise.h); the last columns of points.csv. */
struct noise_row {
	uint64_t throttled_periods;
	uint64_t numa_hint_faults, numa_migrated_pages;
	uint64_t khugepaged_collapses, compaction_stalls, compaction_pages, reclaim_pages;
	uint64_t thp_fault_alloc, thp_fault_fallback;
	uint64_t swap_in_pages, swap_out_pages;
	const char *damon;   /* "on" or "off" */
	double frequency_hz; /* at the end of the windows */
	const char *clock_source, *clock_source_after;
	double drift, drift_error, lap_p50_by_p10;
};

/* points.csv: one row per point and repeat. */
struct point_row {
	struct row_key row;
	const char *status; /* "valid", "invalid", "unsupported" or "interrupted" */
	const char *reason;
	const char *boot_id;
	const char *workload, *preset, *mode;
	uint64_t workers, per_process;
	const char *cpus, *order, *nodes;
	uint64_t bytes, page_bytes, piece, block;
	const char *backing, *share, *layout, *thp, *mem, *memcg;
	uint64_t window_ns;
	uint64_t laps;
	double timed_laps;
	uint64_t pages, derived_faults, minor_faults, major_faults, stray_faults;
	double faults_per_page;
	double pages_per_s, floor_pages_per_s, bytes_per_s;
	double sum_of_worker_rates, total_over_wall;
	double worker_min, worker_mean, worker_max, fairness;
	uint64_t start_skew_ns, stop_skew_ns;
	double busy, blocked, run_delay, steal;
	uint64_t involuntary_switches, migrations;
	double percent_local;
	uint64_t coalesced;
	double laps_per_s, faults_per_s, parent_busy, clock_ns;
	struct noise_row noise;
	const char *warnings;
	double percent_asked;
	const char *memory_nodes;
	uint64_t total_bytes, fixed_laps;
	const char *filesystem, *copy;
	double band_low, band_high;
	const char *mthp_anon_alloc, *mthp_anon_fallback, *mthp_shmem_alloc, *mthp_shmem_fallback;
	uint64_t sampled_bytes, sampled_huge_bytes;
	double sum_of_worker_bytes, worker_min_bytes, worker_mean_bytes, worker_max_bytes;
};

/* workers.csv: one row per worker. */
struct worker_row {
	struct row_key row;
	uint64_t worker, cpu, node, process;
	uint64_t start_ns, window_ns; /* start: from the opening of the gate */
	uint64_t laps, pages, minor_faults, major_faults;
	double pages_per_s, floor_pages_per_s, bytes_per_s;
	double busy, blocked, run_delay;
	uint64_t voluntary_switches, involuntary_switches, migrations;
	const char *waited_step, *waited_in; /* where it was seen blocked most often */
	uint64_t waited_looks, looks;
	const char *status;
	double percent_local, percent_asked;
	const char *memory_nodes;
};

/* What steps.csv and samples.csv call the row of the whole lap; no step's name. */
#define STEP_LAP "lap"

/* steps.csv: one row per loop step, and one called STEP_LAP for the whole lap. */
struct step_row {
	struct row_key row;
	const char *step;
	uint64_t calls, work;
	const char *unit;
	uint64_t total_ns;
	double ns_per_unit;
	uint64_t p10_ns, p50_ns, p90_ns, p99_ns, max_ns;
};

/* samples.csv: one row per loop step and one called STEP_LAP for each sample drained from a ring.
 */
struct sample_row {
	struct row_key row;
	uint64_t t_ns; /* end of the sample, from the opening of the gate */
	uint64_t worker, laps;
	const char *step;
	uint64_t work, ns, faults;
};

/* timeline.csv: one row per step of each lap of fixed work that took longer than 1 ms. */
struct timeline_row {
	struct row_key row;
	uint64_t worker, lap;
	const char *step;
	uint64_t start_ns, end_ns; /* from the opening of the gate */
};

/* duel.csv: one row per metric. */
struct duel_row {
	struct row_key row; /* of side A's point */
	const char *status, *reason, *side_a, *side_b, *metric_text;
	double a, b, ratio, ratio_low, ratio_high;
	const char *verdict;
	double margin;
	uint64_t launches, quads, slice_ns;
	double seconds;
	char metric[64]; /* what metric_text points to */
};

/* launches.csv: one row per metric and launch. */
struct launch_row {
	struct row_key row;
	uint64_t launch; /* from 0 */
	const char *metric;
	double a, b, log_ratio;
	uint64_t quads, late_quads, slice_ns;
};

/* events.csv: one row per worker and event of --events. */
struct event_row {
	struct row_key row;
	uint64_t worker;
	const char *event;
	uint64_t value, enabled_ns, running_ns;
	const char *scope, *error;
};

/* meta.csv: one row per fact. */
struct meta_row {
	const char *key, *value;
};

/* A point of `compare --format=csv`; unknown numbers are NAN. */
struct contrast_row {
	const char *point, *metric, *verdict, *unit;
	double a, b, ratio, low, high, p, level;
	double a_stddev, b_stddev, a_median, b_median, detectable, robust, robust_low, robust_high;
	uint64_t a_n, b_n, a_boots, b_boots, needed, a_outliers, b_outliers;
	const char *humps, *steps;
	double correlation;
};

enum { CONTRAST_COLUMNS = 29 };
extern const struct column contrast_columns[CONTRAST_COLUMNS + 1];

enum result_file {
	RESULT_POINTS,
	RESULT_WORKERS,
	RESULT_STEPS,
	RESULT_SAMPLES,
	RESULT_TIMELINE,
	RESULT_DUEL,
	RESULT_LAUNCHES,
	RESULT_EVENTS,
	RESULT_META,
	RESULT_FILES,
};

/* The files of a run and of a duel, as bits. */
#define RESULTS_RUN                                                                               \
	(1u << RESULT_POINTS | 1u << RESULT_WORKERS | 1u << RESULT_STEPS | 1u << RESULT_SAMPLES | \
	 1u << RESULT_TIMELINE | 1u << RESULT_EVENTS | 1u << RESULT_META)
#define RESULTS_DUEL (1u << RESULT_DUEL | 1u << RESULT_LAUNCHES | 1u << RESULT_META)

/* Each file's name and columns, by enum result_file. */
struct result_table {
	const char *file;
	const struct column *columns;
};

extern const struct result_table result_tables[RESULT_FILES];

#endif
