#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How steady the floor is beside the mean: 20 runs of 2 s.  Of the floors at least 16 should lie
# within 2 % of their median, and their median absolute deviation be at most half of the means'.
set -eu
cd "$(dirname "$0")/../.."
for _ in $(seq "${1:-20}"); do
	./faultscale run -d 2s --format=csv | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR == 2 { print $at["pages_per_s"], $at["floor_pages_per_s"] }'
done | awk '
	function median(values, n,   i, j, t) {
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && values[j - 1] > values[j]; j--) {
				t = values[j]; values[j] = values[j - 1]; values[j - 1] = t
			}
		return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
	}
	function spread(values, n, middle,   i, far) {
		for (i = 1; i <= n; i++)
			far[i] = values[i] > middle ? values[i] - middle : middle - values[i]
		return median(far, n) / middle
	}
	NF == 2 { mean[++n] = $1; floor[n] = $2 }
	END {
		m = median(mean, n); f = median(floor, n)
		for (i = 1; i <= n; i++)
			near += floor[i] > 0.98 * f && floor[i] < 1.02 * f
		mean_spread = spread(mean, n, m); floor_spread = spread(floor, n, f)
		printf "%d of %d floors within 2 %% of their median %.0f pages/s, wanted: 16 of 20\n", near, n, f
		printf "median absolute deviation: floor %.2f %%, mean %.2f %% (median %.0f), wanted: at most half\n",
			100 * floor_spread, 100 * mean_spread, m
	}'
