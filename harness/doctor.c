// SPDX-License-Identifier: GPL-3.0-or-later
/* faultscale doctor: what on this machine will spoil a measurement, before one is made. */
#include "check.h"
#include "commands.h"
#include "csv.h"
#include "options.h"
#include "prose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_WIDTH = 19, TEXT_INDENT = 10 };

/* One line of --format=csv. */
struct check_row {
	const char *name, *status, *value, *meaning, *command;
};

#define CHECK(name, member) COLUMN(check_row, name, COLUMN_TEXT, member, "")

static const struct column check_columns[] = {
        CHECK("check", name),      CHECK("status", status),   CHECK("value", value),
        CHECK("meaning", meaning), CHECK("command", command), {.name = NULL},
};

static size_t checks_count(void)
{
	size_t count = 0;

	while (checks[count].name)
		count++;
	return count;
}

static int findings_csv(const struct finding *findings, struct complaint *c)
{
	struct csv csv;

	csv_open(&csv, STDOUT_FILENO, check_columns);
	csv_header(&csv);
	for (size_t i = 0; checks[i].name; i++) {
		struct check_row row = {
		        .name = checks[i].name,
		        .status = check_status_name(findings[i].status),
		        .value = findings[i].value,
		        .meaning = checks[i].meaning,
		        .command = checks[i].command,
		};

		csv_record(&csv, &row);
	}
	if (csv_close(&csv))
		return complain(c, EXIT_FAILED, "cannot write to standard output: %s",
		                strerror(csv.error));
	return 0;
}

/* One line for what is well; else also what it means, and what changes it. */
static void finding_print(const struct check *check, const struct finding *finding)
{
	printf("%-*s%-*s", TEXT_INDENT, check_status_name(finding->status), NAME_WIDTH,
	       check->name);
	prose_print(*finding->value ? finding->value : "-", TEXT_INDENT + NAME_WIDTH,
	            TEXT_INDENT + NAME_WIDTH, stdout);
	if (finding->status < CHECK_NOTE)
		return;
	printf("%*s", TEXT_INDENT, "");
	prose_print(check->meaning, TEXT_INDENT, TEXT_INDENT, stdout);
	if (!*check->command)
		return;
	printf("%*s", TEXT_INDENT, "");
	printf("-> ");
	prose_print(check->command, TEXT_INDENT + 3, TEXT_INDENT + 3, stdout);
}

/* The worst first; within a status, in the order of the table. */
static void findings_text(const struct finding *findings)
{
	unsigned counts[CHECK_STATUSES] = {0};

	for (int status = CHECK_STATUSES - 1; status >= 0; status--)
		for (size_t i = 0; checks[i].name; i++)
			if ((int)findings[i].status == status) {
				finding_print(&checks[i], &findings[i]);
				counts[status]++;
			}
	printf("\n%zu checks:", checks_count());
	for (int status = CHECK_STATUSES - 1; status >= 0; status--)
		if (counts[status])
			printf(" %u %s%s", counts[status],
			       check_status_name((enum check_status)status), status ? "," : "\n");
}

static int doctor_examine(const struct options *options, struct complaint *c)
{
	struct finding *findings = calloc(checks_count() + 1, sizeof(*findings));
	struct examination examination;
	int status = EXIT_OK;

	if (!findings || examination_begin(&examination, c)) {
		free(findings);
		return findings ? -1 : complain(c, EXIT_FAILED, "no memory");
	}
	for (size_t i = 0; checks[i].name; i++) {
		findings[i] = check_find(&checks[i], &examination.subject);
		if (findings[i].status == CHECK_PREVENTS)
			status = EXIT_FAILED;
	}
	examination_end(&examination);
	if (options->format == FORMAT_TEXT)
		findings_text(findings);
	else if (findings_csv(findings, c))
		status = -1;
	free(findings);
	return status;
}

int doctor_main(int count, char *const words[], struct complaint *c)
{
	struct options options = {0};

	if (options_parse(COMMAND_DOCTOR, count, words, &options, c))
		return -1;
	if (options.help) {
		printf("usage: faultscale doctor [options]\n\n"
		       "Says what on this machine will spoil a measurement or refuse to work, what "
		       "it\nmeans, and which command changes it.  Changes nothing itself.\n\n");
		options_help(COMMAND_DOCTOR, stdout);
		return EXIT_OK;
	}
	if (*options.operand)
		return complain(c, EXIT_USAGE, "'%s': doctor takes no words\nsay faultscale doctor",
		                options.operand);
	return doctor_examine(&options, c);
}
