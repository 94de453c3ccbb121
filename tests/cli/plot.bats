#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# faultscale plot: pictures from results made up here, and from one that is measured.

setup() {
	load helpers
	cd "$BATS_TEST_TMPDIR"
}

points_header=host,key,repeat,status,workload,preset,mode,workers,bytes,layout,thp,pages_per_s

# Makes a result directory of two curves, three counts and two repeats each.
make_results() { # DIRECTORY [FACTOR]
	mkdir "$1"
	python3 - "$1" "${2-1}" <<'END'
import sys
directory, factor = sys.argv[1], float(sys.argv[2])

def write(name, header, rows):
    with open(f"{directory}/{name}.csv", "w") as out:
        for row in [header.split(",")] + rows:
            print(*row, sep=",", file=out)

keys = [(f"k{n}{mode[0]}", repeat, n, mode)
        for n in (1, 2, 8) for mode in ("process", "thread") for repeat in (1, 2)]
rate = {k: factor * 1e6 * n / (1 + (0.2 if mode == "thread" else 0.01) * (n - 1)) * (1 + 0.01 * r)
        for k, r, n, mode in keys}
write("points", "host,key,repeat,status,workload,preset,mode,workers,bytes,layout,thp,pages_per_s",
      [["h", k, r, "valid", "map: fault dontneed", "multi-fault", mode, n, 2097152, "guarded",
        "never", rate[k]] for k, r, n, mode in keys])
write("steps", "host,key,repeat,step,calls,work,unit,total_s,p10_s,p50_s,p90_s,p99_s,max_s",
      [["h", k, r, step, 10, 5120, "page", 5120 * n / rate[k] * part,
        *(512 * n / rate[k] * part * q for q in (0.9, 1, 1.2, 1.5, 5))]
       for k, r, n, mode in keys for step, part in (("fault", 0.9), ("dontneed", 0.1), ("lap", 1))])
write("samples", "host,key,repeat,t_s,worker,laps,step,work,ns,faults",
      [["h", k, r, (i + 1) / 10, w, 3, "lap", rate[k] / n / 10, 100000000, 0]
       for k, r, n, mode in keys for i in range(20) for w in range(n)])
write("timeline", "host,key,repeat,worker,lap,step,start_s,end_s",
      [["h", k, r, w, 0, step, start + 0.01 * w, start + 0.1 + 0.01 * w]
       for k, r, n, mode in keys for w in range(n) for step, start in (("fault", 0), ("dontneed", 0.1))])
write("meta", "key,value", [["host", "h"], ["cpu_model", "Some CPU"], ["kernel_release", "6.18"]])
END
}

# The same without what more than one figure needs: pictures take time.
make_points() { # DIRECTORY [FACTOR]
	make_results "$@"
	rm "$1"/{steps,samples,timeline}.csv
}

figures='scaling steps timeline laps drift'

@test "every figure is drawn as SVG and PNG, and their names are printed, one a line" {
	make_results r
	faultscale plot r
	expect_status 0
	expect_silence
	for figure in $figures; do
		for kind in svg png; do
			expect_output "^r/plots/$figure\.$kind$"
		done
		python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "r/plots/$figure.svg"
		[ "$(head -c 4 "r/plots/$figure.png" | tail -c 3)" = PNG ]
		grep -q 'multi-fault (map: fault dontneed)' "r/plots/$figure.svg"
		grep -q 'Some CPU' "r/plots/$figure.svg"
	done
	[ "${#lines[@]}" -eq 10 ]
}

@test "rates are drawn from zero, with both curves, linear, and the spread over repeats" {
	make_points r
	faultscale plot r
	for text in process thread linear workers 'pages per second' '2 repeats'; do
		grep -q ">.*$text" r/plots/scaling.svg || unexpected "no '$text' in the picture"
	done
	grep -qE '>[^0-9]*0 *</' r/plots/scaling.svg
	run ! grep -q 'scaling law' r/plots/scaling.svg
}

@test "a scaling law is fitted to six counts and drawn with them" {
	mkdir r
	echo "$points_header" >r/points.csv
	for n in 1 2 4 8 16; do
		echo "h,k$n,1,valid,nop,,process,$n,4096,guarded,never,$((n * 1000000 / (n + 9)))"
	done >>r/points.csv
	faultscale plot r
	expect_status 0
	run ! grep -q 'scaling law' r/plots/scaling.svg
	echo h,k32,1,valid,nop,,process,32,4096,guarded,never,780487 >>r/points.csv
	faultscale plot r
	expect_status 0
	grep -q 'scaling law, fitted' r/plots/scaling.svg
}

@test "of more curves than can be told apart the first are drawn, and the picture says so" {
	make_results r
	mv r/points.csv one
	head -n 1 one >r/points.csv
	for size in {1..7}; do
		tail -n +2 one | sed "s/,2097152,/,$((size * 4096)),/; s/^h,/h,$size/"
	done >>r/points.csv
	for file in steps samples timeline; do # of the first and the last curve
		mv r/$file.csv one
		awk 'NR == 1 { print; next } { row = substr($0, 3); print "h,1" row; print "h,7" row }' \
			one >r/$file.csv
	done
	faultscale plot r
	expect_status 0
	expect_silence
	for figure in $figures; do
		grep -q '12 measurements of more than 12 curves' "r/plots/$figure.svg"
	done
	grep -q '>process; 24K<' r/plots/scaling.svg
	run ! grep -q '28K' r/plots/scaling.svg
}

@test "two directories are drawn beside each other, and the first one's pictures stay" {
	make_points before
	make_points after 1.1
	faultscale plot before
	cp before/plots/scaling.svg first.svg
	faultscale plot before after/
	expect_status 0
	expect_output '^before/plots/with-after/scaling.svg$'
	for text in 'before: process' 'after: process' 'before: thread' 'after: thread'; do
		grep -q "$text" before/plots/with-after/scaling.svg
	done
	cmp first.svg before/plots/scaling.svg
}

@test "--terminal on a full output" {
	cp -r "$root/results/vm-2cpu/sweep" r
	# shellcheck disable=SC2016 # for the shell inside
	run --separate-stderr bash -c '"$0" plot --terminal r >/dev/full' "$FAULTSCALE"
	expect_status 1
	expect_error 'cannot write to standard output: No space left on device'
}

@test "--terminal draws in the terminal and writes nothing" {
	make_results r
	faultscale plot --terminal r
	expect_status 0
	expect_output 'multi-fault'
	expect_output 'seconds from the start'
	[ ! -e r/plots ]
}

@test "what is not valid is left out, and the picture says how much" {
	make_results r
	sed -i '2s/,valid,/,invalid,/; 3s/,valid,/,unsupported,/; 4s/[^,]*$/-nan/; 5s/[^,]*$//' \
		r/points.csv
	faultscale plot r
	expect_status 0
	expect_silence
	for figure in $figures; do
		grep -q '4 of 12 measurements left out: not valid' "r/plots/$figure.svg"
	done
}

@test "nothing to plot is said, and is no failure" {
	mkdir empty header invalid rateless
	: >empty/points.csv
	echo "$points_header" >header/points.csv
	for directory in invalid rateless; do
		echo "$points_header" >$directory/points.csv
	done
	echo 'h,k,1,invalid,nop,,process,1,2,guarded,never,5' >>invalid/points.csv
	echo 'h,k,1,valid,nop,,process,1,2,guarded,never,inf' >>rateless/points.csv
	for directory in empty header invalid rateless; do
		faultscale plot $directory
		expect_status 0
		expect_silence
		expect_output '^nothing to plot: '
		[ ! -e $directory/plots ]
	done
}

@test "one row is enough, with or without the other files" {
	make_results r
	sed -i '3,$d' r/points.csv
	faultscale plot r
	expect_status 0
	expect_silence
	[ "${#lines[@]}" -eq 10 ]
	rm r/steps.csv r/samples.csv r/meta.csv
	: >r/timeline.csv
	faultscale plot --terminal r
	expect_status 0
	expect_silence
	[ "$(grep -c 'multi-fault (map: fault dontneed): ' <<<"$output")" -eq 1 ]
}

@test "a figure may lack a curve" {
	make_results r
	sed -i '2,$ { /,k[0-9]*p,/d }' r/steps.csv r/timeline.csv
	faultscale plot r
	expect_status 0
	expect_silence
	grep -q '>thread' r/plots/steps.svg
	run ! grep -q '>process' r/plots/steps.svg
}

@test "files with a header only give no figure" {
	make_results r
	for file in steps samples timeline; do
		sed -i 2,\$d r/$file.csv
	done
	faultscale plot r
	expect_status 0
	[ "${#lines[@]}" -eq 2 ]
}

@test "half a row is named with its file and line" {
	make_results r
	printf h,k >>r/steps.csv
	faultscale plot r
	expect_status 1
	expect_error "'r/steps.csv', line 38: "
}

@test "a directory without results, none and too many are refused" {
	faultscale plot missing
	expect_status 1
	expect_error "missing/points.csv': No such file"
	faultscale plot
	expect_status 2
	faultscale plot a b c
	expect_status 2
}

@test "hostile names are drawn as they are and never carried out" {
	# shellcheck disable=SC2016 # literal
	name='a b;$(touch x)`touch y`"'\''{Bold}<&>@x'
	make_points "$name"
	make_points two
	sed -i '2,$s/map: fault dontneed/`touch z` $(touch z) {\/Bold b} <\&> system("touch z")/' \
		"$name/points.csv"
	faultscale plot "$name" two
	expect_status 0
	expect_silence
	faultscale plot --terminal "$name"
	expect_status 0
	[ ! -e x ] && [ ! -e y ] && [ ! -e z ]
	faultscale plot "$name"
	grep -qF "{/Bold b} &lt;&amp;> " "$name/plots/scaling.svg"
	python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$name/plots/scaling.svg"
	[ ! -e x ] && [ ! -e y ] && [ ! -e z ]
}

@test "bytes that are not UTF-8 do not make a broken picture" {
	make_points r
	sed -i '2,$s/dontneed/\xff\x01/' r/points.csv
	faultscale plot r
	expect_status 0
	python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' r/plots/scaling.svg
}

@test "without gnuplot the package is named" {
	make_points r
	run --separate-stderr env PATH="$BATS_TEST_TMPDIR" "$FAULTSCALE" plot r
	expect_status 77
	expect_error 'gnuplot is not installed'
	expect_error 'apt install gnuplot-nox'
}

@test "what gnuplot says of a failure is passed on, and the old picture stays" {
	make_points r
	mkdir bin r/plots
	echo old >r/plots/scaling.svg
	printf '#!/bin/sh\necho first >&2\necho no memory >&2\nexit 3\n' >bin/gnuplot
	chmod +x bin/gnuplot
	PATH=$PWD/bin:$PATH faultscale plot r
	expect_status 1
	expect_error 'gnuplot failed: no memory'
	[ "$(cat r/plots/scaling.svg)" = old ]
}

@test "the init file, the terminal and the locale of the user change nothing" {
	make_points r
	mkdir home
	printf 'set terminal dumb\nset title "mine"\nset decimalsign ","\n' >home/.gnuplot
	faultscale plot r
	cp -r r/plots plain
	HOME=$PWD/home GNUTERM=x11 LC_ALL=de_DE.UTF-8 DISPLAY='' faultscale plot r
	expect_status 0
	cmp r/plots/scaling.svg plain/scaling.svg
}

@test "a directory that cannot be written is named" {
	make_points r
	: >r/plots
	faultscale plot r
	expect_status 1
	expect_error "cannot write 'r/plots/scaling.svg': Not a directory"
}

@test "a million samples take little memory" {
	make_points r
	{
		echo host,key,repeat,t_s,worker,laps,step,work,ns,faults
		seq 1000000 | awk '{ printf "h,k8p,1,%.3f,%d,3,lap,1000,10000000,0\n", $1 / 800, $1 % 8 }'
	} >r/samples.csv
	# shellcheck disable=SC2016 # the inner shell's
	run --separate-stderr bash -c 'ulimit -v 300000 && exec "$0" plot --terminal r' "$FAULTSCALE"
	expect_status 0
	expect_output 'rate over time'
	expect_output 'means over 6.4 s'
}

@test "a measured run and its timeline are drawn" {
	faultscale run memory-test-mlock --bytes=1M --mode=thread -n 2 --oversubscribe -o measured
	expect_status 0
	faultscale plot measured
	expect_status 0
	expect_output '^measured/plots/scaling.png$'
}
