#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Asks both compilers and the checkers about every file, side by side; speaks TAP.  Called by
# `make lint`, which sets FLAGS to the compiler flags.
set -u
cd "$(dirname "$0")/.." || exit 1
shopt -s nullglob

c_files=(harness/*.[ch] workers/*.[ch] tests/unit/*.[ch])
scripts=(.ci/run tests/*.sh tests/*.bash tests/*/*.sh tests/*/*.bash tests/*/*.bats)

# One check a line: its name, a tab, its command.
checks() {
	printf '%s builds\tmake -k CC=%s BUILD=build/%s all unit\n' gcc gcc gcc clang clang clang
	printf 'cppcheck\tcppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 %s %s\n' \
		"--suppress=missingIncludeSystem --suppress=ctuuninitvar --enable=warning,performance,portability" \
		"-Iharness -Iworkers ${c_files[*]}"
	printf 'clang-format\tclang-format --dry-run -Werror %s\n' "${c_files[*]}"
	printf 'shellcheck\tshellcheck -x %s\n' "${scripts[*]}"
	for file in *.1; do
		printf 'mandoc %s\tmandoc -T lint -W warning %s\n' "$file" "$file"
	done
	for file in harness/*.c workers/*.c tests/unit/*.c; do
		printf 'clang-tidy %s\tclang-tidy --quiet %s -- %s %s\n' "$file" "$file" "${FLAGS:?}" \
			"-DVERSION_TEXT='\"\"' -DBUILD_ID='\"\"'"
	done
}

check() { # NAME COMMAND
	local output
	if output=$(eval "$2" 2>&1); then
		echo "ok - $1"
	else
		printf 'not ok - %s\n%s\n' "$1" "$output"
		return 1
	fi
}
export -f check
export SHELL=$BASH

echo "1..$(checks | wc -l)"
checks | parallel --will-cite --keep-order --jobs "$(nproc)" --colsep '\t' check '{1}' '{2}'
