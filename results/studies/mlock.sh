#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Do workers that mlock their memory take turns?  Fixed work of 1 GiB a worker, with and without
# mlock, in processes and in the threads of one process; the timelines show who waited where.
#
#   mlock.sh DIRECTORY [WORKERS [BYTES]]
set -eu
out=${1:?usage: mlock.sh DIRECTORY [WORKERS [BYTES]]}
workers=${2:-4}
bytes=${3:-1G}
faultscale=${FAULTSCALE:-faultscale}
mkdir -p "$out"
for preset in memory-test memory-test-mlock; do
	for mode in process thread; do
		"$faultscale" run -n "$workers" --oversubscribe --mode=$mode --bytes="$bytes" \
			-o "$out/$preset-$mode" $preset >"$out/$preset-$mode.txt"
		cat "$out/$preset-$mode.txt"
	done
done
