#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A duel of processes against threads beside 30 separate runs of each: the answers must agree within
# their intervals, the duel's in a tenth of the time.
#
#   separate.sh      one row each into $RESULTS/separate.csv [build/trials], what they say on stdout
set -eu
cd "$(dirname "$0")/../.."
faultscale=$PWD/faultscale
results=${RESULTS:-build/trials}
runs=${RUNS:-30}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$results"
results=$(realpath "$results")/separate.csv
cd "$work"

column() { # FILE ROW_PATTERN COLUMN...
	awk -F, -v pattern="$2" -v names="${*:3}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
		$0 ~ pattern { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? "," : "\n" }
		' "$1"
}

list() { # MODE
	printf '%s\n' "$1".* | paste -sd ,
}

start=$(date +%s)
for ((i = 0; i < runs; i++)); do
	modes='process thread'
	((i % 2)) && modes='thread process'
	for mode in $modes; do
		"$faultscale" run -n 2 -d 2s --warmup=200ms --mode="$mode" -o "$mode.$i" >/dev/null
	done
done
middle=$(date +%s)
"$faultscale" compare --force --format=csv "$(list process)" "$(list thread)" >separate.csv
"$faultscale" duel -n 2 -d 10s --a=--mode=process --b=--mode=thread -o duel >/dev/null
end=$(date +%s)

{
	echo how,seconds,ratio,ratio_low,ratio_high,verdict
	echo "runs,$((middle - start)),$(column separate.csv pages_per_s ratio ratio_low ratio_high verdict)"
	echo "duel,$((end - middle)),$(column duel/duel.csv pages/s ratio ratio_low ratio_high verdict)"
} >"$results"
awk -F, '
	NR > 1 {
		printf "%s in %d s: thread/process %.4f (%.4f to %.4f), %s\n", $1, $2, $3, $4, $5, $6
		low[NR] = $4; high[NR] = $5; seconds[NR] = $2
	}
	END {
		agree = low[2] <= high[3] && low[3] <= high[2]
		printf "the intervals %s; the duel took %.0f %% of the time\n",
			agree ? "agree" : "do not agree", 100 * seconds[3] / seconds[2]
		exit !agree
	}' "$results"
