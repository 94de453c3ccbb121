#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The Makefile, tried in a copy of the tree that starts out built (posix: file times to the ns).

setup() {
	load helpers
	tree=$BATS_TEST_TMPDIR/tree
	mkdir -p "$tree/build"
	cd "$root"
	tar -c --format=posix --exclude=./build . | tar -x -C "$tree"
	cp -a build/harness build/workers build/flags build/version "$tree/build"
	cd "$tree"
	unset MAKELEVEL
}

build_id() {
	grep -o 'BUILD_ID="[^"]*"' build/version
}

@test "a second make does nothing" {
	run make
	expect_status 0
	[[ -z $output ]] || unexpected 'expected nothing'
}

@test "a changed header recompiles what includes it and nothing else" {
	touch harness/version.h
	run make
	expect_status 0
	expect_output 'CC +harness/version.c'
	[[ $output != *harness/complaint.c* ]]
}

@test "a warning stops the build" {
	printf 'static int unused;\n' >harness/zzz.c
	run make
	expect_status 2
	expect_output 'Werror=unused-variable|Wunused-variable'
}

@test "the build id changes with the sources and goes back with them" {
	first=$(build_id)
	echo '/* */' >>workers/nop.c
	make
	second=$(build_id)
	[ "$first" != "$second" ]
	cp "$root/workers/nop.c" workers
	make
	[ "$(build_id)" = "$first" ]
	grep -qaF "$(cut -d '"' -f 2 <<<"$first")" faultscale
}

@test "outside a repository the version is 'unreleased', whatever repository is around it" {
	rm -rf .git
	git init -q "$BATS_TEST_TMPDIR"
	make
	grep -q 'VERSION_TEXT="unreleased"' build/version
}

@test "workers are never instrumented, the harness is" {
	make BUILD=build/asan SANITIZE=address build/asan/workers/page.o build/asan/harness/complaint.o
	nm build/asan/harness/complaint.o | grep -q __asan
	run nm build/asan/workers/page.o
	[[ $output != *__asan* ]]
}

@test "a missing library is named in one line with its packages" {
	cat >without-hwloc <<-'END'
	#!/bin/sh
	case " $* " in *" -E "*) ! grep -q hwloc ;; esac
	END
	chmod +x without-hwloc
	run make CC=./without-hwloc BUILD=build/other
	expect_status 2
	[ "$(grep -c 'faultscale needs' <<<"$output")" -eq 1 ]
	expect_output '^faultscale needs hwloc: apt install libhwloc-dev \| dnf install hwloc-devel \| '
}

@test "install puts everything below DESTDIR and uninstall takes it away" {
	stage=$BATS_TEST_TMPDIR/stage
	make install DESTDIR="$stage" PREFIX=/usr
	cmp faultscale "$stage/usr/bin/faultscale"
	[ -x "$stage/usr/bin/faultscale" ]
	[ -f "$stage/usr/share/man/man1/faultscale.1" ]
	for script in plots/*.gp; do
		cmp "$script" "$stage/usr/share/faultscale/$script"
	done
	make uninstall DESTDIR="$stage" PREFIX=/usr
	[ -z "$(find "$stage" -type f)" ]
}
