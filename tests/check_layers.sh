#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks that files include downward only; speaks TAP, one test a file.
#
# workers/ includes step.h, verbs.h and the system.  A module of harness/ includes its own header,
# those of the modules before it in this list, and step.h.  A file NAME_PART.c without a place of
# its own belongs to the module NAME.
set -u
cd "$(dirname "$0")/.." || exit 1
shopt -s nullglob

layers=(
	complaint version hash units prose json stats verdict quote procfile csv csv_reader rows results histogram
	ring signals lock range cpulist topology affinity cgroup limit survey mthp smaps mempolicy machine kernel_config pool
	workload preset options backing events check point counts repeats plan
	board counters noise trend layout bus memcg worker window placement rehearsal loop process crew
	waits drain outcome totals timing judge warnings measure session contest slice relay launch score report event_report
	child carrier jobs conditions precision hosts fleet store usl
	study scaling gnuplot figure
	contrast likeness matching gather source foreign comparison
	commands list doctor run duel sweep plot export compare main
)

declare -A level
for i in "${!layers[@]}"; do
	level[${layers[i]}]=$i
done

# What a file includes, each with its quotes or brackets.
includes() {
	sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*([<"][^>"]*[>"]).*/\1/p' "$1"
}

# Prints what is wrong with an include of a workers file.
check_worker() { # INCLUDE
	case $1 in
	'"step.h"' | '"verbs.h"') ;;
	'"'*) echo "$1 is neither step.h nor verbs.h" ;;
	'<numa'* | '<hwloc'* | '<gsl'*) echo "$1 is a library's, not the system's" ;;
	esac
}

# Prints what is wrong with an include of a harness file.
check_harness() { # INCLUDE MODULE
	local header=${1//[\"<>]/} module=$2
	local included=${header%.h}

	if [[ $1 == '<'* || $header == ../workers/step.h || $included == "$module" ]]; then
		return
	elif [[ -z ${level[$included]-} ]]; then
		echo "$1 is not a header of harness/ that tests/check_layers.sh knows"
	elif ((level[$included] >= level[$module])); then
		echo "$1 is above $module"
	fi
}

# Prints what is wrong with a file.
check() { # FILE
	local module include
	module=$(basename "${1%.[ch]}")
	[[ -n ${level[$module]-} ]] || module=${module%%_*}
	if [[ $1 == harness/* && -z ${level[$module]-} ]]; then
		echo "'$module' has no place in the list of tests/check_layers.sh"
		return
	fi
	for include in $(includes "$1"); do
		case $1 in
		workers/*) check_worker "$include" ;;
		harness/*) check_harness "$include" "$module" ;;
		esac
	done
}

files=(workers/*.[ch] harness/*.[ch])
echo "1..${#files[@]}"
status=0
for file in "${files[@]}"; do
	wrong=$(check "$file")
	if [[ -z $wrong ]]; then
		echo "ok - $file"
	else
		printf 'not ok - %s\n# %s\n' "$file" "${wrong//$'\n'/$'\n# '}"
		status=1
	fi
done
exit $status
