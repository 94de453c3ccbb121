#!/bin/busybox sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# The first process of a guest: runs /script and hands /out to the host through the second serial
# port.
/bin/busybox --install -s /bin
export PATH=/bin HOME=/ LD_LIBRARY_PATH=/lib64
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
hostname guest
cd /out || poweroff -f

keep() { # NAME COMMAND...
	name=$1
	shift
	"$@" >"$name.out" 2>"$name.err"
	echo $? >"$name.status"
	echo "$(cut -d ' ' -f 1 /proc/uptime) $name" >/dev/console
}

# Fixed work, since emulated CPUs share the host's: windows would not lie together.
measure() { # NAME OPTION...
	name=$1
	shift
	keep "$name" faultscale run --laps=1 --bytes=256K --thp=never -o "$name" "$@"
}

# shellcheck source=/dev/null
. /script
cp /proc/uptime /end
# A port forgets that it is raw when it is closed.  What says that all is there comes last.
for port in /dev/ttyS1 /dev/hvc1; do
	{
		stty raw 2>/dev/null || continue
		tar -c ./* /end 2>/dev/null
		break
	} <>$port >&0
done
poweroff -f
