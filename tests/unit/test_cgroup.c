// SPDX-License-Identifier: GPL-3.0-or-later
#include "cgroup.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "fixture.h"

/* Writes the copies of the two /proc files; each %s of `mounts` is the fixture's directory. */
static void proc_write(struct fixture *fixture, const char *cgroups, const char *mounts)
{
	const char *place = strstr(mounts, "%s");
	char text[4096] = "";

	for (; place; place = strstr(mounts, "%s")) {
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%.*s%s",
		         (int)(place - mounts), mounts, fixture->root);
		mounts = place + 2;
	}
	strcat(text, mounts);
	fixture_write(fixture, "cgroup", cgroups);
	fixture_write(fixture, "mountinfo", text);
}

static int find(struct fixture *fixture, const char *controller, struct cgroup *group)
{
	char mounts[PATH_MAX];

	strcpy(mounts, fixture_path(fixture, "mountinfo"));
	errno = 0;
	return cgroup_find_in(fixture_path(fixture, "cgroup"), mounts, controller, group);
}

/* Checks the version and the directory, which is given below the fixture's root. */
static void assert_found(struct fixture *fixture, const char *controller, int version,
                         const char *where)
{
	struct cgroup group;

	if (find(fixture, controller, &group))
		fail_msg("%s was not found", controller);
	assert_int_equal(group.version, version);
	assert_string_equal(group.path, fixture_path(fixture, where));
}

static void assert_unknown(struct fixture *fixture, const char *controller)
{
	struct cgroup group;

	assert_int_equal(find(fixture, controller, &group), -1);
	assert_int_equal(errno, ENOENT);
}

static void version_1(void **state)
{
	proc_write(*state,
	           "12:cpuset:/job\n11:cpu,cpuacct:/cpu/job\n5:memory:/mem:ory/job\n"
	           "4:pids:/\n1:name=systemd:/init\n",
	           "30 22 0:27 / %s ro - tmpfs tmpfs rw,mode=755\n"
	           "31 30 0:28 / %s/cpuset rw,relatime shared:9 - cgroup cgroup rw,cpuset\n"
	           "32 30 0:29 / %s/cpu,cpuacct rw master:3 - cgroup cgroup rw,cpu,cpuacct\n"
	           "33 30 0:30 / %s/memory rw - cgroup cgroup rw,memory\n"
	           "34 30 0:31 / %s/pids rw - cgroup cgroup rw,pids\n"
	           "35 30 0:32 / %s/systemd rw - cgroup cgroup rw,name=systemd\n");
	fixture_write(*state, "cpuset/job/tasks", "");
	fixture_write(*state, "cpu,cpuacct/cpu/job/tasks", "");
	fixture_write(*state, "memory/mem:ory/job/tasks", "");
	fixture_write(*state, "pids/tasks", "");
	fixture_write(*state, "systemd/init/tasks", "");
	assert_found(*state, "cpuset", 1, "cpuset/job");
	assert_found(*state, "cpu", 1, "cpu,cpuacct/cpu/job");
	assert_found(*state, "cpuacct", 1, "cpu,cpuacct/cpu/job");
	assert_found(*state, "memory", 1, "memory/mem:ory/job");
	assert_found(*state, "pids", 1, "pids");
	/* Parts of words are not words. */
	assert_unknown(*state, "cpus");
	assert_unknown(*state, "set");
	assert_unknown(*state, "mem");
	assert_unknown(*state, "systemd");
	assert_unknown(*state, "rw");
	assert_unknown(*state, "hugetlb");
}

static void version_2(void **state)
{
	proc_write(*state, "0::/user.slice/job.scope\n",
	           "25 22 0:22 / %s rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
	fixture_write(*state, "cgroup.controllers", "cpuset cpu io memory pids\n");
	fixture_write(*state, "user.slice/cgroup.controllers", "cpuset memory pids\n");
	fixture_write(*state, "user.slice/job.scope/cgroup.controllers", "pids\n");
	assert_found(*state, "pids", 2, "user.slice/job.scope");
	assert_found(*state, "memory", 2, "user.slice");
	assert_found(*state, "cpuset", 2, "user.slice");
	assert_unknown(*state, "hugetlb");
	assert_unknown(*state, "mem");
}

/* The root is the group; its path must not end with a slash of its own. */
static void version_2_root(void **state)
{
	struct cgroup group;

	proc_write(*state, "0::/\n", "25 22 0:22 / %s rw - cgroup2 cgroup2 rw\n");
	fixture_write(*state, "cgroup.controllers", "cpu io memory pids\n");
	assert_int_equal(find(*state, "cpu", &group), 0);
	assert_string_equal(group.path, ((struct fixture *)*state)->root);
	assert_int_equal(cgroup_ascend(&group), -1);
}

/* The memory limit is in version 1; version 2 is mounted beside it without any controller. */
static void hybrid(void **state)
{
	proc_write(*state, "4:memory:/job\n1:name=systemd:/\n0::/job\n",
	           "40 30 0:37 / %s/unified rw - cgroup2 cgroup2 rw\n"
	           "34 30 0:31 / %s/memory rw - cgroup cgroup rw,memory\n");
	fixture_write(*state, "unified/cgroup.controllers", "\n");
	fixture_write(*state, "unified/job/cgroup.controllers", "\n");
	fixture_write(*state, "memory/job/tasks", "");
	assert_found(*state, "memory", 1, "memory/job");
	assert_unknown(*state, "pids");
}

/* Some controllers in version 1, others in version 2. */
static void hybrid_with_both(void **state)
{
	proc_write(*state, "0::/job\n4:cpuset:/job\n",
	           "34 30 0:31 / %s/cpuset rw - cgroup cgroup rw,cpuset\n"
	           "40 30 0:37 / %s/unified rw - cgroup2 cgroup2 rw\n");
	fixture_write(*state, "unified/job/cgroup.controllers", "memory pids\n");
	fixture_write(*state, "cpuset/job/tasks", "");
	assert_found(*state, "memory", 2, "unified/job");
	assert_found(*state, "cpuset", 1, "cpuset/job");
}

/* An old container: the mount shows only the part of the hierarchy that the path begins with. */
static void mounts_of_a_part(void **state)
{
	proc_write(*state, "4:memory:/docker/1234/job\n3:pids:/docker/1234\n2:cpu:/docker/12345\n",
	           "34 30 0:31 /docker/1234 %s/memory ro - cgroup cgroup rw,memory\n"
	           "35 30 0:32 /docker/1234 %s/pids ro - cgroup cgroup rw,pids\n"
	           "36 30 0:33 /docker/1234 %s/cpu ro - cgroup cgroup rw,cpu\n");
	fixture_write(*state, "memory/job/tasks", "");
	fixture_write(*state, "pids/tasks", "");
	fixture_write(*state, "cpu5/tasks", "");
	assert_found(*state, "memory", 1, "memory/job");
	assert_found(*state, "pids", 1, "pids");
	/* 12345 does not lie in 1234. */
	assert_unknown(*state, "cpu");
}

static void groups_outside_the_namespace(void **state)
{
	proc_write(*state, "4:memory:/../other\n3:pids:/\n2:cpu:/..\n0::/../../x\n",
	           "34 30 0:31 / %s/memory rw - cgroup cgroup rw,memory\n"
	           "35 30 0:32 /../.. %s/pids rw - cgroup cgroup rw,pids\n"
	           "36 30 0:33 / %s/cpu rw - cgroup cgroup rw,cpu\n"
	           "37 30 0:34 / %s/unified rw - cgroup2 cgroup2 rw\n");
	fixture_write(*state, "memory/tasks", "");
	fixture_write(*state, "other/tasks", "");
	fixture_write(*state, "pids/tasks", "");
	fixture_write(*state, "cpu/tasks", "");
	fixture_write(*state, "unified/cgroup.controllers", "io\n");
	assert_unknown(*state, "memory");
	assert_unknown(*state, "pids");
	assert_unknown(*state, "cpu");
	assert_unknown(*state, "io");
}

static void mount_points_may_be_escaped(void **state)
{
	proc_write(*state, "4:memory:/a b\n",
	           "34 30 0:31 / %s/with\\040blank\\134slash rw - cgroup cgroup rw,memory\n");
	fixture_write(*state, "with blank\\slash/a b/tasks", "");
	assert_found(*state, "memory", 1, "with blank\\slash/a b");
}

/* A mount that shows nothing is passed over for one that does. */
static void hidden_mounts_are_passed_over(void **state)
{
	proc_write(*state, "4:memory:/job\n",
	           "33 30 0:31 / %s/covered rw - cgroup cgroup rw,memory\n"
	           "34 30 0:31 / %s/memory rw - cgroup cgroup rw,memory\n");
	assert_unknown(*state, "memory");
	fixture_write(*state, "memory/job/tasks", "");
	assert_found(*state, "memory", 1, "memory/job");
}

static void broken_lines_are_passed_over(void **state)
{
	proc_write(*state, "\n:\n4:memory\nx\n0:\n5:memory:/\n",
	           "\n34\n34 30 0:31 /\n34 30 0:31 / %s/memory rw - cgroup\n"
	           "34 30 0:31 / %s/memory rw cgroup cgroup rw,memory\n"
	           "34 30 0:31 / %s/memory rw - cgroup cgroup rw,memory\n");
	fixture_write(*state, "memory/tasks", "");
	assert_found(*state, "memory", 1, "memory");
}

static void nothing_to_read_is_unknown(void **state)
{
	assert_unknown(*state, "memory");
	proc_write(*state, "", "");
	assert_unknown(*state, "memory");
	proc_write(*state, "4:memory:/\n", "");
	assert_unknown(*state, "memory");
}

static struct cgroup group_of(struct fixture *fixture, int version, const char *name)
{
	struct cgroup group = {.version = version, .mount = strlen(fixture->root)};

	snprintf(group.path, sizeof(group.path), "%s%s", fixture->root, name);
	return group;
}

static void values(void **state)
{
	struct cgroup group = group_of(*state, 2, "");
	uint64_t value;

	fixture_write(*state, "number", "123456\n");
	fixture_write(*state, "max", "max\n");
	fixture_write(*state, "huge", "9223372036854771712\n");
	fixture_write(*state, "negative", "-1\n");
	fixture_write(*state, "over", "18446744073709551616\n");
	fixture_write(*state, "words", "12 34\n");
	fixture_write(*state, "empty", "");
	assert_int_equal(cgroup_read(&group, "number", &value), 0);
	assert_int_equal(value, 123456);
	assert_int_equal(cgroup_read(&group, "max", &value), 0);
	assert_true(value == UINT64_MAX);
	assert_int_equal(cgroup_read(&group, "huge", &value), 0);
	assert_int_equal(value, 9223372036854771712U);
	group.version = 1;
	assert_int_equal(cgroup_read(&group, "huge", &value), 0);
	assert_true(value == UINT64_MAX);
	assert_int_equal(cgroup_read(&group, "negative", &value), -1);
	assert_int_equal(cgroup_read(&group, "over", &value), -1);
	assert_int_equal(errno, ERANGE);
	assert_int_equal(cgroup_read(&group, "words", &value), -1);
	assert_int_equal(cgroup_read(&group, "empty", &value), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(cgroup_read(&group, "missing", &value), -1);
	assert_int_equal(errno, ENOENT);
}

static void keys(void **state)
{
	struct cgroup group = group_of(*state, 2, "");
	uint64_t value;

	fixture_write(*state, "memory.events", "low 0\noom 7\noom_kill 3\noom_group_kill x\n");
	assert_int_equal(cgroup_read_key(&group, "memory.events", "oom_kill", &value), 0);
	assert_int_equal(value, 3);
	assert_int_equal(cgroup_read_key(&group, "memory.events", "oom", &value), 0);
	assert_int_equal(value, 7);
	assert_int_equal(cgroup_read_key(&group, "memory.events", "kill", &value), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(cgroup_read_key(&group, "memory.events", "oom_group_kill", &value), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(cgroup_read_key(&group, "cpu.stat", "nr_throttled", &value), -1);
}

static void assert_tightest(struct fixture *fixture, int version, uint64_t limit, uint64_t usage,
                            const char *where)
{
	struct cgroup group = group_of(fixture, version, "/a/b");
	uint64_t found, used;
	char path[PATH_MAX];

	assert_int_equal(cgroup_tightest(&group, &cgroup_memory, &found, &used, path, sizeof(path)),
	                 0);
	assert_true(found == limit);
	assert_true(used == usage);
	assert_string_equal(path, fixture_path(fixture, where));
}

static void the_tightest_limit_may_be_above(void **state)
{
	fixture_write(*state, "a/memory.max", "1000000\n");
	fixture_write(*state, "a/memory.current", "900000\n");
	fixture_write(*state, "a/b/memory.max", "max\n");
	fixture_write(*state, "a/b/memory.current", "5000\n");
	assert_tightest(*state, 2, 1000000, 900000, "a");
	/* A lower limit that leaves more room is not the tighter one. */
	fixture_write(*state, "a/b/memory.max", "200000\n");
	assert_tightest(*state, 2, 1000000, 900000, "a");
	fixture_write(*state, "a/b/memory.max", "100000\n");
	assert_tightest(*state, 2, 100000, 5000, "a/b");
	/* Usage above a limit that was lowered leaves no room. */
	fixture_write(*state, "a/b/memory.max", "4096\n");
	assert_tightest(*state, 2, 4096, 5000, "a/b");
}

static void file_pages_are_not_usage(void **state)
{
	fixture_write(*state, "a/b/memory.max", "1000000\n");
	fixture_write(*state, "a/b/memory.current", "900000\n");
	fixture_write(*state, "a/b/memory.stat",
	              "anon 200000\ninactive_file 300000\nactive_file 400000\n");
	assert_tightest(*state, 2, 1000000, 200000, "a/b");
	fixture_write(*state, "a/b/memory.stat", "inactive_file 300000\nactive_file 4000000\n");
	assert_tightest(*state, 2, 1000000, 0, "a/b");
}

static void version_1_files(void **state)
{
	fixture_write(*state, "memory.limit_in_bytes", "9223372036854771712\n");
	fixture_write(*state, "memory.usage_in_bytes", "7000000\n");
	fixture_write(*state, "a/b/memory.limit_in_bytes", "33554432\n");
	fixture_write(*state, "a/b/memory.usage_in_bytes", "1000000\n");
	fixture_write(*state, "a/b/memory.stat",
	              "inactive_file 1\nactive_file 1\ntotal_inactive_file 400000\n"
	              "total_active_file 500000\n");
	assert_tightest(*state, 1, 33554432, 100000, "a/b");
}

static void no_limit_is_not_unknown(void **state)
{
	struct cgroup group = group_of(*state, 2, "/a/b");
	uint64_t limit, usage;
	char path[PATH_MAX];

	fixture_write(*state, "a/b/cgroup.controllers", "memory\n");
	assert_int_equal(
	        cgroup_tightest(&group, &cgroup_memory, &limit, &usage, path, sizeof(path)), -1);
	assert_int_equal(errno, ENOENT);
	/* A limit without the usage says nothing about the room. */
	fixture_write(*state, "a/memory.max", "1000\n");
	assert_int_equal(
	        cgroup_tightest(&group, &cgroup_memory, &limit, &usage, path, sizeof(path)), -1);
	fixture_write(*state, "a/memory.max", "max\n");
	fixture_write(*state, "a/memory.current", "1000\n");
	assert_tightest(*state, 2, UINT64_MAX, 1000, "a");
}

static void the_walk_ends_at_the_mount(void **state)
{
	struct fixture *fixture = *state;
	struct cgroup group;
	uint64_t limit, usage;
	char path[PATH_MAX];

	fixture_write(fixture, "pids.max", "1\n");
	fixture_write(fixture, "pids.current", "1\n");
	fixture_write(fixture, "a/b/pids.max", "100\n");
	fixture_write(fixture, "a/b/pids.current", "10\n");
	group = group_of(fixture, 2, "/a/b");
	group.mount += strlen("/a");
	assert_int_equal(cgroup_tightest(&group, &cgroup_pids, &limit, &usage, path, sizeof(path)),
	                 0);
	assert_int_equal(limit, 100);
	assert_int_equal(usage, 10);
	group.mount -= strlen("/a");
	assert_int_equal(cgroup_tightest(&group, &cgroup_pids, &limit, &usage, path, sizeof(path)),
	                 0);
	assert_int_equal(limit, 1);
	assert_string_equal(path, fixture->root);
}

/* On this machine, whatever it has: each answer is either one that can be true, or unknown. */
static void this_machine(void **state)
{
	uint64_t limit, usage, kills;
	char path[PATH_MAX];

	(void)state;
	if (cgroup_memory_limit(&limit, &usage, path, sizeof(path)) == 0) {
		assert_true(limit >= 4096);
		assert_int_equal(access(path, F_OK), 0);
	}
	if (cgroup_pids_limit(&limit, &usage, path, sizeof(path)) == 0)
		assert_true(limit >= 1);
	if (cgroup_oom_kills(&kills) == 0)
		assert_true(kills < 1000000);
}

#define FIXTURE_TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        FIXTURE_TEST(version_1),
	        FIXTURE_TEST(version_2),
	        FIXTURE_TEST(version_2_root),
	        FIXTURE_TEST(hybrid),
	        FIXTURE_TEST(hybrid_with_both),
	        FIXTURE_TEST(mounts_of_a_part),
	        FIXTURE_TEST(groups_outside_the_namespace),
	        FIXTURE_TEST(mount_points_may_be_escaped),
	        FIXTURE_TEST(hidden_mounts_are_passed_over),
	        FIXTURE_TEST(broken_lines_are_passed_over),
	        FIXTURE_TEST(nothing_to_read_is_unknown),
	        FIXTURE_TEST(values),
	        FIXTURE_TEST(keys),
	        FIXTURE_TEST(the_tightest_limit_may_be_above),
	        FIXTURE_TEST(file_pages_are_not_usage),
	        FIXTURE_TEST(version_1_files),
	        FIXTURE_TEST(no_limit_is_not_unknown),
	        FIXTURE_TEST(the_walk_ends_at_the_mount),
	        cmocka_unit_test(this_machine),
	};

	return cmocka_run_group_tests_name("cgroup", tests, NULL, NULL);
}
