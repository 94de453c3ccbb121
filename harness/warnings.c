// SPDX-License-Identifier: GPL-3.0-or-later
#include "warnings.h"

#include "prose.h"
#include "units.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Whether a rule may speak at all for this row. */
typedef bool condition(const struct point_row *row, const struct point *point);

enum style { STYLE_COUNT, STYLE_PERCENT, STYLE_RATIO };

struct rule {
	const char *column; /* of points.csv */
	double above;       /* speaks where the value is greater ... */
	double below;       /* ... or less */
	condition *when;    /* NULL: always */
	enum style style;
	bool note;                  /* worth knowing, not a doubt */
	const char *before, *after; /* the words around the value */
};

static bool is_oversubscribed(const struct point_row *row, const struct point *point)
{
	(void)row;
	return point->oversubscribed;
}

static bool has_own_cpus(const struct point_row *row, const struct point *point)
{
	(void)row;
	return !point->oversubscribed;
}

static bool may_be_huge(const struct point_row *row, const struct point *point)
{
	return !point->exact && point->backing.kind == BACKING_ANON && row->derived_faults;
}

/* Two percent for windows whose edges fall inside a lap. */
static bool is_outside_band(const struct point_row *row, const struct point *point)
{
	return !point->exact && (row->faults_per_page < 0.98 * row->band_low ||
	                         row->faults_per_page > 1.02 * row->band_high);
}

static bool is_window(const struct point_row *row, const struct point *point)
{
	(void)row;
	return !point->options.laps;
}

/* Three standard errors: chance alone would say so in 0.3 % of steady runs. */
static bool has_drifted(const struct point_row *row, const struct point *point)
{
	return is_window(row, point) && fabs(row->noise.drift) > 3 * row->noise.drift_error;
}

static bool clock_changed(const struct point_row *row, const struct point *point)
{
	(void)point;
	return *row->noise.clock_source && *row->noise.clock_source_after &&
	       strcmp(row->noise.clock_source, row->noise.clock_source_after) != 0;
}

static bool damon_on(const struct point_row *row, const struct point *point)
{
	(void)point;
	return row->noise.damon && strcmp(row->noise.damon, "on") == 0;
}

#define ABOVE(limit) .above = (limit), .below = -INFINITY
#define BELOW(limit) .above = INFINITY, .below = (limit)
#define BEYOND(limit) .above = (limit), .below = -(limit)
#define WHENEVER(condition) .when = (condition), ABOVE(-INFINITY)

/* clang-format off */
static const struct rule rules[] = {
	{ "workers", WHENEVER(is_oversubscribed), .before = "oversubscribed:",
	  .after = "workers share fewer CPUs" },
	{ "faults_per_page", BELOW(0.999), .when = may_be_huge, .style = STYLE_RATIO,
	  .before = "huge pages took part:", .after = "faults a page; --thp=never rules them out" },
	{ "faults_per_page", WHENEVER(is_outside_band), .style = STYLE_RATIO,
	  .after = "faults a page are outside what was expected" },
	{ "stray_faults", ABOVE(0), .note = true,
	  .after = "faults more than the steps are due: the kernel's own doing" },
	{ "major_faults", ABOVE(0), .after = "major faults: memory came back from swap or a file" },
	{ "steal", ABOVE(0.01), .style = STYLE_PERCENT,
	  .before = "the hypervisor took", .after = "of the CPUs' time" },
	{ "run_delay", ABOVE(0.02), .when = has_own_cpus, .style = STYLE_PERCENT,
	  .before = "workers waited", .after = "of the time for their CPUs: other load?" },
	{ "throttled_periods", ABOVE(0), .before = "the cgroup's CPU quota ran out in",
	  .after = "periods: the workers stood still" },
	{ "numa_hint_faults", ABOVE(0),
	  .after = "NUMA hint faults: numa_balancing unmaps pages to see who uses them" },
	{ "khugepaged_collapses", ABOVE(0),
	  .after = "times khugepaged made, or tried to make, a huge page" },
	{ "compaction_stalls", ABOVE(0), .after = "allocations waited for compaction" },
	{ "compaction_pages", ABOVE(0), .after = "pages looked at by compaction" },
	{ "reclaim_pages", ABOVE(0), .after = "pages looked at by reclaim: memory is short" },
	{ "thp_fault_fallback", ABOVE(0),
	  .after = "faults wanted a huge page and got small ones: memory is fragmented or short" },
	{ "swap_in_pages", ABOVE(0), .after = "pages came back from swap" },
	{ "swap_out_pages", ABOVE(0), .after = "pages went to swap" },
	{ "damon", WHENEVER(damon_on),
	  .before = "DAMON is on: it clears accessed bits, which costs TLB misses" },
	{ "clock_source_after", WHENEVER(clock_changed),
	  .before = "the kernel changed its clock source meanwhile: times before and after differ" },
	{ "drift", BEYOND(0.03), .when = has_drifted, .style = STYLE_PERCENT,
	  .before = "the rate drifted by", .after = "over the window: not steady yet, or other load" },
	{ "lap_p50_by_p10", ABOVE(1.25), .when = has_own_cpus, .style = STYLE_RATIO,
	  .before = "laps were uneven: their median time is", .after = "times their p10" },
	{ "coalesced", ABOVE(0), .note = true,
	  .after = "samples found the ring full and were added to the next" },
	{ .column = NULL },
};
/* clang-format on */

/* The column's value as a number: 0 for a text, NAN where it is unknown. */
static double column_value(const struct point_row *row, const char *name)
{
	const struct column *column = result_tables[RESULT_POINTS].columns;
	const char *field;
	uint64_t count;

	while (strcmp(column->name, name) != 0)
		column++;
	field = (const char *)row + column->offset;
	if (column->kind == COLUMN_TEXT)
		return 0;
	if (column->kind == COLUMN_REAL)
		return *(const double *)(const void *)field;
	count = *(const uint64_t *)(const void *)field;
	return count == UNKNOWN_COUNT ? NAN : (double)count;
}

static bool rule_speaks(const struct rule *rule, const struct point_row *row,
                        const struct point *point)
{
	double value = column_value(row, rule->column);

	return (value > rule->above || value < rule->below) &&
	       (!rule->when || rule->when(row, point));
}

static void value_format(const struct rule *rule, double value, char out[UNIT_TEXT])
{
	switch (rule->style) {
	case STYLE_COUNT:
		count_format(value, out);
		break;
	case STYLE_PERCENT:
		snprintf(out, UNIT_TEXT, "%.1f %%", 100 * value);
		break;
	case STYLE_RATIO:
		snprintf(out, UNIT_TEXT, value < 0.1 ? "%.4f" : "%.2f", value);
		break;
	}
}

/* "warning:", then the words around the value. */
static void rule_print(const struct rule *rule, const struct point_row *row, FILE *out)
{
	char value[UNIT_TEXT], text[256];

	value_format(rule, column_value(row, rule->column), value);
	snprintf(text, sizeof(text), "%s: %s %s %s", rule->note ? "note" : "warning",
	         rule->before ? rule->before : "", rule->after ? value : "",
	         rule->after ? rule->after : "");
	prose_print(text, 0, 4, out);
}

void warnings_print(const struct point_row *row, const struct point *point, FILE *out)
{
	for (const struct rule *rule = rules; rule->column; rule++)
		if (rule_speaks(rule, row, point))
			rule_print(rule, row, out);
}

void warnings_noise(const struct noise_row *noise, double steal, const struct point *point,
                    FILE *out)
{
	struct point_row row = {0};

	for (const struct column *at = result_tables[RESULT_POINTS].columns; at->name; at++) {
		char *field = (char *)&row + at->offset;

		if (at->kind == COLUMN_REAL)
			*(double *)(void *)field = (double)NAN;
		else if (at->kind == COLUMN_COUNT)
			*(uint64_t *)(void *)field = UNKNOWN_COUNT;
	}
	row.noise = *noise;
	row.noise.drift = row.noise.drift_error = (double)NAN;
	row.steal = steal;
	warnings_print(&row, point, out);
}

void warnings_list(const struct point_row *row, const struct point *point, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (const struct rule *rule = rules; rule->column && used < size; rule++)
		if (!rule->note && rule_speaks(rule, row, point))
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? " " : "",
			                         rule->column);
}
