// SPDX-License-Identifier: GPL-3.0-or-later
#include "limit.h"

#include <errno.h>
#include <grp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Root is bound by neither limit (CAP_IPC_LOCK, CAP_SYS_RESOURCE), so become nobody. */
static int become_nobody(int resource, rlim_t soft)
{
	struct rlimit limit = {.rlim_cur = soft, .rlim_max = soft};

	if (setrlimit((__rlimit_resource_t)resource, &limit))
		return -1;
	if (getuid() != 0)
		return 0;
	return setgroups(0, NULL) || setgid(65534) || setuid(65534) ? -1 : 0;
}

/* Runs `body` in a child, whose limits and user it may change; its exit status must be 0. */
static void assert_in_child(int (*body)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(body());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static int lock_within_limit(void)
{
	struct complaint c = {0};

	if (become_nobody(RLIMIT_MEMLOCK, 65536))
		return 1;
	if (limits_check_lock(65536, 1, &c) || limits_check_lock(16384, 4, &c))
		return 2;
	/* Trying twice must work: nothing stays locked. */
	return limits_check_lock(65536, 1, &c) ? 3 : 0;
}

static int lock_above_limit(void)
{
	struct complaint c = {0};

	if (become_nobody(RLIMIT_MEMLOCK, 65536))
		return 1;
	if (!limits_check_lock(1 << 20, 1, &c) || c.status != EXIT_FAILED)
		return 2;
	if (!strstr(c.text, "limit is 64 KiB (RLIMIT_MEMLOCK)") ||
	    !strstr(c.text, "1 workers x 1024 KiB"))
		return 3;
	/* Threads share the limit of their process. */
	if (!limits_check_lock(32768, 3, &c) || !strstr(c.text, "3 workers x 32 KiB"))
		return 4;
	return 0;
}

static int lock_forbidden(void)
{
	struct complaint c = {0};

	if (become_nobody(RLIMIT_MEMLOCK, 0))
		return 1;
	return limits_check_lock(4096, 1, &c) && strstr(c.text, "limit is 0 KiB") ? 0 : 2;
}

static void locks_are_tried(void **state)
{
	(void)state;
	assert_in_child(lock_within_limit);
	assert_in_child(lock_above_limit);
	assert_in_child(lock_forbidden);
}

/* What no machine can map is not RLIMIT_MEMLOCK's fault, nor may the product wrap around. */
static void absurd_locks_are_refused(void **state)
{
	struct complaint c = {0};

	(void)state;
	assert_int_equal(limits_check_lock(UINT64_MAX / 2 + 1, 2, &c), -1);
	assert_null(strstr(c.text, "MEMLOCK"));
	assert_int_equal(limits_check_lock((uint64_t)1 << 60, 1, &c), -1);
	assert_null(strstr(c.text, "MEMLOCK"));
}

static void memory_that_is_there_is_granted(void **state)
{
	struct complaint c = {0};

	(void)state;
	assert_int_equal(limits_check_memory(0, "nothing", &c), 0);
	assert_int_equal(limits_check_memory(4096, "a page", &c), 0);
}

static void memory_that_is_not_there_is_refused(void **state)
{
	struct complaint c = {0};

	(void)state;
	assert_int_equal(limits_check_memory((uint64_t)1 << 50, "2 workers of 512T", &c), -1);
	assert_int_equal(c.status, EXIT_FAILED);
	assert_non_null(strstr(c.text, "2 workers of 512T: 1024T needed, "));
	assert_true(strstr(c.text, "MemAvailable") || strstr(c.text, "memory limit"));
	assert_int_equal(limits_check_memory(UINT64_MAX, "all", &c), -1);
}

static int fork_above_nproc(void)
{
	char text[512];

	if (become_nobody(RLIMIT_NPROC, 1))
		return 1;
	limits_explain_fork(EAGAIN, text, sizeof(text));
	return strstr(text, "nearest limit: RLIMIT_NPROC 1, ") && !strstr(text, " 0 in use") ? 0
	                                                                                     : 2;
}

static void fork_failures_name_a_limit(void **state)
{
	char text[512];

	(void)state;
	limits_explain_fork(EAGAIN, text, sizeof(text));
	assert_ptr_equal(strstr(text, strerror(EAGAIN)), text);
	assert_non_null(strstr(text, "nearest limit: "));
	assert_null(strchr(text, '\n'));
	assert_in_child(fork_above_nproc);
}

static void other_fork_failures_name_none(void **state)
{
	char text[512];

	(void)state;
	limits_explain_fork(ENOSYS, text, sizeof(text));
	assert_string_equal(text, strerror(ENOSYS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(locks_are_tried),
	        cmocka_unit_test(absurd_locks_are_refused),
	        cmocka_unit_test(memory_that_is_there_is_granted),
	        cmocka_unit_test(memory_that_is_not_there_is_refused),
	        cmocka_unit_test(fork_failures_name_a_limit),
	        cmocka_unit_test(other_fork_failures_name_none),
	};

	return cmocka_run_group_tests_name("limit", tests, NULL, NULL);
}
