#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# faultscale sweep on this machine.  The jobs are of fixed work (--laps), so that none is invalid
# because others use the machine.

setup() {
	load helpers
	cd "$BATS_TEST_TMPDIR"
	short=(--laps=2 --bytes=64K)
}

# The rows of a result file, each point once: KEY.REPEAT, sorted.
points() { # DIR
	paste -d . <(csv_column key "$1/points.csv") <(csv_column repeat "$1/points.csv") | sort
}

planned() { # DIR
	paste -d . <(csv_column key "$1/plan.csv") <(csv_column repeat "$1/plan.csv") | sort
}

expect_whole() { # DIR: every point of the plan exactly once, nothing left over
	diff <(planned "$1") <(points "$1")
	[[ -z $(find "$1" -name '*.partial-*' -o -name '*.new' -o -name parallel -o -name '*.before') ]]
}

# From here on the test is not about GNU parallel: the plain loop is quicker.
loop_only() {
	mkdir "$BATS_TEST_TMPDIR/loop"
	printf '#!/bin/sh\nexit 1\n' >"$BATS_TEST_TMPDIR/loop/parallel"
	chmod +x "$BATS_TEST_TMPDIR/loop/parallel"
	PATH=$BATS_TEST_TMPDIR/loop:$PATH
}

no_jobs_left() {
	run pgrep -f -- "--output=$PWD/"
	expect_status 1
}

# A directory for PATH in which only these commands are found.
path_of() { # COMMAND...
	mkdir -p bin
	local command
	for command; do
		ln -sf "$(command -v "$command")" bin
	done
	echo "$PWD/bin"
}

@test "sweep: a plan, its results and how it scales" {
	faultscale sweep -n 1 -r 2 "${short[@]}" -o out
	expect_status 0
	expect_output '^4 of 4 jobs to do'
	expect_output '^workers +mode +n +pages/s +sd +per worker +eff\. +thr/proc$'
	expect_output '^ +1 +process +2 '
	expect_output '^ +1 +thread +2 .* 100 % +[0-9]\.[0-9]+$'
	expect_output 'no scaling law is fitted to 1 count'
	expect_whole out
	[ "$(wc -l <out/joblog)" -eq 5 ]
	for file in points workers steps samples timeline meta plan scaling; do
		[ -s "out/$file.csv" ]
	done
	[ "$(csv_column status out/points.csv | sort -u)" = valid ]
	[ -n "$(awk -F, '$1 == "seed" && $2 > 0' out/meta.csv)" ]
}

@test "sweep: every column of the jobs' files is in the sweep's" {
	loop_only
	faultscale sweep -n 1 --mode=thread "${short[@]}" -o out
	expect_status 0
	for file in points workers steps samples timeline; do
		cmp "out/$file.csv" out/jobs/*.1/"$file.csv"
	done
}

@test "sweep: --format=csv" {
	loop_only
	faultscale sweep -n 1 "${short[@]}" --format=csv -o out
	expect_status 0
	cmp <(printf '%s\n' "$output") out/scaling.csv
	[ "$(csv_column mode out/scaling.csv | sort | tr '\n' ' ')" = 'process thread ' ]
}

@test "sweep: --dry-run prints command lines that have the keys they say" {
	faultscale sweep -n 1 --in-order -r 1 "${short[@]}" --dry-run "map: fault dontneed"
	expect_status 0
	expect_silence
	[ "${#lines[@]}" -eq 2 ]
	[[ ${lines[0]} == "faultscale run --workers=1 --mode=process --bytes=64K --laps=2"* ]]
	key=${lines[1]##*# }
	key=${key%%,*}
	# Pasted into a shell.
	faultscale() { "$FAULTSCALE" "$@"; }
	eval "${lines[1]% \#*} -o pasted"
	[ "$(csv_column key pasted/points.csv)" = "$key" ]
	[ ! -e out ]
}

@test "sweep: the plan of another machine" {
	HWLOC_SYNTHETIC="pack:4 core:10 pu:2" faultscale sweep --dry-run --in-order --mode=process
	expect_status 0
	counts=$(grep -o 'workers=[0-9]*' <<<"$output" | cut -d = -f 2 | tr '\n' ' ')
	[ "$counts" = '1 2 10 20 30 40 50 60 70 80 ' ]
	HWLOC_SYNTHETIC="pack:4 core:10 pu:2" faultscale sweep -o out
	expect_status 2
	expect_error '\-\-dry-run shows the plan'
	[ ! -e out ]
}

@test "sweep: the same seed gives the same plan" {
	HWLOC_SYNTHETIC="pack:4 core:10 pu:2" faultscale sweep --dry-run --seed=9 -r 2
	first=$output
	HWLOC_SYNTHETIC="pack:4 core:10 pu:2" faultscale sweep --dry-run --seed=9 -r 2
	[ "$first" = "$output" ]
	HWLOC_SYNTHETIC="pack:4 core:10 pu:2" faultscale sweep --dry-run --seed=10 -r 2
	[ "$first" != "$output" ]
}

@test "sweep: what cannot be is refused before anything is made" {
	for words in '-n 0' '-n 70000' '--mode=fibre' '-r 0' '--hosts=-oProxyCommand=x' \
		'--hosts-file=none' '--plan=none' '--seed=1 --in-order' '--cpus=4000' 'no-such-step'; do
		# shellcheck disable=SC2086 # a list of words
		faultscale sweep $words -o out
		[[ $status == [12] ]] || unexpected "$words"
		[ ! -e out ]
	done
	mkdir out
	touch out/precious
	faultscale sweep -n 1 "${short[@]}" -o out
	expect_status 2
	expect_error "'out' exists and is no sweep's"
	[ "$(ls out)" = precious ]
}

@test "sweep: goes on with what is missing, and only that" {
	loop_only
	faultscale sweep -n 1 -r 2 "${short[@]}" -o out
	expect_status 0
	before=$(cat out/jobs/*/points.csv | sort)
	rm -r out/jobs/*.2
	mkdir "out/jobs/$(planned out | head -n 1).partial-1"
	faultscale sweep -n 1 -r 3 "${short[@]}" -o out
	expect_status 0
	expect_output '^4 of 6 jobs to do'
	expect_whole out
	# What was there is as it was.
	[ "$(grep -cFx -f <(tail -n +2 out/points.csv) <<<"$before")" -eq 2 ]
	faultscale sweep -n 1 -r 3 "${short[@]}" -o out
	expect_status 0
	expect_output '^0 of 6 jobs to do'
	expect_whole out
}

@test "sweep: what is not valid is measured again" {
	loop_only
	faultscale sweep -n 1 --mode=thread "${short[@]}" -o out
	sed -i s/,valid,/,interrupted,/ out/jobs/*/points.csv
	faultscale sweep -n 1 --mode=thread "${short[@]}" -o out
	expect_status 0
	expect_output '^1 of 1 jobs to do'
	expect_whole out
	[ "$(csv_column status out/points.csv)" = valid ]
}

@test "sweep: --precision goes on with each point, and says which it did not get to" {
	loop_only
	precise=(sweep -n 1 "${short[@]}" -o out --format=text)
	faultscale "${precise[@]}" --precision=99%
	expect_status 0
	expect_output '^2 of 2 jobs to do, about .* to '
	[ "$(csv_column repeat out/points.csv | tr '\n' ' ')" = '1 2 3 4 5 6 7 8 9 10 1 2 3 4 5 6 7 8 9 10 ' ]
	[ "$(csv_column repeats out/scaling.csv | sort -u)" = 10 ]
	[[ $(csv_column precision out/scaling.csv | head -n 1) == 0.* ]]
	# What is precise enough is kept.
	faultscale "${precise[@]}" --precision=99.5% -r 2
	expect_output '^0 of 2 jobs to do'
	[[ $output != *'warning: +-'* ]]
	# What is not is measured again, once.
	faultscale "${precise[@]}" --precision=0.001% --max-time=50ms -r 3
	expect_status 0
	expect_output '^2 of 2 jobs to do'
	expect_output '^warning: \+-0.001 % was not reached within --max-time=50ms: 1 worker, (thread|process), multi-fault: \+-[0-9.]+ % after [0-9]+ valid repeats$'
	[ "$(grep -c '^warning: +-' <<<"$output")" -eq 2 ]
	faultscale "${precise[@]}" --precision=0.001% --max-time=50ms -r 3
	expect_output '^0 of 2 jobs to do'
	[ "$(grep -c '^warning: +-' <<<"$output")" -eq 2 ]
	# Without it the repeats are jobs of their own.
	faultscale "${precise[@]}" -r 3
	expect_status 0
	expect_output '^6 of 6 jobs to do'
	expect_whole out
}

# Starts a sweep into `out` in the background; returns when its first job measures.
begin() { # OPTION... ; its process id comes into $pid
	"$FAULTSCALE" sweep -n 1 -o out "$@" >text 2>&1 3>&- &
	pid=$!
	for _ in {1..200}; do
		compgen -G 'out/jobs/*.partial-*' >/dev/null && return
		sleep 0.05
	done
	return 1
}

@test "sweep: a more precise one that is cut off leaves what there was" {
	loop_only
	faultscale sweep -n 1 "${short[@]}" -o out --precision=99%
	expect_status 0
	rows=$(cut -d , -f 2-3,13- out/points.csv)
	begin "${short[@]}" --precision=0.001% --max-time=60s
	kill -KILL $pid
	wait $pid || true
	expect_no_jobs_soon
	faultscale sweep -n 1 "${short[@]}" -o out --precision=99%
	expect_status 0
	expect_output '^0 of 2 jobs to do'
	[ "$(cut -d , -f 2-3,13- out/points.csv)" = "$rows" ]
	begin "${short[@]}" --precision=0.001% --max-time=60s
	kill -TERM $pid
	wait $pid || true
	[ "$(cut -d , -f 2-3,13- out/points.csv)" = "$rows" ]
	[[ -z $(find out -name '*.before' -o -name '*.partial-*') ]]
}

@test "sweep: with --precision what cannot be valid is not tried until the time is over" {
	loop_only
	# A step that fails in the middle of the work is invalid, at once it is unsupported.
	run --separate-stderr timeout 60 strace -f -q -o /dev/null -e inject=madvise:error=EINVAL:when=10+ \
		"$FAULTSCALE" sweep -n 1 --mode=process --laps=20 --bytes=64K --precision=1% --max-time=50s -o out
	[[ $stderr != *'strace: '* ]] || skip "$stderr"
	expect_status 1
	[ "$(csv_column repeat out/points.csv | tr '\n' ' ')" = '1 2 3 ' ]
	[ "$(csv_column status out/points.csv | sort -u)" = invalid ]
	expect_output '^not valid: 1 of 1 jobs$'
	[[ $output != *'was not reached within'* ]]
	run --separate-stderr timeout 60 strace -f -q -o /dev/null -e inject=madvise:error=EINVAL \
		"$FAULTSCALE" sweep -n 1 --mode=process "${short[@]}" --precision=1% --max-time=50s -o none
	expect_status 77
	[ "$(csv_column status none/points.csv)" = unsupported ]
	[[ $output != *'was not reached within'* ]]
}

@test "sweep: results under other conditions are not mixed in" {
	loop_only
	faultscale sweep -n 1 --mode=thread "${short[@]}" -o out
	expect_status 0
	cp -a out whole
	for fact in kernel_release kernel_cmdline cpu_model thp build_id; do
		for file in out/meta.csv out/jobs/*/meta.csv; do
			cp "$file" saved
			sed -i "s/^$fact,.*/$fact,other/" "$file"
			faultscale sweep -n 1 -r 2 --mode=thread "${short[@]}" -o out
			expect_status 1
			expect_error "was measured with another .*: 'other', now '"
			cp saved "$file"
		done
	done
	diff -r --exclude=lock out whole
}

@test "sweep: killed again and again, every point is there once" {
	slowly=(sweep -n 1 -r 4 "${short[@]}" -o out)
	for _ in 1 2 3 4 5; do
		"$FAULTSCALE" "${slowly[@]}" >/dev/null 2>&1 3>&- &
		sleep "$(awk -v r=$RANDOM 'BEGIN { print 0.5 + r / 32768 * 2 }')"
		kill -KILL $! 2>/dev/null || true
		wait $! 2>/dev/null || true
	done
	faultscale "${slowly[@]}"
	expect_status 0
	expect_whole out
	no_jobs_left
}

# Much shorter than the jobs would go on.
expect_no_jobs_soon() {
	for _ in {1..100}; do
		pgrep -f -- "--output=$PWD/" >/dev/null || return 0
		sleep 0.05
	done
	return 1
}

@test "sweep: killed, it leaves no job measuring" {
	command -v parallel >/dev/null || skip 'needs GNU parallel'
	begin -d 50s
	kill -KILL $pid
	wait $pid || true
	expect_no_jobs_soon
	# Neither does GNU parallel.
	rm -r out
	begin -d 50s
	kill -KILL "$(pgrep -P $pid)"
	expect_no_jobs_soon
	kill -KILL $pid || true
}

@test "sweep: a job whose sweep is gone does not begin" {
	faultscale sweep --dry-run -n 1 --mode=thread "${short[@]}" --format=csv
	printf '%s\n' "$output" >plan.csv
	name=$(csv_column key plan.csv).1
	sleep 0 &
	wait $!
	FAULTSCALE_PID=$! faultscale run --plan=plan.csv --job="$name" -o job
	expect_status 1
	expect_error "the sweep of job $name is gone"
	[ ! -e job ]
	FAULTSCALE_PID=$$ faultscale run --plan=plan.csv --job="$name" -o job
	expect_status 0
}

@test "sweep: SIGTERM ends it, and it goes on" {
	"$FAULTSCALE" sweep -n 1 -d 30s -o out >text 2>&1 3>&- &
	pid=$!
	for _ in {1..200}; do
		compgen -G 'out/jobs/*.partial-*' >/dev/null && break
		sleep 0.05
	done
	kill -TERM $pid
	wait $pid && status=0 || status=$?
	[ "$status" -eq 143 ]
	grep -q 'missing: ' text
	no_jobs_left
	[[ -z $(find out -name '*.partial-*') ]]
}

@test "sweep: two in one directory" {
	"$FAULTSCALE" sweep -n 1 -d 30s -o out >text 2>&1 3>&- &
	pid=$!
	for _ in {1..200}; do
		[ -e out/plan.csv ] && break
		sleep 0.05
	done
	faultscale sweep -n 1 "${short[@]}" -o out
	kill -TERM $pid
	wait $pid || true
	expect_status 1
	expect_error "another sweep is at work in '.*/out': process $pid"
}

@test "sweep: without GNU parallel" {
	run env PATH="$(path_of true)" "$FAULTSCALE" sweep -n 1 "${short[@]}" -o out
	expect_status 0
	expect_output 'plain loop: GNU parallel is not installed'
	expect_whole out
}

@test "sweep: with another program called parallel" {
	path=$(path_of sh touch)
	printf '#!/bin/sh\ntouch "%s/called"\necho "parallel: bad option" >&2\nexit 1\n' "$PWD" \
		>bin/parallel
	chmod +x bin/parallel
	run --separate-stderr env PATH="$path" "$FAULTSCALE" sweep -n 1 "${short[@]}" -o out
	expect_status 0
	expect_output "the 'parallel' in PATH is not GNU parallel"
	expect_silence
	[ -e called ]
	expect_whole out
	run --separate-stderr env PATH="$path" "$FAULTSCALE" sweep --hosts=a -n 1 -o hosts
	expect_status 1
	expect_error 'not GNU parallel'
}

@test "sweep: without HOME, and whatever GNU parallel has been told elsewhere" {
	mkdir home home/.parallel
	echo '--jobs 8 --dry-run' >home/.parallel/config
	HOME=$PWD/home PARALLEL='--dry-run --colsep x' faultscale sweep -n 1 "${short[@]}" -o out
	expect_status 0
	expect_whole out
	run env -u HOME "$FAULTSCALE" sweep -n 1 "${short[@]}" -o nohome
	expect_status 0
	[[ $output != *HOME* ]]
	expect_whole nohome
	[ "$(find home -type f)" = home/.parallel/config ]
}

@test "sweep: no name is ever run by a shell" {
	for name in "a b'\$(touch hit)\`touch hit\`;touch hit;{}%s\"" \
		$'line\nbreak {= system("touch hit") =}'; do
		mkdir "$BATS_TEST_TMPDIR/start $name"
		cd "$BATS_TEST_TMPDIR/start $name"
		faultscale sweep -n 1 --mode=thread "${short[@]}" -o "./out $name"
		expect_status 0
		expect_whole "./out $name"
		faultscale sweep -n 1 "${short[@]}" -o never "$name"
		expect_status 2
		[ ! -e never ]
	done
	[[ -z $(find "$BATS_TEST_TMPDIR" -name hit) ]]
}

@test "sweep: a program of a strange name measures too" {
	mkdir 'bin;touch hit'
	program="bin;touch hit/fault \$(touch hit) scale"
	cp "$FAULTSCALE" "$program"
	run "$program" sweep -n 1 --mode=thread "${short[@]}" -o out
	expect_status 0
	expect_whole out
	[ ! -e hit ]
}

@test "sweep: one job of a plan, by its name" {
	faultscale sweep --dry-run --in-order -n 1 "${short[@]}" --format=csv
	printf '%s\n' "$output" >plan.csv
	key=$(csv_column key plan.csv | head -n 1)
	faultscale run --plan=plan.csv --job="$key.1" -o job
	expect_status 0
	[ -z "$output" ]
	[ "$(csv_column key job/points.csv)" = "$key" ]
	faultscale run --plan=plan.csv --job="$key.2" -o other
	expect_status 2
	faultscale run --plan=plan.csv -o other
	expect_status 2
	sed -i 's/--laps=2/--laps=3/' plan.csv
	faultscale run --plan=plan.csv --job="$key.1" -o other
	expect_status 1
	expect_error "the plan's key $key is "
	sed -i "s/faultscale run .*/touch hit/" plan.csv
	faultscale run --plan=plan.csv --job="$key.1" -o other
	expect_status 1
	[ ! -e hit ]
	[ ! -e other ]
}

@test "sweep: over a limit of file size, and on a full output" {
	loop_only
	run --separate-stderr bash -c 'ulimit -f 1; exec timeout 60 "$@"' - "$FAULTSCALE" \
		sweep -n 1 --mode=thread "${short[@]}" -o out
	expect_status 1
	expect_error "cannot write '.*': File too large"
	run --separate-stderr bash -c 'exec timeout 60 "$@" >/dev/full' - "$FAULTSCALE" \
		sweep -n 1 --mode=thread "${short[@]}" -o out
	expect_status 1
	expect_error 'cannot write to standard output: No space left on device'
	faultscale sweep -n 1 --mode=thread "${short[@]}" -o out
	expect_status 0
	expect_whole out
}

@test "sweep: a plan from a file" {
	loop_only
	faultscale sweep --dry-run --seed=3 -n 1 "${short[@]}" --format=csv
	printf '%s\n' "$output" >plan.csv
	faultscale sweep --plan=plan.csv -o out
	expect_status 0
	cmp plan.csv out/plan.csv
	expect_whole out
}
