#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# faultscale compare: directories made by hand, other tools' tables, and real runs.

setup() {
	load helpers
	cd "$BATS_TEST_TMPDIR"
	data=$root/tests/data
}

# Writes a result directory.  Facts in META replace those of the machine; BYTES is another size.
results() { # DIR BOOT WORKERS:VALUE,VALUE,... ...
	local dir=$1 boot=$2 point workers repeat value line
	shift 2
	mkdir -p "$dir"
	{
		echo key,value
		for line in schema,1 version,v1 build_id,abc host,vm kernel_release,6.1 \
			'cpu_model,Model T' page_bytes,4096 thp,madvise \
			'kernel_cmdline,quiet root=/dev/a' 'command,faultscale run' ${META-}; do
			[[ ${META-} == *"${line%%,*},"* && $line != "${META-}" ]] || echo "$line"
		done
	} >"$dir/meta.csv"
	[[ -e $dir/points.csv ]] || echo host,key,repeat,status,reason,boot_id,workload,mode,workers,bytes,page_bytes,cpus,pages_per_s,laps_per_s,busy >"$dir/points.csv"
	for point; do
		workers=${point%%:*} repeat=0
		for value in ${point#*:}; do
			echo "vm,key$workers${BYTES-},$((++repeat)),${STATUS:-valid},,$boot,map: fault dontneed,process,$workers,${BYTES:-2097152},4096,0,$value,1,0.5"
		done >>"$dir/points.csv"
	done
}

# Values around $1 with a relative spread of $2, $3 of them, drawn with the seed $4.
draw() {
	awk -v level="$1" -v spread="$2" -v count="$3" -v seed="$4" 'BEGIN {
		state = seed * 7919 + 17
		for (i = 0; i < count; i++) {
			sum = -6
			for (k = 0; k < 12; k++) {
				state = (state * 16807) % 2147483647
				sum += state / 2147483647
			}
			printf "%s%.6g", i ? " " : "", level * (1 + spread * sum)
		}
		print ""
	}'
}

# The cell COLUMN of the first row of the CSV in $output, which quotes nothing.
cell() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		NR == 2 { print $at }' <<<"$output"
}

expect_cell() { # COLUMN VALUE
	[[ $(cell "$1") == "$2" ]] || unexpected "expected $1 to be $2"
}

# Writes a steps.csv beside: DIR WORKERS STEP:VALUE,... ...; more steps are appended.
steps() {
	local dir=$1 workers=$2 step repeat value
	shift 2
	[[ -e $dir/steps.csv ]] || echo host,key,repeat,step,calls,work,unit,total_s,ns_per_unit >"$dir/steps.csv"
	for step; do
		repeat=0
		for value in ${step#*:}; do
			echo "vm,key$workers,$((++repeat)),${step%%:*},1,1,page,1,$value"
		done
	done | sort -s -t, -k 3,3n >>"$dir/steps.csv"
}

# bats test_tags=sanitize
@test "of a point that is slower, the steps that are" {
	results a boot1 "2:$(draw 1000 0.002 6 1)" "4:$(draw 2000 0.002 6 2)"
	results b boot1 "2:$(draw 900 0.002 6 3)" "4:$(draw 2000 0.002 6 4)"
	steps a 2 "fault:$(draw 800 0.01 6 5)" "read:$(draw 100 0.01 6 6)" "lap:$(draw 950 0.01 6 7)"
	steps a 4 "fault:$(draw 800 0.01 6 5)"
	steps b 2 "fault:$(draw 801 0.01 6 8)" "read:$(draw 50 0.01 6 9)" "lap:$(draw 1100 0.01 6 1)"
	steps b 4 "fault:$(draw 1600 0.01 6 5)"
	faultscale compare a b
	expect_status 0
	expect_output '^steps of the points that differ, time per unit .each interval is at 95 % by$'
	expect_output '^itself: false alarms among many steps are not controlled.$'
	expect_output '^  pages_per_s mode=process workers=2:$'
	expect_output '^    read: [0-9.]+ to [0-9.]+ ns/page, after needs (49|50)\.?[0-9]* % less '
	# What did not change is not named, nor is the whole lap; a point that did not change has no steps.
	[[ $output != *'    fault: '* && $output != *'    lap: '* && $output != *'workers=4:'$'\n'* ]]
	[ "$(grep -c ' ns/page, ' <<<"$output")" -eq 1 ]
	faultscale compare a b --format=csv
	[[ $(cell steps_changed) == 'read -'*')' ]] || unexpected steps
	faultscale compare a b --format=json
	python3 -c '
import json, sys
points = json.load(sys.stdin)["points"]
assert [step["step"] for step in points[0]["steps"]] == ["fault", "read"]
assert [step["verdict"] for step in points[0]["steps"]] == ["unknown", "faster"]
assert points[1]["steps"] == []' <<<"$output"
	faultscale compare a b --format=markdown
	expect_output '^  \* read: '
	# A list that is too long ends after a whole entry.
	for step in {1..16}; do
		steps a 2 "longer$step:$(draw 800 0.01 6 5)"
		steps b 2 "longer$step:$(draw 1600 0.01 6 5)"
	done
	faultscale compare a b --format=csv
	[[ $(cell steps_changed) == 'read -'*'; longer5 +'*'); ...' ]] || unexpected steps
	# Neither does one without steps.
	rm b/steps.csv
	faultscale compare a b
	expect_status 0
	[[ $output != *' ns/page, after needs'* ]]
}

# bats test_tags=sanitize
@test "the posted speed-ups over the counts come out as published" {
	faultscale compare "$data/iozone-mmap-initial-writers.csv" --key=threads --times=threads \
		--value=baseline_kb_per_s_per_process,patched_kb_per_s_per_process
	expect_status 0
	expect_output '^1\.93 2\.36 4\.69 7\.46 8\.74 9\.22 3\.65 2\.83 2\.77$'
	expect_output '2085000|2084024 .* threads=8$'
	expect_output 'threads=1: cannot tell: \+92\.8 %, too few values for an interval'
}

# bats test_tags=sanitize
@test "memory that was divided among the workers is no point's own" {
	results before boot 1:"100 100.1 99.9" 2:"200 200.1 199.9"
	results after boot 1:"150 150.1 149.9" 2:"400 400.1 399.9"
	for side in before after; do # 2 MiB in all
		awk -F, -v OFS=, 'NR == 1 { print $0, "total_bytes"; next }
			{ $10 = 2097152 / $9; print $0, 2097152 }' $side/points.csv >points
		mv points $side/points.csv
	done
	faultscale compare before after
	expect_output '^after/before over workers 1 2:$'
	expect_output '^1\.50 2\.00$'
}

@test "posted counts with perf's standard errors: cannot tell" {
	faultscale compare "$data/multi-fault-fork-8.csv" --side=build --value=page_faults \
		--n=runs --stderr=page_faults_stderr_percent
	expect_status 0
	expect_output '45256919 ± +1\.9% +\+1\.66% +46007166 ± +0\.8% +page_faults$'
	expect_output 'cannot tell: \+1\.7 % \(-0\.7 to \+4\.0\)'
	faultscale compare "$data/multi-fault-fork-8.csv" --side=build:after,before --n=5 \
		--value=cache_misses --stderr=cache_misses_stderr_percent% --lower-is-better --format=csv
	expect_cell verdict unknown
	expect_cell ratio 1.004464387
}

# bats test_tags=sanitize
@test "the same values are no difference, in every format" {
	results a boot1 "1:$(draw 1000 0.001 10 1)" "2:$(draw 1900 0.001 10 2)"
	results b boot2 "1:$(draw 1000 0.001 10 3)" "2:$(draw 1900 0.001 10 4)"
	faultscale compare a b
	expect_status 0
	expect_silence
	expect_output '^verdicts, margin 1 %; one boot each: the spread between boots is unknown$'
	expect_output 'workers=1: no difference larger than 0\.[0-9]+ %'
	expect_output 'over all, geometric mean: no difference larger than 0\.[0-9]+ %'
	expect_output '^2 points: .* at most 5 % are expected to be false'
	expect_output '^1\.00 1\.00$'
	faultscale compare a b --format=markdown
	expect_output '^\| pages\\_per\\_s mode=process workers=1 \| .*no difference larger'
	faultscale compare a b --format=json
	python3 -c '
import json, sys
report = json.load(sys.stdin)
assert [p["verdict"] for p in report["points"]] == ["same", "same"], report
assert report["unit"].startswith("one boot each"), report' <<<"$output"
	faultscale compare a b --format=csv
	[[ $(csv_column verdict <(echo "$output") | paste -sd ,) == same,same ]] || unexpected verdicts
	expect_cell workers 1
}

@test "a shift of 1 % in 5 % noise cannot be told, and it says what would tell" {
	results a boot1 "1:$(draw 1000 0.05 10 5)"
	results b boot2 "1:$(draw 990 0.05 10 6)"
	faultscale compare a b
	expect_status 0
	expect_output 'cannot tell: [-+][0-9.]+ % \(-[0-9.]+ to \+[0-9.]+\); would see [0-9.]+ %; needs about [0-9]+ more repeats a side to see 1 %'
	[[ $output != *duel* ]]
	results b2 boot1 "1:$(draw 990 0.05 10 6)"
	faultscale compare a b2
	expect_output '^  both sides ran in one boot: faultscale duel tells'
	faultscale compare a b2 --margin=50%
	[[ $output != *duel* ]]
}

@test "five boots a side establish a regression, one boot a side does not" {
	for boot in 1 2 3 4 5; do
		results "a$boot" "a$boot" "1:$(draw "100$boot" 0.002 3 "$boot")"
		results "b$boot" "b$boot" "1:$(draw "95$boot" 0.002 3 "1$boot")"
	done
	faultscale compare a1,a2,a3,a4,a5 b1,b2,b3,b4,b5
	expect_status 3
	expect_output '5 boots before, 5 after: their spread is in the intervals'
	expect_output 'after is [45]\.[0-9] % slower'
	expect_output 'boots differ by'
	faultscale compare a1,a2,a3,a4,a5 b1,b2,b3,b4,b5 --fail-if-worse=3%
	expect_status 3
	faultscale compare a1,a2,a3,a4,a5 b1,b2,b3,b4,b5 --fail-if-worse=10%
	expect_status 0
	faultscale compare b1,b2,b3,b4,b5 a1,a2,a3,a4,a5
	expect_status 0
	expect_output 'after is 5\.[0-9] % faster'
	faultscale compare a1 b1
	expect_status 0
	expect_output 'slower'
	expect_output 'one boot each: the spread between boots is unknown'
	expect_output 'Not taken as established'
	faultscale compare a1,a2 b1,b2,b3
	expect_status 0
	expect_output 'boots: 2 before, 3 after: the spread between boots is unknown'
	faultscale compare a1 b1 --boot-sd=0.1%
	expect_status 3
	faultscale compare a1 b1 --boot-sd=5%
	expect_status 0
	expect_output 'cannot tell'
}

@test "repeats of one boot are averaged where boots are the unit" {
	for boot in 1 2 3; do
		results "a$boot" "a$boot" "1:$(draw "10${boot}0" 0.001 20 "$boot")"
		results "b$boot" "b$boot" "1:$(draw "10$((4 - boot))5" 0.001 20 "1$boot")"
	done
	faultscale compare a1,a2,a3 b1,b2,b3 --format=csv
	expect_cell unit boot
	expect_cell a_n 3
	expect_cell verdict unknown
}

@test "points that no repeat has together are still compared over all" {
	results a boot1 '1:100 101 104 109 116 125 136 149' '2:200 201 204 209 216 225 236 249'
	results b1 boot1 '1:100 101 104 109 116 125 136 149'
	results b2 boot1 '2:200 201 204 209 216 225 236 249'
	faultscale compare a b1,b2
	expect_status 0
	expect_output 'repeats resemble the one before'
	expect_output 'over all, .*: cannot tell: \+0\.0 %'
}

@test "each curve has its row of speed-ups, with its name" {
	cp -r "$root/results/vm-2cpu/sweep" a
	cp -r a b
	awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
		{ $at["pages_per_s"] *= $at["mode"] == "process" ? 0.5 : 2; print }
		' a/points.csv >b/points.csv
	faultscale compare a b
	expect_status 0
	expect_output '^after/before mode=process over workers 1 2:$'
	expect_output '^after/before mode=thread over workers 1 2:$'
	expect_output '^0\.50 0\.50$'
	expect_output '^2\.00 2\.00$'
	printf 'k,m,v,w\n1,p,1,2\n2,p,1,0\n1,t,1,3\n2,t,1,3\n' >t.csv
	faultscale compare --key=m,k --value=v,w t.csv
	expect_output '^after/before m=p over k 1 2:$'
	expect_output '^2\.00 -$'
	faultscale compare --key=m,k --value=v,w t.csv --format=markdown
	expect_output '^```$'
	expect_output '^after/before m=p over k 1 2:$'
	faultscale compare --key=m,k --value=v,w t.csv
	expect_output 'cannot tell: no ratio, since a value is not above 0'
	expect_output '^    without 1 of 4 points, which have no ratio$'
}

@test "the same results twice on a side are refused" {
	results a boot1 '1:100 101 102'
	results b boot1 '1:100 101 102'
	ln -s a again
	for twice in a,a a,again a,b,./a; do
		faultscale compare "$twice" b
		expect_status 2
		expect_error "is twice on one side"
	done
	faultscale compare a,b b
	expect_status 0
}

@test "of a points.csv only valid rows count" {
	results a boot1 '1:100 101 102 500'
	sed -i '/,500/s/valid/invalid/' a/points.csv
	faultscale compare --key=workers --value=pages_per_s a/points.csv a/points.csv
	expect_status 0
	expect_output '^left out: rows that are not valid: 1 before, 1 after$'
}

@test "what is not there, or is no table with commas, is said to be so" {
	echo v,k >t.csv
	faultscale compare --value=v missing.csv t.csv
	expect_status 1
	expect_error "cannot read 'missing.csv': No such file"
	faultscale compare --value=v t.csv missing.csv
	expect_status 1
	expect_error "cannot read 'missing.csv': No such file"
	printf 'k;v\n1;2\n' >semicolons.csv
	faultscale compare --key=k --value=v semicolons.csv semicolons.csv
	expect_status 2
	expect_error 'cells are separated by commas'
}

@test "a byte order mark and empty lines are no cells" {
	printf '\xef\xbb\xbfk,v\r\na,1\r\n\r\na,2\r\na,3\r\n\r\n' >t.csv
	faultscale compare --key=k --value=v t.csv t.csv
	expect_status 0
	expect_output 'n = 3$'
}

@test "results and duels are no plain tables" {
	results a boot1 '1:100 101 102'
	for option in --key=k --times=7 --n=3 --stddev=s --side=s; do
		faultscale compare a a "$option"
		expect_status 2
		expect_error "${option%%=*} is for plain tables, 'a' is a result directory"
	done
	faultscale compare "$root/results/vm-2cpu/duel" a
	expect_status 2
	expect_error 'holds a duel'
}

@test "what the margin calls no difference cannot fail" {
	results a boot1 '1:100 100.1 100.2'
	faultscale compare a a --fail-if-worse=0.3%
	expect_status 2
	expect_error '--fail-if-worse=0\.3% is less than the margin of 1%'
	faultscale compare a a --fail-if-worse=0.3% --margin=0.3%
	expect_status 0
}

@test "one and two values have no interval" {
	results one boot1 '1:100'
	results two boot2 '1:100 102'
	results many boot3 '1:100 102 101 99'
	for pair in 'one one' 'one many' 'two many' 'many two'; do
		# shellcheck disable=SC2086
		faultscale compare $pair --format=csv
		expect_status 0
		expect_cell ratio_low ''
		expect_cell p ''
		expect_cell verdict unknown
	done
	faultscale compare many many --format=csv
	[[ -n $(cell ratio_low) ]]
}

@test "a huge outlier is kept and said, and makes no difference of itself" {
	results a boot1 '1:100 100.7 100.2 100.5 100.1 100.4 100.6 100.3'
	results b boot2 '1:100 100.7 9000 100.5 100.1 100.4 100.6 100.3'
	faultscale compare a b
	expect_output 'cannot tell'
	expect_output 'outliers, all kept: 0 before, 1 after'
	expect_output 'by ranks \(Hodges-Lehmann\): \+0\.[0-9] %'
}

@test "two humps are said" {
	results a boot1 "1:$(draw 100 0.01 12 7)"
	results b boot2 '1:99 120 121 100 101 119 120 100 99 121 101 119'
	faultscale compare a b
	expect_output 'two humps after: 50 % of the repeats around 100, the others around 120'
}

@test "points on one side and rows that are not valid are left out and counted" {
	results a boot1 '1:100 101 102' '4:300 301 302'
	results b boot2 '1:100 101 102' '8:500 501'
	STATUS=invalid results b boot2 '1:5 5'
	faultscale compare a b
	expect_status 0
	expect_output '^left out: points on one side alone: 1 before, 1 after$'
	expect_output '^left out: rows that are not valid: 0 before, 2 after$'
	STATUS=invalid results c boot3 '1:5 5'
	faultscale compare a c
	expect_status 1
	expect_error 'nothing to compare: 2 points before, 0 after, 0 and 2 rows that are not valid'
}

@test "another column than the headline can be compared" {
	results a boot1 '1:100 101 102'
	faultscale compare a a --value=busy --format=csv
	expect_cell metric busy
	expect_cell a 0.5
	faultscale compare a a --value=nothing
	expect_status 2
	expect_error "has no column 'nothing'"
	sed -i 's/,101,1,/,,1,/; s/,10[0-9],1,/,,1,/' a/points.csv
	faultscale compare a a --format=csv
	expect_cell metric laps_per_s
}

@test "unlike with unlike is refused, and with --force is said" {
	results a boot1 '1:100 101 102'
	for fact in schema,2 cpu_model,Other page_bytes,65536; do
		META=$fact results "b-$fact" boot2 '1:100 101 102'
		faultscale compare a "b-$fact"
		expect_status 2
		expect_error "^faultscale: unlike with unlike: ${fact%,*}: '.*' against '${fact#*,}'"
		faultscale compare a "b-$fact" --force
		expect_status 0
		expect_output "^${fact%,*} +before "
	done
	BYTES=4096 results c boot2 '1:100 101 102' '2:150 151 152'
	faultscale compare a c
	expect_status 2
	expect_error "no point is on both sides: bytes: '2097152' against '4096'"
	faultscale compare a c --force
	expect_status 0
	expect_output '^bytes +before 2097152$'
	expect_output 'workers=1: cannot tell: \+0\.0 %'
}

@test "other facts that differ are listed with what they mean" {
	results a boot1 '1:100 101 102'
	META='kernel_cmdline,quiet' results b boot2 '1:100 101 102'
	sed -i 's/^kernel_release.*/kernel_release,6.2/; $a novelty,1' b/meta.csv
	faultscale compare a b
	expect_status 0
	expect_output '^kernel_release +before 6\.1$'
	expect_output '^ +after  6\.2$'
	expect_output '^kernel_cmdline +before root=/dev/a$'
	expect_output '^novelty +before -$'
	expect_output '^cpu_model +Model T$'
	expect_output '^to repeat +before faultscale run$'
	expect_output '^before  a: n = 3 valid repeats a point, 1 run, 1 boot$'
}

# shellcheck disable=SC2016 # nothing is to be expanded
@test "names cannot do harm" {
	results 'a, b' boot1 '1:100 101 102'
	results $'x\e[31m\ny' boot2 '1:100 101 102'
	results '$(touch harm)' boot2 '1:100 101 102'
	sed -i 's/^host,.*/host,"v|m ""\x1b[31m"/' '$(touch harm)/meta.csv'
	sed -i 's/map: fault dontneed/"map: `touch harm` | ""fault"/' '$(touch harm)/points.csv'
	faultscale compare 'a, b' $'x\e[31m\ny'
	expect_status 0
	[[ $output != *$'\e'* ]] || unexpected 'expected no control characters'
	faultscale compare 'a, b' '$(touch harm)' --format=markdown
	expect_status 0
	[[ $output != *$'\e'* ]] || unexpected 'expected no control characters'
	for format in json csv text; do
		faultscale compare 'a, b' '$(touch harm)' --format=$format
		expect_status 0
	done
	[ ! -e harm ]
}

@test "what cannot be read is said" {
	results a boot1 '1:100 101 102'
	faultscale compare a nowhere
	expect_status 1
	expect_error "cannot read 'nowhere': No such file or directory"
	faultscale compare a
	expect_status 2
	expect_error 'two sides are compared, 1 given'
	faultscale compare a a,,a
	expect_status 2
	faultscale compare a "$data/multi-fault-fork-8.csv"
	expect_status 2
	expect_error 'cannot be compared with a plain table'
	faultscale compare --boot-sd=3 a a
	expect_status 2
	expect_error '^faultscale: --boot-sd: '
	run bash -c '"$1" compare a a >/dev/full' - "$FAULTSCALE"
	expect_status 1
}

# bats test_tags=sanitize
@test "plain tables: what is missing or wrong is named with its place" {
	printf 'n,who,x,sd\n1,a,5,1\n1,b,6,1\n2,a,,1\n2,b,7,1\n' >t.csv
	faultscale compare t.csv
	expect_status 2
	expect_error 'name it with --value'
	faultscale compare t.csv --value=x --key=n
	expect_status 2
	expect_error 'one file: what is before, what is after'
	faultscale compare t.csv --value=x --key=n --side=nobody
	expect_status 2
	expect_error "^faultscale: --side: 't.csv' has no column 'nobody'"
	faultscale compare t.csv --value=x --key=n --side=who --stddev=sd
	expect_status 2
	expect_error 'a spread without --n'
	faultscale compare t.csv --value=x --key=n --side=who --n=0 --stddev=sd
	expect_status 1
	expect_error "^faultscale: 't.csv', line 2: n must be 1 or more"
	faultscale compare t.csv --value=x --key=n --side=who
	expect_status 0
	expect_output '^left out: rows that are not valid: 1 before, 0 after$'
	faultscale compare t.csv --value=x --side=n:1,2 --n=4 --stddev=sd
	expect_status 1
	expect_error 'more than one summary on a side'
	echo 3,c,8,1 >>t.csv
	faultscale compare t.csv --value=x --key=n --side=who
	expect_status 2
	expect_error "'who' has more than two values: a, b, c"
	faultscale compare t.csv --value=x --key=n --side=who:a,b
	expect_status 0
	echo 4,a,many,1 >>t.csv
	faultscale compare t.csv --value=x --key=n --side=who:a,b
	expect_status 1
	expect_error "^faultscale: 't.csv', line 7, column 'x': 'many' is no number"
}

@test "two tables, rows of one key being repeats" {
	printf 'n,x\n1,10\n1,11\n1,12\n2,20\n2,21\n2,22\n' >before.csv
	printf 'x,n\n20,1\n22,1\n24,1\n42,2\n40,2\n44,2\n' >after.csv
	faultscale compare before.csv after.csv --key=n --value=x
	expect_status 0
	expect_output '^2\.00 2\.00$'
	expect_output 'n=1: after is [0-9.]+ % faster'
	faultscale compare before.csv after.csv --key=n --value=x --lower-is-better --format=csv
	expect_cell verdict slower
	expect_cell n 1
}

# t.test and wilcox.test of R are other people's code for the same intervals.
@test "intervals are those of R" {
	command -v Rscript >/dev/null || skip 'needs Rscript'
	results a boot1 "1:$(draw 1000 0.03 9 21)"
	results b boot2 "1:$(draw 1020 0.05 12 22)"
	faultscale compare a b --format=csv
	csv_column pages_per_s a/points.csv >a.txt
	csv_column pages_per_s b/points.csv >b.txt
	[[ $(cell correlation) == 0 ]]
	cat >t.R <<-'END'
		a <- log(scan("a.txt", quiet = TRUE)); b <- log(scan("b.txt", quiet = TRUE))
		t <- t.test(b, a); w <- wilcox.test(b, a, conf.int = TRUE, exact = TRUE)
		cat(sprintf("%.8f\n", c(exp(t$conf.int), t$p.value, exp(w$estimate), exp(w$conf.int))), sep = "")
	END
	Rscript t.R >r.txt
	for column in ratio_low ratio_high p rank_ratio rank_ratio_low rank_ratio_high; do
		printf '%.8f\n' "$(cell $column)"
	done >ours.txt
	diff r.txt ours.txt
}

# ministat pools the variances, which for equal numbers gives the same standard error.
@test "the interval is that of ministat" {
	command -v ministat >/dev/null || skip 'needs ministat'
	draw 1000 0.02 10 31 | tr ' ' '\n' >a.txt
	draw 1050 0.02 10 32 | tr ' ' '\n' >b.txt
	results a boot1 "1:$(paste -sd ' ' a.txt)"
	results b boot2 "1:$(paste -sd ' ' b.txt)"
	faultscale compare a b --format=csv
	[[ $(cell correlation) == 0 ]]
	ministat a.txt b.txt | python3 -c '
import re, sys
percent, half = map(float, re.search(r"([-\d.]+)% \+/- ([\d.]+)%", sys.stdin.read()).groups())
low, high = (100 * (float(x) - 1) for x in sys.argv[1:])
assert abs((low + high) / 2 - percent) < 0.1 and abs((high - low) / 2 - half) < 0.1, (low, high, percent, half)' \
		"$(cell ratio_low)" "$(cell ratio_high)"
}

@test "real runs can be compared" {
	for side in a b; do
		faultscale run -n 1 -r 3 -d 20ms --warmup=5ms -o $side 'map: fault dontneed'
		expect_status 0
	done
	faultscale compare a b
	expect_status 0
	expect_output 'one boot each: the spread between boots is unknown \(the sides share a boot'
	expect_output '^to repeat +before faultscale run -n 1 -r 3'
	faultscale compare a b --format=csv
	expect_cell a_n 3
}
