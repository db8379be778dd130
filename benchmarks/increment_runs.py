"""The runs of the rows about increments: programs load a long list, and then what is new of it. Imported, never run."""

import contextlib
import dataclasses
import json
import os
import sqlite3
import subprocess
import time

import increment_server
import pinned
import stage as stages
from measure import HERE

CHANGES, DELETIONS = 50, 20
# A mark is a moment that has stood in the table for four minutes when a pull begins.
STOOD = 245.0
# What is still there after so many refreshes is not waited for: syncd looks at most so often, the others have no way.
LOOKS = {"syncd": 4, "dlt": 2, "airbyte": 2}
SINCE = {"query": "updated_since={since}", "moment": "$.updated_at"}


@dataclasses.dataclass(frozen=True)
class Load:
    """How long the list is, how many rows a page has, and how many requests a second the server takes."""

    rows: int = 200_000
    page: int = 100
    rate: int = 10

    @property
    def pages(self):
        return -(-self.rows // self.page)


@dataclasses.dataclass(frozen=True)
class Look:
    """What one refresh cost, from the start of the program to its end, and what it left: rows that are not as the
    server has them, and rows that the server has no more."""

    seconds: float
    processor: float
    asked: int
    refused: int
    rows: int
    stale: int
    gone: int


class Program:
    """A program beside a server of its own, and in a directory of its own."""

    def __init__(self, setting, stage, server, load):
        self.setting, self.stage, self.server, self.load = setting, stage, server, load
        self.prepare()

    def look(self):
        """Lets the program refresh its rows."""
        self.server.asked()
        ended = self.setting.run(self.command(), self.stage.environment, stderr=subprocess.DEVNULL)
        asked, refused = self.server.asked()
        held, wanted = self.held(), self.server.held()
        return Look(
            ended.seconds, ended.user + ended.system, asked, refused, len(held),
            sum(held.get(number) != row for number, row in wanted.items()), len(held.keys() - wanted.keys()))


def declare(stage, server, page, interval):
    """Tells syncd of the list."""
    stage.write_private("config.json", json.dumps({"movies": {"enabled": False}, "todos": {"enabled": False}}))
    os.makedirs(os.path.join(stage.root, "lists"), mode=0o700)
    stage.write_private("lists/rows.json", json.dumps({
        "server": {"baseURL": server.url}, "list": "/rows", "id": "integer $.id", "interval": interval,
        "pages": {"offset": "offset", "limit": ["limit", page], "rows": "header X-Total-Count"},
        **({"since": SINCE} if SINCE else {}),
        "columns": {
            "title": "text $.title", "number": "integer $.number", "state": "text $.state",
            "estimate": "real $.estimate", "is_done": "boolean $.is_done", "author": "json $.author",
            "created_at": "text $.created_at", "updated_at": "text $.updated_at"}}))


class Syncd(Program):
    def prepare(self):
        declare(self.stage, self.server, self.load.page, "1h")

    def command(self):
        return [self.setting.syncd, "sync", "rows", "--config", self.stage.configuration]

    def held(self):
        connection = sqlite3.connect(f"file:{self.stage.cache}?mode=ro", uri=True)
        rows = connection.execute("SELECT _id, title, updated_at FROM rows").fetchall()
        connection.close()
        return {number: (title, moment) for number, title, moment in rows}


class Other(Program):
    """One of `alternatives/increments_NAME.py`."""

    def prepare(self):
        self.python = pinned.environment("pace", HERE)
        self.stage.environment["RUNTIME__DLTHUB_TELEMETRY"] = "false"

    def script(self, *arguments):
        return [self.python, os.path.join(HERE, f"alternatives/increments_{self.name}.py"), *arguments]

    def command(self):
        return self.script("load", self.server.url, str(self.load.page), self.stage.root)

    def held(self):
        shown = self.setting.run(self.script("show", self.stage.root), self.stage.environment)
        return {number: (title, increment_server.moment(second))
                for number, title, second in map(json.loads, shown.output.splitlines())}


class DLT(Other):
    name = "dlt"


class Airbyte(Other):
    name = "airbyte"


PROGRAMS = {"syncd": Syncd, "dlt": DLT, "airbyte": Airbyte}


def measure(setting, load, names=tuple(PROGRAMS)):
    """The looks of each program, by phase: `first`, `second` (of syncd alone), `nothing`, `changes`, and `deletions`
    with the looks until what was deleted is gone, as a list."""
    with contextlib.ExitStack() as opened:
        programs = {}
        for name in names:
            server = opened.enter_context(increment_server.Server(load.rows, load.rate))
            stage = opened.enter_context(stages.Stage(setting.programs))
            programs[name] = PROGRAMS[name](setting, stage, server, load)
        found = {name: {} for name in programs}
        ends = {}
        for name, program in programs.items():
            found[name]["first"] = program.look()
            ends[name] = time.monotonic()
        if "syncd" in programs:
            # The first loads of the others have filled this time, or a part of it.
            time.sleep(max(0.0, ends["syncd"] + STOOD - time.monotonic()))
            found["syncd"]["second"] = programs["syncd"].look()
        for name, program in programs.items():
            found[name]["nothing"] = program.look()
        for name, program in programs.items():
            program.server.change(CHANGES)
            found[name]["changes"] = program.look()
        for name, program in programs.items():
            program.server.delete(DELETIONS)
            looks = found[name]["deletions"] = [program.look()]
            while looks[-1].gone and len(looks) < LOOKS[name]:
                looks.append(program.look())
    return found
