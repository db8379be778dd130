"""FastAPI and Django with projects and tasks that refer to each other, for real-servers. Imported, never run."""

import collections
import os
import sqlite3

from once_related_play import declarations, plain
from real_frameworks import HERE, Django, FastAPI

# The database of the server itself writes down which rows it was made to add.
RECORDER = """
CREATE TABLE IF NOT EXISTS history (title);
CREATE TRIGGER IF NOT EXISTS project_added AFTER INSERT ON project BEGIN
    INSERT INTO history VALUES (new.title); END;
CREATE TRIGGER IF NOT EXISTS task_added AFTER INSERT ON task BEGIN
    INSERT INTO history VALUES (new.title); END;
"""


class Related:
    """What the play about rows that refer to rows needs to know of a server; beside a class of real_frameworks."""

    FIRST_NUMBER = None
    # The answers that say that a project is not there.
    MISSING = {}
    # What stands before a path, and behind the id of a row.
    BEFORE = BEHIND = ""
    # What becomes of rows below one that is deleted.
    rule = None

    def begin(self):
        """Server, the other client's rows, proxy and daemon."""
        stage = self.stage
        stage.lists = ["projects", "tasks"]
        stage.revive("server")
        self.prepare()
        homes = [self.add("projects", f"project {number} theirs", None) for number in range(4)]
        for number in range(8):
            self.add("tasks", f"task {number} theirs", homes[number % 4])
        stage.revive("proxy")
        stage.configure_real()
        stage.revive("daemon")

    def secrets(self):
        return {"REAL_RULE": self.rule}

    def prepare(self):
        connection = sqlite3.connect(self.stage.database, timeout=10)
        with connection:
            connection.executescript(RECORDER)
        connection.close()

    def declarations(self):
        example = super().declaration()
        del example["columns"]
        lists = declarations(self.FIELDS, **example)
        for name, declaration in lists.items():
            declaration["list"] = f"/{name}/"
            if self.BEHIND:
                declaration["update"] = declaration["delete"] = {"path": f"/{name}/{{id}}{self.BEHIND}"}
        return lists

    def list_path(self, kind):
        return f"{self.BEFORE}/{kind}/"

    def path(self, kind, server):
        return f"{self.list_path(kind)}{server}{self.BEHIND}"

    def add(self, kind, title, project):
        """Adds a row for the other client; returns its id, or None if its project is not there."""
        reference = {} if project is None else {self.FIELDS["project"]: project}
        answer = self.ask("POST", self.list_path(kind), {"title": title, **reference}, self.MISSING)
        return answer and str(answer["id"])

    def rows(self, kind):
        self.LIST = self.list_path(kind)
        return [plain(row, self.FIELDS) for row in super().rows()]

    def made(self):
        connection = sqlite3.connect(self.stage.database, timeout=10)
        try:
            return collections.Counter(dict(connection.execute("SELECT title, count(*) FROM history GROUP BY title")))
        finally:
            connection.close()


class FastAPIRelated(Related, FastAPI):
    FIELDS = {"project": "project_id", "parent": "parent_id"}
    MISSING = {404}
    BEFORE = "/api/v1"

    def command(self, python):
        return [name.replace("real_fastapi:", "real_fastapi_related:") for name in super().command(python)]


class DjangoRelated(Related, Django):
    FIELDS = {"project": "project", "parent": "parent"}
    MISSING = {400}
    BEHIND = "/"

    def command(self, python):
        return [python, os.path.join(HERE, "real_django_related.py"), str(self.stage.server_port)]


ALL = {"fastapi-related": FastAPIRelated, "django-related": DjangoRelated}
