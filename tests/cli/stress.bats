#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# A few of the runs that tests/stress.sh makes by the hundred.

setup() {
	load helpers
}

@test "crowded runs, killed parents and killed workers" {
	run timeout 300 "$root/tests/stress.sh" 5 5
	expect_status 0
}
