#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep killed again and again, at random moments after its jobs began, then gone on with; TAP.
#
#   stress_sweep.sh [KILLS]    so many (20), of the sweep and of GNU parallel by turns
set -u
cd "$(dirname "$0")/.." || exit 1
kills=${1-20}
program=${FAULTSCALE:-$PWD/faultscale}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/report.bash
. tests/report.bash
out=$work/out
words=(sweep --workers='1,2' --oversubscribe -r $(((kills + 1) / 2)) -d 50ms --warmup=10ms --bytes=64K -o "$out")
jobs_of() { # the processes that measure for this sweep
	pgrep -f -- "--output=$out/jobs/"
}

# Waits until a process with these words is there; fails when the sweep ends first.
begun() { # SWEEP
	until jobs_of >/dev/null; do
		kill -0 "$1" 2>/dev/null || return 1
		sleep 0.01
	done
}

# Waits up to 10 s, which is longer than a job, but a job that is killed is gone at once.
gone() { # prints what is left after a second
	local i
	for ((i = 0; i < 100; i++)); do
		jobs_of >/dev/null || return
		sleep 0.01
	done
	jobs_of | xargs -r ps -o pid=,ppid=,args= -p
}

# Every job's directory that is there is whole.
whole() {
	python3 - "$out"/jobs/*/*.csv "$out"/*.csv <<-'END'
	import csv, os, sys
	for path in filter(os.path.exists, sys.argv[1:]):
	    if ".partial-" in path:
	        continue
	    text = open(path, newline="").read()
	    rows = list(csv.reader(text.splitlines(True), strict=True))
	    if not text.endswith("\n") or any(len(row) != len(rows[0]) for row in rows):
	        print("half a row:", path)
	END
}

# Every point of the plan exactly once, in what was put together.
once() {
	python3 - "$out" <<-'END'
	import collections, csv, sys
	def read(name):
	    with open(f"{sys.argv[1]}/{name}", newline="") as file:
	        return collections.Counter((row["key"], row["repeat"]) for row in csv.DictReader(file))
	plan, points = read("plan.csv"), read("points.csv")
	for job in sorted(plan | points):
	    if plan[job] != 1 or points[job] != 1:
	        print(*job, "planned", plan[job], "measured", points[job])
	END
	find "$out" -name '*.partial-*' -o -name '*.new' -o -name parallel
}

wrong='' orphans='' early=0
for ((i = 0; i < kills; i++)); do
	"$program" "${words[@]}" >"$work/said" 2>&1 &
	sweep=$!
	if ! begun "$sweep"; then
		early=$((early + 1))
		wait "$sweep"
		continue
	fi
	sleep "0.$(printf %03d $((RANDOM % 1000)))"
	victim=$sweep
	((i % 2)) && victim=$(pgrep -P "$sweep" -f 'parallel' || echo "$sweep")
	kill -KILL "$victim" 2>/dev/null
	wait "$sweep" 2>/dev/null
	orphans+=$(gone)
	wrong+=$(whole)
done
"$program" "${words[@]}" >"$work/said" 2>&1 || # invalid because of the skew: once more
	"$program" "${words[@]}" >"$work/said" 2>&1
wrong+=$(whole)
((early < kills)) || orphans+="no sweep was killed: each was over before"

echo 1..3
report "$kills killed sweeps leave no job measuring" "$orphans"
report "$kills killed sweeps leave no half row" "$wrong"
report "and then every point is there once" "$(once)"
echo "# $early of the sweeps had nothing left to do; the last said: $(head -n 1 "$work/said"), $(tail -n 1 "$work/said")"
exit $failed
