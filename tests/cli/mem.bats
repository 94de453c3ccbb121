#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# --mem on this machine, whatever nodes it has; machines with several are in tests/vm.

setup() {
	load helpers
	cd "$BATS_TEST_TMPDIR"
	fixed=(-n 1 --laps=2 --bytes=1M --thp=never)
}

point() { # COLUMN
	csv_column "$1" out/points.csv
}

needs_numa() {
	[[ -e /sys/devices/system/node ]] || skip 'this kernel has no NUMA'
}

# The nodes that memory may be taken from, and the first of them.
allowed_nodes() {
	sed -nE 's/^Mems_allowed_list:[[:space:]]*//p' /proc/self/status
}

first_node() {
	allowed_nodes | grep -oE '^[0-9]+'
}

# Measures while the kernel answers INJECTION to system calls, as a container's seccomp filter does.
under() { # INJECTION OPTION...
	run --separate-stderr timeout --kill-after=5 60 strace -f -q -o /dev/null -e "inject=$1" \
		"$FAULTSCALE" run "${fixed[@]}" -o out "${@:2}"
}

@test "memory is local unless asked otherwise, and is looked for" {
	needs_numa
	faultscale run "${fixed[@]}" -o out 'map: fault dontneed'
	expect_status 0
	[[ $(point mem) == local ]]
	[[ $(point percent_asked) == 100 && -n $(point memory_nodes) ]]
	[[ $(csv_column percent_asked out/workers.csv) == 100 ]]
	[[ $(csv_column memory_nodes out/workers.csv) == "$(point memory_nodes)" ]]
	grep -qx 'numa,yes' out/meta.csv
}

@test "pages are found whatever the loop leaves behind" {
	needs_numa
	while read -r option work; do
		faultscale run "${fixed[@]}" "$option" -o out "$work"
		expect_status 0
		[[ $(point percent_asked) == 100 ]] || unexpected "$option $work"
		rm -r out
	done <<-'END'
	--mode=process map fault unmap
	--mode=thread map: mlock touch memcpy munlock dontneed
	--layout=merged map: fault dontneed
	--piece=64K map fault: touch
	END
}

@test "where no page is present nothing is claimed" {
	faultscale run "${fixed[@]}" -o out nop
	expect_status 0
	[[ -z $(point percent_local) && -z $(point percent_asked) && -z $(point memory_nodes) ]]
}

@test "bind and interleave hold on any machine with NUMA" {
	needs_numa
	node=$(first_node)
	faultscale run "${fixed[@]}" -o out --mem="bind:$node"
	expect_status 0
	[[ $(point mem) == "bind:$node" && $(point memory_nodes) == "$node" ]]
	[[ $(point percent_asked) == 100 ]]
	rm -r out
	faultscale run "${fixed[@]}" -o out --mem=interleave
	expect_status 0
	[[ $(point percent_asked) == 100 ]]
}

@test "a policy that cannot be is refused with the nodes that could" {
	needs_numa
	faultscale run --mem=bind:1023
	expect_status 2
	expect_error '^faultscale: --mem: node 1023: no such node$'
	expect_error '^to bind to: node [0-9,-]+$'
	faultscale run --mem=everywhere
	expect_status 2
	expect_error "'everywhere' is not one of local, interleave, remote, bind:LIST"
	faultscale run --mem=bind:
	expect_status 2
	faultscale run --mem=remote --no-pin
	expect_status 2
	expect_error '--no-pin'
}

@test "remote needs a second node" {
	needs_numa
	[[ $(allowed_nodes) =~ ^[0-9]+$ ]] || skip 'this machine has several nodes'
	faultscale run --mem=remote
	expect_status 77
	expect_error 'node [0-9]+ has no other to be remote from'
}

@test "an inherited policy gives way to --mem" {
	needs_numa
	# python3 sets MPOL_INTERLEAVE (3) over node 0 and becomes faultscale.
	number=$(python3 -c 'import platform
print({"x86_64": 238, "aarch64": 237, "ppc64le": 261}.get(platform.machine(), ""))')
	[[ -n $number && $(first_node) == 0 ]] || skip 'unknown here'
	cat >inherit.py <<-END
	import ctypes, os, sys
	mask = ctypes.c_ulong(1)
	ctypes.CDLL(None).syscall($number, 3, ctypes.byref(mask), 64)
	os.execv(sys.argv[1], sys.argv[1:])
	END
	run --separate-stderr strace -f -e trace=set_mempolicy -o trace python3 inherit.py \
		"$FAULTSCALE" run "${fixed[@]}" 'map: fault dontneed'
	expect_status 0
	grep -q 'set_mempolicy(MPOL_INTERLEAVE' trace
	# The worker's last word is MPOL_LOCAL.
	grep 'set_mempolicy' trace | tail -n 1 | grep -q 'MPOL_LOCAL'
}

@test "NUMA calls forbidden: noted, and the run goes on" {
	under get_mempolicy,set_mempolicy,mbind,move_pages:error=EPERM 'map: fault dontneed'
	expect_status 0
	expect_silence
	expect_output '^note: no NUMA memory policy: set_mempolicy: Operation not permitted$'
	grep -qx 'numa,denied(EPERM)' out/meta.csv
	[[ -z $(point percent_local) ]]
	[[ $(point status) == valid ]]
}

@test "NUMA calls forbidden: a policy that is asked for is refused, local too" {
	for policy in local interleave bind:0; do
		under get_mempolicy,set_mempolicy,mbind:error=EPERM --mem=$policy
		expect_status 77
		expect_error "^faultscale: --mem=$policy: set_mempolicy: Operation not permitted$"
		[[ ! -e out ]]
	done
}

@test "a policy that the worker cannot set makes the point invalid" {
	needs_numa
	# The second call of each process; the parent's only tells meta.csv.
	under set_mempolicy:error=EINVAL:when=2 --mem="bind:$(first_node)"
	expect_status 1
	[[ $(point status) == invalid ]]
	[[ $(point reason) == *'set_mempolicy for --mem=bind:'*'Invalid argument' ]]
}

@test "a policy that cannot be verified makes the point invalid" {
	needs_numa
	under move_pages:error=EPERM --mem="bind:$(first_node)"
	expect_status 1
	[[ $(point reason) == *'move_pages does not tell'*'Operation not permitted' ]]
}
