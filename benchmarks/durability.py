"""Counts how often a program waits for the disk: what its durability is worth. Imported, never run."""

import os
import re
import subprocess

CALLS = "fsync,fdatasync,sync_file_range,msync,syncfs"


def tracer(report):
    """What stands before a command line to have its waits written to the file `report`."""
    return ["strace", "-f", "--seccomp-bpf", "-qq", "-o", report, "-e", "trace=" + CALLS]


def counted(report):
    """How many waits the file `report` tells of."""
    with open(report, encoding="utf-8", errors="replace") as file:
        # A call that was interrupted by another thread's is told in two lines.
        return sum(1 for line in file if re.match(r"\d+ +\w+\(", line))


def syncs(command, environment, folder):
    """How often a command waits for the disk, from its start to its end."""
    report = os.path.join(folder, "syncs")
    subprocess.run(
        [*tracer(report), *command], env=environment, check=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return counted(report)
