// SPDX-License-Identifier: GPL-3.0-or-later
/* What each step of a point took, to tell which of them made it faster or slower. */
#include "gather.h"

#include "csv_reader.h"
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the columns of a steps.csv are. */
struct places {
	int host, key, repeat, step, unit, ns;
};

/* The row of the matching that a step belongs to; the search begins where the last one was found.
 */
static const struct matching_row *row_of(const struct gathering *gathering,
                                         const struct csv_reader *reader, const struct places *at,
                                         size_t first, size_t *last)
{
	const struct matching *matching = gathering->matching;
	const char *key = csv_reader_text(reader, at->key);
	const char *host = csv_reader_text(reader, at->host);
	uint64_t repeat = csv_reader_count(reader, at->repeat);
	size_t count = matching->row_count - first;

	for (size_t i = 0; i < count; i++) {
		size_t place = first + (*last - first + i) % count;
		const struct matching_row *row = &matching->rows[place];

		if (row->at.repeat == repeat && strcmp(row->key, key) == 0 &&
		    strcmp(gather_host(row), host) == 0) {
			*last = place;
			return row;
		}
	}
	return NULL;
}

static int step_add(struct gathering *gathering, const struct matching_row *row, const char *step,
                    const char *unit, double ns)
{
	size_t count = gathering->step_count;
	struct gathered_step *steps = gathering->steps;

	if ((count & (count - 1)) == 0) /* at powers of two, to twice as much */
		steps = reallocarray(steps, count ? 2 * count : 1, sizeof(*steps));
	if (!steps)
		return -1;
	gathering->steps = steps;
	steps[count] = (struct gathered_step){
	        .row = row->sequence,
	        .step = strdup(step),
	        .unit = strdup(unit),
	        .ns = ns,
	};
	gathering->step_count++;
	return steps[count].step && steps[count].unit ? 0 : -1;
}

static int steps_read(struct gathering *gathering, struct csv_reader *reader, size_t first,
                      struct complaint *c)
{
	const struct places at = {
	        .host = csv_reader_column(reader, "host"),
	        .key = csv_reader_column(reader, "key"),
	        .repeat = csv_reader_column(reader, "repeat"),
	        .step = csv_reader_column(reader, "step"),
	        .unit = csv_reader_column(reader, "unit"),
	        .ns = csv_reader_column(reader, "ns_per_unit"),
	};
	size_t last = first;
	int more;

	while ((more = csv_reader_next(reader, c)) == 1) {
		const struct matching_row *row = row_of(gathering, reader, &at, first, &last);
		const char *step = csv_reader_text(reader, at.step);
		double ns = csv_reader_real(reader, at.ns);

		if (row && isfinite(ns) && ns > 0 && strcmp(step, STEP_LAP) != 0 &&
		    step_add(gathering, row, step, csv_reader_text(reader, at.unit), ns))
			return complain(c, EXIT_FAILED, "no memory for so many results");
	}
	return more;
}

int gather_steps(struct gathering *gathering, const char *directory, size_t first,
                 struct complaint *c)
{
	struct csv_reader reader;
	char path[4096];
	int result;

	snprintf(path, sizeof(path), "%s/steps.csv", directory);
	if (access(path, F_OK))
		return 0;
	if (csv_reader_open(&reader, path, c))
		return -1;
	result = steps_read(gathering, &reader, first, c);
	csv_reader_close(&reader);
	return result;
}

void gather_steps_free(struct gathering *gathering)
{
	for (size_t i = 0; i < gathering->step_count; i++) {
		free(gathering->steps[i].step);
		free(gathering->steps[i].unit);
	}
	free(gathering->steps);
}
