#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Four sockets of two cores with two threads, each socket a node, in a line: 0 - 1 - 2 - 3.

setup_file() {
	load vm
	# An Intel CPU, since QEMU shows no threads of others.
	local options=(-m 512M -cpu 'max,vendor=GenuineIntel' -smp '16,sockets=4,cores=2,threads=2')
	local a b
	for a in 0 1 2 3; do
		options+=(-object "memory-backend-ram,id=m$a,size=128M"
			-numa "node,nodeid=$a,memdev=m$a,cpus=$((4 * a))-$((4 * a + 3))")
	done
	for a in 0 1 2; do
		for ((b = a + 1; b < 4; b++)); do
			options+=(-numa "dist,src=$a,dst=$b,val=$((10 + 10 * (b - a)))")
		done
	done
	vm_boot "${options[@]}" <<-'END'
	for order in cores siblings spread numeric; do
		keep list-$order faultscale list cpus --order=$order --format=csv
		measure run-$order --order=$order --bytes=32K
	done
	measure thread-spread --order=spread --mode=thread --bytes=32K
	measure few --order=spread -n 3 --bytes=32K
	measure some --cpus=6-9 --bytes=32K
	for policy in local interleave remote bind:1,3; do
		measure mem-$policy --mem=$policy --order=spread -n 4
		measure thread-$policy --mem=$policy --order=spread -n 4 --mode=thread --bytes=64K
	done
	measure dealt --mem=interleave -n 4 --mode=thread --layout=interleaved --bytes=64K \
		'map fault: touch'
	measure kept-interleave --mem=interleave -n 1 --bytes=8M 'map fault: touch'
	measure cut-interleave --mem=interleave -n 1 --mode=thread 'map fault unmap'
	END
}

setup() {
	load vm
	vm_setup
}

# The seats of an order, by what the machine is made of: CPU c is in core c / 2, node c / 4.
expect_seats() { # ORDER CPU...
	local cpus=${*:2} nodes cores
	# shellcheck disable=SC2086 # a list
	nodes=$(for cpu in $cpus; do echo $((cpu / 4)); done | paste -sd ' ')
	# shellcheck disable=SC2086
	cores=$(for cpu in $cpus; do echo $((cpu / 2)); done | paste -sd ' ')
	expect_column "list-$1.out" cpu "$cpus"
	expect_column "list-$1.out" core "$cores"
	expect_column "list-$1.out" node "$nodes"
	expect_column "list-$1.out" package "$nodes"
}

@test "four nodes: the orders are what they are called" {
	expect_seats cores 0 2 4 6 8 10 12 14 1 3 5 7 9 11 13 15
	expect_seats siblings 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
	expect_seats spread 0 4 8 12 2 6 10 14 1 5 9 13 3 7 11 15
	expect_seats numeric 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
}

@test "four nodes: every worker sits where the list says" {
	for order in cores siblings spread numeric; do
		expect_valid "run-$order"
		diff <(columns "list-$order.out" worker cpu node) \
			<(columns "run-$order/workers.csv" worker cpu node)
	done
	expect_valid thread-spread
	diff <(columns list-spread.out worker cpu node) \
		<(columns thread-spread/workers.csv worker cpu node)
}

@test "four nodes: fewer workers take the first seats" {
	expect_valid few
	expect_column few/workers.csv cpu '0 4 8'
	expect_column few/workers.csv node '0 1 2'
	expect_column few/points.csv nodes 0-2
	expect_valid some
	expect_column some/workers.csv cpu '6 8 7 9'
	expect_column some/workers.csv node '1 2 1 2'
}

# Where the pages of the workers on nodes 0 to 3 are, in process and in thread mode.
expect_memory() { # POLICY NODES LOCAL
	local run
	for run in "mem-$1" "thread-$1"; do
		expect_valid "$run"
		expect_column "$run/points.csv" mem "$1"
		expect_column "$run/workers.csv" node '0 1 2 3'
		expect_column "$run/workers.csv" memory_nodes "$2"
		expect_column "$run/workers.csv" percent_asked '100 100 100 100'
		expect_column "$run/points.csv" percent_local "$3"
	done
}

@test "four nodes: local memory is on the worker's node" {
	expect_memory local '0 1 2 3' 100
}

@test "four nodes: interleaved memory is on all nodes alike" {
	expect_memory interleave '0-3 0-3 0-3 0-3' 25
}

@test "four nodes: remote memory is at the other end" {
	expect_memory remote '3 3 0 0' 0
}

@test "four nodes: bound memory is on these nodes" {
	for run in mem-bind:1,3 thread-bind:1,3; do
		expect_valid "$run"
		expect_column "$run/points.csv" memory_nodes 1,3
		expect_column "$run/workers.csv" percent_asked '100 100 100 100'
	done
}

@test "four nodes: pages are found when the loop keeps them and when it unmaps them" {
	expect_valid kept-interleave
	expect_column kept-interleave/points.csv memory_nodes 0-3
	expect_column kept-interleave/points.csv percent_asked 100
	expect_valid cut-interleave
	expect_column cut-interleave/points.csv memory_nodes 0-3
}

@test "four nodes: pages dealt to workers and to nodes at once are right" {
	expect_valid dealt
	expect_column dealt/points.csv memory_nodes 0-3
}
