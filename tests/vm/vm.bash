# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Machines that nobody has at hand, emulated by QEMU: `load vm` in setup_file() and setup().
#
# A test file boots one machine in its setup_file() and its tests look at what came out:
#
#   vm_boot QEMU-OPTION... <SCRIPT
#
# boots a Debian kernel with busybox and faultscale, runs the script in it as root with PATH set,
# and unpacks the directory /out that it leaves into $guest.  In the script
#
#   keep NAME COMMAND...   runs a command and keeps its NAME.out, NAME.err and NAME.status
#   measure NAME OPTION... keeps `faultscale run` of a little fixed work with its results in NAME/
#
# The kernel is $VM_KERNEL (a vmlinuz), else that of Debian's linux-image-amd64, fetched with
# apt-get download and unpacked below build/vm without being installed.  Where there is no QEMU or
# no kernel the tests are skipped, with the reason.
bats_require_minimum_version 1.5.0

root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
cache=$root/build/vm
guest=$BATS_FILE_TMPDIR/out
FAULTSCALE=${FAULTSCALE:-$root/faultscale}

# Longest life of a guest in seconds.  One takes 15 to 40 on a machine that does nothing else.
VM_TIMEOUT=${VM_TIMEOUT:-300}

vm_missing() {
	[[ $(uname -m) == x86_64 ]] || echo "the guests are x86_64, this is $(uname -m)"
	for command in qemu-system-x86_64 busybox cpio python3; do
		command -v "$command" >/dev/null || echo "no $command"
	done
}

# Prints the path of a kernel; fetches one if need be.
vm_kernel() {
	local kernels package
	if [[ -n ${VM_KERNEL-} ]]; then
		echo "$VM_KERNEL"
		return
	fi
	kernels=("$cache"/vmlinuz-*)
	if [[ ! -e ${kernels[0]} ]]; then
		package=$(apt-cache depends linux-image-amd64 | awk '/Depends: linux-image-/ {print $2; exit}')
		[[ -n $package ]] || return 1
		rm -rf "$cache/package"
		mkdir -p "$cache/package"
		(cd "$cache/package" && apt-get -qq -o APT::Sandbox::User=root download "$package" &&
			dpkg-deb --fsys-tarfile ./*.deb | tar -x --wildcards './boot/vmlinuz-*' &&
			mv boot/vmlinuz-* "$cache") >&2 || return 1
		rm -rf "$cache/package"
		kernels=("$cache"/vmlinuz-*)
	fi
	echo "${kernels[0]}"
}

# Copies programs and the shared libraries they need into the tree at $1.
vm_install() { # TREE PROGRAM...
	local program file
	for program in "${@:2}"; do
		install -D "$program" "$1/bin/$(basename "$program")"
		for file in $(ldd "$program" 2>/dev/null | grep -oE '/[^ ]+'); do
			install -D "$file" "$1$file"
		done
	done
}

# Starts the tree of a guest's initial file system, with the script on stdin as /script.
vm_tree() { # TREE
	mkdir -p "$1"/{bin,proc,sys,dev,tmp,out}
	install "$BATS_TEST_DIRNAME/init.sh" "$1/init"
	cat >"$1/script"
}

# Boots a kernel on a tree and unpacks what the guest leaves; fails if that is not whole.
vm_run() { # KERNEL TREE QEMU [OPTION...]
	local initramfs=$BATS_FILE_TMPDIR/initramfs console=$BATS_FILE_TMPDIR/console
	mkdir -p "$guest"
	(cd "$2" && find . | cpio --quiet -o -H newc) | gzip -1 >"$initramfs"
	timeout --kill-after=5 "$VM_TIMEOUT" "${@:3}" -accel tcg -nodefaults -display none \
		-no-reboot -kernel "$1" -initrd "$initramfs" \
		-serial "file:$console" -serial "file:$BATS_FILE_TMPDIR/out.tar" \
		</dev/null >"$BATS_FILE_TMPDIR/qemu" 2>&1 3>&- || true
	tar -x -C "$guest" -f "$BATS_FILE_TMPDIR/out.tar" 2>/dev/null || true
	rm -rf "$2" "$initramfs" "$BATS_FILE_TMPDIR/out.tar"
	if [[ ! -e $guest/end ]]; then
		tail -n 40 "$BATS_FILE_TMPDIR/qemu" "$console" >&2
		return 1
	fi
}

# Exports $vm_reason if no machine can be booted here.
vm_boot() { # QEMU-OPTION... <SCRIPT
	local kernel tree=$BATS_FILE_TMPDIR/tree
	vm_reason=$(vm_missing | head -n 1)
	export vm_reason
	[[ -z $vm_reason ]] || return 0
	kernel=$(vm_kernel) || vm_reason='no kernel: apt-get cannot download linux-image-amd64'
	[[ -z $vm_reason ]] || return 0
	vm_tree "$tree"
	vm_install "$tree" "$(command -v busybox)" "$FAULTSCALE"
	vm_run "$kernel" "$tree" qemu-system-x86_64 \
		-append 'console=ttyS0 loglevel=4 panic=-1' "$@"
}

# The same on a POWER machine with 64 KiB pages.
vm_boot_ppc64le() { # QEMU-OPTION... <SCRIPT
	local tree=$BATS_FILE_TMPDIR/tree from=$cache/ppc64le command
	export vm_reason=
	for command in qemu-system-ppc64 powerpc64le-linux-gnu-gcc apt-get cpio python3; do
		command -v "$command" >/dev/null || vm_reason="no $command"
	done
	[[ -z $vm_reason ]] || return 0
	if ! "$BATS_TEST_DIRNAME/ppc64le.sh" "$from" >"$BATS_FILE_TMPDIR/build" 2>&1; then
		if [[ -e $from/vmlinux ]]; then # the packages are there: it does not build
			cat "$BATS_FILE_TMPDIR/build" >&2
			return 1
		fi
		vm_reason="no packages for ppc64le: $(tail -n 1 "$BATS_FILE_TMPDIR/build")"
		return 0
	fi
	vm_tree "$tree"
	cp "$from/root/bin/busybox" "$from/faultscale" "$tree/bin"
	mkdir -p "$tree/lib64"
	cp -L "$from"/root/lib/powerpc64le-linux-gnu/*.so* "$tree/lib64"
	cp -L "$from"/root/usr/lib/powerpc64le-linux-gnu/*.so.* "$tree/lib64"
	vm_run "$from/vmlinux" "$tree" qemu-system-ppc64 -machine pseries \
		-append 'console=hvc0 loglevel=4 panic=-1' "$@"
}

vm_setup() {
	[[ -z ${vm_reason-} ]] || skip "$vm_reason"
	cd "$guest" || return 1
}

# Says what a kept command left, for the report of a failed test; fails.
unexpected() { # NAME WHAT
	printf '%s: %s\n' "$1" "$2" >&2
	tail -n 20 "$1".{status,out,err} >&2
	return 1
}

expect_status() { # NAME NUMBER
	[[ $(<"$1.status") == "$2" ]] || unexpected "$1" "expected status $2"
}

expect_error() { # NAME REGEX that a line of stderr matches
	grep -qE -e "$2" "$1.err" || unexpected "$1" "expected on stderr: $2"
}

# Prints columns of a CSV file, a row a line, joined by blanks; an empty cell as "-".
columns() { # FILE COLUMN...
	python3 -IS -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(*(row[name] or "-" for name in sys.argv[1:]))' "${@:2}" <"$1"
}

# One column of all rows in one line.
column() { # FILE COLUMN
	columns "$@" | paste -sd ' '
}

expect_column() { # FILE COLUMN VALUES
	local values
	values=$(column "$1" "$2") || return 1
	[[ $values == "$3" ]] || { echo "$1: $2 is '$values', not '$3'" >&2 && return 1; }
}

expect_valid() { # NAME of a measurement
	expect_status "$1" 0 && expect_column "$1/points.csv" status valid
}
