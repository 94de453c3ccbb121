# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034 # for scripts that source this
# TAP for scripts: a test is a name and what was wrong, or nothing; $failed is the exit status.
failed=0

report() { # NAME WRONG
	if [[ -z $2 ]]; then
		echo "ok - $1"
	else
		printf 'not ok - %s\n# %s\n' "$1" "${2//$'\n'/$'\n# '}"
		failed=1
	fi
}
