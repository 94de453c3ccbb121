#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# How a run ends that does not come to its own end: signals, lost workers, a lost parent.

# shellcheck disable=SC2016,SC2034,SC2054 # the words of bash -c are for that bash; via is helpers.bash's

setup() {
	load helpers
	cd "$BATS_TEST_TMPDIR"
	long=("${many[@]}" -d 20)
}

# Interrupted while it measures: dies of the same signal, its rows are whole and say so.
interrupted_by() { # SIGNAL TARGET SIGNALS
	disturbed -w 3 -d 0.3 -t "$2" -s "$3" -- run -n 3 "${long[@]}" -o out
	expect_output "^ended by SIG$1$"
	expect_output "^interrupted: interrupted by SIG$1$"
	[[ $(csv_column status out/points.csv) == interrupted ]]
	expect_whole_rows out
}

# bats test_tags=sanitize
@test "SIGINT to the command" {
	interrupted_by INT parent INT
}

@test "SIGINT to the group, as from a terminal" {
	interrupted_by INT group INT
}

@test "SIGINT twice" {
	disturbed -w 3 -d 0.3 -s INT,INT -- run -n 3 "${long[@]}"
	expect_output '^ended by SIGINT$'
}

@test "SIGTERM to the command" {
	interrupted_by TERM parent TERM
}

@test "SIGTERM to the group, as from timeout and GNU parallel" {
	interrupted_by TERM group TERM
}

@test "SIGHUP" {
	interrupted_by HUP parent HUP
}

@test "SIGINT while workers are being started" {
	disturbed -w 8 -s INT -- run -n 200 "${long[@]}" -o out
	expect_output '^ended by SIGINT$'
	[[ ! -d out ]] || expect_whole_rows out
}

@test "SIGINT while workers rehearse" {
	disturbed -w 1 -s INT -- run -n 1 --bytes=256M -d 20 -o out
	expect_output '^ended by SIGINT$'
}

@test "SIGINT to the threads of one process" {
	disturbed -w 1 -d 0.3 -s INT -- run -n 4 --mode=thread "${long[@]}"
	expect_output '^ended by SIGINT$'
}

@test "SIGINT ends all repeats and keeps those that are finished" {
	disturbed -w 1 -d 1 -s INT -- run -n 1 --bytes=64K --warmup=0 -d 100ms -r 1000 -o out
	expect_output '^ended by SIGINT$'
	expect_whole_rows out
	[[ $(csv_column status out/points.csv | head -n 1) != interrupted ]]
	[[ $(csv_column status out/points.csv | tail -n 1) == interrupted ]]
	(($(csv_column repeat out/points.csv | tail -n 1) < 1000))
}

lost_by() { # SIGNAL VERB ARGUMENTS...
	disturbed -w 3 -d 0.3 -t worker -s "$1" -- run -n 3 "${long[@]}" -o out "${@:3}"
	expect_output '^ended with 1$'
	expect_output "^invalid: worker [0-2] was $2 by SIG$1"
	[[ $(csv_column status out/points.csv) == invalid ]]
	[[ -z $(csv_column pages_per_s out/points.csv) ]]
	(($(csv_column status out/workers.csv | grep -c "^$2$") == 1))
	expect_whole_rows out
}

# bats test_tags=sanitize
@test "a worker killed by SIGKILL" {
	lost_by KILL killed
}

@test "a worker killed by SIGSEGV" {
	lost_by SEGV killed
}

@test "a worker killed by SIGTERM" {
	lost_by TERM killed
}

@test "a stopped worker" {
	lost_by STOP stopped
}

@test "a worker killed in fixed work" {
	disturbed -w 2 -d 0.3 -t worker -s KILL -- \
		run -n 2 --oversubscribe --bytes=64K --laps=100000000 -o out
	expect_output '^ended with 1$'
	expect_output '^invalid: worker [01] was killed by SIGKILL$'
	expect_whole_rows out
}

@test "a process of threads that is killed" {
	disturbed -w 2 -d 0.3 -t worker -s KILL -- run -n 4 --per-process=2 "${long[@]}"
	expect_output '^ended with 1$'
	expect_output '^invalid: the process of workers (0-1|2-3) was killed by SIGKILL$'
}

@test "workers killed while others are being started" {
	disturbed -w 8 -t worker -s KILL -- run -n 200 "${long[@]}"
	expect_output '^ended with 1$'
	expect_output 'was killed by SIGKILL'
}

# bats test_tags=threads
@test "the parent killed leaves no worker, of processes or threads" {
	disturbed -w 3 -d 0.2 -s KILL -- run -n 3 "${long[@]}"
	expect_output '^ended by SIGKILL$'
	disturbed -w 1 -d 0.2 -s KILL -- run -n 3 --mode=thread "${long[@]}"
	expect_output '^ended by SIGKILL$'
}

@test "what was measured before the parent was killed is there, in whole rows" {
	disturbed -w 2 -d 1 -s KILL -- run -n 2 --interval=10ms "${long[@]}" -o out
	[[ ! -e out ]]
	expect_whole_rows out.partial-*
	(($(wc -l <out.partial-*/samples.csv) > 1))
	grep -q '^command,' out.partial-*/meta.csv
}

# A stuck worker cannot be told from a slow one but by time.
@test "a worker that does not move is given up" {
	(($(awk '/^MemAvailable/ { print $2 }' /proc/meminfo) > 6 << 20)) || skip 'less than 6 GiB'
	faultscale run -n 1 --bytes=4G --timeout=100ms --warmup=0 --thp=never \
		-d 2 'map: populate dontneed'
	expect_status 1
	expect_output '^invalid: worker 0 did not move for 100ms \(--timeout\)$'
}

@test "an ignored SIGCHLD and blocked signals are reset" {
	run --separate-stderr env --ignore-signal=CHLD --block-signal=CHLD,ALRM,TERM,USR1 \
		timeout 60 "$FAULTSCALE" run -n 2 --oversubscribe --laps=5
	expect_status 0
	via=(env --block-signal=TERM,INT,CHLD)
	disturbed -w 2 -d 0.3 -s TERM -- run -n 2 "${long[@]}"
	expect_output '^ended by SIGTERM$'
}

# A killed worker must still die of what kills it.
@test "blocked signals do not reach the workers" {
	via=(env --block-signal=TERM)
	disturbed -w 2 -d 0.3 -t worker -s TERM -- run -n 2 "${long[@]}"
	expect_output '^ended with 1$'
	expect_output 'was killed by SIGTERM'
}

@test "under nohup SIGHUP is not heard" {
	via=(nohup)
	disturbed -w 1 -d 0.1 -s HUP -- run -n 1 --bytes=64K --warmup=0 -d 500ms
	expect_output '^ended with 0$'
}

@test "as a background job of a shell, which ignores SIGINT" {
	run bash -c '"$1" run -n 1 --bytes=64K --warmup=0 -d 300ms >log & sleep 0.1; kill -INT $!
		wait $!' - "$FAULTSCALE"
	expect_status 0
	grep -q 'pages/s' log
}

@test "as PID 1 of a namespace" {
	needs_root
	unshare -pf --mount-proc true || skip 'no PID namespaces here'
	run --separate-stderr timeout 60 unshare -pf --mount-proc "$FAULTSCALE" \
		run -n 2 --oversubscribe --laps=5 --bytes=64K
	expect_status 0
	expect_output 'pages/s'
	# Orphans that PID 1 inherits are none of its workers.
	run --separate-stderr timeout 60 unshare -pf --mount-proc bash -c \
		'(sleep 0.2 &) ; exec "$1" run -n 2 "${@:2}" -d 600ms' - "$FAULTSCALE" "${many[@]}"
	[[ $status == 0 || $output == *skew* ]] || unexpected 'status'
	[[ $output != *ended\ early* ]]
}

@test "the parent's death is noticed under a subreaper, too" {
	run --separate-stderr timeout 60 python3 - "$root/tests/disturb.py" "$FAULTSCALE" <<-'END'
	import ctypes, os, subprocess, sys
	PR_SET_CHILD_SUBREAPER = 36
	assert ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
	sys.exit(subprocess.run([sys.argv[1], "-w", "3", "-s", "KILL", sys.argv[2], "run", "-n", "3",
	    "--oversubscribe", "--bytes=64K", "-d", "20"]).returncode)
	END
	expect_output '^ended by SIGKILL$'
	expect_output '^left 0$'
}
