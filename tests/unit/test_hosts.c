// SPDX-License-Identifier: GPL-3.0-or-later
#include "hosts.h"

#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void logins_are_taken_apart(void **state)
{
	struct hosts hosts;
	struct complaint c;

	(void)state;
	assert_int_equal(hosts_parse("a,root@b.example,c_1:2222,u-x@10.0.0.1:22", &hosts, &c), 0);
	assert_int_equal(hosts.count, 4);
	assert_string_equal(hosts.hosts[0].id, "a");
	assert_string_equal(hosts.hosts[1].login, "root@b.example");
	assert_string_equal(hosts.hosts[1].name, "b.example");
	assert_string_equal(hosts.hosts[1].id, "root=b.example");
	assert_string_equal(hosts.hosts[2].name, "c_1:2222");
	assert_string_equal(hosts.hosts[3].id, "u-x=10.0.0.1%22");
	hosts_free(&hosts);
}

static void assert_refused(const char *list)
{
	struct hosts hosts;
	struct complaint c;

	if (hosts_parse(list, &hosts, &c) == 0)
		fail_msg("'%s' was accepted", list);
	assert_int_equal(c.status, EXIT_USAGE);
}

/* Each would mean something to a shell, to ssh, to rsync or to GNU parallel. */
static void nothing_else_is_a_host(void **state)
{
	(void)state;
	assert_refused("");
	assert_refused("a,");
	assert_refused(":");
	assert_refused("-oProxyCommand=id");
	assert_refused("a b");
	assert_refused("a;b");
	assert_refused("$(id)");
	assert_refused("a'b");
	assert_refused("a\nb");
	assert_refused("2/a");
	assert_refused("@group/a");
	assert_refused("ssh -p 1 a");
	assert_refused("u:password@a");
	assert_refused("a@b@c");
	assert_refused("a@-b");
	assert_refused(".a");
	assert_refused("a:");
	assert_refused("a:0");
	assert_refused("a:65536");
	assert_refused("a:22x");
	assert_refused("a/b");
	assert_refused("a,b,a");
	assert_refused("root@a,a");
}

static void a_file_has_one_a_line(void **state)
{
	struct fixture *fixture = *state;
	struct hosts hosts;
	struct complaint c;

	fixture_write(fixture, "hosts", "# rack 1\n\n  a  \nroot@b:22\r\n#c\n");
	assert_int_equal(hosts_read(fixture_path(fixture, "hosts"), &hosts, &c), 0);
	assert_int_equal(hosts.count, 2);
	assert_string_equal(hosts.hosts[0].login, "a");
	assert_string_equal(hosts.hosts[1].login, "root@b:22");
	hosts_free(&hosts);
}

static void bad_files_are_refused(void **state)
{
	struct fixture *fixture = *state;
	struct hosts hosts;
	struct complaint c;

	assert_int_equal(hosts_read(fixture_path(fixture, "none"), &hosts, &c), -1);
	fixture_write(fixture, "hosts", "# nobody\n");
	assert_int_equal(hosts_read(fixture_path(fixture, "hosts"), &hosts, &c), -1);
	fixture_write(fixture, "hosts", "a\nb c\n");
	assert_int_equal(hosts_read(fixture_path(fixture, "hosts"), &hosts, &c), -1);
	fixture_write(fixture, "hosts", "a\n$(id)\n");
	assert_int_equal(hosts_read(fixture_path(fixture, "hosts"), &hosts, &c), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(logins_are_taken_apart),
	        cmocka_unit_test(nothing_else_is_a_host),
	        cmocka_unit_test_setup_teardown(a_file_has_one_a_line, fixture_setup,
	                                        fixture_teardown),
	        cmocka_unit_test_setup_teardown(bad_files_are_refused, fixture_setup,
	                                        fixture_teardown),
	};

	return cmocka_run_group_tests_name("hosts", tests, NULL, NULL);
}
