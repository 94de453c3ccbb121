#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Side by side with will-it-scale: page_fault1 and page_fault3 against the presets of the same name,
# in pairs whose order alternates, on the same CPUs, with the same warm-up and the same length.
#
#   WILL_IT_SCALE=DIR tests/bench/peer.sh [PAIRS [TASKS [SECONDS]]]     [6, one a CPU, 5]
#
# DIR has will-it-scale (github.com/antonblanchard/will-it-scale) built by its own make.  It counts
# pages touched and calls them faults; compared are pages touched, and how many faults the kernel
# counted for them is said beside.  The ratio is ours by its, with a 95 % interval (Student's t over
# the logarithms of the pairs); it should be at least 1 within that.
set -eu
cd "$(dirname "$0")/../.."
if [[ -z ${WILL_IT_SCALE-} ]]; then
	echo 'will-it-scale: skipped, WILL_IT_SCALE=DIR names no directory where it is built'
	exit 0
fi
for case in page_fault1 page_fault3; do
	[[ -x $WILL_IT_SCALE/${case}_processes ]] || {
		echo "will-it-scale: no $WILL_IT_SCALE/${case}_processes; build it with make there" >&2
		exit 1
	}
done
pairs=${1:-6}
tasks=${2:-$(nproc)}
seconds=${3:-5}

# It warms up for six readings, a second apart.
warmup=6s

# Pages a second of the peer: pages touched, averaged over SECONDS readings.
theirs() { # CASE
	"$WILL_IT_SCALE/$1_processes" -t "$tasks" -s "$seconds" | sed -n 's/^average://p'
}

# Our pages a second and faults a page.  Huge pages as the system has them, as the peer does.
ours() { # CASE
	./faultscale run "$1" -n "$tasks" --warmup=$warmup -d "${seconds}s" --thp=default --format=csv |
		python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    if row["status"] != "valid":
        sys.exit("%s: %s" % (row["status"], row["reason"]))
    print(row["pages_per_s"], row["faults_per_page"])'
}

# Lines "OURS FAULTS_PER_PAGE THEIRS", one a pair.
measure() { # CASE
	local pair a b
	for ((pair = 0; pair < pairs; pair++)); do
		if ((pair % 2)); then
			a=$(ours "$1")
			b=$(theirs "$1")
		else
			b=$(theirs "$1")
			a=$(ours "$1")
		fi
		echo "$a $b"
	done
}

# The quantile of Student's t at 0.975, of 1 to 15 degrees of freedom; above, near enough, of 15.
summary() { # CASE
	awk -v name="$1" -v tasks="$tasks" '
		BEGIN {
			quantiles = "12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262 2.228 2.201 2.179 2.160 2.145 2.131"
			most = split(quantiles, t, " ")
		}
		NF == 3 && $1 > 0 && $3 > 0 {
			x = log($1 / $3); n++; sum += x; squares += x * x
			ours += $1; faults += $2; theirs += $3
		}
		END {
			if (n < 2) { print name ": fewer than two pairs"; exit 1 }
			mean = sum / n
			rest = squares - n * mean * mean
			half = t[n - 1 < most ? n - 1 : most] * sqrt((rest > 0 ? rest : 0) / (n - 1) / n)
			printf "%s, %d processes, %d pairs: %.0f pages/s, will-it-scale %.0f\n",
				name, tasks, n, ours / n, theirs / n
			printf "  ratio %.4f  (%.4f to %.4f)  wanted: at least 1 within noise\n",
				exp(mean), exp(mean - half), exp(mean + half)
			printf "  %.4f faults a page%s\n", faults / n,
				faults / n < 0.99 ? ": what will-it-scale counts are touches, not faults, here" : ""
			exit exp(mean + half) < 1
		}'
}

status=0
for case in page_fault1 page_fault3; do
	measure "$case" | summary "$case" || status=1
done
exit $status
