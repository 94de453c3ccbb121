// SPDX-License-Identifier: GPL-3.0-or-later
/* Writing and reading CSV: the two modules prove each other. */
#include "csv.h"
#include "csv_reader.h"

#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/resource.h>

#include <cmocka.h>

struct record {
	const char *text;
	uint64_t count, ns;
	double real;
};

static const struct column columns[] = {
        {"text", COLUMN_TEXT, offsetof(struct record, text), ""},
        {"count", COLUMN_COUNT, offsetof(struct record, count), ""},
        {"time_s", COLUMN_SECONDS, offsetof(struct record, ns), ""},
        {"real", COLUMN_REAL, offsetof(struct record, real), ""},
        {.name = NULL},
};

static const char header[] = "text,count,time_s,real\n";

static void table_open(struct csv *csv, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	csv_open(csv, fd, columns);
}

/* The file's bytes, ended by NUL; good until the next call. */
static const char *file_text(const char *path)
{
	static char text[65536];
	FILE *file = fopen(path, "r");
	size_t got;

	assert_non_null(file);
	got = fread(text, 1, sizeof(text) - 1, file);
	text[got] = '\0';
	fclose(file);
	return text;
}

/* Writes the one record and compares the line in the file. */
static void assert_line(struct fixture *fixture, const struct record *record, const char *line)
{
	const char *path = fixture_path(fixture, "t.csv");
	struct csv csv;

	table_open(&csv, path);
	csv_record(&csv, record);
	assert_int_equal(csv_close(&csv), 0);
	assert_string_equal(file_text(path), line);
}

static void cells_are_plain_text(void **state)
{
	assert_line(*state, &(struct record){"a b", 7, 1500000000, 0.25},
	            "a b,7,1.500000000,0.25\n");
	assert_line(*state, &(struct record){"", 0, 0, 0}, ",0,0.000000000,0\n");
	assert_line(*state, &(struct record){"x", UINT64_MAX - 1, 1, -1e-300},
	            "x,18446744073709551614,0.000000001,-1e-300\n");
	assert_line(*state, &(struct record){"x", 10, 999999999, 1e15}, "x,10,0.999999999,1e+15\n");
}

static void unknown_is_an_empty_cell(void **state)
{
	assert_line(*state, &(struct record){NULL, UNKNOWN_COUNT, UNKNOWN_COUNT, (double)NAN},
	            ",,,\n");
	assert_line(*state, &(struct record){NULL, 1, 1, (double)INFINITY}, ",1,0.000000001,\n");
	assert_line(*state, &(struct record){NULL, 1, 1, -(double)INFINITY}, ",1,0.000000001,\n");
}

static void special_characters_are_quoted(void **state)
{
	assert_line(*state, &(struct record){"a,b", 1, 0, 0}, "\"a,b\",1,0.000000000,0\n");
	assert_line(*state, &(struct record){"say \"no\"", 1, 0, 0},
	            "\"say \"\"no\"\"\",1,0.000000000,0\n");
	assert_line(*state, &(struct record){"a\nb", 1, 0, 0}, "\"a\nb\",1,0.000000000,0\n");
	assert_line(*state, &(struct record){"\r", 1, 0, 0}, "\"\r\",1,0.000000000,0\n");
	assert_line(*state, &(struct record){"\"", 1, 0, 0}, "\"\"\"\",1,0.000000000,0\n");
	assert_line(*state, &(struct record){"a;b\tc #=+", 1, 0, 0},
	            "a;b\tc #=+,1,0.000000000,0\n");
}

static void what_is_written_is_read_back(void **state)
{
	static const char *const texts[] = {
	        "", "plain", "a,b", "\"", "\"\"", "a\"b,c\nd\r\ne", ",", "\n", "\xc3\xa4", "end\""};
	const char *path = fixture_path(*state, "t.csv");
	struct csv_reader reader;
	struct complaint c;
	struct csv csv;

	table_open(&csv, path);
	csv_header(&csv);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		csv_record(&csv, &(struct record){texts[i], i, i, 1.0 / (double)(i + 1)});
	assert_int_equal(csv_close(&csv), 0);
	assert_int_equal(csv_reader_open(&reader, path, &c), 0);
	assert_int_equal(reader.columns, 4);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		assert_int_equal(csv_reader_next(&reader, &c), 1);
		assert_string_equal(csv_reader_text(&reader, csv_reader_column(&reader, "text")),
		                    texts[i]);
		assert_int_equal(csv_reader_count(&reader, csv_reader_column(&reader, "count")), i);
		assert_true(fabs(csv_reader_real(&reader, csv_reader_column(&reader, "real")) *
		                         (double)(i + 1) -
		                 1) < 1e-9);
	}
	assert_int_equal(csv_reader_next(&reader, &c), 0);
	csv_reader_close(&reader);
}

static void nothing_is_written_before_a_flush(void **state)
{
	const char *path = fixture_path(*state, "t.csv");
	struct csv csv;

	table_open(&csv, path);
	csv_header(&csv);
	assert_string_equal(file_text(path), "");
	assert_int_equal(csv_flush(&csv), 0);
	assert_string_equal(file_text(path), header);
	assert_int_equal(csv_close(&csv), 0);
}

/* A file that may have no more than 64 bytes: the row that does not fit is taken back whole. */
static void a_full_disk_leaves_whole_rows(void **state)
{
	const char *path = fixture_path(*state, "t.csv");
	struct rlimit before, small;
	struct csv csv;
	char expected[128];

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	table_open(&csv, path);
	csv_header(&csv);
	csv_record(&csv, &(struct record){"first", 1, 0, 0});
	assert_int_equal(csv_flush(&csv), 0);
	small = before;
	small.rlim_cur = 64;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	csv_record(&csv, &(struct record){"the second is too long", 2, 0, 0});
	assert_int_equal(csv_flush(&csv), -1);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(csv.error, EFBIG);
	snprintf(expected, sizeof(expected), "%sfirst,1,0.000000000,0\n", header);
	assert_string_equal(file_text(path), expected);
	csv_record(&csv, &(struct record){"third", 3, 0, 0});
	assert_int_equal(csv_flush(&csv), -1);
	assert_int_equal(csv_close(&csv), -1);
	assert_int_equal(csv.error, EFBIG);
	assert_string_equal(file_text(path), expected);
}

static void a_file_that_could_not_be_opened_keeps_its_reason(void **state)
{
	struct csv csv;

	(void)state;
	csv_open(&csv, -1, columns);
	csv.error = EMFILE;
	csv_header(&csv);
	assert_int_equal(csv_flush(&csv), -1);
	assert_int_equal(csv_close(&csv), -1);
	assert_int_equal(csv.error, EMFILE);
}

static void a_device_that_is_full_is_seen(void **state)
{
	struct csv csv;

	(void)state;
	csv_open(&csv, open("/dev/full", O_WRONLY), columns);
	csv_header(&csv);
	assert_int_equal(csv_flush(&csv), -1);
	assert_int_equal(csv.error, ENOSPC);
	assert_int_equal(csv_close(&csv), -1);
}

/* Opens a reader on a file with that text. */
static struct csv_reader reader_of(void **state, const char *text)
{
	struct fixture *fixture = *state;
	struct csv_reader reader;
	struct complaint c = {0};

	fixture_write(fixture, "r.csv", text);
	if (csv_reader_open(&reader, fixture_path(fixture, "r.csv"), &c))
		fail_msg("refused: %s", c.text);
	return reader;
}

static void assert_cells(struct csv_reader *reader, const char *const expected[])
{
	struct complaint c = {0};

	if (csv_reader_next(reader, &c) != 1)
		fail_msg("no row: %s", c.text);
	for (int i = 0; expected[i]; i++)
		assert_string_equal(csv_reader_text(reader, i), expected[i]);
}

static void other_tools_tables_are_read(void **state)
{
	struct csv_reader reader = reader_of(state, "a,b,c\r\n1,\"x\r\ny\",\r\n,,3");

	assert_int_equal(csv_reader_column(&reader, "c"), 2);
	assert_int_equal(csv_reader_column(&reader, "C"), -1);
	assert_int_equal(csv_reader_column(&reader, ""), -1);
	assert_cells(&reader, (const char *[]){"1", "x\r\ny", "", NULL});
	assert_cells(&reader, (const char *[]){"", "", "3", NULL});
	assert_string_equal(csv_reader_text(&reader, -1), "");
	assert_int_equal(csv_reader_next(&reader, &(struct complaint){0}), 0);
	csv_reader_close(&reader);
}

static void numbers_are_numbers_or_unknown(void **state)
{
	static const char text[] = "n\n12\n0\n\"\"\nabc\n12x\nnan\ninf\n1.5\n-3\n"
	                           "18446744073709551616\n1,5\n";
	struct csv_reader reader = reader_of(state, text);
	struct complaint c = {0};

	assert_cells(&reader, (const char *[]){"12", NULL});
	assert_int_equal(csv_reader_count(&reader, 0), 12);
	assert_true(csv_reader_real(&reader, 0) == 12);
	assert_cells(&reader, (const char *[]){"0", NULL});
	assert_int_equal(csv_reader_count(&reader, 0), 0);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(csv_reader_next(&reader, &c), 1);
		assert_int_equal(csv_reader_count(&reader, 0), UINT64_MAX);
		assert_true(isnan(csv_reader_real(&reader, 0)));
	}
	assert_cells(&reader, (const char *[]){"1.5", NULL});
	assert_int_equal(csv_reader_count(&reader, 0), UINT64_MAX);
	assert_true(csv_reader_real(&reader, 0) == 1.5);
	assert_cells(&reader, (const char *[]){"-3", NULL});
	assert_int_equal(csv_reader_count(&reader, 0), UINT64_MAX);
	assert_cells(&reader, (const char *[]){"18446744073709551616", NULL});
	assert_int_equal(csv_reader_count(&reader, 0), UINT64_MAX);
	assert_int_equal(csv_reader_next(&reader, &c), -1);
	csv_reader_close(&reader);
}

/* The rows before the fault are read, the fault is named by its line. */
static void assert_torn(void **state, const char *text, int rows, const char *says)
{
	struct csv_reader reader = reader_of(state, text);
	struct complaint c = {0};

	while (rows--)
		assert_int_equal(csv_reader_next(&reader, &c), 1);
	assert_int_equal(csv_reader_next(&reader, &c), -1);
	assert_int_equal(c.status, EXIT_FAILED);
	assert_non_null(strstr(c.text, says));
	assert_non_null(strstr(c.text, "r.csv"));
	csv_reader_close(&reader);
}

static void torn_files_are_named_by_their_line(void **state)
{
	assert_torn(state, "a,b\n1,2\n3\n", 1, "line 3: not the header's 2 cells");
	assert_torn(state, "a,b\n1,2\n3", 1, "line 3");
	assert_torn(state, "a,b\n1,2,3\n", 0, "line 2");
	assert_torn(state, "a,b\n\"x\ny\",1\n3\n", 1, "line 4");
	assert_torn(state, "a,b\n1,\"x", 0, "line 2: cannot be read to its end");
	assert_torn(state, "a,b\n\n1\n", 0, "line 3");
	assert_torn(state, "a,b\n\"x\"y,2\n", 0, "line 2");
	assert_torn(state, "a,b\n1,\"x\"y\n", 0, "line 2");
}

static void empty_lines_and_a_byte_order_mark_are_skipped(void **state)
{
	struct csv_reader reader = reader_of(state, "\xef\xbb\xbf"
	                                            "a,b\r\n\r\n1,2\n\n");
	struct complaint c;

	assert_int_equal(csv_reader_column(&reader, "a"), 0);
	assert_cells(&reader, (const char *[]){"1", "2", NULL});
	assert_int_equal(csv_reader_next(&reader, &c), 0);
	csv_reader_close(&reader);
}

static void assert_unreadable(struct fixture *fixture, const char *name, const char *says)
{
	struct csv_reader reader;
	struct complaint c = {0};

	assert_int_equal(csv_reader_open(&reader, fixture_path(fixture, name), &c), -1);
	assert_int_equal(c.status, EXIT_FAILED);
	if (!strstr(c.text, says))
		fail_msg("'%s' lacks '%s'", c.text, says);
}

static void unreadable_files_are_refused(void **state)
{
	struct fixture *fixture = *state;
	static char wide[4096];

	assert_unreadable(fixture, "missing.csv", "missing.csv': No such file or directory");
	fixture_write(fixture, "empty.csv", "");
	assert_unreadable(fixture, "empty.csv", "has no header that can be read");
	fixture_write(fixture, "open.csv", "a,\"b\n");
	assert_unreadable(fixture, "open.csv", "has no header that can be read");
	memset(wide, ',', CSV_READER_COLUMNS);
	fixture_write(fixture, "wide.csv", wide);
	assert_unreadable(fixture, "wide.csv", "has no header that can be read");
	assert_unreadable(fixture, "", "has no header that can be read");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(cells_are_plain_text),
	        TEST(unknown_is_an_empty_cell),
	        TEST(special_characters_are_quoted),
	        TEST(what_is_written_is_read_back),
	        TEST(nothing_is_written_before_a_flush),
	        TEST(a_full_disk_leaves_whole_rows),
	        TEST(a_file_that_could_not_be_opened_keeps_its_reason),
	        TEST(a_device_that_is_full_is_seen),
	        TEST(other_tools_tables_are_read),
	        TEST(numbers_are_numbers_or_unknown),
	        TEST(torn_files_are_named_by_their_line),
	        TEST(empty_lines_and_a_byte_order_mark_are_skipped),
	        TEST(unreadable_files_are_refused),
	};

	return cmocka_run_group_tests_name("csv", tests, NULL, NULL);
}
