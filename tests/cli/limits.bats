#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What the system refuses: forks, memory, calls, room for the output.

# shellcheck disable=SC2016 # the words of bash -c are for that bash

setup() {
	load helpers
	mkdir "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here"
	short=("${many[@]}" --laps=3)
	groups=()
}

teardown() {
	local group
	for group in "${groups[@]}"; do
		rmdir "$group"
	done
	! mountpoint -q small || umount small
}

# Makes a cgroup of a version 1 controller; $group is its directory.
new_group() { # CONTROLLER
	needs_root
	[[ -e /sys/fs/cgroup/$1/cgroup.procs ]] || skip "no $1 cgroup, version 1"
	group=/sys/fs/cgroup/$1/faultscale-test-$$-$BATS_TEST_NUMBER
	mkdir "$group"
	groups+=("$group")
}

# Runs faultscale in $group.
in_group() { # ARGUMENTS...
	run --separate-stderr timeout 60 bash -c 'echo $$ >"$1/cgroup.procs"; exec "${@:2}"' - \
		"$group" "$FAULTSCALE" "$@"
}

# Runs faultscale under strace with an injected fault.
injected() { # INJECTION ARGUMENTS...
	run --separate-stderr timeout 60 strace -f -q -o /dev/null -e "inject=$1" \
		"$FAULTSCALE" "${@:2}"
	[[ $stderr != *'strace: '* ]] || skip "$stderr"
}

@test "fork refused half way" {
	injected clone:error=EAGAIN:when=3 run -n 8 "${short[@]}" -o out
	expect_status 1
	expect_error 'fork of worker process 3 of 8 failed: Resource temporarily unavailable'
	[[ -z $(ls) ]]
	[[ -z $output ]]
}

@test "a thread refused" {
	injected clone3:error=EAGAIN:when=2 run -n 4 --mode=thread "${short[@]}"
	expect_status 1
	expect_output '^invalid: the thread of worker 2 could not be made: Resource temporarily'
}

@test "pids.max is named" {
	new_group pids
	echo 5 >"$group/pids.max"
	in_group run -n 16 "${short[@]}"
	expect_status 1
	expect_error "nearest limit: pids.max 5, 5 in use, $group"
}

@test "RLIMIT_NPROC is named" {
	needs_root
	run --separate-stderr timeout 60 setpriv --reuid=54321 --regid=54321 --clear-groups \
		bash -c 'ulimit -u 5; exec "$@"' - "$FAULTSCALE" run -n 8 "${short[@]}"
	expect_status 1
	expect_error 'nearest limit: RLIMIT_NPROC 5, [56] in use'
}

@test "many workers need no descriptors of the parent" {
	run --separate-stderr timeout 60 bash -c 'ulimit -n 24; exec "$@"' - \
		"$FAULTSCALE" run -n 200 --oversubscribe --bytes=16K --laps=2 --format=csv
	expect_status 0
	[[ $(csv_column workers <(echo "$output")) == 200 ]]
	[[ $(csv_column minor_faults <(echo "$output")) == $((200 * 2 * 16384 / $(getconf PAGESIZE))) ]]
}

@test "pinning refused" {
	injected sched_setaffinity:error=EPERM run -n 1 --laps=3
	expect_status 1
	expect_output '^invalid: worker 0 could not be pinned to CPU [0-9]+: Operation not permitted$'
}

@test "a step refused in the middle of the work is not taken for a fast one" {
	injected madvise:error=EINVAL:when=50 run -n 1 --bytes=64K --laps=100 -o out
	expect_status 1
	expect_output "^invalid: worker 0: 'dontneed' failed: Invalid argument$"
	[[ -z $(csv_column pages_per_s out/points.csv) ]]
	[[ $(csv_column status out/workers.csv) == failed ]]
}

@test "a step that the kernel does not know is unsupported" {
	injected madvise:error=EINVAL run -n 1 --bytes=64K --laps=100 'map: populate dontneed'
	expect_status 77
	expect_output "^unsupported: this kernel refuses 'populate': Invalid argument$"
}

@test "huge pages that cannot be ruled out are said" {
	injected prctl:error=EINVAL run -n 1 --laps=3 --thp=never
	expect_status 77
	expect_output '^unsupported: huge pages cannot be ruled out by prctl: Invalid argument$'
}

@test "no memory for a worker in the middle of its work" {
	injected mmap:error=ENOMEM:when=150 run -n 1 --laps=200 --bytes=64K 'map fault unmap'
	expect_status 1
	expect_output "^invalid: worker 0: 'map' failed: Cannot allocate memory$"
}

@test "more memory than there is, is refused before anything starts" {
	faultscale run -n 1 --bytes=100T -o out
	expect_status 1
	expect_error "^faultscale: the workers' memory: 100T needed, .* available"
	[[ -z $(ls) ]]
}

@test "more memory than the cgroup leaves is refused, its limit named" {
	new_group memory
	echo 32M >"$group/memory.limit_in_bytes"
	in_group run -n 2 --oversubscribe --bytes=64M --laps=1
	expect_status 1
	expect_error "128M needed, .* available \(memory limit 32M, .* in use, $group\)"
}

@test "the OOM killer takes a worker, not the parent, and is named" {
	new_group memory
	echo 96M >"$group/memory.limit_in_bytes"
	(
		echo "$BASHPID" >"$group/cgroup.procs"
		exec timeout 60 "$FAULTSCALE" run -n 2 --oversubscribe --bytes=16M --warmup=0 -d 20 \
			-o out >said 2>&1 3>&-
	) &
	local measuring=$!
	until grep -qs fault out.partial-*/samples.csv || [[ ! -e /proc/$measuring ]]; do
		sleep 0.1
	done
	# A neighbour in the group takes what is left and more.
	bash -c 'echo $$ >"$1/cgroup.procs"; exec python3 -c "b\"x\" * (80 << 20)"' - "$group" || true
	status=0
	wait "$measuring" || status=$?
	output=$(<said)
	expect_status 1
	expect_output 'was killed by SIGKILL; its memory cgroup counts [0-9]+ more OOM kill'
	expect_whole_rows out
}

@test "a tiny or missing /dev/shm does not matter" {
	needs_root
	unshare -m true || skip 'no mount namespaces here'
	run --separate-stderr timeout 60 unshare -m bash -c '
		mount -t tmpfs -o size=4k none /dev/shm && exec "$@"' - \
		"$FAULTSCALE" run -n 20 "${short[@]}"
	expect_status 0
}

@test "results on a full disk: whole rows, and said" {
	needs_root
	mkdir small
	unshare -m true || skip 'no mount namespaces here'
	mount -t tmpfs -o size=64k none small
	faultscale run -n 1 --bytes=16K -d 2 --warmup=0 --interval=1ms -o small/out
	expect_status 1
	expect_error 'cannot write small/out.partial-[0-9]+/.*: No space left on device'
	[[ ! -e small/out ]]
	expect_whole_rows small/out.partial-*
	rm -r small/out.partial-*
	umount small
	mount -t tmpfs -o size=4k none small
	faultscale run -n 1 --bytes=16K --laps=3 -o small/out
	expect_status 1
	expect_error 'No space left on device'
	[[ -z $(ls small) ]]
}

@test "results over a limit of file size" {
	run --separate-stderr timeout 60 bash -c 'ulimit -f 8; exec "$@"' - \
		"$FAULTSCALE" run -n 1 --bytes=16K -d 2 --warmup=0 --interval=1ms -o out
	expect_status 1
	expect_error 'File too large'
	[[ ! -e out ]]
	expect_whole_rows out.partial-*
}

@test "a write that fails while workers measure" {
	injected write:error=ENOSPC:when=12 run -n 1 --bytes=16K -d 1 --warmup=0 --interval=10ms \
		--format=csv -o out
	expect_status 1
	expect_error 'No space left on device'
}

@test "full and closed standard output" {
	local run=(run -n 1 --bytes=16K --laps=3)
	run --separate-stderr bash -c 'exec "$@" >/dev/full' - "$FAULTSCALE" "${run[@]}"
	expect_status 1
	expect_error 'cannot write to standard output: No space left on device'
	run --separate-stderr bash -c 'exec "$@" >/dev/full' - "$FAULTSCALE" "${run[@]}" --format=csv
	expect_status 1
	expect_error 'cannot write to standard output: No space left on device'
	run --separate-stderr bash -c 'exec "$@" >&-' - "$FAULTSCALE" "${run[@]}"
	expect_status 1
	expect_error 'cannot write to standard output'
	run --separate-stderr bash -c '"$@" | true; exit ${PIPESTATUS[0]}' - "$FAULTSCALE" \
		"${run[@]}" --format=csv
	[[ $status == [01] ]] || unexpected 'status'
	run --separate-stderr bash -c '"$@" | sleep 0; exit ${PIPESTATUS[0]}' - "$FAULTSCALE" run \
		-n 1 --bytes=16K --warmup=0 -d 500ms
	expect_status 1
	expect_error 'cannot write to standard output: Broken pipe'
}

@test "closed standard input and error" {
	run bash -c 'exec "$@" <&- 2>&-' - "$FAULTSCALE" run -n 1 --bytes=16K --laps=3 -o out
	expect_status 0
	expect_whole_rows out
	run bash -c 'exec "$@" <&- >&- 2>&-' - "$FAULTSCALE" run -n 1 --bytes=16K --laps=3 -o all
	expect_status 1
	expect_whole_rows all
}

@test "as another user" {
	needs_root
	chmod 777 "$BATS_TEST_TMPDIR"
	run --separate-stderr timeout 60 setpriv --reuid=65534 --regid=65534 --clear-groups \
		bash -c 'cd /tmp; exec "$@"' - "$FAULTSCALE" run -n 2 "${short[@]}"
	[[ $status != 126 ]] || skip 'the program cannot be reached by others'
	expect_status 0
}

@test "from cron: no environment, no terminal, in /" {
	run --separate-stderr env -i setsid bash -c 'cd /; exec "$@" </dev/null' - \
		"$FAULTSCALE" run -n 2 "${short[@]}"
	expect_status 0
	expect_silence
}

@test "from GNU parallel" {
	run --separate-stderr env PARALLEL= timeout 60 parallel --will-cite -j1 \
		"$FAULTSCALE" run -n {} "${short[@]}" --format=csv ::: 1 2
	expect_status 0
	(($(grep -c ,valid, <<<"$output") == 2))
}
