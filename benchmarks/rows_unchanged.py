"""A cycle that finds nothing new, inside the daemon: what it asks of the kernel, and its instructions
beside those of a C program that asks the same."""

import contextlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time

from measure import Row, verdict
from servers import ListServer

TODOS, CYCLES = 1000, 10
SYNCS = ["fsync", "fdatasync", "sync_file_range", "msync", "sync"]
WRITES = ["write", "writev", "pwrite64", "pwritev"]


class Quiet:
    """A stage whose daemon knows all of a list, and asks for it each second."""

    LIST = "todos"

    @contextlib.contextmanager
    def daemon_under(self, *enter):
        """A daemon started by `enter`, after its first cycles; ends with SIGTERM."""
        self.enter = list(enter)
        child = self.start_daemon(
            f"SELECT count(*) = 1 FROM sync_status WHERE list = '{self.LIST}' AND state = 'ok'")
        self.enter = []
        try:
            self.wait_cycles(3)
            yield child
        finally:
            child.send_signal(signal.SIGTERM)
            child.wait(60)

    def wait_cycles(self, count):
        """Returns right after the daemon has gone through so many cycles more."""
        connection = sqlite3.connect(self.cache, timeout=5)
        query = f"SELECT last_attempt_at FROM sync_status WHERE list = '{self.LIST}'"
        for _ in range(count):
            before = connection.execute(query).fetchone()
            deadline = time.monotonic() + 60
            while connection.execute(query).fetchone() == before:
                if time.monotonic() > deadline:
                    raise SystemExit("a cycle of the daemon did not end")
                time.sleep(0.01)
        connection.close()
        # What follows the status row: the daemon goes to sleep again.
        time.sleep(0.3)


class QuietServer(Quiet, ListServer):
    """A server with a thousand todos, and a daemon that knows them all."""

    def __init__(self, setting, *arguments):
        super().__init__(setting, TODOS, *arguments)
        with open(self.configuration, encoding="utf-8") as file:
            settings = json.load(file)
        settings["movies"]["enabled"] = False
        settings["todos"]["interval"] = "1s"
        self.write_private("config.json", json.dumps(settings))


def calls(server):
    """The system calls of one cycle, by name, and the bytes that it writes to the cache."""
    path = server.root + "/calls"
    names = ",".join(SYNCS + WRITES)
    with server.daemon_under(
            "strace", "-D", "-f", "-qq", "-y", "-o", path, "-e", f"trace={names}"):
        start = os.path.getsize(path)
        server.wait_cycles(CYCLES)
        with open(path, encoding="utf-8", errors="replace") as file:
            file.seek(start)
            lines = file.readlines()
    counts, written = {}, 0
    for line in lines:
        found = re.match(r"\d+ +(\w+)\(\d+<([^>]*)>.* = (\d+)$", line)
        if not found:
            continue
        name, place, result = found.groups()
        if name in WRITES and "cache.sqlite" not in place:
            # A wake-up of another thread, or a line of the log.
            name = "other writes"
        elif name in WRITES:
            written += int(result)
            name = "writes"
        counts[name] = counts.get(name, 0) + 1
    return {name: count / CYCLES for name, count in counts.items()}, written / CYCLES


def counted(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return int(re.search(r"^(?:summary|totals): (\d+)", file.read(), re.MULTILINE).group(1))


def shares(path):
    """Which part of the instructions is whose, in words: by the file that the code is in."""
    names, costs, place, is_call = {}, {}, "", False
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if found := re.match(r"c?ob=\((\d+)\)(?: (.*))?$", line):
                names.setdefault(found.group(1), os.path.basename(found.group(2) or ""))
                if line.startswith("ob="):
                    place = names[found.group(1)].split(".")[0]
            elif line.startswith("calls="):
                is_call = True
            elif found := re.match(r"[+*\d-]\S* (\d+)$", line):
                # The line below a call has what the called function took, counted there.
                if not is_call:
                    costs[place] = costs.get(place, 0) + int(found.group(1))
                is_call = False
    whole = sum(costs.values())
    most = sorted(costs.items(), key=lambda item: -item[1])[:4]
    return ", ".join(f"{name} {cost / whole:.0%}" for name, cost in most)


def callgrind(server):
    return ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + server.root + "/out"]


def of_syncd(server):
    """The instructions of one cycle, between two looks at the running daemon."""
    with server.daemon_under(*callgrind(server)) as child:
        for command in ["zero", "dump"]:
            if command == "dump":
                server.wait_cycles(CYCLES)
            subprocess.run(
                ["vgdb", f"--pid={child.pid}", command], check=True, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
    return counted(server.root + "/out.1") / CYCLES, shares(server.root + "/out.1")


def of_c_program(server, *cache):
    """The instructions of one cycle: those of 2 N cycles less those of N."""
    totals = []
    for cycles in [CYCLES, 2 * CYCLES]:
        subprocess.run(
            [*callgrind(server), server.setting.alternative("unchanged"), server.server,
             str(cycles), *cache],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        totals.append(counted(server.root + "/out"))
    return (totals[1] - totals[0]) / CYCLES


def unchanged(setting, key, answer, *arguments):
    with QuietServer(setting, *arguments) as server:
        counts, written = calls(server)
    with QuietServer(setting, *arguments) as server:
        ours, parts = of_syncd(server)
        copy = server.root + "/copy.sqlite"
        shutil.copyfile(server.cache, copy)
        request, whole = of_c_program(server), of_c_program(server, copy)
    setting.record(key, {
        "syncd (instructions)": [ours], "C: request and comparison (instructions)": [request],
        "C: with validators and status row (instructions)": [whole],
        "writes to the cache": [counts.get("writes", 0)], "bytes written": [written]})
    return rows(key, answer, counts, written, (ours, request, whole), parts)


def rows(key, answer, counts, written, instructions, parts):
    syncs = sum(counts.get(name, 0) for name in SYNCS)
    ours, request, whole = instructions
    work = f"unchanged sync of 1000 todos, one cycle in the daemon, {answer}"
    return [
        Row(key, work, "no fsync, ≤ 1 small status write",
            f"{syncs:g} fsyncs; one page of {written / 1024:.1f} KiB, in"
            f" {counts.get('writes', 0):g} calls", f"{CYCLES} cycles",
            verdict(syncs == 0, written <= 4200),
            note="A commit to the write-ahead log: the frame of one page, with its header."),
        Row(key, work, "instructions ≤ 5 × the C program's request and comparison",
            f"{ours / request:.1f} × ({ours / 1000:.0f} to {request / 1000:.0f} thousand);"
            f" {ours / whole:.1f} × where it reads validators and writes the status row, too",
            f"{CYCLES} cycles", "met" if ours <= 5 * request else "limit",
            note="Counted by callgrind in user mode. Of syncd's, by the file that the code is in: "
            f"{parts}. A cycle reads what was decided before, asks the account, the queue and the"
            " requests of other programs. Each is a statement on the file. It goes through tasks and"
            " queues between the store, the client and the loop. The C program has no queue and"
            " nobody to share its file with. All of it is less than a millisecond."),
    ]


ROWS = {
    "unchanged-304": lambda setting: unchanged(setting, "unchanged-304", "answer 304", "--etags"),
    "unchanged-200": lambda setting: unchanged(setting, "unchanged-200", "the same list again"),
}
