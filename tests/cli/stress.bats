#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# A few of the runs that tests/stress.sh makes by the hundred, and tests/stress_sweep.sh by the score.

setup() {
	load helpers
}

@test "crowded runs, killed parents and killed workers" {
	run timeout 300 "$root/tests/stress.sh" 5 5
	expect_status 0
}

@test "killed sweeps" {
	command -v parallel >/dev/null || skip 'needs GNU parallel'
	run timeout 300 "$root/tests/stress_sweep.sh" 3
	expect_status 0
}
