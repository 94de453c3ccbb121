#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# faultscale sweep on other machines: two sshd on ports of the loopback, with a home of their own
# for what they leave.  Started once for the file, ended at its end.

ports=(22911 22912)


setup_file() {
	[ "$(id -u)" -eq 0 ] || skip 'sshd needs root'
	export SSH_DIR=$BATS_FILE_TMPDIR
	ssh-keygen -q -t ed25519 -N '' -f "$SSH_DIR/host"
	ssh-keygen -q -t ed25519 -N '' -f "$SSH_DIR/user"
	mkdir -p /run/sshd "$SSH_DIR/home"
	local port
	for port in "${ports[@]}"; do
		# SetEnv puts the user's home, below which GNU parallel works, into the test's directory.
		/usr/sbin/sshd -D -f /dev/null -p "$port" -h "$SSH_DIR/host" \
			-o ListenAddress=127.0.0.1 -o StrictModes=no -o UsePAM=no -o PidFile=none \
			-o PermitRootLogin=yes -o AuthorizedKeysFile="$SSH_DIR/user.pub" \
			-o ForceCommand="HOME=$SSH_DIR/home && cd && exec /bin/sh -c \"\$SSH_ORIGINAL_COMMAND\"" \
			2>"$SSH_DIR/log.$port" 3>&- &
		echo $! >>"$SSH_DIR/pids"
	done
	cat >"$SSH_DIR/ssh" <<END
#!/bin/sh
exec ssh -i '$SSH_DIR/user' -oBatchMode=yes -oConnectTimeout=10 -oLogLevel=ERROR \\
	-oStrictHostKeyChecking=no -oUserKnownHostsFile=/dev/null "\$@"
END
	chmod +x "$SSH_DIR/ssh"
	for port in "${ports[@]}"; do
		for _ in {1..50}; do
			"$SSH_DIR/ssh" -p "$port" root@127.0.0.1 true 2>/dev/null && break
			sleep 0.2
		done
	done
}

teardown_file() {
	local pids=()
	[ ! -e "$BATS_FILE_TMPDIR/pids" ] || mapfile -t pids <"$BATS_FILE_TMPDIR/pids"
	[ ${#pids[@]} -eq 0 ] || kill "${pids[@]}"
}

setup() {
	load helpers
	cd "$BATS_TEST_TMPDIR"
	export PARALLEL_SSH=$SSH_DIR/ssh
	short=(--laps=2 --bytes=64K -n 1)
	# Half a dozen ssh sessions for each host take long on a busy machine.
	# shellcheck disable=SC2317
	faultscale() {
		run --separate-stderr timeout --kill-after=5 300 "$FAULTSCALE" "$@"
	}
	a=root@127.0.0.1:${ports[0]}
	b=127.0.0.1:${ports[1]}
}

hosts_of() { # DIR: the hosts with rows, and how many
	csv_column host "$1/points.csv" | sort | uniq -c | awk '{ print $2 "=" $1 }' | tr '\n' ' '
}

@test "hosts: the same plan on two, one that is dead, and a second time" {
	faultscale sweep "${short[@]}" -o out --hosts="$a,$b,127.0.0.1:1"
	expect_status 1
	expect_output '^2 jobs on each of 3 hosts$'
	expect_output '^127.0.0.1:1: missing: 2 of 2 jobs$'
	expect_error 'port 1: Connection refused'
	[ "$(hosts_of out)" = "127.0.0.1:${ports[0]}=2 127.0.0.1:${ports[1]}=2 " ]
	[ "$(csv_column status out/points.csv | sort -u)" = valid ]
	grep -q '^kernel_release,' out/meta.csv
	[ ! -e "$SSH_DIR/home/.faultscale" ]
	[ ! -e out/send ] && [ ! -e out/parallel ]

	printf '%s\n# the second\n%s\n' "$a" "$b" >list
	faultscale sweep "${short[@]}" -r 2 -o out --hosts-file=list
	expect_status 0
	[ "$(hosts_of out)" = "127.0.0.1:${ports[0]}=4 127.0.0.1:${ports[1]}=4 " ]
	[ "$(paste -d, <(csv_column host out/points.csv) <(csv_column key out/points.csv) \
		<(csv_column repeat out/points.csv) | sort | uniq -d)" = '' ]
	[ "$(wc -l <out/joblog)" -eq 10 ] # a header, 3 to measure, 2 to clean up, and 2 and 2 again
}

@test "hosts: results of another kernel are not mixed in" {
	faultscale sweep "${short[@]}" --mode=thread -o out --hosts="$a"
	expect_status 0
	sed -i 's/^kernel_release,.*/kernel_release,6.0/' out/hosts/*/sweep/meta.csv
	faultscale sweep "${short[@]}" --mode=thread -r 2 -o out --hosts="$a"
	expect_status 1
	expect_error "was measured with another kernel release: '6.0', now '"
	rm -rf "$SSH_DIR/home/.faultscale"
}

@test "hosts: what is no host is not asked" {
	for hosts in '-oProxyCommand=touch hit' 'a;touch hit' "\$(touch hit)" 'a b' ':'; do
		faultscale sweep "${short[@]}" -o out --hosts="$hosts"
		expect_status 2
		expect_error 'is not a host'
	done
	[ ! -e out ] && [ ! -e hit ]
}

@test "hosts: a library that is missing there is named" {
	# The script that a host is sent, with a program that cannot start.
	mkdir -p send/h
	echo key,value >send/h/meta.csv
	python3 - "$FAULTSCALE" >script <<'END'
import re, sys
data = open(sys.argv[1], 'rb').read()
start = data.index(b'mine=hosts/$1/sweep\n')
sys.stdout.write(data[start:data.index(b'\0', start)].decode())
END
	echo 'int missing(void); int missing(void) { return 0; }' >missing.c
	echo 'int missing(void); int main(void) { return missing(); }' >main.c
	cc -shared -o libmissing_one.so missing.c
	cc -o send/h/faultscale main.c -L. -lmissing_one
	rm libmissing_one.so
	run --separate-stderr sh script h
	expect_status 77
	expect_error 'libmissing_one.so => not found'
}
