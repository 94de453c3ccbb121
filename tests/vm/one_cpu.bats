#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# One CPU and control groups of version 2 alone, under Debian's kernel (6.1 in bookworm), which has
# a shared zero page.

setup_file() {
	load vm
	vm_boot -m 512M -cpu max -smp 1 <<-'END'
	keep list faultscale list cpus --format=csv
	keep default faultscale run -d 1s -o default
	measure two -n 2
	measure shared -n 2 --oversubscribe
	measure remote --mem=remote
	keep window faultscale run -d 500ms --warmup=100ms --mode=thread -o window

	faultscale list presets --format=csv | tail -n +2 | cut -d , -f 1 >presets
	for preset in $(cat presets); do
		keep preset-$preset faultscale run --laps=3 --bytes=256K -o preset-$preset $preset
	done

	mount -t cgroup2 cgroup2 /sys/fs/cgroup
	echo '+memory +pids' >/sys/fs/cgroup/cgroup.subtree_control
	mkdir /sys/fs/cgroup/small
	echo 32M >/sys/fs/cgroup/small/memory.max
	echo 0 >/sys/fs/cgroup/small/memory.swap.max
	measure root
	echo $$ >/sys/fs/cgroup/small/cgroup.procs
	measure fits
	measure fits-again
	measure exceeds --bytes=64M
	# Where the limit is lowered meanwhile, the worker dies and not its parent.
	keep killed sh -c 'faultscale run -d 20s --bytes=16M -o killed & sleep 4
		echo 16M >/sys/fs/cgroup/small/memory.max; wait $!'
	echo 32M >/sys/fs/cgroup/small/memory.max
	echo 8 >/sys/fs/cgroup/small/pids.max
	measure forks -n 16 --oversubscribe --bytes=16K
	END
}

setup() {
	load vm
	vm_setup
}

@test "one CPU: the default run works" {
	expect_column list.out cpu 0
	expect_valid default
	expect_column default/points.csv workers 1
	expect_column default/workers.csv cpu 0
	expect_valid window
}

@test "one CPU: two workers are refused, unless they may share it" {
	expect_status two 2
	expect_error two '2 workers, 1 allowed CPU \(0\)$'
	expect_valid shared
	expect_column shared/workers.csv cpu '0 0'
	grep -q '^warning: oversubscribed' shared.out
}

@test "one CPU: there is no remote memory" {
	expect_status remote 77
	expect_error remote 'node 0 has no other to be remote from'
}

@test "Linux 6.1: presets are exact or say what this kernel lacks" {
	[ -s presets ]
	while read -r preset; do
		[[ $(<"preset-$preset.status") == 77 ]] || expect_valid "preset-$preset"
	done <presets
}

@test "Linux 6.1: what needs the shared zero page works" {
	for preset in zero-page zero-cow multi-fault page_fault1 memory-test memory-test-mlock \
		prefault pft; do
		expect_valid "preset-$preset"
		expect_column "preset-$preset/points.csv" stray_faults 0
	done
	expect_column preset-zero-cow/points.csv faults_per_page 2
	expect_column preset-zero-page/points.csv faults_per_page 1
}

@test "Linux 6.1: the zero page is on no node, a copy of it is" {
	expect_column preset-zero-page/points.csv percent_local -
	expect_column preset-zero-cow/points.csv percent_local 100
}

@test "cgroup v2: the group and its limit are found" {
	expect_valid root
	grep -qx 'memcg_limit,' root/meta.csv # the root group has no file that says so
	expect_valid fits
	grep -qx 'memcg_path,/sys/fs/cgroup/small' fits/meta.csv
	grep -qx "memcg_limit,$((32 << 20))" fits/meta.csv
	expect_valid fits-again
}

@test "cgroup v2: what does not fit is refused before it starts" {
	expect_status exceeds 1
	expect_error exceeds '/sys/fs/cgroup/small'
	[ ! -e exceeds ]
}

@test "cgroup v2: an OOM kill is told as such" {
	expect_status killed 1
	expect_column killed/points.csv status invalid
	column killed/points.csv reason | grep -q 'killed by SIGKILL.*1 more OOM kill'
}

@test "cgroup v2: a refused fork names the limit" {
	expect_status forks 1
	expect_error forks 'fork of worker process [0-9]+ of 16 failed'
	expect_error forks 'pids.max'
}
