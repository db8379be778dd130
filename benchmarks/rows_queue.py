"""A long queue: the memory of its draining, the commands beside it, and how cost grows with it."""

import subprocess
import time

from measure import Row, Spread, interleaved, ratio, verdict
from rows_growth import exponent
from rows_push import left, queue
from servers import ListServer


def resident(pid):
    """Resident memory (KiB); 0 once the process has ended."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("VmRSS:")), 0)
    except FileNotFoundError:
        return 0


def drain(setting, server, place):
    """Sends a queue; returns seconds, and memory (KiB) with how much of the queue was left."""
    cache = server.cache_in(place)
    whole = left(cache)
    began = time.monotonic()
    child = subprocess.Popen(
        [setting.syncd, "sync", "todos", "--config", server.configuration, "--timeout", "600"],
        env={**server.environment, "XDG_STATE_HOME": place}, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL)
    samples = []
    while child.poll() is None:
        # Seldom: each look is a reader beside the writer.
        if size := resident(child.pid):
            samples.append((left(cache) / whole, size))
        time.sleep(0.02 if whole < 20_000 else 0.5)
    seconds = time.monotonic() - began
    if child.returncode != 0 or left(cache) > 0:
        raise SystemExit(f"{left(cache)} of {whole} are left; syncd ended with {child.returncode}")
    return seconds, samples


def commands(setting, full, empty):
    """Seconds of `status` and `todo list` beside a full queue, and with the same todos synced."""
    programs = {}
    for words in [["status"], ["todo", "list"]]:
        for name, (server, place) in [("full", full), ("empty", empty)]:
            programs[f"{' '.join(words)}, {name} queue (s)"] = (
                lambda server=server, place=place, words=words: server.syncd(
                    place, *words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).seconds)
    return interleaved(programs, setting.rounds(15))


def long_queue(setting):
    count = 20_000 if setting.quick else 100_000
    points = {}
    with ListServer(setting, count) as synced:
        empty_place = synced.new_place()
        synced.syncd(empty_place, "sync", "todos")
        for size in [1000, 10_000, count]:
            with ListServer(setting, 0) as server:
                place = server.new_place()
                queue(server, place, size)
                if size == count:
                    times = commands(setting, (server, place), (synced, empty_place))
                seconds, samples = drain(setting, server, place)
            points[size] = seconds, max(memory for _, memory in samples)
    inside = [memory for share, memory in samples if 0.05 <= share <= 0.9] or [1]
    setting.record("long-queue", {
        **times, "memory while draining (KiB)": inside,
        **{f"draining {size} (s)": [seconds] for size, (seconds, _) in points.items()},
        **{f"draining {size} peak (KiB)": [peak] for size, (_, peak) in points.items()}})
    bend = exponent([(size, seconds) for size, (seconds, _) in points.items()])
    setting.plot(
        "queue-time", "Sending a queue of creates, server without latency", "operations", "seconds",
        {f"syncd (exponent {bend:.2f})": [(size, cost[0]) for size, cost in points.items()]})
    setting.plot(
        "queue-memory", "Sending a queue of creates, peak memory", "operations", "MiB resident",
        {"syncd": [(size, cost[1] / 1024) for size, cost in points.items()]})
    return rows(count, points, inside, times, bend)


def rows(count, points, inside, times, bend):
    work = f"{count:,} operations queued offline".replace(",", " ")
    grown = max(inside) / inside[0]
    found = [Row(
        "long-queue", work + ", draining", "memory flat",
        f"{inside[0] / 1024:.1f} MiB at first, {max(inside) / 1024:.1f} MiB at most,"
        f" {inside[-1] / 1024:.1f} MiB at last; {points[count][0]:.0f} s",
        f"{min(inside) / 1024:.1f} … {max(inside) / 1024:.1f} MiB", verdict(grown <= 1.1),
        note=f"A queue of 1000 takes {points[1000][1] / 1024:.1f} MiB at most; time grows with the"
        f" exponent {bend:.2f}.")]
    for words in ["status", "todo list"]:
        beside = ratio(times[f"{words}, full queue (s)"], times[f"{words}, empty queue (s)"])
        middle = Spread.of(times[f"{words}, full queue (s)"]).median
        found.append(Row(
            "long-queue", f"{work}: `{words}`", "≤ 2 × the time with an empty queue",
            f"{beside.median:.2f} × ({middle * 1000:.0f} ms)", beside.text(),
            verdict(beside.median <= 2),
            note="Beside a cache that holds as many todos, all of them synced."))
    return found


ROWS = {"long-queue": long_queue}
