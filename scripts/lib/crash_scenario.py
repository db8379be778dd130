"""A scenario of the crash test: what it begins with, what it runs, and what must have come of it.
Imported, never run."""

import os
import shutil
import sqlite3
import time

from crash_stage import PATIENCE, defects, opened, rows

KEPT = ["kept 1", "kept 2", "kept 3", "kept 4"]


class Broken(Exception):
    """A promise that was not kept: `loss`, `double` or `other`."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


def require(condition, text, kind="other"):
    if not condition:
        raise Broken(kind, text)


def hide_bystander(connection):
    """Lets a connection see the todos without those of the bystander."""
    connection.execute("CREATE TEMP VIEW todos AS"
                       " SELECT * FROM main.todos WHERE title NOT GLOB 'bystander *'")


def copy_cache(stage):
    """A copy of what is left, to be looked at: SQLite itself recovers it; the original stays."""
    place = stage.root + "/copy"
    shutil.rmtree(place, ignore_errors=True)
    if os.path.exists(stage.run + "/state"):
        shutil.copytree(stage.run + "/state", place)
    return place + "/cache.sqlite"


class Scenario:
    """One command on one state. `arguments` is what is killed; the rest says what is right."""

    name = ""
    about = ""
    arguments = []
    # Titles that were accepted before, and those that the command adds and removes.
    wanted = KEPT
    adds = []
    removes = []
    template = "synced"
    # Exit statuses of a run that nothing was done to.
    normal = (0,)

    def prepare(self, stage):
        """Makes the state under the template's name, unless it is kept already."""
        if os.path.exists(f"{stage.kept}/{self.template}"):
            return
        stage.clear()
        self.build(stage)
        stage.keep(self.template)

    def build(self, stage):
        """A cache that holds what the server holds: four todos and a token."""
        stage.start_server()
        stage.configure()
        bearer = stage.login()
        for title in KEPT:
            stage.request("POST", "/todos", {"title": title}, bearer)
        stage.must("sync", "todos")

    def begin(self, stage):
        """Before the command runs."""

    def beside(self, stage, process):
        """Beside the command, in a thread, until it has ended. Returns what it accepted."""

    def look(self, stage, copy, accepted):
        """At a copy of what the process left behind, before anything is mended."""
        if not os.path.exists(copy):
            return
        with opened(copy) as connection:
            wrong = defects(connection)
            require(not wrong, "; ".join(wrong[:3]))
            for title in stage.accepted_beside():
                found = connection.execute("SELECT 1 FROM todos WHERE title = ?", (title,))
                require(found.fetchone(), f"{title} is not there", "loss")
            hide_bystander(connection)
            self.look_inside(connection, accepted)

    def look_inside(self, connection, accepted):
        """At the cache that was left behind, which is known to be sound."""

    def recover(self, stage):
        """Starts plainly, with a server that is well, until nothing waits."""
        stage.start_server()
        # Two lists decide what one does not show, one interval apart.
        stage.configure(timeout="400ms", interval="1s")
        deadline = time.monotonic() + PATIENCE
        wasEmpty = os.path.exists(stage.cache) and self.is_empty(stage)
        while True:
            ended = stage.syncd("sync", "todos")
            # Once more after the queue is empty, so that the cache has seen the server since.
            if wasEmpty and ended.returncode == 0:
                return
            wasEmpty = self.is_empty(stage)
            require(time.monotonic() < deadline, f"the queue does not drain: {ended.stderr}")
            if not wasEmpty:
                # What is in doubt is decided two timeouts after it was sent.
                time.sleep(0.05)

    @staticmethod
    def is_empty(stage):
        """Whether nothing waits; a cache that is not made yet says nothing."""
        try:
            return rows(stage.cache, "SELECT count(*) FROM outbox", mode="ro")[0][0] == 0
        except sqlite3.OperationalError:
            return False

    def compare(self, stage, accepted, extra=()):
        """Server and cache hold what was accepted, and the command's change as a whole or not."""
        server = stage.server_todos()
        with opened(stage.cache, "ro") as connection:
            wrong = defects(connection)
            cache = sorted(connection.execute("SELECT server_id, title FROM todos"))
        require(not wrong, "after the recovery: " + "; ".join(wrong[:3]))
        # SQLite found nothing wrong at the look: neither may syncd.
        require(not stage.moved_aside(), f"a false alarm: {stage.moved_aside()}")
        titles = sorted(title for _, title in server)
        before = sorted([*self.wanted, *extra, *stage.accepted_beside()])
        after = sorted([t for t in before if t not in self.removes] + self.adds)
        allowed = [after] if accepted else [before, after]
        if titles not in allowed:
            twice = [title for title in titles if titles.count(title) > 1]
            kind = "double" if twice or set(titles) > set(after) else "loss"
            due = " or ".join(map(str, allowed))
            raise Broken(kind, f"the server holds {titles}, due was {due}")
        require(cache == server, f"the cache shows {cache}, the server holds {server}", "loss")
