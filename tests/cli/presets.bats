#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Every preset, small, by root and by nobody: it runs with faults a page inside its stated band, or
# says what this kernel or this user cannot do; and it leaves nothing behind.

setup() {
	load helpers
	area=$(mktemp -d /tmp/presets.XXXXXX)
	chmod 1777 "$area"
	user=()
}

teardown() {
	rm -rf "$area"
}

as_nobody() {
	needs_root
	user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	"${user[@]}" "$FAULTSCALE" list presets >/dev/null || skip 'the program cannot be reached by others'
}

presets() {
	"$FAULTSCALE" list presets --format=csv | tail -n +2 | cut -d , -f 1
}

# The row is valid and its faults a page are what its contract or its band says.
expect_band() { # PRESET
	python3 - "$1" 3<<<"$output" <<-'END' || unexpected "faults a page of $1"
	import csv, sys
	[row] = csv.DictReader(open(3))
	assert row["status"] == "valid" and row["preset"] == sys.argv[1], row["reason"]
	faults = int(row["minor_faults"]) + int(row["major_faults"])
	if row["band_low"]:
	    at = float(row["faults_per_page"])
	    assert float(row["band_low"]) <= at <= float(row["band_high"]), (at, row["band_low"], row["band_high"])
	elif row["stray_faults"]:
	    assert faults == int(row["derived_faults"]) + int(row["stray_faults"]), row
	    assert int(row["stray_faults"]) <= 0.001 * faults, row
	END
}

# No file, no process and no memory cgroup of faultscale's is left.
expect_nothing_left() {
	[[ -z $(ls -A "$area") ]] || unexpected "left in $area: $(ls -A "$area")"
	[[ -z $(ls -d /dev/shm/*faultscale* 2>/dev/null) ]] || unexpected 'left in /dev/shm'
	[[ ${#user[@]} == 0 || -z $(pgrep -u 65534 -x faultscale) ]] || unexpected 'processes left'
}

measure_all() {
	local preset ran=0
	for preset in $(presets); do
		run --separate-stderr timeout --kill-after=5 60 "${user[@]}" "$FAULTSCALE" run -n 2 \
			--oversubscribe --bytes=512K --laps=1 --dir="$area" --format=csv "$preset"
		# Some steps are not to be had: they lock more than the user may, or this kernel lacks them.
		if [[ $status == 1 && $stderr == *RLIMIT_MEMLOCK* ]]; then
			[[ $preset == *mlock* ]] || unexpected "$preset locks nothing"
			expect_error 'cannot lock .* KiB \(RLIMIT_MEMLOCK\)$'
		elif [[ $status == 77 ]]; then
			[[ $output$stderr == *unsupported* || $stderr == faultscale:* ]] || unexpected "$preset"
		else
			[[ $status == 0 ]] || unexpected "expected $preset to run"
			expect_band "$preset"
			ran=$((ran + 1))
		fi
	done
	((ran > 20)) || unexpected "only $ran presets ran"
	expect_nothing_left
}

@test "every preset runs with faults a page inside its band, or is unsupported" {
	measure_all
}

@test "every preset runs as nobody, or names the limit, and leaves nothing" {
	as_nobody
	measure_all
}

@test "nobody may not lock more than RLIMIT_MEMLOCK: refused with the numbers" {
	as_nobody
	run --separate-stderr bash -c 'ulimit -l 64; exec "$@"' - "${user[@]}" "$FAULTSCALE" run -n 1 \
		--bytes=512K --laps=1 memory-test-mlock
	expect_status 1
	expect_error 'cannot lock 1 workers x 512 KiB in one process: the limit is 64 KiB \(RLIMIT_MEMLOCK\)$'
	expect_nothing_left
}
