#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Brings what a ppc64le guest with 64 KiB pages needs into a directory, without installing any of
# it, and builds faultscale for it.
#
#   ppc64le.sh DIRECTORY   leaves vmlinux, root/ (the libraries) and faultscale there
set -eu
cd "$(dirname "$0")/../.."
mkdir -p "$1"
directory=$(realpath "$1")
root=${directory:?}/root
libraries=usr/lib/powerpc64le-linux-gnu

# An apt of its own, which knows this architecture alone and leaves the system's lists as they are.
fetch() {
	local state=$directory/apt kernel
	mkdir -p "$state"/{lists,cache/archives}/partial "$directory/packages"
	: >"$state/status"
	printf '%s "%s";\n' APT::Architecture ppc64el APT::Architectures:: ppc64el \
		APT::Sandbox::User root Dir::State "$state" Dir::State::status "$state/status" \
		Dir::Cache "$state/cache" >"$state/conf"
	export APT_CONFIG=$state/conf
	apt-get -qq update || true # one list that cannot be had is no matter if the packages can
	kernel=$(apt-cache depends linux-image-powerpc64le | awk '/Depends: linux-image-/ {print $2; exit}')
	cd "$directory/packages"
	apt-get -qq download "${kernel%:*}" busybox-static libc6 libgcc-s1 libcap2 libudev1 \
		libnuma1 libnuma-dev libhwloc15 libhwloc-dev libgsl27 libgslcblas0 libgsl-dev \
		libpfm4 libpfm4-dev
	for package in *.deb; do
		dpkg -x "$package" "$root"
	done
	cd - >/dev/null
	unset APT_CONFIG
	mv "$root"/boot/vmlinux-* "$directory/vmlinux"
	rm -rf "$state" "$directory/packages"
}

[[ -e $directory/vmlinux ]] || fetch
make --no-print-directory -j"$(nproc)" CC=powerpc64le-linux-gnu-gcc BUILD=build/ppc64le \
	CPPFLAGS="-isystem $root/usr/include -isystem $root/usr/include/powerpc64le-linux-gnu" \
	LDFLAGS="-L$root/$libraries -Wl,-rpath-link,$root/$libraries:$root/lib/powerpc64le-linux-gnu" \
	all
cp build/ppc64le/faultscale "$directory"
