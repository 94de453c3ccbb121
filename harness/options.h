// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The command line.  One table of option rows (options.c) gives parsing, defaults, --help, the
 * recorded command and the identity of a point; the man page is checked against it.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "complaint.h"
#include "preset.h"
#include "topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The commands that an option belongs to. */
enum command {
	COMMAND_RUN = 1 << 0,
	COMMAND_LIST = 1 << 1,
	COMMAND_SWEEP = 1 << 2,
	COMMAND_DUEL = 1 << 3,
	COMMAND_COMPARE = 1 << 4,
	COMMAND_PLOT = 1 << 5,
	COMMAND_EXPORT = 1 << 6,
	COMMAND_DOCTOR = 1 << 7,
};

/* Their names, by bit; ends with NULL. */
extern const char *const command_names[];

enum mode { MODE_PROCESS, MODE_THREAD };
enum layout_kind { LAYOUT_GUARDED, LAYOUT_MERGED, LAYOUT_INTERLEAVED };
enum thp { THP_DEFAULT, THP_NEVER, THP_ALWAYS };
enum backing_kind { BACKING_ANON, BACKING_MEMFD, BACKING_SHMEM, BACKING_FILE, BACKING_HUGETLB };
enum share { SHARE_DEFAULT, SHARE_PRIVATE, SHARE_SHARED };
enum memcg_kind { MEMCG_NONE, MEMCG_ONE, MEMCG_EACH };
enum format { FORMAT_TEXT, FORMAT_CSV };
enum report_format { REPORT_TEXT, REPORT_MARKDOWN, REPORT_CSV, REPORT_JSON };
enum exchange { EXCHANGE_JSON, EXCHANGE_BENCHFMT, EXCHANGE_WILL_IT_SCALE };

enum { OPTIONS_LIMIT = 128, OPERANDS_LIMIT = 64 };

/* Every value the command line can set.  Sizes are bytes, times ns; 0 where the comment says. */
struct options {
	char operand[512];                    /* the words that are no options, joined by blanks */
	const char *operands[OPERANDS_LIMIT]; /* the same, each for itself */
	unsigned operand_count;
	bool set[OPTIONS_LIMIT];     /* rows that the command line itself sets */
	const struct preset *preset; /* the one named by the operand, or NULL */
	char preset_words[256];      /* the preset's options, split into words */
	uint64_t workers;            /* 0: one per allowed CPU */
	int mode;                    /* enum mode */
	uint64_t per_process;        /* 0: as the mode says */
	uint64_t bytes, total_bytes; /* total_bytes 0: `bytes` for each worker */
	uint64_t piece;              /* 0: the whole region */
	uint64_t duration, warmup, interval, timeout;
	uint64_t laps; /* 0: run for `duration` */
	uint64_t repeat;
	const char *cpus; /* list, or "": all allowed */
	int order;        /* enum order */
	bool no_pin, oversubscribe;
	int layout; /* enum layout_kind */
	int thp;    /* enum thp */
	uint64_t block;
	const char *mem;    /* local, interleave, remote or bind:LIST: see mempolicy_make() */
	int copy;           /* enum copy_method (workers/step.h) */
	int backing;        /* enum backing_kind */
	const char *dir;    /* where files are made */
	bool one_file;      /* for all workers */
	int share;          /* enum share */
	uint64_t page_size; /* of hugetlb; 0: the kernel's default */
	int memcg;          /* enum memcg_kind */
	uint64_t memcg_depth, memcg_max; /* memcg_max 0: no limit */
	const char *output;              /* directory, or "" */
	int format;                      /* enum format */
	const char *events;              /* names separated by commas, or "" */
	double precision; /* half width of the interval wanted, as a fraction; 0: none */
	uint64_t max_time;
	const char *side[2];            /* duel: what differs, as typed */
	uint64_t launches;              /* 0: as many as pay */
	double margin;                  /* a fraction */
	uint64_t seed;                  /* sweep: 0 for a new one */
	const char *counts, *modes;     /* sweep: lists */
	bool in_order, dry_run;         /* sweep */
	const char *hosts, *hosts_file; /* sweep: or "" */
	const char *plan, *job;         /* or "" */
	bool terminal;                  /* plot */
	int exchange;                   /* export: enum exchange */
	double fail_if_worse, boot_sd;  /* compare: fractions; boot_sd negative: not given */
	/* compare: columns of other tools' tables; "" where not given */
	const char *key_columns, *value_columns, *side_column;
	const char *n_columns, *stddev_columns, *stderr_columns, *times_columns;
	int report; /* compare: enum report_format */
	bool force, lower_is_better;
	bool help;
};

enum option_kind {
	OPTION_FLAG,    /* bool, no argument */
	OPTION_COUNT,   /* uint64_t, whole number */
	OPTION_SIZE,    /* uint64_t, bytes */
	OPTION_TIME,    /* uint64_t, ns */
	OPTION_PERCENT, /* double, a fraction */
	OPTION_CHOICE,  /* int, index into choices */
	OPTION_TEXT,    /* const char * */
};

struct option_row {
	const char *name;
	char letter; /* short form, or 0 */
	enum option_kind kind;
	const char *placeholder;    /* what --help calls the argument */
	const char *initial;        /* default, as it would be typed; "" for none */
	const char *zero;           /* what a value of 0 is called when not a number, e.g. "all" */
	size_t offset;              /* in struct options */
	uint64_t low, high;         /* range, for counts, sizes and times */
	const char *const *choices; /* ends with NULL */
	const char *replaces;       /* an option of a preset that this one puts out of force */
	const char *with;           /* an option without which this one means nothing */
	unsigned commands;          /* enum command */
	bool identity;              /* its value tells one point from another */
	bool timed;                 /* without effect on fixed work (--laps) */
	bool list;  /* its value is, or ends with, a list in the kernel's grammar (cpulist.h) */
	bool whole; /* about the command as a whole: a sweep does not hand it to its jobs */
	const char *help;
};

/* The table; ends with a row whose name is NULL. */
extern const struct option_row option_rows[];

/*
 * Parses the words after the command's name into `options`: defaults first, then what the named
 * preset sets, then the command line itself.  Words that are no options are joined into the
 * workload; those of a sweep stay apart, and a preset's options are left to its jobs.  Texts point
 * into `words` or into the tables.  Returns 0 or -1 (EXIT_USAGE).
 */
int options_parse(enum command command, int count, char *const words[], struct options *options,
                  struct complaint *c);

/* The same from several lists of words: a later one wins over those before it. */
struct word_list {
	int count;
	char *const *words;
};
int options_parse_lists(enum command command, const struct word_list lists[], size_t count,
                        struct options *options, struct complaint *c);

/* True if an option of run was given on the command line, if only with the value of its default. */
bool options_typed(const struct options *options, const char *name);

/*
 * The words of a sweep's command line that its jobs get too, as --NAME=VALUE or --NAME, in the
 * order of the table.  *text holds them, ended by NUL each, and is to be freed; returns their
 * number, or -1 when memory is out.
 */
int options_words(const struct options *sweep, char **text);

/* The workload's text: the preset's, or the operand. */
const char *options_workload(const struct options *options);

/* Parses `text` into the row's field.  0, or -1 (EXIT_USAGE) without the option's name. */
int option_parse(const struct option_row *row, const char *text, struct options *options,
                 struct complaint *c);

/* The value of a row as it would be typed, into `out`; returns out. */
char *option_text(const struct option_row *row, const struct options *options, char *out,
                  size_t size);

/* Prints the options of a command, one line each, at most 80 columns. */
void options_help(enum command command, FILE *out);

/*
 * The point's identity: every identity option that has an effect as "name=value ", lists in one way
 * of writing them, then the workload.  Two command lines that mean the same point give the same
 * text.  Cut at `size`.
 */
void options_identity(const struct options *options, char *out, size_t size);

/* The hash of the identity (hash.h), as 16 hex digits. */
enum { OPTIONS_KEY = 17 };
void options_key(const struct options *options, char key[OPTIONS_KEY]);

#endif
