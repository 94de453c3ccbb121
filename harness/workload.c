// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define HELD (PRESENT | OWNED)

const struct ground ground_private_anonymous = {
        .name = "private anonymous memory",
        .unfit = FILE_ONLY | SHARED_ONLY,
};

/* Appends a printf-formatted text to the string in `out`; cuts at `size`. */
__attribute__((format(printf, 3, 4))) static void text_append(char *out, size_t size,
                                                              const char *format, ...)
{
	size_t used = strlen(out);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(out + used, size - used, format, arguments);
	va_end(arguments);
}

/* The names of the steps for this ground that gain (or lose) the fact, joined by " or ". */
static void fact_menders(const struct ground *ground, unsigned fact, bool gain, char *out,
                         size_t size)
{
	out[0] = '\0';
	for (const struct step *step = step_rows; step->name; step++)
		if ((gain ? step->gains : step->loses) & fact && !(step->traits & ground->unfit))
			text_append(out, size, "%s%s", out[0] ? " or " : "", step->name);
}

static const char *fact_name(unsigned facts)
{
	return fact_names[__builtin_ctz(facts)];
}

/* Applies one step to the facts; refuses it at `where` when its contract does not hold. */
static int stage_walk(struct stage *stage, const struct ground *ground, unsigned *facts,
                      const char *where, struct complaint *c)
{
	const struct step *step = stage->step;
	unsigned gains = step->gains | (step->gains & PRESENT ? ground->with_presence : 0);
	unsigned loses = step->loses | (step->loses & MAPPED ? ground->with_mapping : 0);
	unsigned missing = step->needs & ~*facts;
	unsigned unwanted = step->forbids & *facts;
	char menders[256];

	if (unwanted) {
		fact_menders(ground, unwanted & -unwanted, false, menders, sizeof(menders));
		return complain(c, EXIT_USAGE,
		                "%s '%s' finds memory already %s\n"
		                "put %s before it, or take '%s' out",
		                where, step->name, fact_name(unwanted), menders, step->name);
	}
	if (missing) {
		fact_menders(ground, missing & -missing, true, menders, sizeof(menders));
		return complain(c, EXIT_USAGE,
		                "%s '%s' finds memory not %s\n"
		                "put %s before it, or take '%s' out",
		                where, step->name, fact_name(missing), menders, step->name);
	}
	stage->before = *facts;
	stage->faults_per_page = step->gains & HELD & ~*facts ? 1 : 0;
	stage->unsure = *facts & UNCERTAIN && step->gains & PRESENT;
	*facts = (*facts | gains) & ~loses;
	stage->facts = *facts;
	return 0;
}

static int stages_walk(struct stage *stages, unsigned count, const struct ground *ground,
                       unsigned *facts, const char *where, struct complaint *c)
{
	for (unsigned i = 0; i < count; i++)
		if (stage_walk(&stages[i], ground, facts, where, c))
			return -1;
	return 0;
}

/* Walks the setup once and the loop twice: a lap must end with the facts it began with. */
static int workload_check(struct workload *workload, const struct ground *ground,
                          struct complaint *c)
{
	unsigned facts = 0, before, changed;

	if (stages_walk(workload->setup, workload->setup_steps, ground, &facts, "in the setup", c))
		return -1;
	before = facts;
	if (stages_walk(workload->loop, workload->loop_steps, ground, &facts, "on the first lap",
	                c))
		return -1;
	changed = facts ^ before;
	workload->facts = before;
	if (stages_walk(workload->loop, workload->loop_steps, ground, &facts, "on the second lap",
	                c))
		return -1;
	if (changed)
		return complain(
		        c, EXIT_USAGE,
		        "a lap must leave memory as it found it: after the first it is %s%s\n"
		        "each lap would do other work than the one before; end with a step "
		        "that undoes it%s",
		        changed & before ? "no longer " : "newly ", fact_name(changed),
		        changed & CACHED ? ", or fill the page cache in the setup" : "");
	return 0;
}

/* The first step counted in pages, else the first counted in bytes. */
static int workload_headline(const struct workload *workload)
{
	for (unsigned i = 0; i < workload->loop_steps; i++)
		if (workload->loop[i].step->unit == UNIT_PAGE)
			return (int)i;
	for (unsigned i = 0; i < workload->loop_steps; i++)
		if (workload->loop[i].step->unit == UNIT_BYTE)
			return (int)i;
	return -1;
}

static int stage_add(struct stage *stages, unsigned *count, const char *name, struct complaint *c)
{
	const struct step *step = step_find(name);

	if (!step)
		return complain(c, EXIT_USAGE,
		                "'%s' is neither a step nor a preset\n"
		                "see 'faultscale list steps' and 'faultscale list presets'",
		                name);
	if (*count == WORKLOAD_STEPS)
		return complain(c, EXIT_USAGE, "more than %d steps\nmake the workload shorter",
		                WORKLOAD_STEPS);
	for (unsigned i = 0; i < *count; i++)
		if (stages[i].step == step)
			return complain(
			        c, EXIT_USAGE,
			        "'%s' appears twice\na step may appear once, so that its row "
			        "in the results is its own",
			        name);
	stages[(*count)++] = (struct stage){.step = step};
	return 0;
}

/* Ends the setup: what was read as the loop so far becomes the setup. */
static int workload_colon(struct workload *workload, struct complaint *c)
{
	if (workload->setup_steps || !workload->loop_steps)
		return complain(
		        c, EXIT_USAGE,
		        "misplaced ':'\n"
		        "write the setup, one ':', then the loop, like 'map: fault dontneed'");
	memcpy(workload->setup, workload->loop, sizeof(workload->setup));
	workload->setup_steps = workload->loop_steps;
	workload->loop_steps = 0;
	return 0;
}

static int workload_words(const char *text, struct workload *workload, struct complaint *c)
{
	static const char blanks[] = " \t\n";
	char name[64];

	while (*(text += strspn(text, blanks))) {
		size_t length = strcspn(text, " \t\n:");

		if (*text == ':') {
			if (workload_colon(workload, c))
				return -1;
			text++;
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", (int)length, text);
		if (stage_add(workload->loop, &workload->loop_steps, name, c))
			return -1;
		text += length;
	}
	if (!workload->loop_steps)
		return complain(c, EXIT_USAGE,
		                "the loop is empty\nname at least one step after the ':'");
	return 0;
}

static void workload_text(struct workload *workload)
{
	workload->text[0] = '\0';
	for (unsigned i = 0; i < workload->setup_steps; i++)
		text_append(workload->text, sizeof(workload->text), "%s%s", i ? " " : "",
		            workload->setup[i].step->name);
	if (workload->setup_steps)
		text_append(workload->text, sizeof(workload->text), ": ");
	for (unsigned i = 0; i < workload->loop_steps; i++)
		text_append(workload->text, sizeof(workload->text), "%s%s", i ? " " : "",
		            workload->loop[i].step->name);
}

/* Refuses a step that cannot act on this kind of memory. */
static int workload_fits(const struct workload *workload, const struct ground *ground,
                         struct complaint *c)
{
	for (unsigned trait = 1; trait && trait <= ground->unfit; trait <<= 1) {
		const struct step *step =
		        ground->unfit & trait ? workload_step_with(workload, trait) : NULL;

		if (step)
			return complain(c, EXIT_USAGE,
			                "'%s' cannot act on %s\n"
			                "choose other memory with --backing and --share, or "
			                "take the step out",
			                step->name, ground->name);
	}
	return 0;
}

int workload_parse_on(const struct ground *ground, const char *text, struct workload *workload,
                      struct complaint *c)
{
	*workload = (struct workload){.headline = -1};
	if (workload_words(text, workload, c) || workload_fits(workload, ground, c) ||
	    workload_check(workload, ground, c))
		return -1;
	workload_text(workload);
	workload->headline = workload_headline(workload);
	return 0;
}

int workload_parse(const char *text, struct workload *workload, struct complaint *c)
{
	return workload_parse_on(&ground_private_anonymous, text, workload, c);
}

const struct step *workload_step_with(const struct workload *workload, enum trait trait)
{
	for (unsigned i = 0; i < workload->setup_steps; i++)
		if (workload->setup[i].step->traits & trait)
			return workload->setup[i].step;
	for (unsigned i = 0; i < workload->loop_steps; i++)
		if (workload->loop[i].step->traits & trait)
			return workload->loop[i].step;
	return NULL;
}

const struct step *workload_step_gaining(const struct workload *workload, enum fact fact)
{
	for (unsigned i = 0; i < workload->setup_steps; i++)
		if (workload->setup[i].step->gains & fact)
			return workload->setup[i].step;
	for (unsigned i = 0; i < workload->loop_steps; i++)
		if (workload->loop[i].step->gains & fact)
			return workload->loop[i].step;
	return NULL;
}

bool workload_has_trait(const struct workload *workload, enum trait trait, bool setup)
{
	if (setup) {
		for (unsigned i = 1; i < workload->setup_steps; i++)
			if (workload->setup[i].step->traits & trait)
				return true;
		return false;
	}
	for (unsigned i = 0; i < workload->loop_steps; i++)
		if (workload->loop[i].step->traits & trait)
			return true;
	return false;
}

double step_pages(const struct step *step, double work, size_t page)
{
	switch (step->unit) {
	case UNIT_PAGE:
		return work;
	case UNIT_BYTE:
		return work / (double)page;
	case UNIT_CALL:
		break;
	}
	return 0;
}

uint64_t stage_faults(const struct stage *stage, uint64_t work, size_t page)
{
	if (stage->step->unit == UNIT_BYTE)
		work /= page;
	return stage->faults_per_page * work;
}

uint64_t stage_doubt(const struct stage *stage, uint64_t work, size_t page)
{
	if (stage->step->unit == UNIT_BYTE)
		work /= page;
	return stage->unsure ? work : 0;
}
