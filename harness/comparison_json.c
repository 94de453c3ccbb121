// SPDX-License-Identifier: GPL-3.0-or-later
/* The report as one JSON object (RFC 8259), for programs that want the head as well. */
#include "comparison.h"

#include "json.h"

#include <math.h>

static void text_member(const char *name, const char *text, FILE *out)
{
	fprintf(out, "\"%s\": ", name);
	json_string(text, out);
}

static void number_member(const char *name, double value, FILE *out)
{
	if (isfinite(value))
		fprintf(out, "\"%s\": %.10g", name, value);
	else
		fprintf(out, "\"%s\": null", name);
}

static void contrast_print(const struct contrast *contrast, FILE *out)
{
	char text[VERDICT_TEXT];
	const struct {
		const char *name;
		double value;
	} numbers[] = {
	        {"a", contrast->side[0].units.mean},
	        {"b", contrast->side[1].units.mean},
	        {"a_stddev", contrast->side[0].units.sd},
	        {"b_stddev", contrast->side[1].units.sd},
	        {"a_n", (double)contrast->side[0].units.n},
	        {"b_n", (double)contrast->side[1].units.n},
	        {"ratio", contrast->ratio.value},
	        {"ratio_low", contrast->ratio.low},
	        {"ratio_high", contrast->ratio.high},
	        {"level", contrast->verdict.level},
	        {"p", contrast->p},
	        {"detectable", contrast->detectable},
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		number_member(numbers[i].name, numbers[i].value, out);
		fputs(", ", out);
	}
	text_member("verdict", verdict_word(&contrast->verdict), out);
	fputs(", ", out);
	text_member("text", verdict_text(&contrast->verdict, "after", text), out);
}

/* All steps of a point that is faster or slower; those of another are not looked at. */
static void steps_print(const struct comparison *comparison, size_t point, FILE *out)
{
	const char *comma = "";

	fputs(", \"steps\": [", out);
	for (size_t i = 0; i < comparison->change_count; i++) {
		const struct step_change *change = &comparison->changes[i];

		if (change->point != point)
			continue;
		fprintf(out, "%s\n      {", comma);
		text_member("step", change->step->step, out);
		fputs(", ", out);
		text_member("metric", "ns_per_unit", out);
		fputs(", ", out);
		text_member("unit", change->step->unit, out);
		fputs(", ", out);
		contrast_print(&change->contrast, out);
		fputc('}', out);
		comma = ",";
	}
	fputc(']', out);
}

static void points_print(const struct comparison *comparison, FILE *out)
{
	const struct matching *matching = &comparison->matching;

	for (size_t i = 0; i < matching->count; i++) {
		const struct matched *point = &matching->points[i];

		fputs(i ? ",\n    {" : "\n    {", out);
		for (size_t c = 0; c < matching->columns; c++)
			if (matching->column[c].identity) {
				json_string(matching->column[c].name, out);
				fputs(": ", out);
				json_string(point->row[0]->cell[c], out);
				fputs(", ", out);
			}
		text_member("metric", point->row[0]->cell[matching->metric_column], out);
		fputs(", ", out);
		contrast_print(&comparison->contrasts[i], out);
		steps_print(comparison, i, out);
		fputc('}', out);
	}
}

static void differences_print(const struct likeness *likeness, FILE *out)
{
	for (size_t i = 0; i < likeness->difference_count; i++) {
		const struct difference *at = &likeness->differences[i];

		fputs(i ? ",\n    {" : "\n    {", out);
		text_member("name", at->name, out);
		fputs(", ", out);
		text_member("before", at->value[0], out);
		fputs(", ", out);
		text_member("after", at->value[1], out);
		fputs(", ", out);
		text_member("meaning", at->meaning, out);
		fputc('}', out);
	}
}

static void facts_print(const struct likeness *likeness, int side, FILE *out)
{
	const char *comma = "";

	for (size_t i = 0; i < likeness->fact_count; i++) {
		const struct fact *fact = &likeness->facts[i];

		if (fact->side != side)
			continue;
		fprintf(out, "%s\n    [", comma);
		json_string(fact->key, out);
		fputs(", ", out);
		json_string(fact->value, out);
		fputc(']', out);
		comma = ",";
	}
}

void comparison_json(const struct comparison *comparison, FILE *out)
{
	static const char *const facts[] = {"facts_before", "facts_after"};
	char text[COMPARISON_TEXT];

	fputs("{\n  ", out);
	text_member("before", comparison->name[0], out);
	fputs(",\n  ", out);
	text_member("after", comparison->name[1], out);
	fputs(",\n  ", out);
	text_member("unit", comparison_unit_text(comparison, text), out);
	fputs(",\n  ", out);
	text_member("table", comparison_table_text(comparison, text), out);
	fputs(",\n  \"points\": [", out);
	points_print(comparison, out);
	fputs("],\n  \"overall\": {", out);
	contrast_print(&comparison->overall, out);
	fputs("},\n  \"differences\": [", out);
	differences_print(&comparison->likeness, out);
	for (int s = 0; s < 2; s++) {
		fprintf(out, "],\n  \"%s\": [", facts[s]);
		facts_print(&comparison->likeness, s, out);
	}
	fputs("]\n}\n", out);
}
