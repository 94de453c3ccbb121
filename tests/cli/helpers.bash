# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What every command-line test uses: `load helpers` in setup().
#
# A test with the tag "sanitize" is also run by a faultscale built with address and undefined
# behaviour sanitizers, one with the tag "threads" by one built with the thread sanitizer.
bats_require_minimum_version 1.5.0

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
FAULTSCALE=${FAULTSCALE:-$root/faultscale}

# Runs faultscale for at most a minute; $status, $output and $stderr are what it left.
faultscale() {
	run --separate-stderr timeout --kill-after=5 60 "$FAULTSCALE" "$@"
}

# Says what the last `run` left, for the report of a failed test; fails.
unexpected() {
	printf '%s\nstatus: %s\nstdout: %s\nstderr: %s\n' "$1" "$status" "$output" "${stderr-}" >&2
	return 1
}

expect_status() { # NUMBER
	[[ $status == "$1" ]] || unexpected "expected status $1"
}

expect_output() { # REGEX that a line of stdout matches
	grep -qE -e "$1" <<<"$output" || unexpected "expected on stdout: $1"
}

expect_error() { # REGEX that a line of stderr matches
	grep -qE -e "$1" <<<"$stderr" || unexpected "expected on stderr: $1"
}

expect_silence() { # nothing on stderr
	[[ -z $stderr ]] || unexpected "expected nothing on stderr"
}

# Prints the column NAME of a CSV file, one value a line; fails if there is no such column.
csv_column() { # NAME FILE
	python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row[sys.argv[1]])' "$1" <"$2"
}

# Runs faultscale behind the words of $via (none), waits until it has the workers and sends a signal
# (tests/disturb.py).  No process may be left behind.
via=()
disturbed() { # DISTURB-OPTIONS -- ARGUMENTS...
	local options=()
	while [[ $1 != -- ]]; do
		options+=("$1")
		shift
	done
	run --separate-stderr timeout --kill-after=5 60 "$root/tests/disturb.py" "${options[@]}" \
		"${via[@]}" "$FAULTSCALE" "${@:2}"
	expect_output '^left 0$'
}

# Every CSV file of a directory has rows of as many cells as its header, the last one ended.
expect_whole_rows() { # DIRECTORY
	python3 - "$1"/*.csv <<-'END'
	import csv, sys
	for path in sys.argv[1:]:
	    text = open(path, newline="").read()
	    rows = list(csv.reader(text.splitlines(True), strict=True))
	    assert text.endswith("\n"), path
	    assert all(len(row) == len(rows[0]) for row in rows), path
	END
}

needs_root() {
	[[ $(id -u) == 0 ]] || skip 'needs root'
}

# shellcheck disable=SC2034 # for the tests
# Workers on whatever CPUs there are, with little memory.
many=(--oversubscribe --bytes=64K --warmup=0)
