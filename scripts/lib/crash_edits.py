"""The scenarios of the crash and power-loss tests with rows of a declared list. Imported, never run."""

import json
import os
import time

from crash_scenario import Scenario, require
from crash_stage import PATIENCE, defects, opened


class Listed(Scenario):
    """A cache that holds a declared list as the server does."""

    template = "listed"
    count = 8

    def build(self, stage):
        with open(self.rows(stage), "w", encoding="utf-8") as file:
            json.dump([{"id": n, "title": f"kept {n}", "done": False, "more": {"n": n}}
                       for n in range(1, self.count + 1)], file)
        self.begin(stage)
        stage.configure()
        self.declare(stage, "1h")
        stage.must("sync", "notes")

    def rows(self, stage):
        """The file of the server's rows, which names the list."""
        os.makedirs(f"{stage.root}/{self.template}", exist_ok=True)
        return f"{stage.root}/{self.template}/notes.json"

    def begin(self, stage):
        stage.start_server("--list", self.rows(stage), "--lists-take-writes")

    @staticmethod
    def declare(stage, interval):
        os.makedirs(stage.run + "/lists", exist_ok=True, mode=0o700)
        path = stage.run + "/lists/notes.json"
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump({
                "server": {"baseURL": f"http://127.0.0.1:{stage.port}"}, "list": "/lists/notes",
                "id": "$.id", "interval": interval, "create": True, "update": True, "delete": True,
                "columns": {"title": {"text": "$.title", "write": "both", "required": True},
                            "done": {"boolean": "$.done", "write": "both"}}}, file)
        os.chmod(path + ".new", 0o600)
        os.rename(path + ".new", path)


class Edits(Listed):
    """An edit of one field and one of two, a create that was edited, and a delete over an edit wait; whatever is
    killed, each of them takes effect once, and nobody has a conflict."""

    name, about = "edits", "`sync` with edits, a create and a delete of a declared list, each answered"
    arguments = ["sync", "notes"]
    template = "edits"
    wanted = []
    shown = [(1, "edited 1", 0), (2, "edited 2", 1), (3, "kept 3", 0), (5, "new 5", 1)]
    server = [("edited 1", False), ("edited 2", True), ("kept 3", False), ("new 5", True)]

    count = 4

    def build(self, stage):
        super().build(stage)
        with opened(stage.cache) as connection:
            for sql in ["UPDATE notes SET title = 'edited 1' WHERE _id = 1",
                        "UPDATE notes SET title = 'edited 2', done = 1 WHERE _id = 2",
                        "INSERT INTO notes (title) VALUES ('new')",
                        "UPDATE notes SET title = 'new 5', done = 1 WHERE _id = 5",
                        "UPDATE notes SET title = 'edited 4' WHERE _id = 4",
                        "DELETE FROM notes WHERE _id = 4"]:
                connection.execute(sql)

    def look_inside(self, connection, accepted):
        rows = connection.execute("SELECT _id, title, ifnull(done, 0) FROM notes ORDER BY _id").fetchall()
        require(rows == self.shown, f"the cache shows {rows}", "loss")

    def recover(self, stage):
        self.begin(stage)
        # Two lists decide what one does not show, one interval apart.
        stage.configure(timeout="400ms", interval="1s")
        self.declare(stage, "1s")
        deadline = time.monotonic() + PATIENCE
        was_empty = self.is_empty(stage)
        while True:
            ended = stage.syncd("sync")
            if was_empty and ended.returncode == 0:
                return
            was_empty = self.is_empty(stage)
            require(time.monotonic() < deadline, f"the queue does not drain: {ended.stderr}")
            if not was_empty:
                time.sleep(0.05)

    def compare(self, stage, accepted, extra=()):
        rows = stage.request("GET", "/lists/notes")
        server = sorted((row["title"], bool(row.get("done"))) for row in rows)
        if server != self.server:
            titles = [title for title, _ in server]
            kind = "double" if len(titles) > len(self.server) else "loss"
            require(False, f"the server holds {server}, due was {self.server}", kind)
        with opened(stage.cache, "ro") as connection:
            wrong = defects(connection)
            cache = connection.execute(
                "SELECT _server_id, title, ifnull(done, 0) FROM notes ORDER BY title").fetchall()
            conflicts = connection.execute("SELECT * FROM conflicts").fetchall()
        require(not wrong, "after the recovery: " + "; ".join(wrong[:3]))
        require(not stage.moved_aside(), f"a false alarm: {stage.moved_aside()}")
        require(not conflicts, f"nobody else wrote, and there are conflicts: {conflicts}")
        due = sorted((str(row["id"]), row["title"], int(bool(row.get("done")))) for row in rows)
        require(sorted(cache) == due, f"the cache shows {cache}, the server holds {due}", "loss")
        todos = sorted(title for _, title in stage.server_todos())
        require(todos == sorted(stage.accepted_beside()), f"todos at the server: {todos}", "loss")
