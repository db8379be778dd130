"""A declared list: its first sync beside a C program that knows the list by heart."""

import json
import os

from measure import Row, Spread, interleaved, ratio, verdict
from servers import MIGRATIONS, ListServer

ROWS_OF_LIST = 100_000
DECLARATION = {
    "list": "/lists/notes", "id": "integer $.id",
    "columns": {
        "number": "integer $.number", "title": "text $.title", "state": "text $.state",
        "author": "text $.user.login", "comments": "integer $.comments", "score": "real $.score",
        "locked": "boolean $.locked", "labels": "json $.labels", "created_at": "text $.created_at",
        "updated_at": "text $.updated_at", "milestone": "text $.milestone", "body": "text $.body"}}


def note(number):
    """A row with a value for each column, and what no column shows."""
    return {
        "id": 1_000_000 + number, "number": number, "title": f"Note number {number}",
        "state": "open" if number % 3 else "closed", "user": {"id": number % 50, "login": f"user{number % 50}"},
        "comments": number % 17, "score": number / 8, "locked": number % 5 == 0,
        "labels": [{"name": "bug"}] if number % 4 == 0 else [],
        "created_at": f"2030-01-{number % 28 + 1:02}T12:00:00Z",
        "updated_at": f"2030-02-{number % 28 + 1:02}T12:00:00Z", "milestone": None,
        "body": "A line that somebody wrote about it."}


class NoteServer(ListServer):
    """A server with a declared list of so many rows, and the configuration of it alone."""

    def __init__(self, setting, count, *arguments, is_quiet=True):
        path = os.path.join(setting.work, "notes.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump([note(number) for number in range(1, count + 1)], file, separators=(",", ":"))
        super().__init__(setting, 0, "--list", path, *arguments, is_quiet=is_quiet)
        with open(self.configuration, encoding="utf-8") as file:
            settings = json.load(file)
        settings["movies"]["enabled"] = settings["todos"]["enabled"] = False
        self.write_private("config.json", json.dumps(settings))
        os.makedirs(self.root + "/lists", mode=0o700, exist_ok=True)
        self.write_private(
            "lists/notes.json", json.dumps({**DECLARATION, "server": {"baseURL": self.server}}))


def first_list(setting):
    """100 000 rows of 12 columns into an empty cache, beside the C program."""
    finished = {}
    with NoteServer(setting, ROWS_OF_LIST) as server:
        table = server.tables_of("notes")

        def keep(name, run):
            finished.setdefault(name, []).append(run)
            return run.seconds

        def c_program(place):
            return setting.run(
                [setting.alternative("list"), server.server, place + "/cache", table, *MIGRATIONS])

        size = server.fetch("/lists/notes")[1]
        times = interleaved({
            "syncd (s)": lambda: keep("syncd", server.syncd(server.new_place(), "sync", "notes")),
            "C (s)": lambda: keep("C", c_program(server.new_place())),
        }, setting.rounds(9))
    peaks = {f"{name} peak (KiB)": [run.peak for run in runs] for name, runs in finished.items()}
    setting.record("first-list", {**times, **peaks})
    beside_c = ratio(times["syncd (s)"], times["C (s)"])
    whole = Spread.of(times["syncd (s)"])
    peak = Spread.of(peaks["syncd peak (KiB)"])
    return [
        Row("first-list", "first sync of a declared list of 100 000 rows with 12 columns, process start to exit",
            "≤ 1.25 × the C program", f"{beside_c.median:.2f} × ({whole.median:.2f} s)", beside_c.text(),
            verdict(beside_c.median <= 1.25),
            note=f"The C program knows the columns by heart, and writes the table that syncd has made. The body"
            f" has {size / 1e6:.0f} MB; syncd's peak is {peak.median / 1024:.0f} MiB.")]


ROWS = {"first-list": first_list}
