// SPDX-License-Identifier: GPL-3.0-or-later
/* A comparison as a whole: read, matched, judged; and the ways to show it. */
#ifndef COMPARISON_H
#define COMPARISON_H

#include "gather.h"
#include "options.h"

#include <stdio.h>

/* What became of a step's time per unit, in a point that is faster or slower. */
struct step_change {
	size_t point; /* its place */
	const struct gathered_step *step;
	struct contrast contrast; /* less is better; by itself, not settled among the others */
};

struct comparison {
	const struct options *options;
	const char *name[2]; /* before and after, as typed */
	bool tables;         /* plain tables, not result directories */
	bool rekeyed;        /* points that are not the same were compared by --force */
	struct matching matching;
	struct likeness likeness;
	struct gathering gathering;
	struct contrast_rules rules;
	struct contrast *contrasts; /* of the points */
	struct contrast overall;    /* of two points or more */
	bool independent;           /* the overall interval takes points as independent */
	size_t withheld;
	struct step_change *changes; /* by point */
	size_t change_count;
};

/* Reads both sides; options->operands says what.  EXIT_USAGE or EXIT_FAILED. */
int comparison_read(struct comparison *comparison, const struct options *options,
                    struct complaint *c);

/*
 * Matches and judges.  EXIT_USAGE where the sides are not alike and --force is not given,
 * EXIT_FAILED where they have no point in common.
 */
int comparison_make(struct comparison *comparison, struct complaint *c);

/* True if a point, or all together, is established to be worse than --fail-if-worse. */
bool comparison_regressed(const struct comparison *comparison);

/* The same of one point, and of all together. */
bool comparison_point_regressed(const struct comparison *comparison, size_t point);
bool comparison_overall_regressed(const struct comparison *comparison);

void comparison_free(struct comparison *comparison);

/* "one boot each: the spread between boots is unknown" or what else is to be said of the unit, into
 * `out`; "" for tables. */
enum { COMPARISON_TEXT = 512 };
char *comparison_unit_text(const struct comparison *comparison, char out[COMPARISON_TEXT]);

/* What is to be said of many points at once; "" for one. */
char *comparison_table_text(const struct comparison *comparison, char out[COMPARISON_TEXT]);

/*
 * The speed-ups over the counts, in rows of their own that can be pasted; in Markdown as code.
 * Nothing where points do not differ in a count.
 */
void comparison_rows_print(const struct comparison *comparison, bool markdown, FILE *out);

/* Looks at the steps of the points that are called: part of comparison_make(). */
int comparison_steps_make(struct comparison *comparison);

/* The steps whose time changed, as a list, in Markdown or for people; nothing if no point is
 * called. */
void comparison_steps_print(const struct comparison *comparison, bool markdown, FILE *out);

/* Those of a point in short, like "fault +3.4 % (+2.1 to +4.7)"; "" if none changed, "; ..." at the
 * end where there is no room for more. */
char *comparison_steps_text(const struct comparison *comparison, size_t point,
                            char out[COMPARISON_TEXT]);

/* Each writes the report in its format.  The CSV goes to standard output, through csv.h: 0 or -1.
 */
void comparison_text(const struct comparison *comparison, FILE *out);
void comparison_markdown(const struct comparison *comparison, FILE *out);
void comparison_json(const struct comparison *comparison, FILE *out);
int comparison_csv(const struct comparison *comparison, struct complaint *c);

/* Parts of comparison_text.  The sides, the facts and how to measure again. */
void comparison_head(const struct comparison *comparison, FILE *out);

/*
 * Prints a text from a file or a command line, at most so many bytes: no control characters reach
 * the terminal.
 */
enum { COMPARISON_SHOWN = 300 };
void comparison_plain(const char *text, size_t most, FILE *out);

#endif
