#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What `faultscale run` prints and writes when all is well, and where it puts its workers.

# shellcheck disable=SC2016 # the words of bash -c are for that bash

setup() {
	load helpers
	mkdir "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here"
	short=("${many[@]}" --laps=3)
	allowed=$(taskset -cp $$ | sed 's/.*: //')
	first=${allowed%%[,-]*}
}

teardown() {
	[[ -z ${group-} ]] || rmdir "$group"
}

@test "a table of at most 80 columns, silence on stderr" {
	faultscale run -n 2 "${short[@]}" memory-test --bytes=64K
	expect_status 0
	expect_silence
	expect_output '^MiB/s copied( +[0-9,]+){4}$'
	expect_output '^sum of the workers. rates +[0-9,]+ pages/s, [0-9,]+ MiB/s copied$'
	expect_output '^all work by the wall time +[0-9,]+ pages/s, [0-9,]+ MiB/s copied$'
	expect_output '^sum of the workers. copies .* MiB/s'
	(($(awk '{ if (length > most) most = length } END { print most }' <<<"$output") <= 80))
	faultscale run -n 1 --bytes=64K --warmup=0 -d 300ms
	expect_status 0
	expect_output '^pages/s .*[0-9]'
	(($(awk '{ if (length > most) most = length } END { print most }' <<<"$output") <= 80))
}

# bats test_tags=sanitize,threads
@test "threads" {
	faultscale run -n 4 --mode=thread "${short[@]}"
	expect_status 0
	expect_output '4 workers \(thread\)'
}

@test "--format=csv prints CSV and nothing else" {
	faultscale run -n 2 "${short[@]}" --repeat=2 --format=csv
	expect_status 0
	expect_silence
	python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin, strict=True))
assert [row["repeat"] for row in rows] == ["1", "2"]
assert all(row["status"] == "valid" and None not in row for row in rows)' <<<"$output"
}

@test "every file is plain CSV; numbers are numbers, unknown is empty" {
	faultscale run -n 2 "${short[@]}" memory-test --bytes=64K -o out
	expect_status 0
	expect_whole_rows out
	python3 - out/*.csv <<-'END'
	import csv, sys
	for path in sys.argv[1:]:
	    for row in csv.DictReader(open(path, newline="")):
	        for name, value in row.items():
	            assert value.lower() not in ("nan", "inf", "-nan", "-", "unknown"), (path, name)
	            if name.endswith(("_s", "_ns", "faults", "laps", "pages")):
	                value and float(value)
	END
}

@test "gnuplot reads the files by column name" {
	command -v gnuplot || skip 'no gnuplot'
	faultscale run -n 2 "${short[@]}" -o out
	run gnuplot -e 'set datafile separator comma; set table "t";
		plot "out/workers.csv" using (column("worker")):(column("pages_per_s"))'
	expect_status 0
	(($(grep -c ' i$' t) == 2))
}

@test "samples add up to the windows, steps to the laps" {
	faultscale run -n 2 --oversubscribe --bytes=64K --warmup=0 -d 300ms --interval=1ms -o out
	[[ $status == 0 || $output == *skew* ]] || unexpected 'status'
	python3 - <<-'END'
	import csv
	read = lambda name: list(csv.DictReader(open("out/%s.csv" % name)))
	samples = [row for row in read("samples") if row["step"] == "lap"]
	for worker in read("workers"):
	    mine = [row for row in samples if row["worker"] == worker["worker"]]
	    assert len(mine) > 1
	    for there, here in (("laps", "laps"), ("work", "pages"), ("faults", "minor_faults")):
	        assert sum(int(row[there]) for row in mine) == int(worker[here]), (there, worker)
	END
}

@test "the timeline has every step of every long lap, in order" {
	faultscale run -n 2 --oversubscribe --bytes=8M --laps=5 -o out
	expect_status 0
	python3 - <<-'END'
	import csv
	rows = list(csv.DictReader(open("out/timeline.csv")))
	for worker in "01":
	    mine = [row for row in rows if row["worker"] == worker]
	    assert [(row["lap"], row["step"]) for row in mine] == [
	        (str(lap), step) for lap in range(5) for step in ("fault", "dontneed")], mine
	    times = [float(row[edge]) for row in mine for edge in ("start_s", "end_s")]
	    assert times == sorted(times)
	END
}

@test "the same point has the same key, another has another" {
	key() {
		timeout 60 "$FAULTSCALE" run "${many[@]}" --laps=1 --format=csv "$@" >row
		csv_column key row
	}
	one=$(key -n 2)
	[[ $one == "$(key -n 2 --thp=never 'map: fault  dontneed')" ]]
	[[ $one == "$(key -n 2 --interval=1s --repeat=2 | tail -n 1)" ]]
	[[ $one != "$(key -n 1)" ]]
	[[ $one != "$(key -n 2 --mode=thread)" ]]
}

@test "the directory is new or refused" {
	mkdir there
	faultscale run -n 1 --laps=1 -o there
	expect_status 2
	expect_error "'there' exists"
	faultscale run -n 1 --laps=1 -o no/such/place
	expect_status 1
	expect_error 'No such file or directory'
	[[ $(ls) == there ]]
}

@test "a decimal comma of the locale changes nothing" {
	command -v localedef || skip 'no localedef'
	mkdir locale
	localedef -i de_DE -f UTF-8 locale/de_DE.UTF-8 || skip 'no source of de_DE'
	run --separate-stderr env LOCPATH="$PWD/locale" LC_ALL=de_DE.UTF-8 timeout 60 \
		"$FAULTSCALE" run -n 1 --bytes=64K --warmup=0.01 -d 0.2 --format=csv
	expect_status 0
	[[ $(csv_column window_s <(echo "$output")) == 0.* ]]
}

@test "counts of workers that cannot be" {
	local count
	for count in 0 -1 1e3 100000 '' 2x; do
		faultscale run -n "$count" --oversubscribe
		expect_status 2
		expect_error '^faultscale: --workers: '
	done
	faultscale run -n 60000
	expect_status 2
	expect_error '^faultscale: 60000 workers, [0-9]+ allowed CPU'
}

@test "the inherited mask is not widened" {
	run --separate-stderr taskset -c "$first" "$FAULTSCALE" run -n 2 --laps=1
	expect_status 2
	expect_error "^faultscale: 2 workers, 1 allowed CPU \($first\)$"
	run --separate-stderr taskset -c "$first" "$FAULTSCALE" run --laps=2 --format=csv
	expect_status 0
	[[ $(csv_column cpus <(echo "$output")) == "$first" ]]
}

@test "--cpus: each bad item is named" {
	local list
	for list in 0-10000 3-1 1-4294967294 0,,1 "$first,$first" ' 0 - 1' abc 0-10:0 -1; do
		faultscale run -n 1 --laps=1 --cpus="$list"
		expect_status 2
		expect_error '^faultscale: --cpus: '
	done
	faultscale run -n 1 --laps=1 --cpus="$first-$first"
	expect_status 0
}

@test "a cpuset of one CPU that is not the first" {
	needs_root
	[[ -e /sys/fs/cgroup/cpuset/cpuset.cpus && $allowed != "$first" ]] || skip 'no such cpuset'
	group=/sys/fs/cgroup/cpuset/faultscale-test-$$
	local last=${allowed##*[,-]}
	mkdir "$group"
	echo "$last" >"$group/cpuset.cpus"
	echo 0 >"$group/cpuset.mems"
	in_set() {
		run --separate-stderr timeout 60 bash -c 'echo $$ >"$1/cgroup.procs"; exec "${@:2}"' - \
			"$group" "$FAULTSCALE" run --laps=2 --format=csv "$@"
	}
	in_set -n 1
	expect_status 0
	[[ $(csv_column cpus <(echo "$output")) == "$last" ]]
	in_set -n 2
	expect_status 2
	expect_error "2 workers, 1 allowed CPU \($last\)"
}

@test "workers that share a CPU wait for it asleep" {
	run --separate-stderr timeout 60 taskset -c "$first" "$FAULTSCALE" run -n 8 --oversubscribe \
		--bytes=64K --laps=50 -o out
	expect_status 0
	expect_output '^warning: oversubscribed: 8 workers share'
}

@test "a worker slowed by a neighbour shows in its row" {
	[[ $allowed != "$first" ]] || skip 'one CPU'
	sh -c 'while :; do :; done' 3>&- &
	local burner=$!
	taskset -cp "$first" "$burner"
	faultscale run -n 1 --cpus="$first" --bytes=64K --warmup=0 -d 1 -o out
	kill "$burner"
	[[ $(csv_column run_delay out/workers.csv) == 0.[1-9]* ]]
}

@test "locked memory is the workers' own" {
	disturbed -w 1 -d 0.5 -s INT -- run -n 1 --bytes=64K --warmup=0 -d 20 'map mlock: touch'
	expect_output '^ended by SIGINT$'
	faultscale run -n 2 --oversubscribe --laps=5 --bytes=64K 'map mlock: touch'
	expect_status 0
}

@test "more than one may lock is said" {
	needs_root
	run --separate-stderr timeout 60 bash -c 'ulimit -l 64; exec "$@"' - setpriv \
		--bounding-set=-ipc_lock --inh-caps=-ipc_lock "$FAULTSCALE" run -n 1 --bytes=1M --laps=1 \
		'map: mlock munlock dontneed'
	expect_status 1
	expect_error "cannot lock .*RLIMIT_MEMLOCK"
}

@test "--max-time means nothing without --precision" {
	faultscale run -n 1 -d 10ms --max-time=1s
	expect_status 2
	expect_error '--max-time means nothing without --precision'
}

@test "a table leaves no word out: precision not reached, events counted" {
	faultscale run -n 1 -d 20ms --warmup=5ms --precision=0.0001% --max-time=1ms \
		--events=page-faults --format=csv
	expect_status 0
	expect_error '^warning: \+-0\.0001 % was not reached within --max-time=1ms$'
	expect_error 'what --events counted is not in this table'
}

@test "help of every command fits 80 columns and exits with 0" {
	local command
	for command in '' run list; do
		# shellcheck disable=SC2086 # no word for ''
		faultscale $command --help
		expect_status 0
		expect_silence
		(($(awk '{ if (length > most) most = length } END { print most }' <<<"$output") <= 80))
	done
	faultscale
	expect_status 0
	faultscale nonsense
	expect_status 2
	expect_error "unknown command 'nonsense'"
}

@test "nothing of the system is changed" {
	state() {
		cat /sys/kernel/mm/transparent_hugepage/enabled /proc/sys/vm/nr_hugepages \
			/proc/sys/vm/overcommit_memory /proc/sys/kernel/numa_balancing 2>&1
		ls /dev/shm
	}
	before=$(state)
	faultscale run -n 2 "${short[@]}"
	disturbed -w 2 -s KILL -- run -n 2 "${many[@]}" -d 20
	[[ $(state) == "$before" ]]
}
