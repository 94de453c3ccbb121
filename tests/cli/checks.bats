#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The checks themselves: that each can fail.

setup() {
	load helpers
	cd "$BATS_TEST_TMPDIR"
}

# Counts one suite whose program is the script $1.
tally_of() {
	run bash -c '. "$1/tests/tally.sh"; suite it bash -c "$2"; tally' - "$root" "$1"
}

@test "a suite's tests are counted" {
	tally_of 'echo 1..3; echo ok 1 - a; echo "ok 2 b # skip no"; echo "not ok 3 # SKIP c"'
	expect_status 0
	expect_output '^1 passed, 0 failed, 2 skipped$'
}

@test "a failed test is shown, repeated at the end and counted" {
	tally_of 'echo 1..2; echo ok 1 - a; echo not ok 2 - b; echo "# why"; exit 1'
	expect_status 1
	expect_output '^# why$'
	expect_output '^# failed: it: not ok 2 - b$'
	expect_output '^1 passed, 1 failed, 0 skipped$'
}

@test "a suite that dies before its plan is done has failed" {
	tally_of 'echo 1..2; echo ok 1 - a; kill -SEGV $$'
	expect_status 1
	expect_output '^# failed: it: planned 2 tests, ran 1, ended with status 139$'
	expect_output '^1 passed, 1 failed, 0 skipped$'
}

@test "a suite that ends badly after its last test has failed" {
	tally_of 'echo 1..1; echo ok 1 - a; exit 99'
	expect_status 1
	expect_output '^1 passed, 1 failed, 0 skipped$'
}

@test "a suite that says nothing has failed" {
	tally_of true
	expect_status 1
	expect_output '^0 passed, 1 failed, 0 skipped$'
}

@test "no test at all is no success" {
	tally_of 'echo 1..0'
	expect_status 1
	expect_output '^0 passed, 0 failed, 0 skipped$'
}

@test "a process left behind by a suite holds nothing up" {
	tally_of 'sleep 600 3>&- & echo $! >left; echo 1..1; echo ok 1 - a'
	expect_status 0
	kill "$(<left)" # which fails if it has ended
}

# Checks the layers of a tree that has this one file.
layers_of() { # FILE LINE...
	mkdir -p tests harness workers
	cp "$root/tests/check_layers.sh" tests
	printf '%s\n' "${@:2}" >"$1"
	run tests/check_layers.sh
}

@test "layers: including downward is right" {
	layers_of harness/main.c '#include "../workers/step.h"' '#include "complaint.h"' '#include <numa.h>'
	expect_status 0
	expect_output '^ok - harness/main.c$'
}

@test "layers: including upward is wrong" {
	layers_of harness/complaint.c '#include "complaint.h"' '# include  "main.h"'
	expect_status 1
	expect_output '"main.h" is above complaint'
}

@test "layers: an unknown module is named" {
	layers_of harness/novelty.c ''
	expect_status 1
	expect_output "'novelty' has no place"
}

@test "layers: a file NAME_PART.c belongs to the module NAME" {
	layers_of harness/complaint_part.c '#include "complaint.h"' '#include "units.h"'
	expect_status 1
	expect_output '"units.h" is above complaint$'
	[[ $output != *'"complaint.h"'* ]]
}

@test "layers: the harness sees no verb" {
	layers_of harness/main.c '#include "../workers/verbs.h"'
	expect_status 1
	expect_output 'verbs.h" is not a header of harness/'
}

@test "layers: workers include no harness and no library" {
	layers_of workers/page.c '#include "verbs.h"' '#include "complaint.h"' '#include <hwloc.h>'
	expect_status 1
	expect_output '"complaint.h" is neither'
	expect_output "<hwloc.h> is a library's"
}

# Installs group "run" where only the package manager $1 and the commands $2... are found, and every
# header.
install_with() {
	mkdir bin
	ln -s "$(type -P true)" bin/cc
	printf '#!/bin/sh\necho "%s $*" >>called\n' "$1" >"bin/$1"
	chmod +x "bin/$1"
	for command in cat cut dash env id sh sort tr "${@:2}"; do
		ln -s "$(command -v "$command")" bin
	done
	run env PATH="$PWD/bin" sh "$root/tests/packages.sh" install run
}

@test "packages: what is there is not installed again" {
	install_with apt-get parallel gnuplot
	expect_status 0
	[ -z "$output" ]
	[ ! -e called ]
}

@test "packages: only what is missing is installed" {
	[ "$(id -u)" -eq 0 ] || skip 'needs root'
	install_with apt-get parallel
	expect_status 0
	expect_output '^apt-get install gnuplot-nox *$'
	grep -q '^apt-get .*install .*gnuplot-nox' called
	run grep parallel called
	expect_status 1
}

@test "packages: another package manager is left to the user" {
	install_with zypper parallel
	expect_status 1
	expect_output 'as root: zypper install gnuplot'
}

# What make links for the names of a CPU's events, where the compiler finds headers only in include/.
# shellcheck disable=SC2016 # make expands it
show_pfm() {
	run make -s -C "$root" CC="cc -nostdinc -isystem $PWD/include" BUILD="$PWD/build" \
		--eval='show-pfm: ; @echo "[$(PFM)]"' show-pfm
}

@test "build: libpfm4 is used where its header is" {
	mkdir -p include/perfmon
	touch include/{stdarg,stddef,setjmp,stdint,perfmon/pfmlib_perf_event}.h
	show_pfm
	expect_output '^\[-lpfm\]$'
	rm include/perfmon/*
	show_pfm
	expect_output '^\[\]$'
}
