// SPDX-License-Identifier: GPL-3.0-or-later
#include "likeness.h"

#include "csv_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum fact_kind {
	FACT_REFUSE, /* a difference makes the comparison meaningless */
	FACT_LIST,   /* a difference is said */
	FACT_IGNORE, /* it differs from run to run */
};

struct fact_row {
	const char *key;
	enum fact_kind kind;
	const char *meaning;
};

/* Facts that are not in the table are listed when they differ, without a meaning. */
/* clang-format off */
static const struct fact_row fact_rows[] = {
	{"schema", FACT_REFUSE, "the columns may mean something else"},
	{"cpu_model", FACT_REFUSE, "another processor: no comparison of kernels or settings"},
	{"page_bytes", FACT_REFUSE, "a fault brings another amount of memory"},
	{"build_id", FACT_LIST, "the tool itself differs; measure both sides with one build"},
	{"version", FACT_LIST, "the tool itself differs"},
	{"host", FACT_LIST, "two machines of one model differ by some percent"},
	{"hypervisor", FACT_LIST, "faults cost another amount under another hypervisor"},
	{"sockets", FACT_LIST, "workers lie otherwise"},
	{"cores", FACT_LIST, "workers lie otherwise"},
	{"threads", FACT_LIST, "workers lie otherwise"},
	{"nodes", FACT_LIST, "memory lies otherwise"},
	{"smt", FACT_LIST, "workers may share cores on one side only"},
	{"governor", FACT_LIST, "the CPUs' frequency may differ"},
	{"mitigations", FACT_LIST, "each entry into the kernel costs another amount"},
	{"clock_source", FACT_LIST, "each reading of the clock costs another amount"},
	{"thp", FACT_LIST, "huge pages may have taken part on one side only, unless --thp=never"},
	{"thp_shmem", FACT_LIST, "the same for shared memory"},
	{"thp_bytes", FACT_LIST, "a huge page brings another amount of memory"},
	{"mthp", FACT_LIST, "a fault may bring several pages on one side only"},
	{"aslr", FACT_LIST, "addresses vary on one side only"},
	{"numa_balancing", FACT_LIST, "hint faults on one side only"},
	{"damon", FACT_LIST, "monitoring takes time on one side only"},
	{"ksm", FACT_LIST, "pages may be merged on one side only"},
	{"swap_bytes", FACT_LIST, "memory may be swapped out on one side only"},
	{"memcg_path", FACT_LIST, "depth of the memory cgroup changes the cost of charging"},
	{"memcg_limit", FACT_LIST, "reclaim may take part on one side only"},
	{"kernel_release", FACT_LIST, "perhaps what is compared"},
	{"kernel_version", FACT_LIST, "perhaps what is compared"},
	{"kernel_cmdline", FACT_LIST, "words on one side only"},
	{"start_utc", FACT_IGNORE, NULL},
	{"boot_id", FACT_IGNORE, NULL},
	{"command", FACT_IGNORE, NULL},
	{"clock_ns", FACT_IGNORE, NULL},
	{"user", FACT_IGNORE, NULL},
	{NULL, FACT_LIST, ""},
};
/* clang-format on */

static const struct fact_row *fact_row_of(const char *key)
{
	const struct fact_row *row = fact_rows;

	while (row->key && strcmp(row->key, key) != 0)
		row++;
	return row;
}

/* Makes room for one more of `size` bytes in a growing array. */
static void *array_grow(void *array, size_t count, size_t *room, size_t size)
{
	void *grown = array;

	if (count == *room) {
		*room = *room ? 2 * *room : 64;
		grown = reallocarray(array, *room, size);
	}
	return grown;
}

static int memory_out(struct complaint *c)
{
	return complain(c, EXIT_FAILED, "no memory for so many results");
}

static int fact_add(struct likeness *likeness, int side, const char *key, const char *value,
                    struct complaint *c)
{
	struct fact *grown = array_grow(likeness->facts, likeness->fact_count, &likeness->fact_room,
	                                sizeof(*grown));
	struct fact fact = {side, strdup(key), strdup(value)};

	if (!grown || !fact.key || !fact.value) {
		free(fact.key);
		free(fact.value);
		return memory_out(c);
	}
	likeness->facts = grown;
	likeness->facts[likeness->fact_count++] = fact;
	return 0;
}

int likeness_read(struct likeness *likeness, int side, const char *directory, struct complaint *c)
{
	struct csv_reader reader;
	char path[4096];
	int more, result = 0, key, value;

	snprintf(path, sizeof(path), "%s/meta.csv", directory);
	if (csv_reader_open(&reader, path, c))
		return -1;
	key = csv_reader_column(&reader, "key");
	value = csv_reader_column(&reader, "value");
	while (result == 0 && (more = csv_reader_next(&reader, c)) != 0)
		result = more < 0 ? -1
		                  : fact_add(likeness, side, csv_reader_text(&reader, key),
		                             csv_reader_text(&reader, value), c);
	csv_reader_close(&reader);
	return result;
}

/* True if the same was said of that side before. */
static bool fact_repeated(const struct likeness *likeness, size_t index)
{
	const struct fact *fact = &likeness->facts[index];

	for (size_t i = 0; i < index; i++)
		if (likeness->facts[i].side == fact->side &&
		    strcmp(likeness->facts[i].key, fact->key) == 0 &&
		    strcmp(likeness->facts[i].value, fact->value) == 0)
			return true;
	return false;
}

size_t likeness_value(const struct likeness *likeness, int side, const char *key, char *out,
                      size_t size)
{
	size_t used = 0, count = 0;

	out[0] = '\0';
	for (size_t i = 0; i < likeness->fact_count && used < size; i++) {
		const struct fact *fact = &likeness->facts[i];

		if (fact->side == side && strcmp(fact->key, key) == 0 &&
		    !fact_repeated(likeness, i))
			used += (size_t)snprintf(out + used, size - used, "%s%s",
			                         count++ ? " | " : "", fact->value);
	}
	return count;
}

int likeness_add(struct likeness *likeness, const char *name, const char *before, const char *after,
                 const char *meaning, bool refuse, struct complaint *c)
{
	struct difference *grown = array_grow(likeness->differences, likeness->difference_count,
	                                      &likeness->difference_room, sizeof(*grown));
	struct difference difference = {
	        .name = name,
	        .value = {strdup(before), strdup(after)},
	        .meaning = meaning,
	        .refuse = refuse,
	};

	if (!grown || !difference.value[0] || !difference.value[1]) {
		free(difference.value[0]);
		free(difference.value[1]);
		return memory_out(c);
	}
	likeness->differences = grown;
	likeness->differences[likeness->difference_count++] = difference;
	return 0;
}

/* True if `text` has the word, from `start` and `length` bytes long, between blanks. */
static bool word_in(const char *text, const char *start, size_t length)
{
	while (*text) {
		size_t here;

		text += strspn(text, " ");
		here = strcspn(text, " ");
		if (here == length && strncmp(text, start, length) == 0)
			return true;
		text += here;
	}
	return false;
}

/* Leaves in `text` the words that `other` has not. */
static void words_subtract(char *text, const char *other)
{
	char *to = text;

	for (const char *from = text; *from;) {
		size_t length;

		from += strspn(from, " ");
		length = strcspn(from, " ");
		if (length && !word_in(other, from, length)) {
			if (to != text)
				*to++ = ' ';
			memmove(to, from, length);
			to += length;
		}
		from += length;
	}
	*to = '\0';
}

enum { VALUE_TEXT = 16384 };

/* Adds the fact if the sides, or the directories of one, do not agree. */
static int fact_compare(struct likeness *likeness, const char *key, char *value[2],
                        struct complaint *c)
{
	const struct fact_row *row = fact_row_of(key);
	char *whole;
	size_t count[2];

	for (int s = 0; s < 2; s++)
		count[s] = likeness_value(likeness, s, key, value[s], VALUE_TEXT);
	if (row->kind == FACT_IGNORE ||
	    (strcmp(value[0], value[1]) == 0 && count[0] < 2 && count[1] < 2))
		return 0;
	if (strcmp(key, "kernel_cmdline") == 0 && count[0] == 1 && count[1] == 1) {
		whole = strdup(value[0]);
		if (!whole)
			return memory_out(c);
		words_subtract(value[0], value[1]);
		words_subtract(value[1], whole);
		free(whole);
	}
	return likeness_add(likeness, key, value[0], value[1], row->meaning,
	                    row->kind == FACT_REFUSE, c);
}

/* True if the key occurs among the facts before. */
static bool key_seen(const struct likeness *likeness, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (strcmp(likeness->facts[i].key, likeness->facts[index].key) == 0)
			return true;
	return false;
}

int likeness_compare(struct likeness *likeness, struct complaint *c)
{
	char *value[2] = {malloc(VALUE_TEXT), malloc(VALUE_TEXT)};
	int result = 0;

	if (!value[0] || !value[1])
		result = memory_out(c);
	else
		for (size_t i = 0; i < likeness->fact_count && result == 0; i++)
			if (!key_seen(likeness, i))
				result = fact_compare(likeness, likeness->facts[i].key, value, c);
	free(value[0]);
	free(value[1]);
	return result;
}

bool likeness_refused(const struct likeness *likeness)
{
	for (size_t i = 0; i < likeness->difference_count; i++)
		if (likeness->differences[i].refuse)
			return true;
	return false;
}

void likeness_free(struct likeness *likeness)
{
	for (size_t i = 0; i < likeness->fact_count; i++) {
		free(likeness->facts[i].key);
		free(likeness->facts[i].value);
	}
	for (size_t i = 0; i < likeness->difference_count; i++) {
		free(likeness->differences[i].value[0]);
		free(likeness->differences[i].value[1]);
	}
	free(likeness->facts);
	free(likeness->differences);
	*likeness = (struct likeness){0};
}
