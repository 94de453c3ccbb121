#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether the verdicts keep their promise on this machine, tried where the truth is known: a thing
# measured against itself, or against one page in a hundred more.
#
#   trials.sh [DESIGN...]    one row a trial into $RESULTS/DESIGN.csv, what they come to on stdout
#
# TRIALS= of each, CPUS=LIST to use, RESULTS= [build/trials].  A design is a row of this table: how
# many trials, the true ratio, and the function that measures one into rows.csv.
# shellcheck disable=SC2317 # functions are called by the table's words
set -u
cd "$(dirname "$0")/../.." || exit 1
faultscale=$PWD/faultscale
results=${RESULTS:-build/trials}
workload=(map: fault dontneed)

designs='
duel                |400|1      |duel -d 2s, a variant against itself
duel_precise        |400|1      |the same with --precision=1%, looked at after each launch
duel_sees           |100|100/101|duel -d 10s, 10,000 pages a lap against 10,100
compare_alternating |400|1      |ten runs of one build, ABBAABBAAB: the run is the unit
compare_in_a_row    |400|1      |ten repeats in one run, then ten in another
compare_table       |400|1      |three points in each of ten alternating runs
'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$results"
results=$(realpath "$results")
cd "$work" || exit 1

# Laps/s of the two sides: where they differ in bytes the pages/s do not.
duel_rows() { # OPTION...
	rm -rf duel
	"$faultscale" duel ${CPUS:+--cpus="$CPUS"} --seed=$((RANDOM + 1)) "$@" -o duel --format=csv \
		"${workload[@]}" >/dev/null 2>said || { cat said && return 1; }
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
		$at["metric"] == "laps/s"' duel/duel.csv >rows.csv
}

duel() { duel_rows -n 1 -d 2s --a= --b=; }
duel_precise() { duel_rows -n 1 -d 1s --precision=1% --max-time=20s --a= --b=; }
# The truth lies on the edge of the margin of 1 %: an interval inside it is no call.
duel_sees() { duel_rows -n 1 -d 10s --a=--bytes=40000K --b=--bytes=40400K; }

run() { # DIRECTORY OPTION...
	"$faultscale" run ${CPUS:+--cpus="$CPUS"} -n 1 -d 100ms --warmup=20ms "${@:2}" -o "$1" \
		--format=csv "${workload[@]}" >/dev/null
}

list() { # SIDE
	printf '%s\n' "$1"[0-9]*/ | paste -sd ,
}

compare_rows() {
	"$faultscale" compare --format=csv "$(list a)" "$(list b)" >rows.csv
	rm -rf a[0-9]* b[0-9]*
}

# Ten directories a0..a4 and b0..b4 for each size, in alternating order.
alternate() { # BYTES...
	local order=ABBAABBAAB side bytes
	local -A count=([a]=0 [b]=0)

	((RANDOM % 2)) && order=$(tr AB BA <<<"$order")
	for side in $(fold -w 1 <<<"${order,,}"); do
		for bytes; do
			run "$side$((count[$side])).$bytes" --bytes="$bytes"
		done
		count[$side]=$((count[$side] + 1))
	done
	compare_rows
}

compare_alternating() { alternate 2M; }
compare_table() { alternate 2M 1M 4M; }
compare_in_a_row() {
	run a0 -r 10
	run b0 -r 10
	compare_rows
}

# Of N intervals at 95 % so many hold the truth, and of N trials of equals so many call a
# difference, in all but one of a thousand such series: 366 and 34 of 400.
judge() { # DESIGN TRUTH TEXT
	awk -F, -v design="$1" -v truth="$(awk "BEGIN { printf \"%.12g\", $2 }")" -v text="$3" '
		NR == 1 { next }
		{
			rows++
			held += $3 <= truth && truth <= $4
			excluded += $3 > 1 || $4 < 1
			called[$1] += $5 == "faster" || $5 == "slower"
			sum += log($2); squares += log($2) ^ 2; half += ($4 - $3) / 2
		}
		END {
			if (rows < 2) { print design ": too few results"; exit 1 }
			for (trial in called) { trials++; calls += called[trial] > 0 }
			least = int(0.915 * rows)
			most = int(0.085 * trials + 0.999)
			printf "%s: %s\n", design, text
			printf "  %d of %d intervals hold %.4f (at least %d)\n", held, rows, truth, least
			printf "  %d of %d trials call a difference (%s %d)\n", calls, trials,
				truth == 1 ? "at most" : "at least", truth == 1 ? most : int(0.95 * trials)
			printf "  %d of %d intervals exclude 1\n", excluded, rows
			printf "  ratio %.4f, standard deviation %.2f %%, mean interval +-%.2f %%\n",
				exp(sum / rows), 100 * sqrt((squares - sum ^ 2 / rows) / (rows - 1)),
				100 * half / rows
			exit held < least || (truth == 1 ? calls > most : calls < int(0.95 * trials))
		}' "$results/$1.csv"
}

carry_out() { # DESIGN TRIALS
	local trial failed=0

	echo trial,ratio,ratio_low,ratio_high,verdict >"$results/$1.csv"
	for ((trial = 1; trial <= $2; trial++)); do
		if ! "$1"; then
			failed=$((failed + 1))
			continue
		fi
		awk -F, -v OFS=, -v trial=$trial '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ print trial, $at["ratio"], $at["ratio_low"], $at["ratio_high"], $at["verdict"] }
			' rows.csv >>"$results/$1.csv"
	done
	echo "$1: $failed of $2 trials came to no result"
}

status=0
while IFS='|' read -r design trials truth text; do
	design=${design%% *}
	[[ -n $design && (-z $* || " $* " == *" $design "*) ]] || continue
	carry_out "$design" "${TRIALS:-$trials}" </dev/null
	judge "$design" "$truth" "$text" || status=1
done <<<"$designs"
exit $status
