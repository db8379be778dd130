"""The servers of real-increments with lists below rows: the tasks of each project of Label Studio, and the journals of each
issue of Redmine. Imported, never run."""

import contextlib
import json
import os
import secrets
import subprocess
import time

import increment_servers
import once_play
import pinned
from once_writer import Failed


class LabelStudio(increment_servers.Server):
    """Its tasks stand below projects. Neither tells what changed, so each cycle reads the parts. Tasks are edited whole:
    of `data`, an update sends all members."""

    # It answers in 0.2 s.
    SLOWNESS, MOST, PROJECTS = 3, 200, 6
    # SQLite lets one of two threads fail that write.
    AGAIN = (409, 500, 503)
    LIST, LISTS = "/api/tasks/", ["projects", "notes"]
    WHOLE = "pages of parts"
    LOOK = ("SELECT n._server_id, n.title, n.done, n.size, n.moment, p._server_id"
            " FROM notes AS n LEFT JOIN projects AS p ON p._id = n.project")
    INSERT = ("INSERT INTO notes (title, done, size, project)"
              " VALUES (?, ?, ?, (SELECT _id FROM projects ORDER BY random() LIMIT 1))")

    def __init__(self, stage):
        super().__init__(stage)
        # The other client's projects, the oldest first.
        self.projects = []

    @staticmethod
    def python():
        return pinned.environment("label-studio")

    def secrets(self):
        return {
            "LABEL_STUDIO_BASE_DATA_DIR": self.stage.root + "/studio", "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
            "DJANGO_SETTINGS_MODULE": "label_studio.core.settings.label_studio", "DEBUG": "false",
            # It tells nobody of itself.
            "LATEST_VERSION_CHECK": "false", "COLLECT_ANALYTICS": "false", "SENTRY_DSN": "", "FRONTEND_SENTRY_DSN": ""}

    @contextlib.contextmanager
    def beneath(self):
        """A database with its tables, which take a minute, and a token in the file for syncd."""
        os.mkdir(self.stage.root + "/studio", 0o700)
        self.stage.password = secrets.token_hex(20)
        self.stage.write_private("password", self.stage.password)
        place = subprocess.run(
            [self.stage.python, "-c", "import label_studio; print(label_studio.__path__[0])"], check=True,
            stdout=subprocess.PIPE, text=True).stdout.strip()
        with open(self.stage.server_log, "ab") as log:
            subprocess.run(
                [self.stage.python, place + "/manage.py", "migrate"], check=True, cwd=self.stage.root,
                stdout=log, stderr=log, env={**self.stage.environment, **self.secrets()})
        yield

    def command(self, python):
        return [
            os.path.join(os.path.dirname(python), "label-studio"), "start", "--no-browser", "--internal-host", "127.0.0.1",
            "--port", str(self.stage.server_port), "--data-dir", self.stage.root + "/studio", "--log-level", "WARNING",
            "--username", "me@example.org", "--password", self.stage.password, "--user-token", self.stage.password]

    def headers(self):
        return {"Authorization": "Token " + self.stage.password}

    def server(self):
        return {"baseURL": self.stage.server, "auth": {
            "kind": "header", "name": "Authorization", "prefix": "Token ", "valueFile": self.stage.password_file}}

    def declarations(self):
        one = self.LIST + "{id}/"
        return {
            "projects": {
                "list": "/api/projects/?page_size=100", "rows": "$.results", "id": "$.id",
                "pages": {"page": "page", "rows": "$.count"}, "columns": {"title": "text $.title"}},
            "notes": {
                "each": {"project": "projects"}, "list": self.LIST + "?project={project}&page_size=50",
                "rows": "$.tasks", "id": "$.id", "pages": {"page": "page", "rows": "$.total"},
                "create": {"path": self.LIST, "body": {
                    "project": "{project}", "data": {"text": "{title}", "done": "{done}", "size": "{size}"}}},
                "update": {"path": one}, "delete": {"path": one}, "read": {"path": one},
                "columns": {
                    "project": "@project",
                    "title": {"text": "$.data.text", "write": "both", "required": True},
                    "done": {"boolean": "$.data.done", "write": "both"},
                    "size": {"integer": "$.data.size", "write": "both"}, "moment": "text $.updated_at"}}}

    @staticmethod
    def data(values):
        return {"text": values["title"], "done": values["done"], "size": values["size"]}

    def add_project(self):
        self.projects.append(self.ask("POST", "/api/projects/", {
            "title": "garden", "label_config": '<View><Text name="text" value="$text"/></View>'})["id"])

    def fill(self, rows):
        while len(self.projects) < self.PROJECTS:
            self.add_project()
        for number, project in enumerate(self.projects):
            if part := rows[number::len(self.projects)]:
                self.ask("POST", f"/api/projects/{project}/import", [self.data(row) for row in part])

    def create(self, values):
        # The newest project is never the next to go.
        self.ask("POST", self.LIST, {"project": self.projects[-1], "data": self.data(values)})

    def update(self, number, values):
        if row := self.ask("GET", f"{self.LIST}{number}/"):
            self.ask("PATCH", f"{self.LIST}{number}/", {"data": {**row["data"], **values}})

    def delete(self, number):
        self.ask("DELETE", f"{self.LIST}{number}/")

    def change_more(self, chance):
        """Now and then there is another project, or the oldest one goes with its tasks."""
        kind = chance.random()
        if kind < 0.02:
            self.add_project()
        elif kind < 0.035 and len(self.projects) > self.PROJECTS // 2:
            self.ask("DELETE", f"/api/projects/{self.projects.pop(0)}/")

    def decide(self):
        """What was to be added below a project that is gone is dropped."""
        self.stage.rows(
            "DELETE FROM outbox WHERE op = 'create' AND list = 'notes' AND state IN ('queued', 'rejected') AND row_id IN"
            " (SELECT n._id FROM notes AS n LEFT JOIN projects AS p ON p._id = n.project WHERE p._id IS NULL)")

    def rows(self):
        """Every row, as (title, done, size, moment, project) by id."""
        rows = {}
        for project in list(self.projects):
            page, total = 1, 1
            while (page - 1) * 200 < total:
                answer = self.ask(
                    "GET", f"{self.LIST}?project={project}&page_size=200&page={page}", nothing=(403, 404))
                if answer is None:
                    break
                total, page = answer["total"], page + 1
                rows |= {
                    str(task["id"]): (*(task["data"].get(name) for name in ("text", "done", "size")), task["updated_at"],
                                      str(project)) for task in answer["tasks"]}
        return rows


class Journals(increment_servers.Redmine):
    """Each change of an issue has a journal, which only the issue alone shows. Issues come by increments, and journals of
    those that have changed."""

    # Reading a hundred issues takes half a minute, and what a kill breaks is read again.
    MOST, SLOWNESS = 60, 5
    LISTS = ["notes", "journals"]
    HELD = ("SELECT j._server_id, n._server_id, j.notes, j.created_on, j.details"
            " FROM journals AS j LEFT JOIN notes AS n ON n._id = j.note")

    def declarations(self):
        return {**super().declarations(), "journals": {
            "each": {"note": "notes", "changed": ["moment", "title", "done", "size"]},
            "list": "/issues/{note}.json?include=journals", "rows": "$.issue.journals", "id": "$.id",
            "columns": {
                "note": "@note", "author": "text $.user.name", "notes": "text $.notes", "created_on": "text $.created_on",
                "details": "json $.details"}}}

    def update(self, number, values):
        """With a comment, as people have something to say of a change."""
        self.ask("PUT", f"/issues/{number}.json", {
            "issue": {**self.issue(values)["issue"], "notes": f"changed to {values['size']}"}})

    def journals(self):
        """Every journal, as (issue, notes, moment, details) by id."""
        found = {}
        for number in self.rows():
            issue = self.ask("GET", f"/issues/{number}.json?include=journals")
            for journal in issue["issue"]["journals"] if issue else []:
                found[str(journal["id"])] = (number, journal["notes"], journal["created_on"], journal["details"])
        return found

    def judge_more(self):
        theirs, deadline = self.journals(), time.monotonic() + 120
        while True:
            ours = {str(key): (str(number), notes, moment, json.loads(details))
                    for key, number, notes, moment, details in self.stage.rows(self.HELD)}
            if ours == theirs:
                return f"; {len(theirs)} journals below them are equal, too"
            if time.monotonic() > deadline:
                lacking = [theirs[key] for key in theirs.keys() - ours.keys()]
                more = [ours[key] for key in ours.keys() - theirs.keys()]
                raise Failed(
                    f"journals: {len(lacking)} are not here, and {len(more)} are too many: {lacking[:2]} {more[:2]};"
                    f" {sum(ours[key] != theirs[key] for key in ours.keys() & theirs.keys())} are not equal")
            once_play.ask_for_cycles(self.stage)
            time.sleep(0.5)


ALL = {"label-studio": LabelStudio, "redmine-journals": Journals}
