# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Counts tests, for scripts that source it.
#
#   suite NAME COMMAND...  runs a program that speaks TAP, shows what it says and counts its tests
#   whole NAME COMMAND...  runs a command as one test, which passes if its status is 0
#   tally                  says what failed and the counts; fails if a test failed or none passed
#
# A suite that ran other tests than it planned, or ended with a status that no failed test
# explains, counts as one failure more.
passed=0 failed=0 skipped=0 failures=()

# Runs a command for at most 15 minutes with its output in the file $log: a pipe would be held open
# by whatever the command leaves behind.
logged() {
	timeout --foreground --kill-after=10 900 "$@" >"$log" 2>&1 </dev/null
}

fail() {
	failed=$((failed + 1))
	failures+=("$1")
}

suite() {
	local name=$1 log status line ran=0 planned=no failed_before=$failed
	shift
	log=$(mktemp)
	echo "# $name"
	logged "$@"
	status=$?
	cat "$log"
	while read -r line; do
		case $line in
		1..*) planned=${line#1..} && continue ;;
		*"# "[Ss][Kk][Ii][Pp]*) skipped=$((skipped + 1)) ;; # cmocka: not ok N # SKIP
		"not ok"*) fail "$name: $line" ;;
		*) passed=$((passed + 1)) ;;
		esac
		ran=$((ran + 1))
	done < <(grep -aE '^(1\.\.[0-9]+|(not )?ok( .*)?)$' "$log")
	rm -f "$log"
	if [[ $ran != "$planned" ]] || ((status != 0 && failed == failed_before)); then
		fail "$name: planned $planned tests, ran $ran, ended with status $status"
		echo "not ok - ${failures[-1]}"
	fi
}

whole() {
	local name=$1 log
	shift
	log=$(mktemp)
	if logged "$@"; then
		passed=$((passed + 1))
		echo "ok - $name"
	else
		fail "$name"
		cat "$log"
		echo "not ok - $name"
	fi
	rm -f "$log"
}

tally() {
	((failed == 0)) || printf '# failed: %s\n' "${failures[@]}"
	echo "$passed passed, $failed failed, $skipped skipped"
	((failed == 0 && passed > 0))
}
