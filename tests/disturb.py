#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a command in a session of its own, sends it a signal, and prints how it ended.

usage: disturb.py [-w CHILDREN] [-d SECONDS] [-t parent|group|worker] [-s SIGNAL,...] COMMAND...

Once the command has so many children (1), and so many seconds (0) later, the signals (none) are
sent one after the other to the command, to its process group, or to one of its children.  Prints

    ended by SIGINT         or "ended with 1"; "hung" if that takes more than 30 s
    left 0                  processes of the session that are there a second later
    took 0.12               seconds from the first signal to the end
"""
import argparse
import os
import random
import signal
import subprocess
import sys
import time


def stat_fields(pid):
    """The fields of /proc/PID/stat behind the command's name: state, ppid, pgrp, session..."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
            return stat.read().rpartition(")")[2].split()
    except OSError:
        return None


def processes(field, value):
    """Live processes (no zombies) whose field of /proc/PID/stat is the value."""
    found = []
    for entry in os.listdir("/proc"):
        fields = stat_fields(entry) if entry.isdigit() else None
        if fields and fields[0] not in "ZX" and int(fields[field]) == value:
            found.append(int(entry))
    return found


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return processes(1, pid)


def send(command, target, name):
    number = getattr(signal, "SIG" + name)
    try:
        if target == "group":
            os.killpg(command.pid, number)
        elif target == "worker":
            os.kill(random.choice(children(command.pid)), number)
        else:
            os.kill(command.pid, number)
    except (ProcessLookupError, IndexError):
        print("missed")


def wait_for_children(command, count):
    deadline = time.monotonic() + 30
    while command.poll() is None and time.monotonic() < deadline:
        if len(children(command.pid)) >= count:
            return
        time.sleep(0.001)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-w", type=int, default=1)
    parser.add_argument("-d", type=float, default=0)
    parser.add_argument("-t", choices=["parent", "group", "worker"], default="parent")
    parser.add_argument("-s", default="")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()

    # A shell's background jobs ignore these two; what runs in the foreground does not.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    with subprocess.Popen(options.command, start_new_session=True) as command:
        wait_for_children(command, options.w)
        time.sleep(options.d)
        start = time.monotonic()
        for name in filter(None, options.s.split(",")):
            send(command, options.t, name)
        try:
            command.wait(30)
        except subprocess.TimeoutExpired:
            print("hung")
            os.killpg(command.pid, signal.SIGKILL)
        took = time.monotonic() - start
    if command.returncode < 0:
        print("ended by", signal.Signals(-command.returncode).name)
    else:
        print("ended with", command.returncode)
    deadline = time.monotonic() + 1
    while processes(3, command.pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    print("left", len(processes(3, command.pid)))
    print(f"took {took:.2f}")
    sys.stdout.flush()


main()
