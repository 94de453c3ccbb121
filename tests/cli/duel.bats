#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2154 # status, output and stderr are bats' own
# faultscale duel: two variants in alternation.

setup() {
	load helpers
	cd "$BATS_TEST_TMPDIR" || return
}

small=(-n 1 --bytes=64K --thp=never -d 500ms)

# bats test_tags=sanitize
@test "both sides, their figures and the verdict, in 80 columns" {
	faultscale duel "${small[@]}" --a=--mode=process --b=--mode=thread
	expect_status 0
	expect_silence
	expect_output '^A: --mode=process  map: fault dontneed$'
	expect_output '^B: --mode=thread  map: fault dontneed$'
	expect_output '^10 launches of fresh crews, [0-9]+ quads of slices of '
	expect_output '^fault ns/page +[0-9.,]+ +[0-9.,]+ +[0-9.]+  [0-9.]+ to [0-9.]+$'
	expect_output '^pages/s: (B is|no difference larger than|cannot tell)'
	(($(awk '{ if (length > most) most = length } END { print most }' <<<"$output") <= 80))
}

@test "a difference that is there is called, whichever side has it" {
	faultscale duel "${small[@]}" --a='map: fault dontneed' --b='map: populate dontneed' \
		--format=csv
	expect_status 0
	printf '%s\n' "$output" >duel.csv
	[[ $(csv_column verdict duel.csv) == faster ]]
	[[ $(csv_column metric duel.csv) == pages/s ]]
	faultscale duel "${small[@]}" --a='map: populate dontneed' --b='map: fault dontneed' \
		--format=csv
	printf '%s\n' "$output" >duel.csv
	[[ $(csv_column verdict duel.csv) == slower ]]
	awk -v low="$(csv_column ratio_low duel.csv)" -v ratio="$(csv_column ratio duel.csv)" \
		-v high="$(csv_column ratio_high duel.csv)" \
		'BEGIN { exit !(low < ratio && ratio < high && high < 1) }'
}

@test "the files hold every launch, and the ratio is their geometric mean" {
	faultscale duel "${small[@]}" --launches=11 --a= --b=--layout=merged -o out
	expect_status 0
	python3 - <<-'END'
		import csv, math
		duel = list(csv.DictReader(open("out/duel.csv")))
		launches = list(csv.DictReader(open("out/launches.csv")))
		assert {row["metric"] for row in duel} >= {"laps/s", "pages/s", "fault ns/page"}
		for row in duel:
		    logs = [float(l["log_ratio"]) for l in launches if l["metric"] == row["metric"]]
		    assert len(logs) == 11 == int(row["launches"]), (row, logs)
		    ratio = math.exp(sum(logs) / len(logs))
		    assert abs(ratio / float(row["ratio"]) - 1) < 1e-6, (ratio, row)
	END
	grep -q '^command,' out/meta.csv
	[[ ! -e out/points.csv ]]
}

# The number of launches of a duel of three seconds with these options.
launches_of() {
	rm -rf out
	faultscale duel "${small[@]}" -d 3s --a= --b= "$@" -o out
	expect_status 0
	csv_column launches out/duel.csv | head -n 1
}

@test "the time is divided among as many launches as pay, unless their number is given" {
	(($(launches_of) > 10))
	(($(launches_of --launches=10) == 10))
}

@test "laps longer than a slice are cut, and take what their steps take" {
	faultscale duel -n 1 --thp=never -d 500ms --a=--bytes=40M --b=--bytes=50M -o out
	expect_status 0
	python3 - <<-'END'
		import csv, math
		launches = {}
		for row in csv.DictReader(open("out/launches.csv")):
		    launches.setdefault(row["launch"], {})[row["metric"]] = row
		    assert math.isfinite(float(row["log_ratio"])), row
		for rows in launches.values():
		    for side, pages in ("a", 40 << 8), ("b", 50 << 8):
		        page_ns = sum(float(rows[step + " ns/page"][side]) for step in ("fault", "dontneed"))
		        laps, per_s = float(rows["laps/s"][side]), float(rows["pages/s"][side])
		        assert abs(laps * pages * page_ns / 1e9 - 1) < 1e-6, (side, laps, page_ns)
		        assert abs(per_s / laps / pages - 1) < 1e-6, (side, per_s, laps)
		    logs = [float(rows[metric]["log_ratio"]) for metric in ("laps/s", "pages/s")]
		    assert abs(logs[1] - logs[0] - math.log(1.25)) < 1e-6, logs
	END
}

@test "laps that are cut are compared with laps that are not by their means" {
	faultscale duel -n 1 --thp=never -d 500ms --a=--bytes=16K --b=--bytes=40M -o out
	expect_status 0
	python3 - <<-'END'
		import csv, math
		rows = [row for row in csv.DictReader(open("out/launches.csv")) if row["metric"] == "laps/s"]
		assert len(rows) == 10
		for row in rows:
		    ratio = float(row["b"]) / float(row["a"])
		    assert abs(math.log(ratio) - float(row["log_ratio"])) < 1e-6, row
		    assert ratio < 4 / 10240 * 10, row
	END
}

@test "fixed work alternates fresh crews" {
	faultscale duel -n 1 --bytes=256K --laps=3 --thp=never --a='map: fault dontneed' \
		--b='map: populate dontneed' --format=csv
	expect_status 0
	printf '%s\n' "$output" >duel.csv
	[[ $(csv_column verdict duel.csv) == faster ]]
	[[ $(csv_column launches duel.csv) == 10 ]]
	# Its points have files in a run; of these a duel has none.
	faultscale duel -n 1 --laps=2 --bytes=64K --thp=never --a= --b=--mode=thread -o out
	expect_status 0
	expect_whole_rows out
	[[ ! -e out/points.csv && $(wc -l <out/launches.csv) -gt 10 ]]
}

@test "--precision goes on, and says when it was not reached" {
	faultscale duel -n 1 --bytes=64K -d 200ms --a= --b= --precision=0.0001% --max-time=1s
	expect_status 0
	expect_output '^warning: \+-0\.0001 % was not reached within --max-time=1s$'
}

@test "what is wrong with a side is said of that side" {
	faultscale duel --a=--bytes=2Q --b=
	expect_status 2
	expect_error '^faultscale: side A: --bytes: '
	faultscale duel --a= --b='map: fault'
	expect_status 2
	expect_error "^faultscale: side B: on the second lap 'fault' finds memory already present"
	faultscale duel --a=--laps=3 --b=
	expect_status 2
	expect_error 'fixed work'
	faultscale duel --a= --b=--nonsense
	expect_status 2
	expect_error "side B: unknown option '--nonsense'"
	faultscale duel --launches=3 --a= --b=
	expect_status 2
	faultscale duel --a= --b=--margin=5%
	expect_status 2
	expect_error "the sides' --margin differ"
}

@test "what a kernel cannot do on one side exits with 77" {
	faultscale run -d 100ms --warmup=0 zero-cow
	[[ $status == 77 ]] || skip 'this kernel has a shared zero page'
	faultscale duel -n 1 -d 500ms --a= --b=zero-cow
	expect_status 77
	expect_output '^invalid: side B: .cow. took no faults'
}

@test "interrupted it dies of the signal, says so in its file and leaves nothing" {
	disturbed -w 2 -d 0.3 -s INT -- duel -n 1 --bytes=64K -d 60 --a= --b= -o out
	expect_output '^ended by SIGINT$'
	[[ $(csv_column status out/duel.csv) == interrupted ]]
	[[ $(csv_column reason out/duel.csv) == *interrupted* ]]
	[[ -z $(csv_column a out/duel.csv)$(csv_column ratio out/duel.csv) ]]
	[[ $(echo out*) == out ]]
}

@test "a worker that hangs in a slice is given up" {
	command -v strace >/dev/null || skip "needs strace"
	run --separate-stderr strace -f -qq -o /dev/null -e trace=madvise \
		-e inject=madvise:delay_enter=5000000:when=100 \
		"$root/faultscale" duel -n 1 --bytes=64K --thp=never -d 60s --timeout=500ms --a= --b=
	expect_status 1
	expect_output '^invalid: side [AB]: worker 0 '
}

@test "workers that share CPUs work side by side, or the duel is not valid" {
	faultscale duel --oversubscribe --bytes=64K --thp=never -d 2s --a='-n 2' --b='-n 4' -o out
	if [[ $status == 1 ]]; then
		expect_output '^invalid: in [0-9]+ of [0-9]+ quads a worker began after the others'
	else
		awk -v ratio="$(csv_column ratio out/duel.csv | head -n 1)" \
			'BEGIN { exit !(ratio < 1.5) }'
	fi
}

@test "the memory of both sides must fit" {
	half=$(awk '/^MemAvailable/ { printf "%dK", $2 * 0.6 }' /proc/meminfo)
	faultscale duel -n 1 --bytes="$half" -d 1s --a= --b=
	expect_status 1
	expect_error 'the memory of both sides: .* needed'
}

@test "a worker that is killed makes the duel invalid and names its side" {
	disturbed -w 2 -d 0.3 -t worker -s KILL -- duel -n 1 --bytes=64K -d 60 --a= --b=
	expect_output '^invalid: side [AB]: worker 0 was killed by SIGKILL'
	expect_output '^ended with 1$'
}

@test "a side may have quoted words, and its workload is told once" {
	faultscale duel "${small[@]}" --a= --b="--mode='th read'"
	expect_status 2
	expect_error "side B: .*'th read'"
	faultscale duel "${small[@]}" --a="map: fault dontneed" --b="'--mode=thread'"
	expect_status 0
	expect_output '^A: map: fault dontneed$'
	faultscale duel "${small[@]}" --a="--dir='a b" --b=
	expect_status 2
	expect_error "side A: the quotes in '--dir='a b' cannot be read"
}

@test "what a duel did not reach, and who waited, is said beside a table, too" {
	faultscale duel "${small[@]}" --a='map fault fork reap unmap' --b= --precision=0.001% \
		--max-time=1s --format=csv
	expect_status 0
	expect_error '^warning: \+-0\.001 % was not reached within --max-time=1s$'
	expect_error "^warning: side A's workers were busy in [0-9.]+ % of their slices"
}

@test "where a side is not pinned, its workers may go wherever the parent was allowed to" {
	(($(nproc) > 1)) || skip 'one CPU'
	"$FAULTSCALE" duel "${small[@]}" -d 3s --a= --b=--no-pin >/dev/null &
	duel=$!
	sleep 0.7
	mask=$(grep Cpus_allowed: "/proc/$duel/status")
	kill "$duel"
	[[ $mask == "$(grep Cpus_allowed: /proc/$$/status)" ]]
}
