// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure.h"

#include "units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct figure figure_rows[] = {
        {"scaling", "rate against workers", scaling_columns, scaling_prepare},
        {"steps", "time per page by step", steps_columns, steps_prepare},
        {"timeline", "who did which step when", timeline_columns, timeline_prepare},
        {"laps", "lap times", laps_columns, laps_prepare},
        {"drift", "rate over time", drift_columns, drift_prepare},
        {.name = NULL},
};

/* A curve in the legend. */
struct legend_row {
	uint64_t curve;
	const char *label;
	uint64_t directory, style; /* curves of two directories that differ in nothing else agree */
	double single, contention, coherency; /* 0: not fitted */
	double middle;
	uint64_t per_page;
	uint64_t workers; /* the most it has */
};

struct step_name {
	uint64_t step;
	const char *label;
};

#define LEGEND(name, kind) COLUMN(legend_row, #name, kind, name, "")

static const struct column legend_columns[] = {
        LEGEND(curve, COLUMN_COUNT),
        LEGEND(label, COLUMN_TEXT),
        LEGEND(directory, COLUMN_COUNT),
        LEGEND(style, COLUMN_COUNT),
        LEGEND(single, COLUMN_REAL),
        LEGEND(contention, COLUMN_REAL),
        LEGEND(coherency, COLUMN_REAL),
        LEGEND(middle, COLUMN_REAL),
        LEGEND(per_page, COLUMN_COUNT),
        LEGEND(workers, COLUMN_COUNT),
        {.name = NULL},
};

static const struct column step_columns[] = {
        COLUMN(step_name, "step", COLUMN_COUNT, step, ""),
        COLUMN(step_name, "label", COLUMN_TEXT, label, ""),
        {.name = NULL},
};

size_t figure_groups(const struct study *study)
{
	return study->curve_count > FIGURE_CURVES ? study->curves[FIGURE_CURVES].first
	                                          : study->group_count;
}

size_t figure_rows_drawn(const struct study *study)
{
	size_t groups = figure_groups(study);

	return groups < study->group_count ? study->groups[groups].first : study->row_count;
}

int figure_next(struct study_file *file, const struct study_row **row, struct complaint *c)
{
	int result;

	do
		result = study_file_next(file, row, c);
	while (result == 1 && (*row)->curve >= FIGURE_CURVES);
	return result;
}

/* True if two curves differ in nothing but the directory (and its host). */
static bool curve_twins(const struct study_curve *a, const struct study_curve *b)
{
	for (size_t i = 0; i < STUDY_CELLS; i++)
		if (i != STUDY_HOST && strcmp(a->cells[i], b->cells[i]) != 0)
			return false;
	return a->directory != b->directory;
}

/* Twins have the style of the first directory's. */
static uint64_t curve_style(const struct study *study, size_t curve)
{
	for (size_t i = 0; i < curve; i++)
		if (curve_twins(&study->curves[i], &study->curves[curve]))
			return i + 1;
	return curve + 1;
}

/* A curve as the legend and its line have it. */
static void legend_add(const struct study *study, struct drawing *drawing, size_t place)
{
	const struct study_curve *curve = &study->curves[place];
	const struct study_group *widest = &study->groups[curve->first + curve->group_count - 1];
	char label[STUDY_TEXT];
	struct usl law = {0};
	struct legend_row row = {
	        .curve = place + 1,
	        .label = label,
	        .directory = curve->directory + 1,
	        .style = curve_style(study, place),
	        .middle = drawing->middle[place],
	        .per_page = curve->unit == STUDY_PAGES,
	        .workers = widest->workers,
	};

	if (study_law(study, curve, &law) == 0) {
		row.single = law.parameter[USL_LAMBDA].value;
		row.contention = law.parameter[USL_SIGMA].value;
		row.coherency = law.parameter[USL_KAPPA].value;
	}
	memcpy(label, curve->label, sizeof(label));
	gnuplot_clean(label, true);
	csv_record(&drawing->tables[TABLE_CURVES], &row);
}

static void steps_write(struct drawing *drawing)
{
	for (unsigned i = 0; i < drawing->step_count; i++) {
		gnuplot_clean(drawing->steps[i], true);
		csv_record(&drawing->tables[TABLE_STEPS],
		           &(struct step_name){i + 1, drawing->steps[i]});
	}
}

int figure_draw(const struct figure *figure, const struct study *study, struct drawing *drawing,
                struct complaint *c)
{
	const struct column *columns[GNUPLOT_TABLES] = {figure->columns, legend_columns,
	                                                step_columns};

	*drawing = (struct drawing){0};
	for (int i = 0; i < GNUPLOT_TABLES; i++) {
		csv_open(&drawing->tables[i], gnuplot_table(figure->name), columns[i]);
		csv_header(&drawing->tables[i]);
	}
	if (figure->prepare(study, drawing, c))
		return -1;
	for (size_t i = 0; i < FIGURE_CURVES; i++)
		if (drawing->curves[i])
			legend_add(study, drawing, i);
	steps_write(drawing);
	for (int i = 0; i < GNUPLOT_TABLES; i++)
		if (csv_flush(&drawing->tables[i]))
			return complain(c, EXIT_FAILED, "cannot write a table for gnuplot: %s",
			                strerror(drawing->tables[i].error));
	return 0;
}

void drawing_close(struct drawing *drawing)
{
	for (int i = 0; i < GNUPLOT_TABLES; i++)
		csv_close(&drawing->tables[i]);
}

unsigned drawing_step(struct drawing *drawing, const char *step)
{
	unsigned i = 0;

	while (i < drawing->step_count && strncmp(drawing->steps[i], step, FIGURE_NAME - 1) != 0)
		i++;
	if (i == FIGURE_STEPS)
		return 0;
	if (i == drawing->step_count)
		snprintf(drawing->steps[drawing->step_count++], FIGURE_NAME, "%s", step);
	return i + 1;
}

void drawing_row(struct drawing *drawing, size_t curve, const void *row)
{
	csv_record(&drawing->tables[TABLE_DATA], row);
	drawing->curves[curve] = true;
	drawing->rows++;
}

double drawing_bar(struct drawing *drawing, const struct study *study, size_t group)
{
	const struct study_group *at = &study->groups[group];
	bool begins = group == 0 || at->curve != at[-1].curve;

	drawing->bar += begins && group ? 2 : 1;
	if (begins)
		drawing->first_bar = drawing->bar;
	drawing->middle[at->curve] = (drawing->first_bar + drawing->bar) / 2;
	return drawing->bar;
}

/* Appends to a text of 1024 bytes. */
__attribute__((format(printf, 2, 3))) static void add(char *out, const char *format, ...)
{
	size_t used = strlen(out);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(out + used, 1024 - used, format, arguments);
	va_end(arguments);
}

void figure_title(const struct figure *figure, const struct study *study, char out[1024])
{
	const struct study_curve *curve = &study->curves[0];

	*out = '\0';
	if (!study->agrees[STUDY_WORKLOAD])
		add(out, "several workloads");
	else if (study->agrees[STUDY_PRESET] && *curve->cells[STUDY_PRESET])
		add(out, "%s (%s)", curve->cells[STUDY_PRESET], curve->cells[STUDY_WORKLOAD]);
	else
		add(out, "%s", curve->cells[STUDY_WORKLOAD]);
	add(out, ": %s", figure->title);
	gnuplot_clean(out, false);
}

/* Names a directory's machine and kernel. */
static void machine_add(const struct study_directory *directory, bool name, char out[1024])
{
	const char *between = name ? ": " : "";

	if (name)
		add(out, "%s", directory->name);
	if (*directory->host) {
		add(out, "%s%s", between, directory->host);
		between = ", ";
	}
	if (*directory->cpu_model) {
		add(out, "%s%s", between, directory->cpu_model);
		between = ", ";
	}
	if (directory->threads != UINT64_MAX) {
		add(out, "%s%" PRIu64 " CPU%s", between, directory->threads,
		    directory->threads == 1 ? "" : "s");
		between = ", ";
	}
	if (*directory->kernel)
		add(out, "%sLinux %s", between, directory->kernel);
}

void figure_machine(const struct study *study, char out[1024])
{
	const struct study_directory *a = &study->directories[0], *b = &study->directories[1];
	bool two = study->directory_count > 1;
	bool same = two && strcmp(a->host, b->host) == 0 && strcmp(a->kernel, b->kernel) == 0 &&
	            strcmp(a->cpu_model, b->cpu_model) == 0;

	*out = '\0';
	machine_add(a, two && !same, out);
	if (two && !same) {
		add(out, "; ");
		machine_add(b, true, out);
	}
	for (unsigned i = STUDY_BYTES; i < STUDY_CELLS; i++) {
		const struct study_curve *curve = &study->curves[0];
		const char *plain = study_columns[i].plain;
		char text[STUDY_TEXT];

		if (study_columns[i].role != STUDY_OPTION || !study->agrees[i] ||
		    (plain && strcmp(curve->cells[i], plain) == 0) ||
		    !*study_cell_text(curve, i, text))
			continue;
		add(out, "%s%s%s", *out ? ", " : "", text,
		    i == STUDY_BYTES ? " for each worker" : "");
	}
	gnuplot_clean(out, false);
}

void figure_note(const struct study *study, const struct drawing *drawing, char out[1024])
{
	size_t rows = 0, left_out = 0, beyond = study->row_count - figure_rows_drawn(study);

	snprintf(out, 1024, "%s", drawing->note);
	for (unsigned i = 0; i < study->directory_count; i++) {
		rows += study->directories[i].rows;
		left_out += study->directories[i].left_out;
	}
	if (left_out)
		add(out, "%s%zu of %zu measurements left out: not valid", *out ? "; " : "",
		    left_out, rows);
	if (beyond)
		add(out, "%s%zu measurements of more than %d curves not shown", *out ? "; " : "",
		    beyond, FIGURE_CURVES);
	gnuplot_clean(out, false);
}
