// SPDX-License-Identifier: GPL-3.0-or-later
#include "backing.h"
#include "options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MS UINT64_C(1000000)
#define SECOND (1000 * MS)
#define MIB (UINT64_C(1) << 20)

/* A command line in one string; its words are separated by single blanks, "''" is an empty one. */
struct line {
	char text[1024];
	char *words[300];
	int count;
};

static void line_split(struct line *line, const char *text)
{
	line->count = 0;
	assert_true(strlen(text) < sizeof(line->text));
	strcpy(line->text, text);
	for (char *rest = line->text, *word; *text && (word = strsep(&rest, " "));)
		line->words[line->count++] = strcmp(word, "''") == 0 ? word + 2 : word;
}

/* The options of the last line parsed; its texts live in `last`. */
static struct line last;

static struct options parsed(const char *text)
{
	struct options options = {0};
	struct complaint c = {0};

	line_split(&last, text);
	if (options_parse(COMMAND_RUN, last.count, last.words, &options, &c))
		fail_msg("'%s' was refused: %s", text, c.text);
	return options;
}

static void assert_refused_by(enum command command, const char *text, const char *says)
{
	struct options options = {0};
	struct complaint c = {0};

	line_split(&last, text);
	if (!options_parse(command, last.count, last.words, &options, &c))
		fail_msg("'%s' was accepted", text);
	assert_int_equal(c.status, EXIT_USAGE);
	if (!strstr(c.text, says))
		fail_msg("'%s': '%s' lacks '%s'", text, c.text, says);
}

static void assert_refused(const char *text, const char *says)
{
	assert_refused_by(COMMAND_RUN, text, says);
}

static void defaults(void **state)
{
	struct options options = parsed("nop");

	(void)state;
	assert_null(options.preset);
	assert_int_equal(options.workers, 0);
	assert_int_equal(options.mode, MODE_PROCESS);
	assert_int_equal(options.per_process, 0);
	assert_int_equal(options.bytes, 2 * MIB);
	assert_int_equal(options.total_bytes, 0);
	assert_int_equal(options.piece, 0);
	assert_int_equal(options.block, 1024);
	assert_int_equal(options.duration, 5 * SECOND);
	assert_int_equal(options.warmup, SECOND);
	assert_int_equal(options.interval, 100 * MS);
	assert_int_equal(options.laps, 0);
	assert_int_equal(options.repeat, 1);
	assert_string_equal(options.cpus, "");
	assert_string_equal(options.output, "");
	assert_int_equal(options.order, ORDER_CORES);
	assert_int_equal(options.layout, LAYOUT_GUARDED);
	assert_int_equal(options.thp, THP_DEFAULT);
	assert_int_equal(options.format, FORMAT_TEXT);
	assert_false(options.no_pin || options.oversubscribe || options.help);
}

static void values_are_read(void **state)
{
	struct options options;

	(void)state;
	options = parsed("-n 3 --mode=thread --bytes=64K -d 0.5 --warmup=10ms --cpus=0-3 nop");
	assert_int_equal(options.workers, 3);
	assert_int_equal(options.mode, MODE_THREAD);
	assert_int_equal(options.bytes, 65536);
	assert_int_equal(options.duration, 500 * MS);
	assert_int_equal(options.warmup, 10 * MS);
	assert_string_equal(options.cpus, "0-3");
	options = parsed("--no-pin --oversubscribe --layout=merged --thp always -r7 -o d nop");
	assert_true(options.no_pin && options.oversubscribe);
	assert_int_equal(options.layout, LAYOUT_MERGED);
	assert_int_equal(options.thp, THP_ALWAYS);
	assert_int_equal(options.repeat, 7);
	assert_string_equal(options.output, "d");
}

/* Every way to write an option and its value, anywhere on the line; the last one counts. */
static void spellings(void **state)
{
	static const char *const same[] = {"-n 3 nop",   "-n3 nop",         "--workers=3 nop",
	                                   "nop -n 3",   "--workers 3 nop", "-n 2 -n 3 nop",
	                                   "-n 3 -- nop"};

	(void)state;
	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++) {
		struct options options = parsed(same[i]);

		assert_int_equal(options.workers, 3);
		assert_string_equal(options.operand, "nop");
	}
}

static void all_means_one_worker_per_cpu(void **state)
{
	(void)state;
	assert_int_equal(parsed("-n all nop").workers, 0);
	assert_int_equal(parsed("multi-fault -n all").workers, 0);
	assert_refused("-n ALL nop", "--workers: ");
}

static void workloads_may_be_one_word_or_many(void **state)
{
	struct options options = parsed("map: -n 2 fault dontneed");

	(void)state;
	assert_string_equal(options_workload(&options), "map: fault dontneed");
	line_split(&last, "-n 2 x");
	last.words[2] = (char[]){"map: fault dontneed"};
	assert_int_equal(
	        options_parse(COMMAND_RUN, 3, last.words, &options, &(struct complaint){0}), 0);
	assert_string_equal(options_workload(&options), "map: fault dontneed");
}

static void without_a_workload_the_first_preset_runs(void **state)
{
	struct options options = parsed("-n 2");

	(void)state;
	assert_ptr_equal(options.preset, preset_rows);
	assert_string_equal(options_workload(&options), "map: fault dontneed");
	assert_int_equal(options.thp, THP_NEVER);
	options = parsed("");
	assert_ptr_equal(options.preset, preset_rows);
}

static void presets_are_options_and_a_workload(void **state)
{
	struct options options = parsed("memory-test");

	(void)state;
	assert_string_equal(options.preset->name, "memory-test");
	assert_string_equal(options_workload(&options), "map: fault memcpy dontneed");
	assert_int_equal(options.bytes, 1024 * MIB);
	assert_int_equal(options.laps, 1);
	assert_int_equal(options.thp, THP_NEVER);
}

static void the_command_line_wins_over_the_preset(void **state)
{
	struct options options = parsed("memory-test --bytes=4M --thp=always");

	(void)state;
	assert_int_equal(options.bytes, 4 * MIB);
	assert_int_equal(options.thp, THP_ALWAYS);
	assert_int_equal(options.laps, 1);
	options = parsed("--bytes=4M memory-test");
	assert_int_equal(options.bytes, 4 * MIB);
}

static void options_put_others_of_the_preset_out_of_force(void **state)
{
	struct options options = parsed("memory-test -d 2s");

	(void)state;
	assert_int_equal(options.laps, 0);
	assert_int_equal(options.duration, 2 * SECOND);
	options = parsed("multi-fault --laps=3");
	assert_int_equal(options.laps, 3);
	options = parsed("memory-test --total-bytes=8M");
	assert_int_equal(options.total_bytes, 8 * MIB);
	options = parsed("memory-test --laps=5");
	assert_int_equal(options.laps, 5);
}

static void options_that_exclude_each_other(void **state)
{
	(void)state;
	assert_refused("--laps=1 -d 1 nop", "exclude each other");
	assert_refused("-d 1 --laps=1 multi-fault", "exclude each other");
	assert_refused("--bytes=1M --total-bytes=2M nop", "--bytes and --total-bytes exclude");
	assert_refused("--mode=thread --per-process=2 nop", "--per-process and --mode exclude");
	assert_refused("--no-pin --order=spread nop", "--no-pin and --order exclude");
}

static void abbreviations_are_refused(void **state)
{
	(void)state;
	assert_refused("--work=2 nop", "unknown option '--work=2'\nwrite --workers in full");
	assert_refused("--worker 2 nop", "write --workers in full");
	assert_refused("--b=2M nop", "unknown option '--b=2M'");
	assert_refused("--over nop", "write --oversubscribe in full");
	assert_refused("--bytes2=2M nop", "unknown option '--bytes2=2M'");
}

static void unknown_options_are_named(void **state)
{
	(void)state;
	assert_refused("--nonsense nop", "unknown option '--nonsense'");
	assert_refused("-z nop", "unknown option '-z'");
	assert_refused("nop -z", "unknown option '-z'");
	assert_refused("-zn2 nop", "unknown option '-z'");
	assert_refused("-hz nop", "unknown option '-z'");
	assert_refused("nop -d 1 -zh", "unknown option '-z'");
	assert_refused_by(COMMAND_LIST, "--bytes=1M steps", "unknown option '--bytes=1M'");
}

static void values_must_be_there_or_not(void **state)
{
	(void)state;
	assert_refused("nop -n", "option '-n' needs a value");
	assert_refused("nop --bytes",
	               "option '--bytes' needs a value\nwrite it like --bytes=VALUE");
	assert_refused("nop --no-pin=yes", "takes no value\nwrite --no-pin");
	assert_refused("nop --bytes=", "--bytes: ");
	assert_refused("-n '' nop", "--workers: ");
}

static void bad_values_are_refused_with_the_option(void **state)
{
	static const struct {
		const char *words, *says;
	} bad[] = {
	        {"-n 0", "--workers: bad count '0': expected a whole number from 1 to 65536"},
	        {"-n -1", "--workers: "},
	        {"-n 1e3", "--workers: bad count '1e3'"},
	        {"-n 100000", "--workers: bad count '100000'"},
	        {"-n 99999999999999999999", "--workers: "},
	        {"-n 2x", "--workers: bad count '2x'"},
	        {"--per-process=0", "--per-process: bad count '0'"},
	        {"--mode=threads", "--mode: 'threads' is not one of process, thread"},
	        {"--mode=proc", "--mode: 'proc' is not one of"},
	        {"--bytes=0", "--bytes: '0' is out of range"},
	        {"--bytes=2X", "--bytes: "},
	        {"--bytes=-1", "--bytes: "},
	        {"--bytes=2000T", "--bytes: '2000T' is out of range"},
	        {"--total-bytes=0", "--total-bytes: "},
	        {"--piece=0", "--piece: "},
	        {"--block=0", "--block: "},
	        {"-d 0", "--duration: '0' is out of range"},
	        {"-d 0.5ms", "--duration: '0.5ms' is out of range: from 1ms"},
	        {"-d 31m2", "--duration: "},
	        {"-d 1,5", "--duration: "},
	        {"-d 43201m", "--duration: '43201m' is out of range"},
	        {"--warmup=-1", "--warmup: "},
	        {"--laps=0", "--laps: "},
	        {"--interval=0", "--interval: '0' is out of range"},
	        {"-r 0", "--repeat: "},
	        {"--timeout=1ms", "--timeout: '1ms' is out of range: from 100ms"},
	        {"--order=pack", "--order: 'pack' is not one of cores, siblings, spread, numeric"},
	        {"--layout=x", "--layout: 'x' is not one of guarded, merged, interleaved"},
	        {"--thp=on", "--thp: 'on' is not one of default, never, always"},
	        {"--format=json", "--format: 'json' is not one of text, csv"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_refused(bad[i].words, bad[i].says);
}

/* A value is refused although a preset or a later word would have replaced it. */
static void a_bad_value_is_never_forgiven(void **state)
{
	(void)state;
	assert_refused("--thp=on multi-fault", "--thp: ");
	assert_refused("-n 0 -n 1 nop", "--workers: ");
}

static void edges_of_ranges_are_accepted(void **state)
{
	(void)state;
	assert_int_equal(parsed("--bytes=1 nop").bytes, 1);
	assert_int_equal(parsed("--bytes=1024T nop").bytes, UINT64_C(1) << 50);
	assert_int_equal(parsed("-d 1ms nop").duration, MS);
	assert_int_equal(parsed("--warmup=0 nop").warmup, 0);
	assert_int_equal(parsed("-n 65536 nop").workers, 65536);
}

static void too_many_or_too_long_words_are_refused(void **state)
{
	struct options options = {0};
	struct complaint c = {0};
	static char word[600], nop[] = "nop";
	char *words[300];

	(void)state;
	for (int i = 0; i < 300; i++)
		words[i] = nop;
	assert_int_equal(options_parse(COMMAND_RUN, 300, words, &options, &c), -1);
	assert_non_null(strstr(c.text, "300 words"));
	assert_int_equal(options_parse(COMMAND_RUN, 254, words, &options, &c), -1);
	assert_non_null(strstr(c.text, "254 words that are no options"));
	memset(word, 'x', sizeof(word) - 1);
	words[0] = word;
	assert_int_equal(options_parse(COMMAND_RUN, 1, words, &options, &c), -1);
	assert_non_null(strstr(c.text, "the workload is longer"));
}

static void assert_same_point(const char *one, const char *other, bool same)
{
	char keys[2][OPTIONS_KEY];
	struct options options = {0};

	options = parsed(one);
	options_key(&options, keys[0]);
	options = parsed(other);
	options_key(&options, keys[1]);
	if ((strcmp(keys[0], keys[1]) == 0) != same)
		fail_msg("'%s' and '%s' have %s key", one, other, same ? "another" : "the same");
}

static void the_same_point_has_the_same_key(void **state)
{
	(void)state;
	assert_same_point("multi-fault", "", true);
	assert_same_point("multi-fault", "--bytes=2M --thp=never map: fault dontneed", true);
	assert_same_point("-n 2 nop", "--workers=2 nop", true);
	assert_same_point("--bytes=2M nop", "--bytes=2048K nop", true);
	assert_same_point("-d 1.5s nop", "-d 1500ms nop", true);
	assert_same_point("memory-test", "memory-test --laps=1", true);
}

static void a_list_has_one_key_however_it_is_written(void **state)
{
	(void)state;
	assert_same_point("--cpus=0-1 nop", "--cpus=0,1 nop", true);
	assert_same_point("--cpus=0,2,4 nop", "--cpus=4,0-3:2 nop", true);
	assert_same_point("--cpus=0-1 nop", "--cpus=0-2 nop", false);
	assert_same_point("--mem=bind:0-1 nop", "--mem=bind:1,0 nop", true);
	assert_same_point("--mem=bind:0-1 nop", "--mem=bind:0 nop", false);
	assert_same_point("--cpus=0-510:2,600 nop", "--cpus=0-510:2,602 nop", false);
}

static void what_has_no_effect_on_fixed_work_is_not_in_the_key(void **state)
{
	(void)state;
	assert_same_point("--laps=2 nop", "--laps=2 --warmup=3s nop", true);
	assert_same_point("memory-test", "memory-test --warmup=0", true);
	assert_same_point("--laps=2 nop", "--laps=3 nop", false);
	assert_same_point("nop", "--warmup=3s nop", false);
}

static void how_it_is_looked_at_is_not_in_the_key(void **state)
{
	(void)state;
	assert_same_point("nop", "nop --interval=10ms -r 3 -o x --format=csv --timeout=5s", true);
}

static void another_point_has_another_key(void **state)
{
	static const char *const others[] = {
	        "-n 3",
	        "--mode=thread",
	        "--per-process=2",
	        "--bytes=4K",
	        "--block=2K",
	        "-d 1",
	        "--warmup=0",
	        "--laps=1",
	        "--cpus=0",
	        "--order=spread",
	        "--no-pin",
	        "--oversubscribe",
	        "--layout=merged",
	        "--thp=never",
	        "--piece=4K",
	        "--total-bytes=4M",
	};
	char words[64];

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		snprintf(words, sizeof(words), "%s nop", others[i]);
		assert_same_point("nop", words, false);
	}
	assert_same_point("nop", "map: nop", false);
}

/* What --help prints for a command; good until the next call. */
static char *help_text(enum command command)
{
	static char text[16384];
	FILE *out = fmemopen(text, sizeof(text), "w");

	assert_non_null(out);
	options_help(command, out);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void help_fits_a_screen(void **state)
{
	static const enum command commands[] = {COMMAND_RUN,    COMMAND_LIST,    COMMAND_SWEEP,
	                                        COMMAND_DUEL,   COMMAND_COMPARE, COMMAND_PLOT,
	                                        COMMAND_EXPORT, COMMAND_DOCTOR};

	(void)state;
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		char *text = help_text(commands[i]);

		for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
			if (strlen(line) > 80)
				fail_msg("more than 80 columns: %s", line);
	}
}

static void help_has_every_option_with_its_default(void **state)
{
	char *text = help_text(COMMAND_RUN);

	(void)state;
	for (const struct option_row *row = option_rows; row->name; row++) {
		char name[64], line_text[128];
		const char *line;

		snprintf(name, sizeof(name), " --%s", row->name);
		if (!(row->commands & COMMAND_RUN))
			continue;
		line = strstr(text, name);
		assert_non_null(line);
		snprintf(line_text, sizeof(line_text), "%.*s", line ? (int)strcspn(line, "\n") : 0,
		         line);
		snprintf(name, sizeof(name), " [%s]", row->initial ? row->initial : "");
		if (row->initial && *row->initial)
			assert_non_null(strstr(line_text, name));
	}
}

/* What an option's value is printed as is what can be typed to have it again. */
static void values_are_written_as_they_would_be_typed(void **state)
{
	(void)state;
	for (const struct option_row *row = option_rows; row->name; row++) {
		struct options options = parsed("memory-test -n 3 --piece=3K -d 1234ms");
		char text[256], again[256], words[512];

		if (!(row->commands & COMMAND_RUN) || row->kind == OPTION_FLAG)
			continue;
		if (!*option_text(row, &options, text, sizeof(text)))
			continue;
		snprintf(words, sizeof(words), "--%s=%s %s nop", row->name, text,
		         row->with ? "--precision=1%" : "");
		options = parsed(words);
		assert_string_equal(option_text(row, &options, again, sizeof(again)), text);
	}
}

static void presets_parse(void **state)
{
	(void)state;
	for (const struct preset *preset = preset_rows; preset->name; preset++) {
		struct options options = parsed(preset->name);
		struct workload workload;
		struct backing backing;
		struct complaint c;

		assert_ptr_equal(options.preset, preset);
		assert_int_equal(backing_resolve(&options, &backing, &c), 0);
		assert_int_equal(
		        workload_parse_on(&backing.ground, preset->workload, &workload, &c), 0);
		assert_string_equal(workload.text, preset->workload);
		assert_null(step_find(preset->name));
	}
	assert_null(preset_find("multi"));
	assert_null(preset_find("MULTI-FAULT"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(defaults),
	        cmocka_unit_test(values_are_read),
	        cmocka_unit_test(spellings),
	        cmocka_unit_test(all_means_one_worker_per_cpu),
	        cmocka_unit_test(workloads_may_be_one_word_or_many),
	        cmocka_unit_test(without_a_workload_the_first_preset_runs),
	        cmocka_unit_test(presets_are_options_and_a_workload),
	        cmocka_unit_test(the_command_line_wins_over_the_preset),
	        cmocka_unit_test(options_put_others_of_the_preset_out_of_force),
	        cmocka_unit_test(options_that_exclude_each_other),
	        cmocka_unit_test(abbreviations_are_refused),
	        cmocka_unit_test(unknown_options_are_named),
	        cmocka_unit_test(values_must_be_there_or_not),
	        cmocka_unit_test(bad_values_are_refused_with_the_option),
	        cmocka_unit_test(a_bad_value_is_never_forgiven),
	        cmocka_unit_test(edges_of_ranges_are_accepted),
	        cmocka_unit_test(too_many_or_too_long_words_are_refused),
	        cmocka_unit_test(the_same_point_has_the_same_key),
	        cmocka_unit_test(a_list_has_one_key_however_it_is_written),
	        cmocka_unit_test(what_has_no_effect_on_fixed_work_is_not_in_the_key),
	        cmocka_unit_test(how_it_is_looked_at_is_not_in_the_key),
	        cmocka_unit_test(another_point_has_another_key),
	        cmocka_unit_test(help_fits_a_screen),
	        cmocka_unit_test(help_has_every_option_with_its_default),
	        cmocka_unit_test(values_are_written_as_they_would_be_typed),
	        cmocka_unit_test(presets_parse),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
