"""The servers of real-servers: how each is started, what it is asked, and what syncd is told of it. Imported, never
run."""

import collections
import contextlib
import hashlib
import itertools
import json
import os
import sqlite3
import threading
import urllib.parse
import uuid

from once_history import Words
from once_notes import COLUMNS, value
from web_token import web_token

HERE = os.path.dirname(os.path.abspath(__file__))
WRITABLE = {
    "title": {"text": "$.title", "write": "both", "required": True},
    "done": {"boolean": "$.done", "write": "both"},
    "size": {"integer": "$.size", "write": "both"},
    "labels": {"json": "$.labels", "write": "both"}}
# The database of the server itself writes down what its rows were.
RECORDER = """
CREATE TABLE IF NOT EXISTS history (seq INTEGER PRIMARY KEY, op, row, title, done, size, labels);
CREATE TRIGGER IF NOT EXISTS inserted AFTER INSERT ON item BEGIN
    INSERT INTO history VALUES (NULL, 'insert', new.id, new.title, new.done, new.size, new.labels); END;
CREATE TRIGGER IF NOT EXISTS updated AFTER UPDATE ON item BEGIN
    INSERT INTO history VALUES (NULL, 'update', new.id, new.title, new.done, new.size, new.labels); END;
CREATE TRIGGER IF NOT EXISTS deleted AFTER DELETE ON item BEGIN
    INSERT INTO history VALUES (NULL, 'delete', old.id, old.title, old.done, old.size, old.labels); END;
"""


class Record:
    """The values that each field of each row has had at the server, in their order, and which rows went."""

    def __init__(self, changes):
        self.values, self.removed = collections.defaultdict(list), set()
        for op, row, *values in changes:
            if op == "delete":
                self.removed.add(row)
                continue
            for field, held in zip(COLUMNS, values):
                past = self.values[row, field]
                if not past or past[-1] != value(field, held):
                    past.append(value(field, held))


class Framework:
    """One that keeps its rows in a table `item` of SQLite."""

    # The file of its declaration in examples/lists.
    EXAMPLE = None
    ID = "id"
    LIST = None
    # The method of its updates.
    UPDATE = "PATCH"
    # Values of the column `size` that this server keeps as they are.
    SIZES = [None, -1, 2**53 + 1]
    # Whether it takes white space off both ends of a text.
    TRIMS = False
    # What stands before it.
    FRONT = None
    # Whether its rows have versions, without which it takes no write.
    VERSIONS = False
    # Whether lists that did not change are answered 304.
    TAGS = False

    def __init__(self, stage):
        self.stage = stage
        self.headers = None

    def row_path(self, server):
        return f"{self.LIST}{server}"

    @staticmethod
    def row_of(facts):
        """The row path of a request in the proxy's log."""
        return facts["path"]

    def secrets(self):
        """What a life of the server is told by its environment."""
        return {}

    def example(self):
        with open(os.path.join(HERE, "../../examples/lists", self.EXAMPLE + ".json"), encoding="utf-8") as file:
            return json.load(file)

    def server(self):
        """That of the example, on this machine and with the secret of the stage."""
        server = self.example()["server"]
        server["baseURL"] = self.stage.server + urllib.parse.urlsplit(server["baseURL"]).path
        secret, = (name for name in server["auth"] if name.endswith("File"))
        server["auth"][secret] = self.stage.password_file
        return server

    def declaration(self):
        """That of the example, with the four columns of the writers, and with short pages."""
        declaration = {**self.example(), "columns": WRITABLE}
        if "limit" in declaration.get("pages", {}):
            declaration["pages"]["limit"][1] = 25
        return declaration

    def declarations(self):
        """Each list that syncd is told of."""
        return {"notes": self.declaration()}

    def ask(self, method, path, body=None, nothing=()):
        """Asks the server itself; logs in anew if the token has ended with a process. A status in `nothing` is no
        error: None."""
        for _ in range(2):
            self.headers = self.headers or self.log_in()
            status, answer = self.stage.ask_plainly(method, path, json.dumps(body) if body else None, {
                "Content-Type": "application/json", **self.headers})
            if status not in (401, 403):
                break
            self.headers = None
        if status in nothing:
            return None
        if status >= 300:
            raise SystemExit(f"{method} {path}: {status} {answer}")
        return json.loads(answer) if answer else None

    def words(self):
        """How its requests are read in the proxy's log."""
        return Words(self.LIST, self.row_path, self.row_of)

    def create(self, row):
        return str(self.ask("POST", self.LIST, row)[self.ID])

    def change(self, server, values):
        self.ask(self.UPDATE, self.row_path(server), values)

    def rows(self):
        """Every row of the server, with its id in `id`."""
        return [{**row, "id": row[self.ID]} for row in self.ask("GET", self.LIST)]

    def prepare(self):
        """What is done after the first start."""
        with sqlite3.connect(self.stage.database, timeout=10) as connection:
            connection.executescript(RECORDER)
        connection.close()

    def record(self):
        connection = sqlite3.connect(self.stage.database, timeout=10)
        try:
            return Record([(op, self.id_text(row), *values) for op, row, *values in connection.execute(
                f"SELECT op, row, {', '.join(COLUMNS)} FROM history ORDER BY seq")])
        finally:
            connection.close()

    @contextlib.contextmanager
    def restless(self):
        """While it is held, a row of a server with versions often has another one than the last list showed."""
        ended = threading.Event()

        def touch():
            while self.VERSIONS and not ended.wait(0.02):
                connection = sqlite3.connect(self.stage.database, timeout=10)
                with connection:
                    connection.execute("UPDATE item SET version = version + 1 "
                                       "WHERE id IN (SELECT id FROM item ORDER BY random() LIMIT 3)")
                connection.close()

        toucher = threading.Thread(target=touch, daemon=True)
        toucher.start()
        try:
            yield
        finally:
            ended.set()
            toucher.join()

    @staticmethod
    def id_text(row):
        return str(row)


class FastAPI(Framework):
    EXAMPLE = "fastapi"
    UPDATE = "PUT"
    LIST = "/api/v1/items/"

    def command(self, python):
        return [python, "-m", "uvicorn", "--app-dir", HERE, "--host", "127.0.0.1", "--port",
                str(self.stage.server_port), "--no-access-log", "real_fastapi:app"]

    def log_in(self):
        form = urllib.parse.urlencode({"username": "me@example.org", "password": self.stage.password})
        _, answer = self.stage.ask_plainly("POST", "/api/v1/login/access-token", form, {
            "Content-Type": "application/x-www-form-urlencoded"})
        return {"Authorization": "Bearer " + json.loads(answer)["access_token"]}

    def rows(self):
        return self.ask("GET", self.LIST + "?limit=100000")["data"]

    @staticmethod
    def id_text(row):
        return str(uuid.UUID(row))


class Django(Framework):
    EXAMPLE = "django-rest-framework"
    LIST = "/notes/"
    TRIMS = True

    def row_path(self, server):
        return f"/notes/{server}/"

    def command(self, python):
        return [python, os.path.join(HERE, "real_django.py"), str(self.stage.server_port)]

    def log_in(self):
        _, answer = self.stage.ask_plainly("POST", "/api-token-auth/", json.dumps(
            {"username": "me", "password": self.stage.password}), {"Content-Type": "application/json"})
        return {"Authorization": "Token " + json.loads(answer)["token"]}

    def rows(self):
        rows, page = [], 1
        while True:
            answer = self.ask("GET", f"{self.LIST}?page={page}")
            rows += answer["results"]
            if not answer["next"]:
                return rows
            page += 1


class OAuth(Django):
    """The same behind OAuth 2: what the stage has as a password is the refresh token of a person."""

    def secrets(self):
        return {"REAL_OAUTH": "1"}

    def server(self):
        return {"baseURL": self.stage.server, "auth": {
            "kind": "refresh", "path": "/o/token/", "tokenFile": self.stage.password_file,
            "secretFile": self.stage.write_private("client", "of ours"),
            "send": {"grant_type": "refresh_token", "refresh_token": "@token", "client_id": "syncd",
                     "client_secret": "@secret"}}}

    def log_in(self):
        return {"Authorization": "Bearer other-client"}


class Express(Framework):
    EXAMPLE = "express"
    LIST = "/api/notes"
    ID = "_id"
    # Numbers of JavaScript are exact up to 2^53.
    SIZES = [None, -1, 2**53 - 1]

    def row_path(self, server):
        return f"{self.LIST}/{server}"

    def command(self, _):
        return ["node", os.path.join(HERE, "real_express.js"), str(self.stage.server_port)]

    def log_in(self):
        return {"X-API-Key": self.stage.password}

    def prepare(self):
        """It keeps a journal anyway."""

    def record(self):
        with open(self.stage.database, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file.read().split("\n")[:-1]]
        return Record([(line["op"], line["row"]["_id"], *(line["row"].get(name) for name in COLUMNS))
                       for line in lines])


class PostgREST(Framework):
    """The stand-in. Each of its lives has a secret of its own, and no token of the one before is valid."""

    EXAMPLE = "postgrest"
    VERSIONS = True
    LIST = "/notes"
    KEYS = itertools.count(1)

    def row_path(self, server):
        return f"{self.LIST}?id=eq.{server}"

    @staticmethod
    def row_of(facts):
        return facts["path"] + "?" + facts["query"].partition("&")[0]

    def command(self, python):
        return [python, os.path.join(HERE, "real_postgrest.py"), str(self.stage.server_port)]

    def secrets(self):
        """Renews the file with the token, at once or not at all, as a program that renews tokens has to."""
        secret = hashlib.sha256(f"{self.stage.password} {next(self.KEYS)}".encode()).hexdigest()
        os.replace(self.stage.write_private("token.new", web_token(secret)), self.stage.root + "/token")
        return {"REAL_SECRET": secret}

    def log_in(self):
        with open(self.stage.root + "/token", encoding="utf-8") as file:
            return {"Authorization": "Bearer " + file.read(), "Prefer": "return=representation"}

    def server(self):
        return {**super().server(), "auth": {"kind": "bearer", "tokenFile": self.stage.root + "/token"}}

    def declaration(self):
        """With the columns that the example has beside the notes' own."""
        declaration, columns = super().declaration(), self.example()["columns"]
        return {**declaration, "columns": {"id": columns["id"], **WRITABLE, "version": columns["version"]}}

    def create(self, row):
        return str(self.ask("POST", self.LIST, row)[0][self.ID])


class Nginx(Express):
    """Express behind nginx: TLS with an authority of its own, gzip, a limit of requests, buffers.

    Express makes strong entity tags here, and nginx makes them weak, because it packs the answers. A list that did
    not change has to be known again by them."""

    FRONT = "nginx"
    TAGS = True

    def secrets(self):
        return {"REAL_TAGS": "strong"}


class GraphQLWords(Words):
    """Every request is a POST to one path, and says by `operationName` what it is."""

    def write(self, facts):
        body = self.body(facts)
        kind = {"edit": "edit", "remove": "delete"}.get(body.get("operationName"))
        return kind and (kind, str(body["variables"]["id"]))

    def values(self, facts):
        return self.body(facts)["variables"].get("note", {})

    def begins_list(self, facts):
        body = self.body(facts)
        return body.get("operationName") == "all" and "after" not in body["variables"]

    @staticmethod
    def body(facts):
        return json.loads(facts.get("body", "{}"))


class Strawberry(Framework):
    """A server in GraphQL, read and written by POST, with pages by cursor."""

    LIST = "/graphql/"
    FIELDS = "{ id title done size labels }"
    # An Int of GraphQL has 32 bits.
    SIZES = [None, -1, 2**31 - 1]
    ALL = ("query all($after: String) { notes(first: 25, after: $after) { nodes " + FIELDS
           + " pageInfo { endCursor hasNextPage } } }")
    ADD = "mutation add($note: NoteInput!) { createNote(note: $note) " + FIELDS + " }"
    EDIT = "mutation edit($id: ID!, $note: NoteInput!) { updateNote(id: $id, note: $note) " + FIELDS + " }"
    REMOVE = "mutation remove($id: ID!) { deleteNote(id: $id) }"
    ONE = "query one($id: ID!) { note(id: $id) " + FIELDS + " }"

    def command(self, python):
        return [python, "-m", "uvicorn", "--app-dir", HERE, "--host", "127.0.0.1", "--port",
                str(self.stage.server_port), "--no-access-log", "real_strawberry:app"]

    def words(self):
        return GraphQLWords(self.LIST, str)

    def log_in(self):
        return {"Authorization": "Bearer " + self.stage.password}

    def server(self):
        return {"baseURL": self.stage.server, "auth": {"kind": "bearer", "tokenFile": self.stage.password_file}}

    def body(self, query, variables):
        return {"operationName": query.split()[1].partition("(")[0], "query": query, "variables": variables}

    def declaration(self):
        return {
            "list": {"path": self.LIST, "body": self.body(self.ALL, {})},
            "rows": "$.data.notes.nodes", "id": "$.id", "columns": WRITABLE,
            "pages": {"cursor": "$.data.notes.pageInfo.endCursor", "as": "body $.variables.after",
                      "more": "$.data.notes.pageInfo.hasNextPage"},
            "create": {"row": "$.data.createNote", "body": self.body(self.ADD, {"note": "@row"})},
            "update": {"row": "$.data.updateNote", "body": self.body(self.EDIT, {"id": "@id", "note": "@changed"})},
            "delete": {"body": self.body(self.REMOVE, {"id": "@id"})},
            "read": {"row": "$.data.note", "body": self.body(self.ONE, {"id": "@id"})}}

    def query(self, query, variables):
        answer = self.ask("POST", self.LIST, self.body(query, variables))
        if answer.get("errors"):
            raise SystemExit(f"{query}: {answer['errors']}")
        return answer["data"]

    def create(self, row):
        return self.query(self.ADD, {"note": row})["createNote"]["id"]

    def change(self, server, values):
        self.query(self.EDIT, {"id": server, "note": values})

    def rows(self):
        rows, after = [], None
        while True:
            page = self.query(self.ALL, {"after": after} if after else {})["notes"]
            rows += page["nodes"]
            if not page["pageInfo"]["hasNextPage"]:
                return rows
            after = page["pageInfo"]["endCursor"]


ALL = {
    "fastapi": FastAPI, "django-rest-framework": Django, "express": Express, "nginx": Nginx, "postgrest": PostgREST,
    "strawberry": Strawberry, "oauth": OAuth}
