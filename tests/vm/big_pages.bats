#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# A POWER machine with 64 KiB pages and two nodes of two cores.

setup_file() {
	load vm
	vm_boot_ppc64le -m 1G -smp 4,sockets=2,cores=2,threads=1 \
		-object memory-backend-ram,id=m0,size=512M -object memory-backend-ram,id=m1,size=512M \
		-numa node,nodeid=0,memdev=m0,cpus=0-1 -numa node,nodeid=1,memdev=m1,cpus=2-3 <<-'END'
	keep list faultscale list cpus --format=csv
	for preset in multi-fault page_fault1 memory-test memory-test-mlock zero-page zero-cow \
		prefault pft; do
		keep preset-$preset faultscale run --laps=3 --bytes=1M -o preset-$preset $preset
	done
	for policy in local interleave remote bind:1; do
		measure mem-$policy --mem=$policy --bytes=4M
	done
	measure odd --bytes=10000
	measure merged --mode=thread --layout=merged --bytes=1M
	measure dealt --mode=thread --layout=interleaved --bytes=1M
	END
}

setup() {
	load vm
	vm_setup
}

@test "64 KiB pages: every preset takes exactly the faults that are due" {
	for preset in multi-fault page_fault1 memory-test memory-test-mlock zero-page zero-cow \
		prefault pft; do
		expect_valid "preset-$preset"
		expect_column "preset-$preset/points.csv" stray_faults 0
		expect_column "preset-$preset/points.csv" page_bytes 65536
		# 4 workers, 3 laps, 16 pages
		expect_column "preset-$preset/points.csv" pages 192
	done
	expect_column preset-zero-cow/points.csv minor_faults 384
}

@test "64 KiB pages: a size is rounded up to whole pages, and that is said" {
	expect_valid odd
	expect_column odd/points.csv bytes 65536
	grep -q '^note: 10000 a worker rounded up to 64K$' odd.out
}

@test "64 KiB pages: the shared layouts hold" {
	expect_valid merged
	expect_valid dealt
}

@test "64 KiB pages: workers and memory are where they should be" {
	for policy in local interleave remote bind:1; do
		expect_valid "mem-$policy"
		diff <(columns list.out worker cpu node) \
			<(columns "mem-$policy/workers.csv" worker cpu node)
		expect_column "mem-$policy/points.csv" percent_asked 100
	done
	expect_column mem-local/workers.csv memory_nodes '0 0 1 1'
	expect_column mem-interleave/workers.csv memory_nodes '0-1 0-1 0-1 0-1'
	expect_column mem-remote/workers.csv memory_nodes '1 1 0 0'
	expect_column mem-bind:1/workers.csv memory_nodes '1 1 1 1'
}
