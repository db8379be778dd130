"""What is queued and sent: 1000 creates, with latency and without."""

import os
import sqlite3
import time

from durability import syncs
from measure import Row, Spread, interleaved, ratio, verdict
from servers import ListServer, title

CREATES, LATENCY = 1000, 20


def queue(server, place, count):
    """A cache in `place` with so many creates in its queue."""
    server.syncd(place, "sync", "todos")
    cache = server.cache_in(place)
    connection = sqlite3.connect(cache, timeout=5)
    with connection:
        connection.executemany(
            "INSERT INTO todos(title) VALUES (?)", [(title(n),) for n in range(count)])
    connection.close()
    return cache


def left(cache):
    connection = sqlite3.connect(cache, timeout=5)
    try:
        return connection.execute("SELECT count(*) FROM outbox").fetchone()[0]
    finally:
        connection.close()


def drained(server, run):
    """The seconds of `run(place, cache)` for a full queue, which must be empty after it. The server is
    a new one, because it would serve a longer list each time."""
    place = server.new_place()
    cache = queue(server, place, CREATES)
    finished = run(place, cache)
    if left(cache) > 0:
        raise SystemExit(f"{left(cache)} creates are left\n{finished.output}")
    return finished.seconds


def pushes(setting, under_way, *arguments):
    """The timed programs: syncd, and the C program with so many requests at a time."""

    def by_syncd():
        with ListServer(setting, 0, *arguments) as server:
            return drained(server, lambda place, _: server.syncd(place, "sync", "todos"))

    def by_c():
        with ListServer(setting, 0, *arguments) as server:
            return drained(server, lambda _, cache: setting.run(
                [setting.alternative("creates"), server.server, cache, str(under_way)]))

    return by_syncd, by_c


def push_with_latency(setting):
    by_syncd, one_by_one = pushes(setting, 1, "--latency", str(LATENCY))
    _, four_by_four = pushes(setting, 4, "--latency", str(LATENCY))
    figures = {"syncd (s)": [], "C, one at a time (s)": [], "C, four at a time (s)": []}
    # No warm-up: the second program waits for 20 s, and nothing is to be warmed for that.
    for _ in range(setting.rounds(3)):
        figures["syncd (s)"].append(by_syncd())
        figures["C, one at a time (s)"].append(one_by_one())
        figures["C, four at a time (s)"].append(four_by_four())
    setting.record("push-latency-1000", figures)
    faster = ratio(figures["C, one at a time (s)"], figures["syncd (s)"])
    least = CREATES * LATENCY / 1000 / 4
    beside = Spread.of([seconds / least for seconds in figures["syncd (s)"]])
    c_program = Spread.of([seconds / least for seconds in figures["C, four at a time (s)"]])
    work = "1000 queued creates at 20 ms server latency"
    within = beside.median <= 1.2
    # What the disk and the server's timer cost, nobody can do without.
    limit = c_program.median > 1.2 and beside.median <= 1.05 * c_program.median
    return [
        Row("push-latency-1000", work, "≥ 3.5 × faster than one at a time",
            f"{faster.median:.2f} × faster", faster.text(), verdict(faster.median >= 3.5),
            note="One at a time: the C program with one request under way, whose commits are as"
            " durable (PRAGMA synchronous = FULL)."),
        Row("push-latency-1000", work, "≤ 1.2 × (creates × latency ÷ 4)",
            f"{beside.median:.2f} × ({Spread.of(figures['syncd (s)']).median:.2f} s)",
            beside.text(), "met" if within else "limit" if limit else "missed",
            note=f"The C program with four requests under way takes {c_program.median:.2f} ×: each"
            " request waits for the sync to the disk of its intent."),
    ]


def sync_to_disk(setting):
    """Seconds of one fdatasync(2) of a page at the end of a file."""
    path = os.path.join(setting.work, "probe")
    with open(path, "wb") as file:
        times = []
        for _ in range(setting.rounds(300)):
            file.write(b"x" * 4096)
            file.flush()
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - began)
    os.unlink(path)
    return times


def syncs_of(setting, command):
    """How often a program that `command` names waits for the disk while it sends the queue."""
    with ListServer(setting, 0) as server:
        place = server.new_place()
        words = command(server, queue(server, place, CREATES))
        return syncs(words, {**server.environment, "XDG_STATE_HOME": place}, setting.work)


def push(setting):
    by_syncd, by_c = pushes(setting, 4)
    figures = interleaved({"syncd (s)": by_syncd, "C, four at a time (s)": by_c},
                          setting.rounds(9))
    disk = sync_to_disk(setting)
    ours = syncs_of(setting, lambda server, _: [
        setting.syncd, "sync", "todos", "--config", server.configuration])
    theirs = syncs_of(setting, lambda server, cache: [
        setting.alternative("creates"), server.server, cache, "4"])
    setting.record("push-1000", {
        **figures, "fdatasync (s)": disk, "syncs of syncd": [ours], "syncs of C": [theirs]})
    beside = ratio(figures["syncd (s)"], figures["C, four at a time (s)"])
    rates = Spread.of([CREATES / seconds for seconds in figures["syncd (s)"]])
    return [Row(
        "push-1000", "1000 queued creates, no latency",
        "≥ 1500 durable creates a second, or ≤ 1.5 × the C program",
        f"{rates.median:.0f} a second; {beside.median:.2f} × the C program",
        f"{rates.low:.0f} … {rates.high:.0f}; {beside.text()}",
        verdict(rates.median >= 1500 or beside.median <= 1.5),
        note="Both commit intents before their requests, and answers with the next intents. Both have PRAGMA"
        " synchronous = FULL and four requests under way. While strace counts, syncd waits for the disk"
        f" {ours} times and the C program {theirs} times. One wait for a page takes"
        f" {Spread.of(disk).median * 1000:.2f} ms here. Process start to exit.")]


ROWS = {"push-latency-1000": push_with_latency, "push-1000": push}
