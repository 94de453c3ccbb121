#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# CPUs 0-3 of a possible 8.  Node 0 has CPUs 0-1 and memory, node 1 CPUs 2-3 and no memory, node 2
# memory and no CPUs; later CPU 1 is offline, then a cpuset leaves memory on node 0 only.

setup_file() {
	load vm
	vm_boot -m 512M -cpu max -smp 4,maxcpus=8 \
		-object memory-backend-ram,id=m0,size=256M -object memory-backend-ram,id=m2,size=256M \
		-numa node,nodeid=0,memdev=m0,cpus=0-1 -numa node,nodeid=1,cpus=2-7 \
		-numa node,nodeid=2,memdev=m2 <<-'END'
	keep list faultscale list cpus --format=csv
	measure whole
	measure thread --mode=thread
	measure interleave --mem=interleave
	measure remote --mem=remote
	measure bind --mem=bind:2
	measure bind-cpuless --mem=bind:2 --cpus=2-3 --mode=thread
	measure bind-memoryless --mem=bind:1
	measure bind-missing --mem=bind:0,3
	measure cpus-missing --cpus=2-5

	echo 0 >/sys/devices/system/cpu/cpu1/online
	keep offline-list faultscale list cpus --format=csv
	measure offline
	measure offline-3 -n 3 --order=numeric
	measure offline-4 -n 4
	measure offline-cpu --cpus=1 -n 1
	measure offline-spread --order=spread

	mount -t cgroup2 cgroup2 /sys/fs/cgroup
	echo +cpuset >/sys/fs/cgroup/cgroup.subtree_control
	mkdir /sys/fs/cgroup/wall
	echo 0 >/sys/fs/cgroup/wall/cpuset.mems
	echo 0-2 >/sys/fs/cgroup/wall/cpuset.cpus
	echo $$ >/sys/fs/cgroup/wall/cgroup.procs
	measure wall
	measure wall-interleave --mem=interleave
	measure wall-bind --mem=bind:2
	measure wall-remote-0 --mem=remote --cpus=0
	measure wall-remote-1 --mem=remote --cpus=2
	measure wall-cpus --cpus=3
	END
}

setup() {
	load vm
	vm_setup
}

@test "gaps: a node without memory has workers, a node without CPUs has none" {
	expect_status list 0
	expect_column list.out cpu '0 1 2 3'
	expect_column list.out node '0 0 1 1'
	for run in whole thread; do
		expect_valid $run
		diff <(columns list.out worker cpu node) <(columns $run/workers.csv worker cpu node)
		expect_column $run/points.csv nodes 0-1
	done
	grep -qx 'memory_nodes,"0,2"' whole/meta.csv
}

@test "gaps: the slow clock source is recorded with its cost" {
	grep -qx 'clock_source,hpet' whole/meta.csv
	columns whole/points.csv clock_ns | grep -qE '^[0-9]+'
}

@test "gaps: local memory of a node without any is on a nearest node, and said not to be local" {
	expect_column whole/workers.csv percent_local '100 100 0 0'
	expect_column whole/workers.csv percent_asked '100 100 100 100'
	expect_column whole/points.csv percent_local 50
	grep -q '^warning: memory is not all local' whole.out
}

@test "gaps: interleaved and remote memory leave the empty node out" {
	expect_valid interleave
	expect_column interleave/points.csv memory_nodes 0,2
	expect_valid remote
	expect_column remote/workers.csv memory_nodes '2 2 2 2'
	expect_column remote/points.csv percent_local 0
}

@test "gaps: memory of a node without CPUs can be had" {
	for run in bind bind-cpuless; do
		expect_valid $run
		expect_column $run/points.csv memory_nodes 2
		expect_column $run/points.csv percent_asked 100
	done
	expect_column bind-cpuless/workers.csv cpu '2 3'
}

@test "gaps: nodes without memory and nodes that are not there are refused as such" {
	expect_status bind-memoryless 2
	expect_error bind-memoryless 'node 1: no memory there'
	expect_error bind-memoryless 'to bind to: node 0,2$'
	expect_status bind-missing 2
	expect_error bind-missing 'node 3: no such node'
}

@test "gaps: CPUs that are possible but not there are refused as such" {
	expect_status cpus-missing 2
	expect_error cpus-missing 'CPUs 4-5 do not exist'
}

@test "offline CPU: the pool has a gap" {
	expect_column offline-list.out cpu '0 2 3'
	expect_valid offline
	expect_column offline/workers.csv cpu '0 2 3'
	expect_column offline/points.csv cpus 0,2-3
	expect_valid offline-3
	expect_column offline-3/workers.csv cpu '0 2 3'
	expect_valid offline-spread
	expect_column offline-spread/workers.csv cpu '0 2 3'
	expect_column offline-spread/workers.csv node '0 1 1'
}

@test "offline CPU: more workers than CPUs and the CPU itself are refused with the reason" {
	expect_status offline-4 2
	expect_error offline-4 '4 workers, 3 allowed CPUs \(0,2-3\); CPU 1 is offline$'
	expect_status offline-cpu 2
	expect_error offline-cpu 'CPU 1 is offline'
}

@test "cpuset: memory keeps inside the wall" {
	expect_valid wall
	expect_column wall/workers.csv cpu '0 2'
	expect_column wall/points.csv memory_nodes 0
	expect_valid wall-interleave
	expect_column wall-interleave/points.csv memory_nodes 0
	expect_status wall-bind 2
	expect_error wall-bind 'node 2: not allowed by the cpuset'
	expect_status wall-cpus 2
	expect_error wall-cpus 'CPU 3 is not allowed'
}

@test "cpuset: remote is remote inside the wall, or refused" {
	expect_status wall-remote-0 77
	expect_error wall-remote-0 'node 0 has no other to be remote from'
	expect_valid wall-remote-1
	expect_column wall-remote-1/points.csv memory_nodes 0
}
