"""demo-api with as many todos as a row of the benchmark wants, and a place for caches beside it. Imported,
never run."""

import json
import os
import shutil
import time

import stage as stages
from measure import REPOSITORY

# Known beforehand, so that a probe need not log in.
TOKEN = "c3luY2QtYmVuY2htYXJrLQ=="
MIGRATIONS = [
    os.path.join(REPOSITORY, "Migrations", name)
    for name in sorted(os.listdir(os.path.join(REPOSITORY, "Migrations"))) if name.endswith(".sql")]


def title(number):
    """As long as a line that somebody writes down: a list of a million has 45 MB."""
    return f"todo number {number:08}"


def write_state(path, count):
    """Writes a state file for demo-api with so many todos of the demo's account."""
    state = {
        "highestTodo": count, "highestUser": 1, "keptAnswers": {}, "rowsMade": count + 2,
        "todos": [{"id": n, "owner": 1, "title": title(n)} for n in range(1, count + 1)],
        "tokens": [{"string": TOKEN, "user": 1, "issuedAt": int(time.time())}],
        "users": [
            {"id": 1, "name": "Demo", "email": "demo@example.com", "password": "demo"}]}
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps({"format": "demo-api state 1", "state": state}) + "\n")


class ListServer(stages.Stage):
    """A stage whose server has `count` todos; `arguments` go to it as they are. A server that is not quiet
    tells of each request."""

    def __init__(self, setting, count, *arguments, is_quiet=True):
        super().__init__(setting.programs)
        self.setting = setting
        if count > 0:
            write_state(self.root + "/server", count)
            arguments = ["--state", self.root + "/server", *arguments]
        self.start_server(*(["--quiet"] if is_quiet else []), *arguments)
        self.configure()
        self.places = 0

    def new_place(self):
        """A directory for one run, with nothing in it; the one before goes."""
        shutil.rmtree(f"{self.root}/place{self.places}", ignore_errors=True)
        self.places += 1
        place = f"{self.root}/place{self.places}"
        os.mkdir(place)
        return place

    def syncd(self, place, *arguments, **options):
        """Runs a command of syncd whose cache is in `place`."""
        environment = {**self.environment, "XDG_STATE_HOME": place}
        return self.setting.run(
            [self.setting.syncd, *arguments, "--config", self.configuration],
            environment=environment, **options)

    def tables_of(self, name):
        """A file with the SQL of the tables that syncd makes of a list, for the C programs."""
        place = self.new_place()
        self.syncd(place, "sync", name)
        path = os.path.join(self.setting.work, name + ".sql")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.syncd(place, "lists", "show", name, "--sql").output)
        return path

    @staticmethod
    def cache_in(place):
        return place + "/syncd/cache.sqlite"

    def fetch(self, path="/todos"):
        """How long the server takes alone: the seconds of curl, and the bytes that came."""
        run = self.setting.run(
            ["curl", "--silent", "--fail", "--output", "/dev/null", "--header",
             f"Authorization: Bearer {TOKEN}", "--write-out", "%{time_total} %{size_download}",
             self.server + path])
        seconds, size = run.output.split()
        return float(seconds), int(size)
