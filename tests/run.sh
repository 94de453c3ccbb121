#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds faultscale, runs its tests and counts them.
#
#   run.sh      everything but the odd machines (`make check`)
#   run.sh vm   the odd machines, under QEMU (`make check-vm`)
#   run.sh all  both (`make check VM=1`, as the CI does)
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/tally.sh
shopt -s nullglob
steady=()

# Where python3 is a shim that looks for the real one, each call takes as long as a test.
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) &&
	export PATH="${python%/*}:$PATH"

build() { # NAME VARIABLE=VALUE...
	whole "$1 builds" "${MAKE:-make}" --no-print-directory -k -j "$(nproc)" "${@:2}" all unit
}

unit_tests() { # DIRECTORY of the build, TESTS left out
	for file in tests/unit/test_*.c; do
		[[ " ${*:2} " != *" $(basename "${file#tests/unit/test_}" .c) "* ]] || continue
		program=$1/${file%.c}
		CMOCKA_MESSAGE_OUTPUT=TAP suite "$program" "${steady[@]}" "$program"
	done
}

# A faultscale with sanitizers takes the unit tests and the command-line tests with a tag.
sanitized_tests() { # DIRECTORY SANITIZERS TAG, UNIT TESTS left out
	build "$1/faultscale" BUILD="$1" SANITIZE="$2"
	unit_tests "$1" "${@:4}"
	FAULTSCALE=$PWD/$1/faultscale suite "$1/faultscale" \
		"${steady[@]}" bats --tap --filter-tags "$3" tests/cli
}

vm_tests() {
	for file in tests/vm/*.bats; do
		suite "$file" bats --tap "$file"
	done
}

if [[ ${1-} == vm ]]; then
	vm_tests
	tally
	exit
fi

suite 'include directions' tests/check_layers.sh
build faultscale
unit_tests build
for file in tests/cli/*.bats; do
	suite "$file" bats --tap "$file"
done
suite 'documents' tests/tables.sh
suite lint "${MAKE:-make}" --no-print-directory lint

# A report ends with status 99, which no test can take for one of faultscale's own.
# replace_intrin=0: the memcpy that is measured must not look at shadow memory, which faults.
export ASAN_OPTIONS=exitcode=99:replace_intrin=0 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1
export TSAN_OPTIONS=exitcode=99
# The thread sanitizer of gcc 12 fails where addresses are random over more bits than it knows; a
# container may forbid to have them steady.
steady=(setarch --addr-no-randomize)
"${steady[@]}" true 2>/dev/null || steady=()
sanitized_tests build/asan address,undefined sanitize
# The thread sanitizer's own pages and copies fault where these tests count faults.
sanitized_tests build/tsan thread threads backing events layout relay steps
[[ ${1-} != all ]] || vm_tests
tally
