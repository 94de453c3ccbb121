#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether compare keeps its promise on this machine: the same thing measured twice, many times over.
#
#   compare.sh [FILE]   one row a trial into FILE [build/trials/compare.csv], the counts on stdout
#
# Of 400 intervals at least 366 must hold 1, and at most 34 trials may call a difference: what a
# true 95 % gives in all but one of a thousand such series.  Three designs:
#
#   alternating   ten runs, in the order ABBAABBAAB or its mirror; the run is the unit
#   in_a_row      ten repeats in one run, then ten in another: drift between the two is in the
#                 result, and only what it shows within a run can widen the interval
#   table         three points in each of ten alternating runs; counts tables that call anything
#
# TRIALS=400 of each; RUN_OPTIONS says what is measured.  Takes about 20 minutes a design.
set -u
cd "$(dirname "$0")/../.." || exit 1
faultscale=$PWD/faultscale
file=${1:-build/trials/compare.csv}
trials=${TRIALS:-400}
# shellcheck disable=SC2206 # words
options=(${RUN_OPTIONS:--n 1 -d 100ms --warmup=20ms --bytes=2M})
workload=(map: fault dontneed)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$(dirname "$file")"
file=$(realpath "$file")
cd "$work" || exit 1

run() { # DIRECTORY OPTION...
	"$faultscale" run "${options[@]}" "${@:2}" -o "$1" --format=csv "${workload[@]}" >/dev/null
}

# Ten directories a0..a4 and b0..b4 in alternating order.
alternate() { # POINTS
	local order=ABBAABBAAB side bytes
	local -A count=([a]=0 [b]=0)

	((RANDOM % 2)) && order=$(tr AB BA <<<$order)
	for side in $(fold -w 1 <<<"${order,,}"); do
		for bytes in 2M 1M 4M; do
			run "$side$((count[$side])).$bytes" --bytes=$bytes
			(($1 > 1)) || break
		done
		count[$side]=$((count[$side] + 1))
	done
}

in_a_row() {
	run a0.2M -r 10
	run b0.2M -r 10
}

list() { # SIDE
	printf '%s\n' "$1"*/ | paste -sd ,
}

trial() { # DESIGN
	case $1 in
	alternating) alternate 1 ;;
	in_a_row) in_a_row ;;
	table) alternate 3 ;;
	esac
	"$faultscale" compare --format=csv "$(list a)" "$(list b)" >rows.csv
	rm -rf a* b*
}

echo design,trial,point,ratio,ratio_low,ratio_high,verdict >"$file"
for design in ${DESIGNS:-alternating in_a_row table}; do
	for ((i = 1; i <= trials; i++)); do
		trial "$design" || continue
		awk -F, -v OFS=, -v design="$design" -v trial="$i" '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ print design, trial, $at["point"], $at["ratio"], $at["ratio_low"],
				$at["ratio_high"], $at["verdict"] }' rows.csv >>"$file"
	done
done

awk -F, -v trials="$trials" '
	NR == 1 { next }
	!($1 in rows) { order[++designs] = $1 }
	{
		rows[$1]++
		held[$1] += $5 <= 1 && $6 >= 1
		if ($7 == "faster" || $7 == "slower")
			if (!(($1, $2) in seen)) { seen[$1, $2]; called[$1]++ }
		if (!(($1, $2) in met)) { met[$1, $2]; done[$1]++ }
	}
	END {
		for (d = 1; d <= designs; d++) {
			name = order[d]
			printf "%s: %d of %d intervals hold 1 (at least %d), %d of %d trials call a difference (at most %d)\n",
				name, held[name], rows[name], int(rows[name] * 366 / 400),
				called[name], done[name], int(done[name] * 34 / 400 + 0.999)
			if (held[name] < int(rows[name] * 366 / 400) ||
			    called[name] > int(done[name] * 34 / 400 + 0.999))
				failed = 1
		}
		exit failed
	}' "$file"
