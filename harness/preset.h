// SPDX-License-Identifier: GPL-3.0-or-later
/* Presets: names for options and a workload that could have been typed. */
#ifndef PRESET_H
#define PRESET_H

struct preset {
	const char *name;
	const char *options;  /* as typed on the command line, separated by blanks */
	const char *workload; /* as typed */
	const char *summary;
	const char
	        *mirrors; /* the tool and test it is like, and where it differs on purpose; or "" */
};

/* The table; ends with a row whose name is NULL.  The first is the default. */
extern const struct preset preset_rows[];

/* The preset of that exact name, or NULL. */
const struct preset *preset_find(const char *name);

#endif
