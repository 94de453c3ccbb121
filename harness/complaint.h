// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * How every part of faultscale says no: the caller hands down a struct complaint, the part that
 * fails fills it and returns -1, and main() alone prints it and exits.  Nothing below main() writes
 * to stderr or exits, so that every refusal can be tested as text.
 */
#ifndef COMPLAINT_H
#define COMPLAINT_H

/* The documented exit statuses (faultscale.1, EXIT STATUS). */
enum exit_status {
	EXIT_OK = 0,
	EXIT_FAILED = 1,     /* a point is invalid, or the run could not be carried out */
	EXIT_USAGE = 2,      /* the command line is wrong */
	EXIT_REGRESSION = 3, /* compare established a regression */
	EXIT_UNSUPPORTED =
	        77, /* this kernel or machine cannot do it (the automake "skip" status) */
};

struct complaint {
	enum exit_status status;
	char text[1024]; /* one or two lines: what is wrong, and what to do; no final newline */
};

/*
 * Fills `c` with a status and a printf-formatted text.  Always returns -1, so that a failing
 * function can end with `return complain(c, EXIT_USAGE, "...")`.
 */
__attribute__((format(printf, 3, 4))) int complain(struct complaint *c, enum exit_status status,
                                                   const char *format, ...);

#endif
