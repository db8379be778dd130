"""Rows about what programs write: how soon an edit of a long list is at its server, and what an ORM pays for
a real table. Found and run by benchmarks/run."""

import json
import os
import queue
import random
import statistics
import subprocess
import time

import rows_lists
from measure import HERE, Row, Spread, interleaved, ratio, verdict

ADDS = 1000


class EditedServer(rows_lists.NoteServer):
    """A server with a long list that takes edits and shows one row by itself, and a daemon beside it."""

    def __init__(self, setting, count):
        super().__init__(setting, count, "--lists-take-writes", is_quiet=False)
        declaration = {
            **rows_lists.DECLARATION, "id": "$.id", "interval": "1h", "update": True, "read": True,
            "server": {"baseURL": self.server}}
        declaration["columns"] = {
            **declaration["columns"], "title": {"text": "$.title", "write": "update"}}
        self.write_private("lists/notes.json", json.dumps(declaration))


def answered(stage, seconds):
    """The moment at which the server has answered the next update."""
    deadline = time.monotonic() + seconds
    while True:
        moment, line = stage.requests.get(timeout=max(0.001, deadline - time.monotonic()))
        if line.startswith("PATCH /lists/notes/"):
            return moment


def edit_rows(setting):
    count = setting.rounds(60)
    pauses, figures = random.Random(1), []
    with EditedServer(setting, rows_lists.ROWS_OF_LIST) as stage:
        stage.start_daemon("SELECT count(*) = 1 FROM sync_status WHERE list = 'notes' AND state = 'ok'")
        for number in range(count):
            # Long enough for the daemon to be calm again, and in step with nothing.
            time.sleep(pauses.uniform(1.1, 1.3))
            began = time.perf_counter()
            # Of the first rows: the server reads them one after another until it has found the one that is meant.
            subprocess.run(
                ["sqlite3", "-cmd", ".timeout 5000", stage.cache,
                 f"UPDATE notes SET title = 'edited {number}' WHERE _id = {number + 1}"],
                check=True, stdin=subprocess.DEVNULL)
            try:
                figures.append((answered(stage, 30) - began) * 1000)
            except queue.Empty:
                raise SystemExit(f"edit {number} did not reach the server\n" + "\n".join(stage.log)) from None
    setting.record("edit", {"UPDATE to answer, ms": figures})
    median = statistics.median(figures)
    return [Row(
        "edit", "UPDATE by `sqlite3` of one row of 100 000 until the server has the PATCH", "median ≤ 20 ms",
        f"median {median:.1f} ms", f"{Spread.of(figures).text('{:.1f}')} ms, {count} times",
        verdict(median <= 20),
        note="The declaration has `read`, so the row is read before it is changed, and not the list. From the"
        " start of the program `sqlite3`, which waits for its own commit, until the server has answered.")]


def orm_rows(setting):
    """SQLAlchemy adds rows to `todos`, and to a table of the same columns in a file of its own."""
    places = {}
    with rows_lists.NoteServer(setting, 10) as stage:
        stage.configure()

        def run(table):
            place = stage.new_place()
            stage.syncd(place, "todo", "add", "the first")
            places[table] = stage.cache_in(place)
            printed = setting.run([
                setting.python, os.path.join(HERE, "alternatives", "orm.py"), places[table], table, str(ADDS)])
            return float(printed.output) * 1000

        figures = interleaved(
            {f"{ADDS} rows into {table} (ms)": lambda table=table: run(table) for table in ["todos", "plain"]},
            setting.rounds(15))
    setting.record("orm", figures)
    todos, plain = figures.values()
    beside = ratio(todos, plain)
    return [Row(
        "orm", f"{ADDS} objects added by SQLAlchemy in one transaction", "≤ 2 × a plain table of the same columns",
        f"{beside.median:.2f} × ({statistics.median(todos):.0f} ms)", beside.text(), verdict(beside.median <= 2),
        note="In the transaction of the program: the checks, the row and its operation. Both tables are in a cache,"
        " with `PRAGMA synchronous = FULL`.")]


ROWS = {"edit": edit_rows, "orm": orm_rows}
