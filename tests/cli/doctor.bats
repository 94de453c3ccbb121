#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# doctor: what will spoil a measurement here; and that neither it nor run changes the system.
# shellcheck disable=SC2016 # scripts of an inner shell are not expanded here

setup() {
	load helpers
	groups=$BATS_TEST_TMPDIR/groups
	touch "$groups"
}

teardown() {
	xargs -r rmdir <"$groups"
}

# Makes a control group of version 1, for this test only; skips where that cannot be.
group_make() { # CONTROLLER
	group=/sys/fs/cgroup/$1/doctor.$$
	mkdir "$group" 2>/dev/null || skip "needs the $1 controller of version 1"
	echo "$group" >>"$groups"
}

# Runs doctor in the group, after the commands.
doctor_in_group() { # COMMANDS
	run --separate-stderr bash -c 'cd "$2" && echo $BASHPID >cgroup.procs && eval "$3"
		cd / && exec "$1" doctor --format=csv' - "$FAULTSCALE" "$group" "$1"
}

# The status of a check in the CSV of the last run.
status_of() { # CHECK
	sed -n "s/^$1,\([a-z]*\),.*/\1/p" <<<"$output"
}

# bats test_tags=sanitize
@test "every check is told, in 80 columns, and nothing on stderr" {
	faultscale doctor
	expect_status 0
	expect_silence
	expect_output '^(ok|note|spoils|unknown) +clock +'
	expect_output '^[0-9]+ checks: '
	run ! grep -E '.{81}' <<<"$output"
}

# bats test_tags=sanitize
@test "CSV has a row for each check, with a status of the list" {
	faultscale doctor --format=csv
	expect_status 0
	expect_output '^check,status,value,meaning,command$'
	python3 - <<-END
	import csv, io
	rows = list(csv.DictReader(io.StringIO('''$output''')))
	assert len(rows) > 25
	for row in rows:
	    assert row["status"] in ("ok", "unknown", "note", "spoils"), row
	    assert (row["status"] == "unknown") == (row["value"] == ""), row
	    assert row["meaning"], row
	END
}

@test "wrong words are refused" {
	faultscale doctor everything
	expect_status 2
	faultscale doctor --workers=2
	expect_status 2
	faultscale doctor --help
	expect_status 0
}

@test "a busy machine is called so" {
	timeout 10 sh -c 'while :; do :; done' 3>&- &
	busy=$!
	sleep 0.2
	faultscale doctor --format=csv
	kill $busy
	[ "$(status_of load)" = spoils ]
}

@test "a mask leaves fewer CPUs" {
	[ "$(nproc)" -gt 1 ] || skip 'needs two CPUs'
	first=$(taskset -pc "$$" | sed 's/.*: *//; s/[,-].*//')
	run --separate-stderr taskset -c "$first" "$FAULTSCALE" doctor --format=csv
	[ "$(status_of allowed-cpus)" = note ]
}

@test "limits are seen" {
	run --separate-stderr bash -c 'ulimit -n 20; exec "$1" doctor --format=csv' - "$FAULTSCALE"
	[ "$(status_of open-files)" = note ]
	[ "$(id -u)" -eq 0 ] || return 0
	run --separate-stderr bash -c 'ulimit -l 64
		exec setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock "$1" doctor --format=csv' - \
		"$FAULTSCALE"
	[ "$(status_of locked-memory)" = note ]
}

@test "no file system on /dev/shm to speak of" {
	unshare -m true 2>/dev/null || skip 'needs a mount namespace'
	run --separate-stderr unshare -m sh -c '
		mount -t tmpfs -o size=64k none /dev/shm && exec "$1" doctor --format=csv' - \
		"$FAULTSCALE"
	expect_status 0
	[ "$(status_of shm-space)" = note ]
}

@test "a pids cgroup without room prevents measuring, and the exit status says so" {
	group_make pids
	doctor_in_group 'echo 1 >pids.max'
	expect_status 1
	[ "$(status_of tasks-cgroup)" = prevents ]
}

@test "a cpu quota is seen" {
	group_make cpu
	doctor_in_group 'echo 50000 >cpu.cfs_quota_us'
	expect_status 0
	[ "$(status_of cpu-quota)" = spoils ]
}

# Settings that a measuring tool might be tempted to write, one "path:value" a line.
settings() {
	find /proc/sys/vm /proc/sys/kernel/{numa_balancing,randomize_va_space,nmi_watchdog} \
		/proc/sys/kernel/perf_* /proc/sys/kernel/sched_* /proc/sys/kernel/*max* \
		/sys/kernel/mm/{ksm,hugepages,damon,lru_gen} /sys/kernel/mm/transparent_hugepage \
		/sys/devices/system/cpu/{smt,cpufreq,intel_pstate} \
		/sys/devices/system/cpu/cpu*/{online,cpufreq} \
		/sys/devices/system/clocksource -type f -perm -u+w ! -name stat_refresh 2>/dev/null |
		sort | xargs grep -sH '' || true
}

@test "run and doctor change no setting: normal end, Ctrl-C, kill -9" {
	before=$(settings)
	[ "$(wc -l <<<"$before")" -gt 40 ]
	faultscale doctor
	faultscale run -d 100ms --warmup=0 --thp=never --events=page-faults
	faultscale run -d 100ms --warmup=0 --thp=always
	for signal in INT KILL; do
		run timeout --signal=$signal 0.5 "$FAULTSCALE" run -d 30s
	done
	diff <(echo "$before") <(settings)
}
