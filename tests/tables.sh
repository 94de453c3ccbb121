#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The tables in the documents come from the program's own.
#
#   tables.sh          says which document is not up to date (speaks TAP)
#   tables.sh write    brings them up to date (`make docs`)
#
# In a document a table stands between the lines BEGIN NAME and END NAME (in a comment).
set -u
cd "$(dirname "$0")/.." || exit 1
program=${FAULTSCALE:-./faultscale}

# A CSV list as lines of fields separated by \x1f.
rows() { # LIST
	"$program" list "$1" --format=csv | awk 'NR > 1 {
		field = ""; quoted = 0
		for (i = 1; i <= length($0); i++) {
			c = substr($0, i, 1)
			if (c == "\"") {
				if (quoted && substr($0, i + 1, 1) == "\"") { field = field c; i++ }
				else quoted = !quoted
			} else if (c == "," && !quoted) field = field "\x1f"
			else field = field c
		}
		print field
	}'
}

# Characters that mdoc takes for its own.
mdoc() {
	sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^'/\\\\(aq/" -e 's/^\./\\\&./'
}

man_options() {
	rows options | while IFS=$'\x1f' read -r option argument default commands what; do
		printf '.It Sy "%s%s"\n%s' "${option%%,*}" "${argument:+=$argument}" "$what"
		[[ $option == *,* ]] && printf ' (short: %s)' "${option#*, }"
		printf '.\n'
		[[ -z $default ]] || printf 'Default: %s.\n' "$default"
		printf 'For %s.\n' "${commands// /, }"
	done | mdoc_lines
}

# The text lines of a list for mdoc: macros (.It) keep their form.
mdoc_lines() {
	while IFS= read -r line; do
		if [[ $line == '.It '* ]]; then
			printf '%s\n' "${line//-/\\-}"
		else
			mdoc <<<"$line"
		fi
	done
}

man_steps() {
	rows steps | while IFS=$'\x1f' read -r step unit needs forbids gains loses what; do
		printf '.It Sy %s\n%s.\n' "$step" "$what"
		printf 'Counts in %ss.\n' "$unit"
		[[ -z $needs ]] || printf 'Needs memory that is %s.\n' "${needs// /, }"
		[[ -z $forbids ]] || printf 'Not when it is %s.\n' "${forbids// /, }"
		[[ -z $gains ]] || printf 'Makes it %s.\n' "${gains// /, }"
		[[ -z $loses ]] || printf 'Ends its being %s.\n' "${loses// /, }"
	done | mdoc_lines
}

man_presets() {
	rows presets | while IFS=$'\x1f' read -r preset command what more; do
		printf '.It Sy %s\n%s.\n' "$preset" "$what"
		[[ -z $more ]] || printf '%s.\n' "${more%.}"
		printf '.Dl %s\n' "$command"
	done | while IFS= read -r line; do
		if [[ $line == '.It '* || $line == '.Dl '* ]]; then
			printf '%s\n' "${line//-/\\-}"
		else
			mdoc <<<"$line"
		fi
	done
}

man_columns() {
	local last=''
	rows columns | while IFS=$'\x1f' read -r column file meaning; do
		if [[ $file != "$last" ]]; then
			[[ -z $last ]] || echo .El
			printf '.Ss %s\n.Bl -tag -width Ds -compact\n' "$file"
			last=$file
		fi
		printf '.It Sy %s\n%s.\n' "$column" "$meaning"
	done | while IFS= read -r line; do
		if [[ $line == .* ]]; then
			printf '%s\n' "$line"
		else
			mdoc <<<"$line"
		fi
	done
	echo .El
}

md_columns() {
	local last=''
	rows columns | while IFS=$'\x1f' read -r column file meaning; do
		if [[ $file != "$last" ]]; then
			printf '\n### %s\n\n| column | meaning |\n| --- | --- |\n' "$file"
			last=$file
		fi
		# shellcheck disable=SC2016 # the backquotes are Markdown's
		printf '| `%s` | %s |\n' "$column" "${meaning//|/\\|}"
	done
	echo
}

# The document with its tables made anew.
renew() { # FILE
	while IFS= read -r line; do
		if [[ -n ${inside-} && $line != *"END $inside"* ]]; then
			continue
		fi
		printf '%s\n' "$line"
		inside=''
		if [[ $line =~ BEGIN\ ([a-z_]+) ]]; then
			inside=${BASH_REMATCH[1]}
			"$inside"
		fi
	done <"$1"
}

documents=(faultscale.1 results/README.md)
[[ ${1-} == write ]] || echo "1..${#documents[@]}"
for file in "${documents[@]}"; do
	new=$(renew "$file" && echo .)
	new=${new%.}
	if [[ ${1-} == write ]]; then
		printf '%s' "$new" >"$file"
	elif [[ $new == "$(cat "$file" && echo .)" || $new == "$(cat "$file")"$'\n' ]]; then
		echo "ok - tables of $file"
	else
		echo "not ok - tables of $file"
		diff <(printf '%s' "$new") "$file" | head -n 20 | sed 's/^/# /'
	fi
done
