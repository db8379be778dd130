"""What the power-loss test runs, and what must be left of it. Imported, never run."""

import copy
import json
import os
import signal
import sqlite3
import sys

from crash_bystander import connected
from crash_commands import Migration
from crash_edits import Listed
from crash_scenario import KEPT, Scenario
from crash_stage import defects, opened, rows

# A script as anybody could write it: each title in a transaction, told when it is accepted.
WRITER = """
import os, sqlite3, sys
cache = sqlite3.connect(sys.argv[1], timeout=5, isolation_level=None)
cache.execute("PRAGMA synchronous = " + sys.argv[2])
cache.execute("PRAGMA wal_autocheckpoint = 20")
for title in sys.argv[3:]:
    cache.execute("INSERT INTO todos (title) VALUES (?)", (title,))
    os.write(1, title.encode())
cache.close()
"""


class Workload:
    """Programs that run one after another on a kept state."""

    name = ""
    # What `script` runs.
    writer = WRITER
    # Whether accepted writes must all be there, or have to be missing somewhere.
    mustKeep = True
    template = "synced"
    # What the views of the cache have to show besides what is accepted meanwhile.
    titles = KEPT

    def __init__(self, stage, recorder_of):
        self.stage = stage
        self.accepted = set(self.titles)
        self.removed = set()
        self.sent = set()
        self.recorder = recorder_of(self)

    def accept(self, title):
        self.accepted.add(title)
        self.recorder.point()

    def run_all(self):
        raise NotImplementedError

    def copy(self):
        """What is due now."""
        made = copy.copy(self)
        for name in ("accepted", "removed", "sent"):
            setattr(made, name, set(getattr(self, name)))
        return made

    def syncd(self, *arguments):
        program = self.stage.programs + "/syncd"
        status = self.recorder.run(
            [program, *arguments, "--quiet", "--config", self.stage.configuration],
            self.stage.environment, self.stage.run)
        if status != 0:
            raise SystemExit(f"syncd {' '.join(arguments)} ended with {status}")

    def script(self, level, *titles):
        self.recorder.heard = lambda data: self.accept(data.decode())
        status = self.recorder.run(
            ["/usr/bin/python3", "-c", self.writer, self.stage.cache, level, *titles],
            self.stage.environment, self.stage.run)
        self.recorder.heard = lambda data: None
        if status != 0:
            raise SystemExit(f"the script ended with {status}")

    # Where the titles are shown.
    table = "todos"

    def judge(self, root, tree):
        """What is wrong with a tree that a power loss left: (lost, defects), lists of sentences."""
        if "state/cache.sqlite" not in tree:
            return [f"no cache: {sorted(self.accepted)}"] if self.accepted else [], []
        connection = sqlite3.connect(root + "/state/cache.sqlite", isolation_level=None)
        try:
            if not connection.execute(
                    "SELECT count(*) FROM sqlite_schema WHERE name = 'todos'").fetchone()[0]:
                return [f"no todos: {sorted(self.accepted)}"] if self.accepted else [], []
            wrong = defects(connection)
            shown = {row[0] for row in connection.execute(f"SELECT title FROM {self.table}")}
            queued = {row[0] for row in connection.execute(
                "SELECT op || ' ' || title FROM outbox WHERE state = 'queued'")}
        except sqlite3.DatabaseError as error:
            return [], [str(error)]
        finally:
            connection.close()
        lost = sorted(self.accepted - shown) + sorted(
            f"{title} is back" for title in self.removed & shown)
        lost += [f"{what} was sent, and would be sent again" for what in sorted(self.sent & queued)]
        return lost, wrong


class ByCommand(Workload):
    """What syncd itself writes: a cache made from nothing, changes, syncs, a token, a backup."""

    name = "syncd (WAL, FULL)"
    template = "nothing"
    titles = []

    def run_all(self):
        self.add("first 1", "first 2")
        self.add("first 3")
        self.stage.start_server()
        self.sync()
        self.remove("2", "first 2")
        self.add("second 1", "second 2")
        self.sync()
        self.syncd("login")
        self.token = self.read_token()
        self.recorder.point()
        self.syncd("backup", "copy.sqlite")
        self.backup = set(self.accepted)
        self.recorder.point()
        self.add("third")

    token = None
    backup = None

    def read_token(self):
        with open(self.stage.run + "/xdg/syncd/token.json", encoding="utf-8") as file:
            return json.load(file)

    def sync(self):
        self.recorder.sent = self.hear_request
        self.syncd("sync", "todos")
        self.recorder.sent = lambda data: None
        # The queue is empty: what is sent from now on was not.
        self.sent = set()

    def add(self, *titles):
        # The ids are told when the todos are accepted.
        def hear(data):
            self.accepted.update(titles)
            self.recorder.point()
        self.recorder.heard = hear
        self.syncd("todo", "add", *titles)
        self.recorder.heard = lambda data: None

    def remove(self, number, title):
        # Until it is accepted, it may be there or not.
        self.accepted.discard(title)
        self.syncd("todo", "rm", number)
        self.removed.add(title)
        self.recorder.point()

    def hear_request(self, data):
        """Notes what leaves the machine: a cache that does not know of it would send it again."""
        if data.startswith(b"POST /todos "):
            self.sent.add("create " + json.loads(data.split(b"\r\n\r\n", 1)[1])["title"])
        elif data.startswith(b"DELETE /todos/"):
            self.sent.add("delete first 2")
        else:
            return
        self.recorder.point()

    def judge(self, root, tree):
        lost, wrong = super().judge(root, tree)
        token = tree.get("xdg/syncd/token.json")
        if token is not None:
            try:
                known = json.loads(token)
            except ValueError:
                known, wrong = None, [*wrong, "the token file is not whole"]
            if self.token and known != self.token:
                lost.append("the new token")
        elif self.token:
            lost.append("the token file")
        made = tree.get("copy.sqlite")
        if made is not None:
            connection = sqlite3.connect(root + "/copy.sqlite", isolation_level=None)
            try:
                wrong += [f"backup: {text}" for text in defects(connection)]
            except sqlite3.DatabaseError as error:
                wrong.append(f"backup: {error}")
            finally:
                connection.close()
        elif self.backup:
            lost.append("the backup")
        return lost, wrong


class ByTheDying(ByCommand):
    """A program stays connected, so that nobody recovers the log. Writers die in their commits, and
    shorter commits follow."""

    name = "syncd dying, a bystander"
    template = "synced"
    titles = KEPT

    def run_all(self):
        with connected(self.stage.cache):
            self.die("1")
            self.script("FULL", "new 1")
            self.add("new 2")
            self.die("2")
            self.script("FULL", "new 3", "new 4")
            self.stage.start_server()
            self.sync()
            self.die("3")
            self.script("FULL", "new 5")

    def die(self, number):
        """Whether the title is there later is not said: it was never accepted."""
        status = self.recorder.run(
            [self.stage.programs + "/syncd", "todo", "add", f"dead {number} " + "x" * 4000,
             "--config", self.stage.configuration],
            self.stage.environment, self.stage.run, diesInCommit=True)
        if status != -signal.SIGKILL:
            raise SystemExit(f"syncd todo add ended with {status}")


class ByEdits(Workload):
    """A script edits rows of a declared list, and syncd sends what it wrote."""

    name = "edits of a declared list"
    template = Listed.template
    table = "notes"
    titles = [f"kept {number}" for number in range(1, Listed.count + 1)]
    writer = WRITER.replace("INSERT INTO todos (title) VALUES (?)", "UPDATE notes SET title = ? WHERE _id = ?").replace(
        "(title,))", "(title, int(title.split()[1])))")

    def run_all(self):
        self.edit(1, 2)
        Listed().begin(self.stage)
        self.sync()
        self.edit(3, 4, 5)
        self.sync()
        self.edit(6)

    def edit(self, *numbers):
        # Until it is accepted, a row may be as it was or not.
        self.accepted -= {f"kept {number}" for number in numbers}
        self.script("FULL", *(f"edited {number}" for number in numbers))

    def sync(self):
        self.recorder.sent = self.hear_request
        self.syncd("sync", "notes")
        self.recorder.sent = lambda data: None
        self.sent = set()

    def hear_request(self, data):
        if data.startswith(b"PATCH /lists/notes/"):
            self.sent.add("update " + json.loads(data.split(b"\r\n\r\n", 1)[1])["title"])
            self.recorder.point()


class ByMigration(Workload):
    """The first start on a cache of the first migration: what was in it, and a copy of it, stay."""

    name = "syncd on an older cache"
    template = Migration.template
    titles = Migration.wanted

    def run_all(self):
        def hear(data):
            self.accepted.add("new 1")
            self.recorder.point()
        self.recorder.heard = hear
        self.syncd("todo", "add", "new 1")

    def judge(self, root, tree):
        lost, wrong = super().judge(root, tree)
        if rows(root + "/state/cache.sqlite", "SELECT count(*) FROM migration") == [(1,)]:
            return lost, wrong
        # Looked for on the disk: a syncd that was started on this state may have made it since.
        if not os.path.exists(root + "/state/cache.sqlite.before-2"):
            return [*lost, "the copy from before the migration"], wrong
        try:
            with opened(root + "/state/cache.sqlite.before-2") as connection:
                wrong += [f"copy: {text}" for text in defects(connection)]
                shown = {row[0] for row in connection.execute("SELECT title FROM todos")}
        except sqlite3.DatabaseError as error:
            return lost, [*wrong, f"copy: {error}"]
        return lost + [f"{title} in the copy" for title in set(self.titles) - shown], wrong


class ByScript(Workload):
    name = "script (WAL, FULL)"
    level = "FULL"

    def run_all(self):
        self.script(self.level, "new 1", "new 2", "new 3", "new 4", "new 5", "new 6")
        self.script(self.level, "new 7", "new 8")


class ByCarelessScript(ByScript):
    name = "script (WAL, NORMAL), the control"
    level = "NORMAL"
    mustKeep = False


class Rollback(ByScript):
    """The same cache with a rollback journal, as where there is no memory to share."""

    name = "script (DELETE, EXTRA)"
    level = "EXTRA"
    template = "rollback"


class CarelessRollback(Rollback):
    name = "script (DELETE, FULL), the second control"
    level = "FULL"
    mustKeep = False


class WithoutWAL(Scenario):
    template = "rollback"

    def build(self, stage):
        super().build(stage)
        connection = sqlite3.connect(stage.cache)
        mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
        connection.close()
        if mode != "delete":
            sys.exit("the cache did not leave WAL")


WORKLOADS = [ByCommand, ByTheDying, ByEdits, ByMigration, ByScript, Rollback, ByCarelessScript, CarelessRollback]
