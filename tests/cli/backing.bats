#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Memory with files or huge pages behind it: what is measured, what is refused, what is left.

setup_file() {
	export AREA=$BATS_FILE_TMPDIR/area
	mkdir -p "$AREA"
	[ "$(id -u)" -eq 0 ] || return 0
	mkdir "$AREA"/{small,ram,few}
	mount -t tmpfs -o size=8M,huge=never none "$AREA/small"
	mount -t ramfs none "$AREA/ram"
	mount -t tmpfs -o nr_inodes=2,huge=never none "$AREA/few"
}

teardown_file() {
	for mount in small ram few; do
		! mountpoint -q "$AREA/$mount" || umount "$AREA/$mount"
	done
}

setup() {
	load helpers
	out=$BATS_TEST_TMPDIR/out
}

needs_root() {
	[ "$(id -u)" -eq 0 ] || skip 'needs root'
}

# A short measurement of fixed work with CSV on stdout, kept in a file.
measure() {
	faultscale run --laps=2 --bytes=1M --format=csv "$@"
	[[ $status -ne 0 ]] || printf '%s\n' "$output" >"$out"
}

expect_value() { # COLUMN VALUE
	local value
	value=$(csv_column "$1" "$out")
	[[ $value == "$2" ]] || unexpected "expected $1 $2, not $value"
}

expect_between() { # COLUMN LOW HIGH
	awk -v x="$(csv_column "$1" "$out")" -v a="$2" -v b="$3" 'BEGIN { exit !(x >= a && x <= b) }' ||
		unexpected "expected $1 from $2 to $3, not $(csv_column "$1" "$out")"
}

@test "tmpfs: a write fault a page, fewer read faults on cached pages" {
	needs_root
	measure --backing=file --dir="$AREA/small" 'map fault dontneed: fault dontneed'
	expect_status 0
	expect_value faults_per_page 1
	expect_value filesystem 'tmpfs huge=never'
	expect_value backing file
	expect_value share shared
	measure --backing=file --dir="$AREA/small" 'map fault dontneed: read dontneed'
	expect_status 0
	expect_between faults_per_page 0.0624 0.07
	expect_value minor_faults 64
}

@test "tmpfs: each read of a page that is not cached is a fault" {
	needs_root
	measure --backing=file --dir="$AREA/small" 'map: read punch'
	expect_status 0
	expect_value faults_per_page 1
}

@test "disk: read faults map 16 pages or more, private write faults one" {
	measure --backing=file --dir="$BATS_TEST_TMPDIR" 'map pwrite: read dontneed'
	expect_status 0
	expect_between faults_per_page 0.0019 1
	measure --backing=file --share=private --dir="$BATS_TEST_TMPDIR" 'map pwrite: fault dontneed'
	expect_status 0
	expect_value faults_per_page 1
	expect_value share private
}

@test "ramfs: pages are read in, once each" {
	needs_root
	measure --backing=file --dir="$AREA/ram" 'map: fault truncate'
	expect_status 0
	expect_value faults_per_page 1
}

@test "memfd and shared anonymous memory" {
	measure --backing=memfd 'map pwrite: read-random dontneed'
	expect_status 0
	measure --backing=shmem 'map fault unmap'
	expect_status 0
	expect_value minor_faults 1024
}

@test "one file for all workers, in threads that share its mapping" {
	for layout in merged interleaved; do
		measure -n 2 --oversubscribe --mode=thread --layout=$layout --backing=memfd --one-file \
			'map: fault punch'
		expect_status 0
		expect_value minor_faults 1024
	done
	measure -n 2 --oversubscribe --backing=file --one-file --dir="$BATS_TEST_TMPDIR" \
		'map fault unmap punch'
	expect_status 0
}

@test "no file is ever to be seen, and none is left" {
	mkdir "$BATS_TEST_TMPDIR/files"
	faultscale run --laps=2 --bytes=1M --backing=file --dir="$BATS_TEST_TMPDIR/files" \
		'map: fault punch'
	expect_status 0
	[ -z "$(ls -A "$BATS_TEST_TMPDIR/files")" ]
	"$FAULTSCALE" run -d 30s --bytes=1M --backing=file --dir="$BATS_TEST_TMPDIR/files" \
		'map: fault punch' >/dev/null 3>&- &
	sleep 0.5
	seen=$(ls -A "$BATS_TEST_TMPDIR/files")
	kill -9 $!
	wait $! || true
	[ -z "$seen" ]
	[ -z "$(ls -A "$BATS_TEST_TMPDIR/files")" ]
}

@test "no space, no inodes, no memory: refused with the numbers" {
	needs_root
	faultscale run -n 1 --bytes=9M --backing=file --dir="$AREA/small" 'map: fault punch'
	expect_status 1
	expect_error '1 x 9M, 9M needed, 8M free'
	faultscale run -n 1 --bytes=5M --backing=file --dir="$AREA/few" --laps=1 'map: fault punch'
	expect_status 1
	expect_error '2 files needed, 1 inodes free'
	faultscale run -n 1 --bytes=999G --backing=file --dir="$AREA/ram" 'map: fault punch'
	expect_status 1
	expect_error '999G needed, .* available \(MemAvailable\)'
	run --separate-stderr bash -c "ulimit -f 1; '$FAULTSCALE' run --backing=memfd 'map: fault punch'"
	expect_status 1
	expect_error 'a file of 2M is needed, the limit is 1K \(RLIMIT_FSIZE\)'
}

@test "two workers that fit alone but not together are refused" {
	needs_root
	faultscale run -n 2 --oversubscribe --bytes=5M --backing=file --dir="$AREA/small" 'map: fault punch'
	expect_status 1
	expect_error '2 x 5M, 10M needed'
}

@test "SIGBUS names the worker, the offset and the file system" {
	needs_root
	"$FAULTSCALE" run -n 1 -d 20s --bytes=6M --backing=file --dir="$AREA/small" \
		'map: fault truncate' >"$out" 3>&- &
	sleep 0.5
	while kill -0 $! 2>/dev/null; do
		head -c 8M /dev/zero >"$AREA/small/fill" 2>/dev/null || true
		sleep 0.1
	done
	rm -f "$AREA/small/fill"
	run cat "$out"
	expect_output "^invalid: worker 0: SIGBUS at offset [0-9]+[KM]? of its file or memory on tmpfs huge=never in $AREA/small"
}

@test "what cannot go together is refused" {
	faultscale run --share=shared
	expect_status 2
	expect_error 'cannot be shared'
	faultscale run --backing=memfd 'map: fault dontneed'
	expect_status 2
	expect_error 'newly cached'
	expect_error 'fill the page cache in the setup'
	faultscale run --mode=thread 'map fault: fork cow reap'
	expect_status 2
	expect_error "'fork' acts on a whole process"
	faultscale run --backing=file --dir=/nowhere 'map: fault punch'
	expect_status 2
	expect_error '^faultscale: --dir=/nowhere: No such file or directory$'
}

@test "huge pages of the pool: a fault each; none free is refused" {
	needs_root
	pool=/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages
	[ -w $pool ] || skip 'no pool of 2M pages'
	was=$(cat $pool)
	echo 0 >$pool
	faultscale run -n 1 --bytes=4M --backing=hugetlb --page-size=2M 'map: fault dontneed'
	echo 4 >$pool
	got=$(cat $pool)
	refused=$status said=$stderr
	measure -n 1 --bytes=4M --backing=hugetlb --page-size=2M 'map: fault dontneed'
	echo "$was" >$pool
	[ "$refused" -eq 1 ]
	grep -q '2 huge pages of 2M needed, 0 to be had (pool of 0' <<<"$said"
	grep -qE "as root: echo 2 >$pool" <<<"$said"
	[ "$got" -ge 3 ] || skip 'no free huge pages'
	expect_status 0
	expect_value minor_faults 4
	expect_value page_bytes 2097152
	expect_value derived_faults 4
	expect_value sampled_bytes 2097152 # of the first 2 MiB, a lap after the windows
	expect_value sampled_huge_bytes 2097152
}

@test "a size of huge pages that is not there is unsupported" {
	faultscale run --backing=hugetlb --page-size=8M 'map: fault dontneed'
	expect_status 77
	expect_error 'no huge pages of 8M; sizes it has: '
}

@test "huge pages of 1G that the pool has not are refused with the numbers" {
	faultscale run -n 1 --bytes=999T --backing=hugetlb --page-size=1G 'map: fault dontneed'
	if [[ $status == 77 ]]; then
		expect_error 'no huge pages of 1G; sizes it has: '
	else
		expect_status 1
		expect_error '^faultscale: 1022976 huge pages of 1G needed, [0-9]+ to be had \(pool of [0-9]+, '
		expect_error '^as root: echo [0-9]+ >/sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages; .*hugepagesz=1G'
	fi
}

@test "ways to copy" {
	for method in libc movsb nontemporal; do
		measure --copy=$method 'map: fault memcpy dontneed'
		[[ $status -ne 77 ]] || continue
		expect_status 0
		expect_value copy $method
		expect_value minor_faults 1024
	done
}

@test "copy-on-write after fork is verified to the fault" {
	measure 'map fault: fork cow reap'
	expect_status 0
	expect_value minor_faults 1024
	expect_value stray_faults 0
}

@test "a child that shares memory does not outlive a killed worker" {
	"$FAULTSCALE" run -n 1 -d 30s 'map fault: fork cow reap' >/dev/null 3>&- &
	sleep 0.5
	worker=$(pgrep -P $!)
	child=$(pgrep -P "$worker" || true)
	kill -9 "$worker"
	wait $! || true
	for ((i = 0; i < 50; i++)); do
		grep -qs '^State:.*[RSD]' "/proc/${child:-none}/status" || break
		sleep 0.1
	done
	((i < 50))
}

@test "mlock is tried before it is measured" {
	run --separate-stderr bash -c "ulimit -l 64; setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock \
		'$FAULTSCALE' run --bytes=1M 'map: mlock munlock dontneed'"
	[[ $stderr != *setpriv* ]] || skip 'setpriv cannot drop capabilities here'
	expect_status 1
	expect_error 'the limit is 64 KiB \(RLIMIT_MEMLOCK\)'
}

@test "odd steps: measured, or said to be unsupported" {
	for workload in 'map: fault cold dontneed' 'map: fault pageout dontneed' \
		'map: fault free reuse dontneed' 'map: fault mremap dontneed' \
		'map: populate-read dontneed' 'map: mlock-onfault fault munlock dontneed' \
		'map-populate unmap'; do
		measure "$workload"
		[[ $status -ne 77 ]] || continue
		expect_status 0
		expect_value faults_per_page 1
	done
	faultscale run --laps=2 --bytes=4M 'map: fault collapse dontneed'
	[[ $status == 0 || $status == 77 ]] || unexpected 'expected success or unsupported'
}

@test "list presets tells which peer each is like" {
	faultscale list presets
	expect_status 0
	expect_output '^    like will-it-scale page_fault1; ours: '
}

# The mmap file test tells each process, both totals, and all in KiB/s.
@test "a mapped file copied by several processes: both totals and the extremes, in KiB/s" {
	faultscale run mmap-file-read -n 3 --oversubscribe --total-bytes=3M \
		--dir="$BATS_TEST_TMPDIR" -o "$out"
	expect_status 0
	expect_output '^ +2 +[0-9]+ .*  memcpy-out [0-9]+ KiB/s$'
	expect_output '^KiB/s copied( +[0-9,]+){4}$'
	expect_output '^sum of the workers. rates +[0-9,]+ pages/s, [0-9,]+ KiB/s copied$'
	expect_output '^all work by the wall time +[0-9,]+ pages/s, [0-9,]+ KiB/s copied$'
	python3 - "$out" <<-'END'
	import csv, math, sys
	[point] = csv.DictReader(open(sys.argv[1] + "/points.csv"))
	workers = list(csv.DictReader(open(sys.argv[1] + "/workers.csv")))
	rates = [float(worker["bytes_per_s"]) for worker in workers]
	ends = [float(worker["start_s"]) + float(worker["window_s"]) for worker in workers]
	wall = max(ends) - min(float(worker["start_s"]) for worker in workers)
	def same(column, value):
	    assert math.isclose(float(point[column]), value, rel_tol=1e-6), (column, point[column], value)
	same("sum_of_worker_bytes_per_s", sum(rates))
	same("worker_mean_bytes_per_s", sum(rates) / 3)
	same("worker_min_bytes_per_s", min(rates))
	same("worker_max_bytes_per_s", max(rates))
	same("bytes_per_s", (3 << 20) / wall)
	END
}
