#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# --events: what the kernel counts for each worker in its window.

setup() {
	load helpers
	results=$BATS_TEST_TMPDIR/results
}

# Fixed work of two workers with those events counted.
count() { # EVENTS [WORD...]
	faultscale run -n 2 --oversubscribe --laps=10 --bytes=256K --thp=never \
		--events="$1" -o "$results" "${@:2}"
}

# Skips where the kernel or a container's filter lets nobody count.
need_perf() {
	"$FAULTSCALE" list events --format=csv | grep -q '^page-faults,faults,yes,' ||
		skip 'perf_event_open is not allowed'
}

# Columns of a result file whose cells hold no comma; `awk` starts sooner than python.
cells() { # FILE COLUMN...
	awk -F, -v names="${*:2}" '
		NR == 1 { for (i = 1; i <= NF; i++) place[$i] = i; count = split(names, name, " "); next }
		{
			for (i = 1; i <= count; i++)
				printf "%s%s", $place[name[i]], i < count ? "," : "\n"
		}' "$results/$1"
}

# The columns of events.csv of one event, one worker a line.
rows() { # EVENT COLUMN...
	cells events.csv event "${@:2}" | sed -n "s/^$1,//p"
}

@test "page faults by perf are those of getrusage, worker by worker" {
	need_perf
	for mode in process thread; do
		rm -rf "$results"
		count page-faults,task-clock --mode=$mode
		[ "$(rows page-faults value)" = "$(cells workers.csv minor_faults)" ]
		[ "$(rows page-faults scope | sort -u)" = user+kernel ]
		[ -z "$(rows page-faults error | tr -d '\n')" ]
		expect_output '^ +[0-9,]+      page-faults +# +1\.000 per page$'
		[[ $output != *'warning: in'*'perf counted'* ]]
	done
}

@test "a running time beside each value" {
	need_perf
	count page-faults
	rows page-faults enabled_s running_s | while IFS=, read -r enabled running; do
		[ "$enabled" = "$running" ]
		[ "$enabled" != 0.000000000 ]
	done
}

@test "populate faults without the event, and that raises no alarm" {
	need_perf
	count page-faults 'map: populate dontneed'
	[ "$(rows page-faults value | sort -u)" = 0 ]
	[[ $output != *'perf counted'* ]]
}

@test "repeats give a mean and its standard error" {
	need_perf
	faultscale run -n 1 --laps=20 --bytes=256K --thp=never -r 3 \
		--events=page-faults,task-clock 'map: fault dontneed'
	expect_status 0
	expect_output 'mean of 3 repeats'
	expect_output '^ +1,280      page-faults +#      1\.000 per page       \( \+-  0\.00% \)$'
	expect_output '^ +[0-9.]+ msec task-clock +# +[0-9.]+ usec per page  \( \+- *[0-9.]+% \)$'
}

# bats test_tags=sanitize
@test "a refused event is an empty cell and one note, whatever the reason" {
	command -v strace >/dev/null || skip 'needs strace'
	export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
	for errno in EACCES ENOENT EOPNOTSUPP EMFILE ENOSYS; do
		rm -rf "$results"
		run --separate-stderr timeout 60 strace -f -q -o /dev/null --seccomp-bpf \
			-e trace=perf_event_open -e inject=perf_event_open:error=$errno \
			"$FAULTSCALE" run -n 1 --laps=5 --bytes=256K -r 2 \
			--events=page-faults,cycles -o "$results"
		expect_status 0
		[ "$(grep -c '^note: page-faults, cycles not counted: ' <<<"$output")" -eq 1 ]
		[ "$(rows page-faults value enabled_s running_s scope | sort -u)" = ,,, ]
		[ -n "$(rows cycles error)" ]
		[ "$(cells points.csv status | sort -u)" = valid ]
	done
}

@test "without permission user mode is counted, and the sysctl is named" {
	need_perf
	[ "$(id -u)" -eq 0 ] || skip 'needs root'
	[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -eq 2 ] || skip 'needs perf_event_paranoid=2'
	cp "$FAULTSCALE" "$BATS_TEST_TMPDIR/faultscale"
	chmod 755 "$BATS_TEST_TMPDIR"
	cd /
	run --separate-stderr timeout 60 setpriv --reuid=65534 --regid=65534 --clear-groups \
		"$BATS_TEST_TMPDIR/faultscale" run -n 1 --laps=5 --bytes=256K \
		--events=page-faults,cs
	[ "$status" -ne 126 ] || skip 'another user may not enter the directory'
	expect_status 0
	expect_output '^note: page-faults counted in user mode only'
	expect_output 'kernel.perf_event_paranoid=2'
	expect_output '^note: context-switches not counted: Permission denied'
}

@test "more workers than a process may have open files for" {
	need_perf
	run --separate-stderr bash -c 'ulimit -n 40; exec timeout 60 "$@"' - "$FAULTSCALE" \
		run -n 16 --oversubscribe --mode=thread --laps=2 --bytes=256K --thp=never \
		--events=page-faults,minor-faults,major-faults -o "$results"
	expect_status 0
	expect_output 'page-faults.* not counted: Too many open files$'
	expect_output 'RLIMIT_NOFILE 40'
	rows page-faults value error | grep -q '^,Too many open files$'
	for cell in $(rows page-faults value); do
		[ "$cell" = 128 ]
	done
}

@test "a sweep counts them too, and puts its jobs' rows together" {
	command -v parallel >/dev/null || skip 'needs GNU parallel'
	need_perf
	faultscale sweep -n 1,2 --mode=process --oversubscribe --laps=5 --bytes=256K \
		--thp=never --events=page-faults -o "$results"
	expect_status 0
	[ "$(rows page-faults value)" = "$(printf '320\n320\n320')" ]
	# The counts are in the file; on the screen is the scaling.
	[[ $output != *' per page'* ]]
}

@test "a sweep says once what is not counted" {
	command -v parallel >/dev/null || skip 'needs GNU parallel'
	command -v strace >/dev/null || skip 'needs strace'
	run --separate-stderr timeout 60 strace -f -q -o /dev/null --seccomp-bpf \
		-e trace=perf_event_open -e inject=perf_event_open:error=EACCES \
		"$FAULTSCALE" sweep -n 1 --laps=2 --bytes=64K --events=page-faults -o "$results"
	expect_status 0
	[ "$(grep -c '^note: page-faults not counted: Permission denied$' <<<"$output")" -eq 1 ]
	[ "$(grep -c 'not counted' <<<"$output")" -eq 1 ]
}

@test "wrong lists are refused by name" {
	for list in page-fault ',' 'cycles,' 'faults,page-faults'; do
		faultscale run --events="$list"
		expect_status 2
		expect_error '^faultscale: --events: '
	done
	faultscale run --events=page-fault
	expect_error "'page-fault' is no event"
	expect_error 'faultscale list events'
}

@test "list events says what can be counted here" {
	faultscale list events
	expect_status 0
	expect_output '^page-faults +(yes|user|no) '
	faultscale list events --format=csv
	expect_output '^event,alias,here,why,what$'
	expect_output '^context-switches,cs,(yes|user|no),'
}
