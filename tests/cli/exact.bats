#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The kernel's count of faults is the derived one, for every worker, exactly: primes of laps, pages
# and workers, so that no other count could come to the same.  tests/unit/test_steps.c runs every
# composition of steps; here are modes, layouts and pieces.

# shellcheck disable=SC2030,SC2031,SC2086 # each test is a subshell of its own; page is a number

setup() {
	load helpers
	mkdir "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here"
	page=$(getconf PAGESIZE)
	primes=(-n 3 --oversubscribe --laps=7 --bytes=$((13 * page)) --thp=never)
	loops=('map: fault dontneed' 'map: populate touch dontneed' 'map: memcpy dontneed'
		'map fault: touch memcpy')
	vma_loops=('map fault unmap' 'map: mlock touch memcpy munlock dontneed'
		'map: fault protect unprotect dontneed' 'map: fault free dontneed'
		'map mlock: dontneed-locked fault')
}

teardown() {
	[[ -z ${thp-} ]] || echo "$thp" >/sys/kernel/mm/transparent_hugepage/enabled
}

# All results below the directory are valid, and each worker took its share of the derived faults.
expect_exact() { # DIRECTORY
	python3 - "$1" <<-'END'
	import csv, glob, sys
	paths = glob.glob(sys.argv[1] + "/*/points.csv")
	assert paths
	for path in paths:
	    [point] = csv.DictReader(open(path))
	    workers = list(csv.DictReader(open(path.replace("points", "workers"))))
	    what = {name: point[name] for name in ("workload", "mode", "layout", "piece", "reason")}
	    assert point["status"] == "valid", what
	    assert point["minor_faults"] == point["derived_faults"], (what, point)
	    assert point["stray_faults"] == "0" and point["major_faults"] == "0", what
	    assert len(workers) == int(point["workers"])
	    share = "pages" if int(point["pages"] or 0) else "laps"
	    for worker in workers:
	        due = int(point["derived_faults"]) * int(worker[share]) // int(point[share])
	        assert int(worker["minor_faults"]) == due, (what, worker)
	END
}

measure() { # NAME ARGUMENTS...
	faultscale run "${primes[@]}" -o "out/$1" "${@:2}"
	expect_status 0
}

@test "process, thread and hybrid mode" {
	local mode count=0
	mkdir out
	for mode in --mode=process --mode=thread --per-process=2; do
		for loop in "${loops[@]}" "${vma_loops[@]}"; do
			measure $((count++)) "$mode" "$loop"
		done
	done
	expect_exact out
}

@test "merged and interleaved layouts" {
	local layout mode count=0
	mkdir out
	for layout in merged interleaved; do
		for mode in --mode=process --mode=thread --per-process=2; do
			for loop in "${loops[@]}"; do
				measure $((count++)) "$mode" --layout=$layout "$loop"
			done
		done
	done
	expect_exact out
}

@test "piece by piece" {
	local count=0
	mkdir out
	primes=(-n 3 --oversubscribe --laps=7 --bytes=$((15 * page)) --thp=never)
	for loop in 'map: fault dontneed' 'map: fault memcpy dontneed' 'map fault unmap' \
		'map fault: touch'; do
		measure $((count++)) --piece=$page "$loop"
		measure $((count++)) --mode=thread --piece=$((5 * page)) "$loop"
	done
	measure $((count++)) --mode=thread --layout=interleaved --piece=$((3 * page)) \
		'map: fault dontneed'
	expect_exact out
}

@test "windows of time: short laps, long laps, laps that are split" {
	local count=0
	mkdir out
	primes=(-n 1 --warmup=20ms -d 200ms --thp=never --interval=7ms)
	measure $((count++)) --bytes=$page
	measure $((count++)) --bytes=$((13 * page)) --mode=thread 'map fault unmap'
	measure $((count++)) --bytes=$((2039 * page)) 'map: fault memcpy dontneed'
	expect_exact out
	measure $((count++)) --bytes=32M
	[[ $(csv_column minor_faults out/3/points.csv) == $(csv_column derived_faults out/3/points.csv) ]]
}

@test "a window ends when it is over, not when a sample is due" {
	faultscale run -n 1 --bytes=4K --thp=never -d 100ms --interval=60m --warmup=0 -o out \
		map: fault dontneed
	expect_status 0
	awk -v window="$(csv_column window_s out/points.csv)" 'BEGIN { exit !(window < 60) }'
}

@test "laps that do nothing take no faults" {
	mkdir out
	primes=(-n 2 --oversubscribe --laps=100003 --thp=never)
	measure nop nop
	measure idle idle
	expect_exact out
}

@test "a region of one page, one lap, one worker" {
	mkdir out
	primes=(-n 1 --laps=1 --bytes=1 --thp=never)
	measure one 'map: fault dontneed'
	expect_exact out
	[[ $(csv_column minor_faults out/one/points.csv) == 1 ]]
}

# On a kernel that maps no shared zero page a read gives a page of the worker's own.
@test "copy-on-write takes its faults or is said to be impossible here" {
	mkdir out
	for loop in 'map: read cow dontneed' 'map: read memcpy dontneed' \
		'map: read mlock munlock dontneed'; do
		faultscale run "${primes[@]}" -o "out/${loop//[: ]/}" "$loop"
		[[ $status == 77 && $output == *'no shared zero page'* ]] && continue
		expect_status 0
		expect_exact out
	done
}

# Sets the switch for transparent huge pages until the end of the test.
thp_set() { # WHEN
	needs_root
	[[ -w /sys/kernel/mm/transparent_hugepage/enabled ]] || skip 'no huge pages here'
	thp=$(sed 's/.*\[\(.*\)\].*/\1/' /sys/kernel/mm/transparent_hugepage/enabled)
	echo "$1" >/sys/kernel/mm/transparent_hugepage/enabled
}

@test "huge pages that the system forces are noticed and said" {
	thp_set always
	faultscale run -n 1 --bytes=8M --laps=3 'map: fault dontneed' --thp=default -o out
	expect_status 0
	expect_output '^warning: huge pages took part: 0\.[0-9]+ faults a page'
	[[ -z $(csv_column stray_faults out/points.csv) ]]
	(($(csv_column minor_faults out/points.csv) < $(csv_column derived_faults out/points.csv)))
}

@test "with --thp=never faults are exact although the system forces huge pages" {
	thp_set always
	mkdir out
	primes=(-n 2 --oversubscribe --laps=3 --bytes=8M --thp=never)
	measure process 'map: fault dontneed'
	measure thread --mode=thread 'map fault unmap'
	expect_exact out
}

# Sizes of multi-size THP have switches of their own (Linux 6.8), which the first does not show.
@test "a single size of huge pages that is on is noticed" {
	local switch=/sys/kernel/mm/transparent_hugepage/hugepages-64kB/enabled before
	needs_root
	[[ -w $switch ]] || skip 'no multi-size huge pages here'
	before=$(sed 's/.*\[\(.*\)\].*/\1/' $switch)
	echo always >$switch
	faultscale run -n 1 --bytes=1M --laps=3 'map: fault dontneed' --thp=default -o out
	echo "$before" >$switch
	expect_status 0
	[[ -z $(csv_column stray_faults out/points.csv) ]]
}
