#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What faultscale needs from the system, under each package manager's name for it.
#
#   packages.sh probe             names each library to build with that is missing; fails if any is
#   packages.sh has HEADER        succeeds if the compiler finds it
#   packages.sh install GROUP...  installs what is missing of the groups build, run, check and vm
#                                 with apt-get, as root or by sudo; elsewhere says what to type

# Group, name, the header or command it is found by, and the packages for apt, dnf, pacman, apk and
# zypper (more than one are joined by commas).  The compiler comes first: it finds the headers.
table() {
	cat <<'END'
build gcc          stdio.h       gcc,libc6-dev gcc               gcc       gcc,musl-dev      gcc
build make         make          make          make              make      make              make
build libnuma      numa.h        libnuma-dev   numactl-devel     numactl   numactl-dev       libnuma-devel
build hwloc        hwloc.h       libhwloc-dev  hwloc-devel       hwloc     hwloc-dev         hwloc-devel
build GSL          gsl/gsl_cdf.h libgsl-dev    gsl-devel         gsl       gsl-dev           gsl-devel
run   parallel     parallel      parallel      parallel          parallel  parallel          gnu_parallel
run   libpfm4      perfmon/pfmlib_perf_event.h libpfm4-dev libpfm-devel libpfm libpfm-dev     libpfm-devel
run   gnuplot      gnuplot       gnuplot-nox   gnuplot           gnuplot   gnuplot           gnuplot
check cmocka       cmocka.h      libcmocka-dev libcmocka-devel   cmocka    cmocka-dev        libcmocka-devel
check bats         bats          bats          bats              bats      bats              bats
check git          git           git           git               git       git               git
check python3      python3       python3       python3           python    python3           python3
check strace       strace        strace        strace            strace    strace            strace
check sshd         /usr/sbin/sshd openssh-server openssh-server  openssh   openssh-server    openssh
check ssh          ssh           openssh-client openssh-clients  openssh   openssh-client    openssh
check rsync        rsync         rsync         rsync             rsync     rsync             rsync
check pgrep        pgrep         procps        procps-ng         procps-ng procps            procps
check clang        clang         clang         clang             clang     clang             clang
check clang-tidy   clang-tidy    clang-tidy    clang-tools-extra clang     clang-extra-tools clang-tools
check clang-format clang-format  clang-format  clang-tools-extra clang     clang-extra-tools clang-tools
check cppcheck     cppcheck      cppcheck      cppcheck          cppcheck  cppcheck          cppcheck
check shellcheck   shellcheck    shellcheck    ShellCheck        shellcheck shellcheck       ShellCheck
check mandoc       mandoc        mandoc        mandoc            mandoc    mandoc            mandoc
vm    QEMU         qemu-system-x86_64 qemu-system-x86 qemu-system-x86-core qemu-system-x86 qemu-system-x86_64 qemu-x86
vm    busybox      busybox       busybox-static busybox          busybox   busybox           busybox-static
vm    QEMU-POWER   qemu-system-ppc64 qemu-system-ppc qemu-system-ppc-core qemu-system-ppc qemu-system-ppc64 qemu-ppc
vm    POWER-gcc    powerpc64le-linux-gnu-gcc gcc-powerpc64le-linux-gnu,libc6-dev-ppc64el-cross gcc-powerpc64le-linux-gnu powerpc64le-linux-gnu-gcc gcc-powerpc64le cross-ppc64le-gcc12
vm    cpio         cpio          cpio          cpio              cpio      cpio              cpio
END
}

# $1 is a header (cmocka.h expects four others before it) or a command.
is_there() {
	case $1 in
	*.h)
		printf '#include <%s>\n' stdarg.h stddef.h setjmp.h stdint.h "$1" |
			${CC:-cc} -E -x c -
		;;
	*) command -v "$1" ;;
	esac >/dev/null 2>&1
}

probe() {
	table | grep '^build' | {
		missing=0
		while read -r _ name found_by apt dnf pacman apk zypper; do
			is_there "$found_by" && continue
			missing=1
			echo "faultscale needs $name: apt install $apt | dnf install $dnf |" \
				"pacman -S $pacman | apk add $apk | zypper install $zypper" | tr , ' ' >&2
			[ "$name" != gcc ] || break
		done
		return $missing
	}
}

# The packages in column $1 of the table that the groups $2... still miss.
missing_packages() {
	column=$1
	shift
	table | while read -r group _ found_by names; do
		case " $* " in *" $group "*) ;; *) continue ;; esac
		is_there "$found_by" || echo "$names" | tr -s ' ' | cut -d ' ' -f "$column"
	done | tr , '\n' | sort -u | tr '\n' ' '
}

install_packages() {
	column=0
	for installer in 'apt-get install' 'dnf install' 'pacman -S' 'apk add' 'zypper install'; do
		column=$((column + 1))
		! command -v "${installer%% *}" >/dev/null || break
	done
	packages=$(missing_packages $column "$@")
	[ -n "$packages" ] || return 0

	sudo=
	[ "$(id -u)" -eq 0 ] || sudo=sudo
	if [ $column -ne 1 ] || ! command -v ${sudo:-env} >/dev/null; then
		echo "packages are missing; as root: $installer $packages" >&2
		return 1
	fi
	echo "${sudo:+sudo }$installer $packages"
	# shellcheck disable=SC2086 # a list of words
	$sudo apt-get -qq update &&
		$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 \
			install --no-install-recommends $packages </dev/null >/dev/null
}

case ${1-} in
probe) probe ;;
has) is_there "${2?a header}" ;;
install) shift && install_packages "$@" ;;
*) echo 'usage: packages.sh probe | has HEADER | install GROUP...' >&2 && exit 2 ;;
esac
