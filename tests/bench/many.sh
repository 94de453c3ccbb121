#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Very many workers: what one costs from start to reaped end, beside bare processes that do the same
# laps, in one run; and what 256 workers cost the parent at the default interval.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
workers=${1:-4096}
laps=10
rehearsal=2

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

bare=$("$build/tests/bench/forks" "$workers" $((laps + rehearsal)))
start=$(date +%s%N)
(
	ulimit -n 1024
	./faultscale run -n "$workers" --oversubscribe --bytes=64K --laps=$laps --thp=never \
		-o "$out/many" 'map: fault dontneed' >/dev/null
)
end=$(date +%s%N)
awk -v ns=$((end - start)) -v n="$workers" -v bare="$bare" 'BEGIN {
	ms = ns / 1e6 / n
	printf "%d workers of 64K, 10 laps: %.2f ms each; bare processes of 12 laps: %.2f ms; ratio %.2f, wanted: at most %.2f\n",
		n, ms, bare, ms / bare, 0.8 / 0.3
}'
awk -F, -v n="$workers" '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	NR > 1 { laps += $at["laps"]; faults += $at["minor_faults"] }
	END {
		printf "laps and faults of every worker: %d of %d, %d of %d\n", laps, n * 10, faults, n * 160
		exit !(laps == n * 10 && faults == n * 160)
	}' "$out/many/workers.csv"
./faultscale run -n 256 --oversubscribe --bytes=64K -d 5s --thp=never -o "$out/parent" \
	'map: fault dontneed' >/dev/null || true
awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	NR == 2 { printf "parent of 256 workers: %.2f %% of a CPU, wanted: below 1 %%\n", 100 * $at["parent_busy"] }
' "$out/parent/points.csv"
