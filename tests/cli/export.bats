#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# faultscale export: other tools' formats.

setup() {
	load helpers
	cd "$BATS_TEST_TMPDIR"
}

header=host,key,repeat,status,workload,preset,mode,workers,bytes,layout,thp,pages_per_s,laps,busy

# Two modes at 1 and 4 workers, the process at 1 twice; threads were not measured at 4.
make_results() { # DIRECTORY
	mkdir "$1"
	cat >"$1/points.csv" <<-END
	$header
	h,a,1,valid,map: fault dontneed,multi-fault,process,1,2097152,guarded,never,1000.25,100,1
	h,a,2,valid,map: fault dontneed,multi-fault,process,1,2097152,guarded,never,1100.25,110,1
	h,b,1,valid,map: fault dontneed,multi-fault,thread,1,2097152,guarded,never,900,90,0.5
	h,c,1,valid,map: fault dontneed,multi-fault,process,4,2097152,guarded,never,4000,400,1
	h,d,1,invalid,map: fault dontneed,multi-fault,thread,4,2097152,guarded,never,9,9,1
	END
	printf '%s\n' key,value 'cpu_model,Some "CPU"' kernel_release,6.18 threads,4 >"$1/meta.csv"
}

@test "will-it-scale: its columns, its row of no tasks, linear from the best of one worker" {
	make_results r
	faultscale export --format=will-it-scale r
	expect_status 0
	expect_silence
	diff - <(echo "$output") <<-END
	tasks,processes,processes_idle,threads,threads_idle,linear
	0,0,100,0,100,0
	1,1050,75.00,900,87.50,1050
	4,4000,0.00,,,4201
	END
}

@test "will-it-scale: a table of several curves is refused with their names" {
	make_results r
	echo 'h,e,1,valid,map: fault dontneed,multi-fault,process,1,2097152,merged,never,1,1,1' \
		>>r/points.csv
	faultscale export --format=will-it-scale r
	expect_status 1
	expect_error "'r' has more than one curve of a mode: process, guarded, thread, guarded, ..."
}

@test "json: one object per point, as dashboards take it" {
	make_results r
	faultscale export r
	expect_status 0
	echo "$output" >points.json
	python3 - <<'END'
import json
points = json.load(open("points.json"))
assert len(points) == 3, points
assert all({"name", "unit", "value", "extra"} <= set(p) for p in points)
first = points[0]
assert first["name"] == "multi-fault/workers=1/mode=process/bytes=2M", first
assert first["unit"] == "pages/s" and first["value"] == 1050.25
assert first["range"] == "± 70.71", first
assert 'Some "CPU"' in first["extra"] and "2 repeats" in first["extra"]
assert "range" not in points[1] and "range" not in points[2]
assert len({p["name"] for p in points}) == 3
END
}

@test "json: without points it is an empty array" {
	mkdir r
	echo $header >r/points.csv
	faultscale export r
	expect_status 0
	python3 -c 'import json, sys; assert json.loads(sys.argv[1]) == []' "$output"
}

@test "json: whatever bytes a name has" {
	make_results r
	sed -i '2s/multi-fault/"""\\\xff\xc3\xa9"/' r/points.csv
	faultscale export r
	expect_status 0
	echo "$output" >points.json
	python3 - <<'END'
import json
names = [p["name"] for p in json.load(open("points.json", encoding="utf-8"))]
assert any(n.startswith('"\\\ufffdé/workers=1/') for n in names), names
END
}

@test "benchfmt: one line for each valid repeat, with blanks in no name" {
	make_results r
	sed -i 's/,multi-fault,/,,/' r/points.csv
	faultscale export --format=benchfmt r
	expect_status 0
	expect_output '^Unit pages/s better=higher$'
	expect_output '^cpu: Some "CPU"$'
	[ "$(grep -c '^Benchmark' <<<"$output")" -eq 4 ]
	expect_output '^BenchmarkMap:_fault_dontneed/workers=1/mode=process/bytes=2M 110 1100.25 pages/s$'
	line='^Benchmark[[:upper:]][^[:space:]]* [0-9]+ [0-9.]+ pages/s$'
	[ "$(grep -cE "$line" <<<"$output")" -eq 4 ]
}

@test "what is measured can be exported in every format, in any locale" {
	faultscale run -n 1 -d 50ms --warmup=0 -o r
	for format in json benchfmt will-it-scale; do
		LC_ALL=de_DE.UTF-8 faultscale export --format=$format r
		expect_status 0
		expect_silence
		[[ -n $output ]]
	done
}

@test "an unknown format, no directory and two are refused" {
	faultscale export --format=xml r
	expect_status 2
	expect_error "'xml' is not one of json, benchfmt, will-it-scale"
	faultscale export
	expect_status 2
	faultscale export a b
	expect_status 2
}

@test "a full disk is a failure" {
	make_results r
	# shellcheck disable=SC2016 # the inner shell's
	run --separate-stderr bash -c '"$0" export r >/dev/full' "$FAULTSCALE"
	expect_status 1
	expect_error 'cannot write to standard output'
}
