#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What does charging pages to a memory cgroup cost?  Faults with workers in a group of their own
# against workers in none of ours, in alternation on the same CPUs: one group for all, one each, and
# one that is eight groups deep; then a sweep of each for the plot.
#
#   memcg.sh DIRECTORY
set -eu
out=${1:?usage: memcg.sh DIRECTORY}
faultscale=${FAULTSCALE:-faultscale}
time=${TIME:-20s}
mkdir -p "$out"

duel() { # NAME OPTIONS_OF_B
	"$faultscale" duel -d "$time" --a=--memcg=none --b="$2" -o "$out/duel-$1" >"$out/duel-$1.txt"
	cat "$out/duel-$1.txt"
}

duel one --memcg=one
duel each --memcg=each
duel deep '--memcg=each --memcg-depth=8'
for kind in none one each; do
	"$faultscale" sweep -n 1,2 -r 5 -d 2s --warmup=200ms --mode=process --memcg=$kind \
		-o "$out/sweep-$kind" >"$out/sweep-$kind.txt"
done
"$faultscale" compare "$out/sweep-none" "$out/sweep-each" --force | tee "$out/compare.txt"
"$faultscale" plot "$out/sweep-none" "$out/sweep-each"
