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
	measure memcg-one -n 2 --oversubscribe --memcg=one --memcg-depth=2 --memcg-max=16M
	measure memcg-each -n 2 --oversubscribe --memcg=each --memcg-max=8M
	measure memcg-small -n 2 --oversubscribe --memcg=one --memcg-max=512K
	keep memcg-inside sh -c 'faultscale run -n 2 --oversubscribe -d 60s --memcg=each >/dev/null &
		for i in $(seq 30); do
			sleep 1
			procs=$(cat /sys/fs/cgroup/faultscale.$!.0/*/cgroup.procs 2>/dev/null)
			[ "$(echo $procs | wc -w)" -ne 2 ] || break
		done
		echo workers $(echo $procs | wc -w) $procs
		echo limit $(cat /sys/fs/cgroup/faultscale.$!.0/0/memory.max)
		echo parent $(grep -x $! /sys/fs/cgroup/cgroup.procs)
		kill -TERM $!; wait $!'
	keep memcg-oom faultscale run -n 2 --oversubscribe --mode=thread -d 2s --bytes=1700K \
		--thp=never --memcg=one --memcg-max=3500K
	mkdir /sys/fs/cgroup/own
	keep memcg-own sh -c 'echo $$ >/sys/fs/cgroup/own/cgroup.procs
		exec faultscale run --laps=1 --bytes=256K --thp=never --memcg=one -o memcg-own'
	keep memcg-left find /sys/fs/cgroup -name 'faultscale.*'
	measure giant --backing=hugetlb --page-size=1G
	echo $$ >/sys/fs/cgroup/small/cgroup.procs
	measure fits
	measure memcg-shared --memcg=one
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

@test "cgroup v2: groups are made for the workers, with their limit, and removed" {
	for run in memcg-one memcg-each memcg-own; do
		expect_valid $run
		expect_column $run/points.csv stray_faults 0
	done
	expect_column memcg-each/points.csv memcg each
	[ ! -s memcg-left.out ]
}

@test "cgroup v2: the workers are in their groups, the parent is not" {
	grep -qE '^workers 2 ' memcg-inside.out || unexpected memcg-inside 'expected two workers'
	grep -qx 'limit max' memcg-inside.out
	grep -qE '^parent [0-9]+$' memcg-inside.out || unexpected memcg-inside 'expected the parent outside'
}

@test "cgroup v2: a limit below the need is refused, and an OOM kill in the group is told" {
	expect_status memcg-small 1
	expect_error memcg-small '^faultscale: --memcg-max=512K is too small for 2 x 256K in a group$'
	expect_status memcg-oom 1
	grep -qE '^invalid: .*killed by SIGKILL; its memory cgroup counts [0-9]+ more OOM kill' memcg-oom.out
}

@test "cgroup v2: a group that others are in cannot have groups below it, and that is said" {
	expect_status memcg-shared 1
	expect_error memcg-shared '^faultscale: --memcg: cannot enable the memory controller in /sys/fs/cgroup/small'
	expect_error memcg-shared '^other processes are in this group.*Delegate=yes$'
}

@test "huge pages of 1 GiB that the pool has not: refused with the numbers and the command" {
	expect_status giant 1
	expect_error giant '^faultscale: 2 huge pages of 1G needed, 0 to be had \(pool of 0, 0 free, 0 reserved, 0 by overcommit\)$'
	expect_error giant '^as root: echo 2 >/sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages; .*hugepagesz=1G'
}

@test "cgroup v2: a refused fork names the limit" {
	expect_status forks 1
	expect_error forks 'fork of worker process [0-9]+ of 16 failed'
	expect_error forks 'pids.max'
}
