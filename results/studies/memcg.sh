#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What does charging pages to a memory cgroup cost?  Faults with workers in a group of their own
# against workers in none of ours, in alternation on the same CPUs; one group for all, then one each.
#
#   memcg.sh DIRECTORY    writes one result directory for each comparison into it
set -eu
out=${1:?usage: memcg.sh DIRECTORY}
faultscale=${FAULTSCALE:-faultscale}
mkdir -p "$out"
for groups in one each; do
	"$faultscale" duel --a=--memcg=none --b="--memcg=$groups" -o "$out/none-$groups" \
		>"$out/none-$groups.txt"
	cat "$out/none-$groups.txt"
done
