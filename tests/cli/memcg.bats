#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Memory cgroups for the workers: entered, reported, removed.

setup() {
	load helpers
	[ "$(id -u)" -eq 0 ] || skip 'needs root'
	mount=$(awk '$3 == "cgroup" && $4 ~ /(^|,)memory(,|$)/ || $3 == "cgroup2" { print $2 }' /proc/mounts | head -n 1)
	[ -n "$mount" ] || skip 'no cgroup file system'
	faultscale run --laps=1 --memcg=one
	[[ $status -ne 77 && $stderr != *--memcg:* ]] || skip "$stderr"
}

groups() {
	find "$mount" -type d -name 'faultscale.*' 2>/dev/null
}

count_of() { # PID
	groups | grep -c "faultscale\.$1\." || true
}

@test "the workers are inside, the parent is not, and nothing is left" {
	"$FAULTSCALE" run -n 2 --oversubscribe -d 20s --memcg=each --memcg-depth=2 >/dev/null 3>&- &
	parent=$!
	sleep 1
	group=$(groups | grep "faultscale\.$parent")
	inside=$(cat "$group"/0/0/cgroup.procs "$group"/1/0/cgroup.procs | sort)
	workers=$(pgrep -P $parent | sort)
	kill -TERM $parent
	wait $parent || true
	[ -n "$workers" ]
	[ "$inside" = "$workers" ]
	[ "$(count_of $parent)" -eq 0 ]
}

@test "groups of a killed run are removed at the next start" {
	"$FAULTSCALE" run -n 1 -d 20s --memcg=one >/dev/null 3>&- &
	parent=$!
	sleep 1
	kill -9 $parent
	wait $parent || true
	[ "$(count_of $parent)" -gt 0 ]
	sleep 0.2
	faultscale run --laps=1 --memcg=one
	expect_status 0
	[ "$(count_of $parent)" -eq 0 ]
}

@test "the OOM killer is named" {
	faultscale run -n 2 --oversubscribe --mode=thread -d 1s --bytes=1700K --memcg=one --memcg-max=3500K
	expect_status 1
	expect_output '^invalid: .*killed by SIGKILL; its memory cgroup counts [0-9]+ more OOM kill'
	[ -z "$(groups)" ]
}

@test "a limit below the need, and threads with a group each, are refused" {
	faultscale run -n 1 --memcg=one --memcg-max=1M
	expect_status 1
	expect_error '^faultscale: --memcg-max=1M is too small for 1 x 2M in a group$'
	faultscale run -n 2 --oversubscribe --mode=thread --memcg=each
	expect_status 2
	expect_error 'are in one memory cgroup'
	faultscale run --memcg-max=1G
	expect_status 2
}

@test "points.csv says which groups there were" {
	faultscale run --laps=1 --memcg=each --format=csv
	expect_status 0
	printf '%s\n' "$output" >"$BATS_TEST_TMPDIR/points.csv"
	[ "$(csv_column memcg "$BATS_TEST_TMPDIR/points.csv")" = each ]
}
