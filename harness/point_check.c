// SPDX-License-Identifier: GPL-3.0-or-later
/* What makes a point impossible, here or anywhere. */
#include "point.h"

#include "limit.h"
#include "units.h"

int point_check_memcg(const struct point *point, struct complaint *c)
{
	const struct options *options = &point->options;
	unsigned together = options->memcg == MEMCG_EACH ? 1 : point->workers;
	char limit[UNIT_TEXT], each[UNIT_TEXT];

	if (options->memcg == MEMCG_EACH && point->per_process > 1)
		return complain(c, EXIT_USAGE,
		                "--memcg=each: the threads of a process are in one memory cgroup\n"
		                "use --memcg=one, or --mode=process");
	if (options->memcg == MEMCG_NONE && options->memcg_max)
		return complain(c, EXIT_USAGE,
		                "--memcg-max without --memcg\nadd --memcg=one or each");
	if (!options->memcg_max || options->bytes < options->memcg_max / together)
		return 0;
	return complain(c, EXIT_FAILED,
	                "--memcg-max=%s is too small for %u x %s in a group\n"
	                "raise it, or ask for less",
	                size_format(options->memcg_max, limit), together,
	                size_format(options->bytes, each));
}

int point_check_process(const struct point *point, struct complaint *c)
{
	const struct step *step = workload_step_with(&point->workload, PROCESS_ONLY);

	if (!step || (point->per_process == 1 && point->options.layout == LAYOUT_GUARDED))
		return 0;
	return complain(c, EXIT_USAGE,
	                "'%s' acts on a whole process: it needs one for each worker\n"
	                "use --mode=process and --layout=guarded",
	                step->name);
}

int point_check_layout(const struct point *point, struct complaint *c)
{
	const struct workload *workload = &point->workload;

	if (point->options.layout == LAYOUT_GUARDED)
		return 0;
	if (workload_has_trait(workload, CHANGES_VMAS, false) ||
	    workload_has_trait(workload, CHANGES_VMAS, true))
		return complain(
		        c, EXIT_USAGE,
		        "'%s' changes VMAs, which workers share in this layout\n"
		        "use --layout=guarded, or a workload with only 'map' of such steps, "
		        "first in the setup",
		        workload->text);
	if (workload->setup_steps && workload->setup[0].step->gains & MAPPED)
		return 0;
	return complain(c, EXIT_USAGE,
	                "'%s' maps nothing before it starts\n"
	                "with this layout the setup must begin with 'map'",
	                workload->text);
}

int point_check_needs(struct point *point, struct complaint *c)
{
	const struct backing_need need = {
	        .workers = point->workers,
	        .per_process = point->per_process,
	        .bytes = point->options.bytes,
	        .rehearsal = point->rehearsal_pages * point->page,
	        .block = workload_step_with(&point->workload, NEEDS_BLOCK) ? point->options.block
	                                                                   : 0,
	};

	if (!copy_supported((enum copy_method)point->options.copy))
		return complain(c, EXIT_UNSUPPORTED,
		                "this CPU has no such way to copy (--copy)\nuse --copy=libc");
	if (backing_check(&point->backing, &point->options, &need, c))
		return -1;
	point->band = backing_band(&point->backing, &point->workload, point->huge);
	if (!workload_step_gaining(&point->workload, LOCKED))
		return 0;
	return limits_check_lock(point->options.bytes, point->per_process, c);
}
