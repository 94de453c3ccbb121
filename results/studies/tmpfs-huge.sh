#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What do huge pages in the page cache of tmpfs gain?  The mmap file test over 1 to 256 processes on
# a tmpfs with huge=never and one with huge=always, in a mount namespace of its own.
#
#   tmpfs-huge.sh DIRECTORY [TOTAL [COUNTS]]    as root; TESTS= and REPEATS= choose
set -eu
if [ -z "${TMPFS_HUGE_INSIDE-}" ]; then
	: "${1:?usage: tmpfs-huge.sh DIRECTORY [TOTAL [COUNTS]]}"
	TMPFS_HUGE_INSIDE=yes exec unshare --mount --propagation private "$0" "$@"
fi
out=$1
total=${2:-1G}
counts=${3:-1,2,4,8,16,32,64,128,256}
faultscale=${FAULTSCALE:-faultscale}
mkdir -p "$out"
area=$out/tmpfs # the same path for both, so that points match
mkdir -p "$area"
trap 'umount "$area" 2>/dev/null; rmdir "$area"' EXIT
for test in ${TESTS:-write rewrite read reread reverse-read random-read random-write}; do
	for huge in never always; do
		mount -t tmpfs -o "huge=$huge" none "$area"
		"$faultscale" sweep -n "$counts" -r "${REPEATS:-3}" --mode=process --oversubscribe \
			--total-bytes="$total" --dir="$area" -o "$out/$test-$huge" \
			"mmap-file-$test" >"$out/$test-$huge.txt"
		umount "$area"
	done
	"$faultscale" compare "$out/$test-never" "$out/$test-always" | tee "$out/$test.txt"
	"$faultscale" plot "$out/$test-never" "$out/$test-always"
done
