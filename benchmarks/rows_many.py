"""Rows about a cache with 32 declared lists: how quiet its daemon is, how fast it starts, and what a program pays that
writes to one of them. Found and run by benchmarks/run."""

import contextlib
import json
import os
import sqlite3
import statistics
import time

import filled
from measure import Row, Spread, limit, verdict
from rows_daemon import told, starts

LISTS, ROWS_OF_LIST = 32, 100


def serve(stage, lists=LISTS):
    """Starts a server with so many lists of so many rows, and declares each of them."""
    names = [f"list_{number:02}" for number in range(lists)]
    options = []
    for name in names:
        path = os.path.join(stage.root, name + ".json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump([
                {"id": number, "title": f"row {number} of {name}", "done": number % 2 == 0}
                for number in range(1, ROWS_OF_LIST + 1)], file)
        options += ["--list", path]
    stage.start_server("--quiet", "--lists-take-writes", *options)
    stage.write_private("config.json", json.dumps(
        {"movies": {"enabled": False}, "todos": {"enabled": False}}))
    os.makedirs(stage.root + "/lists", mode=0o700, exist_ok=True)
    for name in names:
        stage.write_private(f"lists/{name}.json", json.dumps({
            "list": f"/lists/{name}", "id": "$.id", "interval": "1h",
            "server": {"baseURL": stage.server},
            "columns": {
                "title": {"text": "$.title", "required": True, "write": "both"},
                "done": {"boolean": "$.done", "write": "both"}},
            "create": True, "update": True, "delete": True}))
    return names


def prepare_times(setting, *counts):
    """How long SQLite takes to prepare a program's INSERT where there are so many lists, in ms: 50 times for each of
    `counts`, by turns."""
    with contextlib.ExitStack() as ending:
        connections = []
        for lists in counts:
            stage = ending.enter_context(filled.stages.Stage(setting.programs))
            serve(stage, lists)
            setting.run(
                [setting.syncd, "sync", "--quiet", "--config", stage.configuration],
                stage.environment)
            connections.append(
                ending.enter_context(contextlib.closing(sqlite3.connect(stage.cache))))
        times = [[] for _ in counts]
        for number in range(60):
            for connection, taken in zip(connections, times):
                begin = time.perf_counter()
                # Prepared, and not run. Each text is new, so that Python has no statement of it.
                connection.execute(
                    f"EXPLAIN INSERT INTO list_00 (title) VALUES ('{number}')").close()
                taken.append((time.perf_counter() - begin) * 1000)
    # The first ones read the schema.
    return [taken[10:] for taken in times]


def many_rows(setting):
    seconds = 60 if not setting.quick else 15
    idle = told(setting, "idle", "--lists", "--seconds", str(seconds))["daemon"]
    with filled.stages.Stage(setting.programs) as stage:
        serve(stage)
        setting.run(
            [setting.syncd, "sync", "--quiet", "--config", stage.configuration], stage.environment)
        figures = starts(setting, stage)
    one, many = prepare_times(setting, 1, LISTS)
    setting.record("many-lists", {
        "start to READY, ms": figures, "prepare INSERT, 1 list, ms": one,
        f"prepare INSERT, {LISTS} lists, ms": many})
    ratio = statistics.median(many) / statistics.median(one)
    median = statistics.median(figures)
    threads = len(idle["threads"])
    return [
        Row(
            "many-lists", f"idle daemon with {LISTS} declared lists of {ROWS_OF_LIST} rows, intervals of 1 h",
            "≤ 5 MB private memory, ≤ 4 threads, no wake-up",
            f"{idle['dirty_kib'] / 1024:.1f} MB, {threads} threads, {idle['wakeups']} wake-ups",
            f"{seconds} s",
            limit(verdict(threads <= 4, idle["wakeups"] == 0, idle["ended"] == 0), idle["dirty_kib"] <= 5120),
            "benchmarks/idle --lists",
            "Programs create, edit and delete in each of them. Of the memory, SQLite has 9 MB: its own form of the schema,"
            " most of it triggers, and 1 MiB of statements. Another 4.4 MB are in use. The rest are pages on which"
            " something in use stands beside what was freed (sqlite3_memory_used, in a build that counts, and"
            " malloc_stats)."),
        Row(
            "many-lists", f"start to READY with {LISTS} declared lists of {ROWS_OF_LIST} rows",
            "≤ 15 ms", f"{median:.1f} ms", f"{Spread.of(figures).text('{:.1f}')} ms",
            limit("met", median <= 15),
            note="SQLite reads the schema, as every program does that opens the cache: once, with 126 of the"
                 " start's 212 million instructions. Another 32 million look whether the file is damaged"
                 " (valgrind --tool=callgrind)."),
        Row(
            "many-lists", f"preparing an `INSERT` into one of {LISTS} lists (median of 50)",
            "≤ 3 × into the only list", f"{ratio:.1f} ×",
            f"{statistics.median(many):.1f} ms and {statistics.median(one):.1f} ms", verdict(ratio <= 3),
            note="Each program prepares the triggers of the table that it writes to. What grows is the title in"
                 " the change log, which is looked up in the list of the operation."),
    ]


ROWS = {"many-lists": many_rows}
