#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Many runs that are short, crowded, or killed at a random moment; speaks TAP.
#
#   stress.sh [RUNS [KILLS]]    RUNS crowded runs (500), KILLS of the parent and of a worker (200)
set -u
cd "$(dirname "$0")/.." || exit 1
runs=${1-500} kills=${2-200}
program=${FAULTSCALE:-$PWD/faultscale}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/report.bash
. tests/report.bash
crowded=(run -n 8 --oversubscribe --bytes=64K --warmup=0)
# A moment from 0 to so many thousandths of a second.
moment() { # MILLISECONDS
	printf '0.%03d' $((RANDOM % $1))
}

# Under load, 8 workers for 10 ms: valid, or invalid because of the skew.
crowd() {
	local i status wrong='' skewed=0 burner
	sh -c 'while :; do :; done' &
	burner=$!
	for ((i = 0; i < runs; i++)); do
		timeout --kill-after=5 30 "$program" "${crowded[@]}" -d 10ms >"$work/said" 2>&1
		status=$?
		if ((status == 1)) && grep -q '^invalid: .* skew ' "$work/said"; then
			skewed=$((skewed + 1))
		elif ((status != 0)); then
			wrong+="run $i: status $status: $(head -n 1 "$work/said")"$'\n'
		fi
	done
	kill "$burner"
	wait "$burner" 2>/dev/null
	report "$runs crowded runs" "$wrong"
	echo "# $skewed of them invalid because of the skew"
	left=$(pgrep -cf -- "^$program ${crowded[*]}")
	report 'crowded runs leave no process' "${left#0}"
}

# The parent killed at a random moment, in the fork loop, at the gate or in the window.
parents() {
	local i said wrong=''
	for ((i = 0; i < kills; i++)); do
		said=$(tests/disturb.py -w $((RANDOM % 8 + 1)) -d "$(moment 100)" -s KILL \
			"$program" "${crowded[@]}" -d 20 2>&1)
		[[ $said == *'ended by SIGKILL'*'left 0'* ]] || wrong+="$i: $said"$'\n'
	done
	report "$kills runs whose parent is killed leave no process" "$wrong"
}

# A random worker killed at a random moment: it is named, and every row is whole.
workers() {
	local i said wrong=''
	for ((i = 0; i < kills; i++)); do
		said=$(tests/disturb.py -w 8 -d "$(moment 200)" -t worker -s KILL \
			"$program" "${crowded[@]}" -d 20 --interval=5ms -o "$work/out" 2>&1)
		[[ $said == *'worker '[0-7]' was killed by SIGKILL'*'ended with 1'*'left 0'* ]] &&
			whole "$work/out" || wrong+="$i: $said"$'\n'
		rm -rf "$work"/out*
	done
	report "$kills runs with a killed worker name it and leave whole rows" "$wrong"
}

whole() { # DIRECTORY
	python3 - "$1"/*.csv <<-'END'
	import csv, sys
	for path in sys.argv[1:]:
	    text = open(path, newline="").read()
	    rows = list(csv.reader(text.splitlines(True), strict=True))
	    assert text.endswith("\n") and all(len(row) == len(rows[0]) for row in rows), path
	END
}

echo 1..4
crowd
parents
workers
exit $failed
