"""Rows about the daemon: how soon it sends what a script inserts, how quiet it is, how fast it starts.
Found and run by benchmarks/run."""

import json
import os
import socket
import statistics
import subprocess
import time

import filled
from measure import HERE, Row, Spread, limit, verdict

COUNT = 1000


def told(setting, script, *arguments):
    """What a script of this directory prints as JSON; that a goal is missed is judged here."""
    ended = subprocess.run(
        [os.path.join(HERE, script), "--json", "--programs", setting.programs, *arguments],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    if ended.returncode not in (0, 1) or not ended.stdout:
        raise SystemExit(f"benchmarks/{script} ended with {ended.returncode}")
    return json.loads(ended.stdout)


def insert_rows(setting):
    count = setting.rounds(200)
    figures = told(setting, "push-latency", "--count", str(count))
    setting.record("insert", {"INSERT to answer, ms": figures["all_ms"]})
    median, late = figures["median_ms"], figures["late_ms"]
    return [Row(
        "insert", "INSERT by `sqlite3` until the server has the request",
        "median ≤ 20 ms, 99 % ≤ 50 ms", f"median {median:.1f} ms, 99 % {late:.1f} ms",
        f"{Spread.of(figures['all_ms']).text('{:.1f}')} ms, {count} times",
        verdict(median <= 20, late <= 50), "benchmarks/push-latency",
        "From the start of the program `sqlite3`, which waits for its own commit, until the server has"
        " answered.")]


def idle_rows(setting):
    seconds = 60 if not setting.quick else 15
    idle = told(setting, "idle", "--seconds", str(seconds))["daemon"]
    threads = len(idle["threads"])
    return [Row(
        "idle", f"idle daemon with {COUNT} movies and {COUNT} todos, intervals of 1 h",
        "≤ 3 MB private memory, ≤ 4 threads, no wake-up",
        f"{idle['dirty_kib'] / 1024:.1f} MB, {threads} threads, {idle['wakeups']} wake-ups",
        f"{seconds} s",
        limit(
            verdict(threads <= 4, idle["wakeups"] == 0, idle["ended"] == 0), idle["dirty_kib"] <= 3072),
        "benchmarks/idle",
        f"Memory that is its own and written to (`Private_Dirty`). Of it, {idle['dirty_of_files_kib'] / 1024:.1f} MB are"
        f" data of the program and of the libraries that libcurl loads, with the addresses in them that the start has"
        f" filled in. Of the rest, SQLite has 1 MB, most of it its own form of the schema (sqlite3_memory_used, in a"
        f" build that counts). Pages of the program's file that no other process uses, which the kernel can drop at any"
        f" time, are another {idle['clean_kib'] / 1024:.1f} MB.")]


def follower_rows(setting):
    """`syncd watch` and `syncd status --watch` beside a daemon that pulls: S5 in docs/reliability.md."""
    cycles = 6 if not setting.quick else 3
    found = told(setting, "idle", "--watch", "--seconds", str(cycles * 5), "--cycles", str(cycles))
    counts = [found[name]["wakeups"] / cycles for name in found if name != "daemon"]
    return [Row(
        "followers", "wake-ups of `syncd watch` and `syncd status --watch` a cycle of both lists",
        "≤ 60 each", ", ".join(f"{count:.0f}" for count in counts), f"{cycles} cycles, 5 s apart",
        verdict(max(counts) <= 60), "benchmarks/idle --watch --cycles",
        "Context switches of all threads. A cycle commits several status rows, and each change is"
        " looked at until nobody writes.")]


def starts(setting, stage):
    """How long the daemon takes from the start of its process to READY=1 at the service manager's socket, in
    ms, several times."""
    figures = []
    address = stage.root + "/notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(address)
        manager.settimeout(30)
        stage.environment["NOTIFY_SOCKET"] = address
        for _ in range(setting.rounds(30) + 1):
            began = time.perf_counter()
            daemon = stage.start(
                "syncd", "run", "--config", stage.configuration, stderr=subprocess.DEVNULL)
            while b"READY=1" not in manager.recv(4096):
                pass
            figures.append((time.perf_counter() - began) * 1000)
            stage.end(daemon)
            stage.children.remove(daemon)
            drain(manager)
    # The first start warms up what is read from the disk.
    return figures[1:]


def ready_rows(setting):
    with filled.stages.Stage(setting.programs) as stage:
        filled.serve(stage, COUNT, COUNT)
        setting.run(
            [setting.syncd, "sync", "--quiet", "--config", stage.configuration], stage.environment)
        figures = starts(setting, stage)
    setting.record("ready", {"start to READY, ms": figures})
    median = statistics.median(figures)
    return [Row(
        "ready", f"start to READY with a cache of {COUNT} movies and {COUNT} todos", "≤ 30 ms",
        f"{median:.1f} ms", f"{Spread.of(figures).text('{:.1f}')} ms", verdict(median <= 30))]


def drain(manager):
    """Forgets what a daemon that has ended told."""
    manager.setblocking(False)
    try:
        while manager.recv(4096):
            pass
    except BlockingIOError:
        manager.settimeout(30)


ROWS = {"insert": insert_rows, "idle": idle_rows, "followers": follower_rows, "ready": ready_rows}
