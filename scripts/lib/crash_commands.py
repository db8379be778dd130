"""The scenarios of the crash test with a command that ends by itself. Imported, never run."""

import json
import os
import re
import socket

from crash_scenario import KEPT, Scenario, hide_bystander, require
from crash_stage import PATIENCE, defects, opened
from stage import REPOSITORY

NEWEST = sum(name.endswith(".sql") for name in os.listdir(REPOSITORY + "/Migrations"))


class Create(Scenario):
    name, about = "create", "`todo add` of three titles"
    # Its commit is longer than the bystander's, which follows it in the log.
    adds = ["new 1", "new 2", "new 3 " + "x" * 4000]
    arguments = ["todo", "add", *adds]

    def look_inside(self, connection, accepted):
        count = connection.execute(
            "SELECT count(*) FROM todos WHERE title GLOB 'new *'").fetchone()[0]
        require(count == 3 or count == 0 and not accepted,
                f"{count} of 3 todos are in the cache", "loss")


class First(Create):
    name, about = "first", "the same, where there is no cache and no directory yet"
    template = "nothing"
    wanted = []

    def build(self, stage):
        stage.start_server()
        stage.configure()
        os.rmdir(stage.run + "/state")

    def look_inside(self, connection, accepted):
        if accepted or connection.execute(
                "SELECT count(*) FROM sqlite_schema WHERE name = 'todos'").fetchone()[0]:
            super().look_inside(connection, accepted)


class Delete(Scenario):
    name, about = "delete", "`todo rm` of two synced todos and a queued one"
    arguments = ["todo", "rm", "1", "2", "5"]
    template = "queued one"
    wanted = [*KEPT, "queued"]
    removes = ["kept 1", "kept 2", "queued"]

    def build(self, stage):
        super().build(stage)
        stage.must("todo", "add", "queued")

    def look_inside(self, connection, accepted):
        found = connection.execute("SELECT count(*) FROM todos").fetchone()[0]
        require(found == 2 or found == 5 and not accepted,
                f"{found} todos are in the cache", "loss")


class WithQueue(Scenario):
    """Two creates and a delete wait; whatever is killed, none of them may go."""

    template = "queue"
    wanted = ["kept 2", "kept 3", "kept 4", "new 1", "new 2"]

    def build(self, stage):
        super().build(stage)
        stage.must("todo", "add", "new 1", "new 2")
        stage.must("todo", "rm", "1")

    def look_inside(self, connection, accepted):
        titles = sorted(row[0] for row in connection.execute("SELECT title FROM todos"))
        require(titles == self.wanted, f"the cache shows {titles}", "loss")


class Replay(WithQueue):
    name, about = "replay", "`sync` with two creates and a delete, each answered"
    arguments = ["sync", "todos"]

    def begin(self, stage):
        stage.start_server()


class LostAnswers(Replay):
    name, about = "lost", "the same, the answers to the writes lost"
    normal = (0, 69, 75)
    _seed = None

    def prepare(self, stage):
        super().prepare(stage)
        if self._seed is None:
            type(self)._seed = self.find_seed(stage)

    def find_seed(self, stage):
        """A seed by which the server answers the list and loses the three answers after it."""
        stage.reset(self.template)
        for seed in range(1, 300):
            stage.start_server("--lose-answer-rate", "0.5", "--seed", str(seed))
            if [self.answers(stage) for _ in range(4)] == [True, False, False, False]:
                return seed
        raise SystemExit("no seed loses the answers that are to be lost")

    @staticmethod
    def answers(stage):
        with socket.create_connection(("127.0.0.1", stage.port), timeout=PATIENCE) as peer:
            peer.sendall(b"GET /todos HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            return peer.recv(1) != b""

    def begin(self, stage):
        stage.start_server("--lose-answer-rate", "0.5", "--seed", str(self._seed))


class Pull(Scenario):
    name, about = "pull", "`sync` of todos and movies that others have changed"
    arguments = ["sync"]
    template = "stale"
    wanted = ["kept 2", "kept 3", "kept 4", "theirs 1", "theirs 2"]
    old = (KEPT, ["Film 1", "Film 2", "Film 3"])
    # Between two pages a film may move unseen: one that they lack once is still shown.
    new = (wanted, ["Film 1", "Film 2", "Film 3", "Film 4", "Film 5"])

    @staticmethod
    def write_pages(stage, numbers):
        films = [{"id": n, "title": f"Film {n}", "original_title": f"Film {n}", "overview": "",
                  "release_date": "2027-01-01", "genre_ids": [], "popularity": 1, "adult": False,
                  "video": False, "vote_average": 0, "vote_count": 0, "poster_path": None,
                  "backdrop_path": None, "original_language": "en"} for n in numbers]
        names = []
        for page in (1, 2):
            part = films[:2] if page == 1 else films[2:]
            names.append(f"{stage.run}/page-{page}.json")
            with open(names[-1], "w", encoding="utf-8") as file:
                json.dump({"page": page, "results": part, "total_pages": 2,
                           "total_results": len(films)}, file)
        return names

    def build(self, stage):
        stage.start_server("--movies", *self.write_pages(stage, [1, 2, 3]))
        stage.configure(movies=True)
        bearer = stage.login()
        for title in KEPT:
            stage.request("POST", "/todos", {"title": title}, bearer)
        stage.must("sync")
        stage.request("DELETE", "/todos/1", authorization=bearer)
        for title in ("theirs 1", "theirs 2"):
            stage.request("POST", "/todos", {"title": title}, bearer)
        self.write_pages(stage, [2, 3, 4, 5])

    def begin(self, stage):
        stage.start_server("--movies", stage.run + "/page-1.json", stage.run + "/page-2.json")

    def look_inside(self, connection, accepted):
        for place, table in enumerate(("todos", "movies")):
            titles = sorted(row[0] for row in connection.execute(f"SELECT title FROM {table}"))
            allowed = [self.new[place]] if accepted else [self.old[place], self.new[place]]
            require(titles in allowed, f"{table} are {titles}: a pull in part")


class Migration(Scenario):
    name, about = "migration", "`todo add` on a cache of the first migration, with a queue"
    arguments = ["todo", "add", "new 1"]
    template = "old schema"
    wanted = ["kept 2", "kept 3", "kept 4", "queued"]
    adds = ["new 1"]

    def build(self, stage):
        super().build(stage)
        make_old(stage.cache)

    def look_inside(self, connection, accepted):
        versions = connection.execute("SELECT count(*) FROM migration").fetchone()[0]
        # One transaction each: a kill can fall between any two.
        require(
            versions == NEWEST or 1 <= versions < NEWEST and not accepted, f"{versions} migrations")
        titles = sorted(row[0] for row in connection.execute("SELECT title FROM todos"))
        allowed = [sorted(self.wanted + self.adds)] + ([] if accepted else [self.wanted])
        require(titles in allowed, f"the cache shows {titles}", "loss")

    def look(self, stage, copy, accepted):
        super().look(stage, copy, accepted)
        snapshot = copy + ".before-2"
        if os.path.exists(snapshot):
            with opened(snapshot) as connection:
                require(not defects(connection), "the snapshot is damaged")
                hide_bystander(connection)
                titles = sorted(row[0] for row in connection.execute("SELECT title FROM todos"))
                require(titles == self.wanted, f"the snapshot shows {titles}", "loss")


def make_old(path):
    """Takes back what the second migration has made: a cache as the release before it left it."""
    name = "0002_add_changes_history_and_checks.sql"
    with open(f"{REPOSITORY}/Migrations/{name}", encoding="utf-8") as file:
        made = re.findall(r"^CREATE (TABLE|VIEW|INDEX|TRIGGER) (\w+)", file.read(), re.MULTILINE)
    with opened(path) as old:
        for kind, name in reversed(made):
            old.execute(f"DROP {kind} IF EXISTS {name}")
        old.execute("DELETE FROM migration WHERE version = 2")
        old.execute("DELETE FROM todos WHERE title = 'kept 1'")
        old.execute("INSERT INTO todos (title) VALUES ('queued')")


class Backup(WithQueue):
    name, about = "backup", "`backup` of a cache with a queue"
    arguments = ["backup", "copy.sqlite"]

    def look(self, stage, copy, accepted):
        super().look(stage, copy, accepted)
        made = stage.run + "/copy.sqlite"
        require(os.path.exists(made) or not accepted, "there is no copy", "loss")
        if not os.path.exists(made):
            return
        with opened(made) as connection:
            require(not defects(connection), "the copy is damaged")
            self.look_inside(connection, accepted)

    def recover(self, stage):
        made = stage.run + "/copy.sqlite"
        ended = stage.syncd("backup", "copy.sqlite")
        require(ended.returncode in (0, 65), f"no backup can be made any more: {ended.stderr}")
        require(os.path.exists(made), "there is no copy after a second backup")
        super().recover(stage)


class Login(Scenario):
    name, about = "login", "`login` with a token file already there"
    arguments = ["login"]

    def begin(self, stage):
        stage.start_server()

    def look(self, stage, copy, accepted):
        super().look(stage, copy, accepted)
        path = stage.run + "/xdg/syncd/token.json"
        with open(path, encoding="utf-8") as file:
            require("token" in json.load(file), "the token file is not whole")
        require(os.stat(path).st_mode & 0o777 == 0o600, "the token file is open to others")
        for name in os.listdir(os.path.dirname(path)):
            mode = os.stat(os.path.join(os.path.dirname(path), name)).st_mode
            require(mode & 0o077 == 0, f"{name} is open to others")
