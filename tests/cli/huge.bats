#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What huge pages were really had: the kernel's counters by size, and what smaps shows.

thp=/sys/kernel/mm/transparent_hugepage

setup() {
	load helpers
	needs_root
	[[ -d $thp ]] || skip 'no transparent huge pages here'
	[[ $(<$thp/hpage_pmd_size) == 2097152 ]] || skip 'huge pages are not of 2M'
	out=$BATS_TEST_TMPDIR/out
	switch=
}

teardown() {
	[[ -z ${switch-} ]] || echo "$before" >"$switch"
	! mountpoint -q "$BATS_TEST_TMPDIR/mount" || umount "$BATS_TEST_TMPDIR/mount"
}

# Sets a switch until the end of the test.
turn() { # FILE WORD
	[[ -w $1 ]] || skip "no $1 here"
	before=$(sed 's/.*\[\(.*\)\].*/\1/' "$1")
	switch=$1
	echo "$2" >"$1"
}

# Fixed work of 8 MiB; its row is kept.
measure() { # ARGUMENTS...
	faultscale run -n 1 --laps=3 --bytes=8M --format=csv "$@"
	expect_status 0
	printf '%s\n' "$output" >"$out"
}

expect_cell() { # COLUMN REGEX
	[[ $(csv_column "$1" "$out") =~ ^($2)$ ]] || unexpected "$1: $(csv_column "$1" "$out"), not $2"
}

@test "transparent huge pages: counted by size and seen in smaps" {
	[[ $(<$thp/enabled) != *'[never]'* ]] || skip 'transparent huge pages are off'
	measure --thp=always 'map fault: touch'
	expect_cell sampled_bytes $((8 << 20))
	# Where the kernel does not count what fell back, nothing may have.
	[[ $(csv_column mthp_anon_fallback "$out") == *2M:* ]] ||
		expect_cell sampled_huge_bytes $((8 << 20))
	[[ ! -e $thp/hugepages-2048kB/stats/anon_fault_alloc ]] ||
		expect_cell mthp_anon_fallback 'none|.*:.*'
	measure --thp=always 'map: fault dontneed'
	expect_cell sampled_bytes $((2 << 20)) # a lap over the first 2 MiB after the windows
	[[ ! -e $thp/hugepages-2048kB/stats/anon_fault_alloc ]] ||
		expect_cell mthp_anon_alloc '.*2M:[0-9]+'
	faultscale run -n 1 --laps=3 --bytes=8M --thp=always 'map: fault dontneed'
	expect_status 0
	expect_output '^huge pages: [0-9.]+ % of 2M found present after the windows'
}

@test "where huge pages are ruled out nothing is looked at, and the cells are empty" {
	measure --thp=never 'map fault: touch'
	for column in mthp_anon_alloc mthp_anon_fallback mthp_shmem_alloc mthp_shmem_fallback \
		sampled_bytes sampled_huge_bytes; do
		expect_cell $column ''
	done
	faultscale run -n 1 --laps=3 --thp=never 'map fault: touch'
	[[ $output != *'huge pages: '* ]] || unexpected 'a line about huge pages'
}

@test "pages of a smaller size are counted, and are none to smaps: 0, not unknown" {
	turn $thp/hugepages-64kB/enabled always
	[[ -e $thp/hugepages-64kB/stats/anon_fault_alloc ]] || skip 'this kernel does not count them'
	measure --thp=default 'map fault: touch'
	expect_cell sampled_bytes $((8 << 20))
	expect_cell sampled_huge_bytes 0
	measure --thp=default 'map: fault dontneed'
	expect_cell mthp_anon_alloc '(.* )?64K:[0-9]+( .*)?'
	expect_cell mthp_anon_fallback 'none|.*:.*'
}

@test "tmpfs with huge pages" {
	mkdir "$BATS_TEST_TMPDIR/mount"
	mount -t tmpfs -o size=64M,huge=always none "$BATS_TEST_TMPDIR/mount" || skip 'no such tmpfs here'
	measure --backing=file --dir="$BATS_TEST_TMPDIR/mount" 'map: fault punch'
	expect_cell sampled_bytes $((2 << 20))
	expect_cell sampled_huge_bytes $((2 << 20))
	[[ ! -e $thp/hugepages-2048kB/stats/shmem_alloc ]] || expect_cell mthp_shmem_alloc '.*2M:[0-9]+'
}

@test "threads of a process: one look for all" {
	[[ $(<$thp/enabled) != *'[never]'* ]] || skip 'transparent huge pages are off'
	measure -n 3 --oversubscribe --mode=thread --layout=merged --thp=always 'map fault: touch'
	expect_cell sampled_bytes $((24 << 20))
	measure -n 3 --oversubscribe --mode=process --thp=always 'map fault: touch'
	expect_cell sampled_bytes $((24 << 20))
}
