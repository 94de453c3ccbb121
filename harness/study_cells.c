// SPDX-License-Identifier: GPL-3.0-or-later
/* The columns that tell curves apart, and what a curve's cells say to people. */
#include "study.h"

#include "units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct study_column study_columns[STUDY_CELLS] = {
        [STUDY_PRESET] = {"preset", STUDY_TITLE, "", NULL, false},
        [STUDY_WORKLOAD] = {"workload", STUDY_TITLE, "", NULL, false},
        [STUDY_MODE] = {"mode", STUDY_SIBLING, "", NULL, false},
        [STUDY_PER_PROCESS] = {"per_process", STUDY_SIBLING, "", NULL, false},
        [STUDY_BYTES] = {"bytes", STUDY_OPTION, "", NULL, true},
        [STUDY_TOTAL_BYTES] = {"total_bytes", STUDY_OPTION, "in all ", "", true},
        [STUDY_PIECE] = {"piece", STUDY_OPTION, "piece ", "", true},
        [STUDY_BLOCK] = {"block", STUDY_OPTION, "block ", "1024", true},
        [STUDY_BACKING] = {"backing", STUDY_OPTION, "", "anon", false},
        [STUDY_SHARE] = {"share", STUDY_OPTION, "", "private", false},
        [STUDY_LAYOUT] = {"layout", STUDY_OPTION, "", "guarded", false},
        [STUDY_THP] = {"thp", STUDY_OPTION, "thp ", "never", false},
        [STUDY_ORDER] = {"order", STUDY_OPTION, "", "cores", false},
        [STUDY_MEM] = {"mem", STUDY_OPTION, "mem ", "local", false},
        [STUDY_MEMCG] = {"memcg", STUDY_OPTION, "memcg ", "none", false},
        [STUDY_FIXED_LAPS] = {"fixed_laps", STUDY_OPTION, "laps ", "", false},
        [STUDY_HOST] = {"host", STUDY_TITLE, "", NULL, false},
};

char *study_cell_text(const struct study_curve *curve, enum study_cell cell, char out[STUDY_TEXT])
{
	const char *text = curve->cells[cell];
	char size[UNIT_TEXT], *end;

	*out = '\0';
	if (*text && study_columns[cell].size) {
		uint64_t bytes = strtoull(text, &end, 10);

		if (!*end)
			text = size_format(bytes, size);
	}
	if (*text)
		snprintf(out, STUDY_TEXT, "%s%s", study_columns[cell].prefix, text);
	return out;
}

void study_describe(const struct study *study, const struct study_curve *curve, unsigned roles,
                    char out[STUDY_TEXT])
{
	size_t used = strlen(out);

	for (unsigned i = 0; i < STUDY_CELLS && used < STUDY_TEXT; i++) {
		bool wanted = roles & 1U << study_columns[i].role;
		char text[STUDY_TEXT];

		if (wanted && (i == STUDY_MODE || !study->agrees[i]) &&
		    *study_cell_text(curve, i, text))
			used += (size_t)snprintf(out + used, STUDY_TEXT - used, "%s%s",
			                         used && out[used - 1] != ' ' ? ", " : "", text);
	}
}

const char *study_workload(const struct study_curve *curve)
{
	return curve->cells[*curve->cells[STUDY_PRESET] ? STUDY_PRESET : STUDY_WORKLOAD];
}

const char *study_unit(const struct study_curve *curve)
{
	static const char *const names[] = {"rate", "pages/s", "laps/s"};

	return names[curve->unit];
}
