"""The servers of real-increments: how each is started, what another client asks of it, and what syncd is told of it.
Imported, never run."""

import base64
import contextlib
import http.client
import json
import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
import time
import urllib.parse

import pinned

HERE = os.path.dirname(os.path.abspath(__file__))
POSTGRES = "/usr/lib/postgresql/15/bin/"
COLUMNS = {
    "title": {"text": "$.title", "write": "both", "required": True},
    "done": {"boolean": "$.done", "write": "both"},
    "size": {"integer": "$.size", "write": "both"}}
KINTO = """
[app:main]
use = egg:kinto
kinto.storage_backend = kinto.core.storage.postgresql
kinto.storage_url = {url}
kinto.permission_backend = kinto.core.permission.postgresql
kinto.permission_url = {url}
kinto.cache_backend = kinto.core.cache.memory
kinto.userid_hmac_secret = {secret}
kinto.bucket_create_principals = system.Authenticated
multiauth.policies = basicauth
[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = %(http_port)s
threads = 4
[loggers]
keys = root
[handlers]
keys = console
[formatters]
keys =
[logger_root]
level = WARNING
handlers = console
[handler_console]
class = StreamHandler
args = (sys.stderr,)
"""


class Server:
    """One with a list of notes that can be asked for what changed. A row has title, done and size."""

    # The option of install-dependencies for its packages of Debian, if it has any.
    PACKAGES = None
    # How many rows it is given at most before the play begins.
    MOST = 1_000_000
    # So much seldomer it is changed, read by the judge, and killed: else no list of it could be read to its end.
    SLOWNESS = 1
    # No proxy of nginx stands before it.
    FRONT = None
    # What syncd is told of increments.
    SINCE = None
    # What stands in the address of a request for an increment.
    ASKED = None
    # Whether increments tell of deletions.
    TOMBSTONES = False
    # The column of the moment, as text or as a number.
    MOMENT = None
    LIST = None
    # What the daemon keeps; what the judge reads of the table, and how a program adds a row.
    LISTS = ["notes"]
    LOOK = "SELECT _server_id, title, done, size, moment FROM notes"
    INSERT = "INSERT INTO notes (title, done, size) VALUES (?, ?, ?)"
    # What a request for the list without a mark is.
    WHOLE = "whole lists"
    # The statuses of answers after which another client asks again. Kinto asks for it if two writes meet, and says 503
    # while its database is away.
    AGAIN = (409, 503)

    def __init__(self, stage):
        self.stage = stage

    def secrets(self):
        """What a life of the server is told by its environment."""
        return {}

    def values(self, chance):
        """Values of the two columns that are changed."""
        return {"done": chance.choice([None, True, False]), "size": chance.randint(-9, 9999)}

    @contextlib.contextmanager
    def beneath(self):
        """What has to run before the server does, and is not killed."""
        yield

    def change_more(self, chance):
        """What another client does beside its changes of notes."""

    def decide(self):
        """Decides about changes that the server does not take in the end."""

    def judge_more(self):
        """Compares what else the table has in the end; returns a sentence about it, behind a semicolon."""
        return ""

    def declarations(self):
        """The list with increments, or without them."""
        since = {"since": self.SINCE} if self.stage.has_increments else {}
        return {"notes": {**self.declaration(), **since}}

    def ask(self, method, path, body=None, nothing=(404,)):
        """Asks the server itself, and waits while it is away. A status in `nothing` is no error: None."""
        deadline = time.monotonic() + 60
        while True:
            try:
                status, answer = self.stage.ask_plainly(
                    method, path, None if body is None else json.dumps(body),
                    {"Content-Type": "application/json", **self.headers()})
                if status not in self.AGAIN or time.monotonic() > deadline:
                    break
            except (OSError, http.client.HTTPException):
                # The connection is refused or cut while the server is started again.
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.05)
        if status in nothing:
            return None
        if status >= 300:
            raise SystemExit(f"{method} {path}: {status} {answer}")
        return json.loads(answer) if answer else None


class FastAPI(Server):
    SINCE = {"query": "updated_since={since}", "moment": "$.updated_at"}
    ASKED = "updated_since="
    MOMENT = "text $.updated_at"
    LIST = "/notes"

    @staticmethod
    def python():
        return pinned.environment("real-servers")

    def command(self, python):
        return [python, "-m", "uvicorn", "--app-dir", HERE, "--host", "127.0.0.1", "--port",
                str(self.stage.server_port), "--no-access-log", "real_since:app"]

    def headers(self):
        return {"Authorization": "Bearer " + self.stage.password}

    def server(self):
        return {"baseURL": self.stage.server, "auth": {"kind": "bearer", "tokenFile": self.stage.password_file}}

    def declaration(self):
        return {
            "list": self.LIST, "rows": "$.data", "id": "$.id", "create": True, "update": True, "delete": True,
            "read": True, "pages": {"offset": "offset", "limit": ["limit", 500], "rows": "$.count"},
            "columns": {**COLUMNS, "moment": self.MOMENT}}

    def fill(self, rows):
        for start in range(0, len(rows), 500):
            self.ask("POST", "/notes/import", rows[start:start + 500])

    def create(self, values):
        self.ask("POST", self.LIST, values)

    def update(self, number, values):
        self.ask("PATCH", f"{self.LIST}/{number}", values)

    def delete(self, number):
        self.ask("DELETE", f"{self.LIST}/{number}")

    def rows(self):
        """Every row, as (title, done, size, moment) by id."""
        rows, offset = {}, 0
        while True:
            page = self.ask("GET", f"{self.LIST}?limit=1000&offset={offset}")["data"]
            rows |= {str(row["id"]): (row["title"], row["done"], row["size"], row["updated_at"]) for row in page}
            offset += len(page)
            if len(page) < 1000:
                return rows

    @staticmethod
    def order(moment):
        """A moment or a mark as it is compared. One without a fraction is spelled shorter."""
        return moment.rstrip("Z")


class Kinto(Server):
    PACKAGES = "--increments"
    SINCE = {"query": "_since={since}", "moment": "header ETag", "deleted": "$.deleted"}
    ASKED = "_since="
    TOMBSTONES = True
    MOMENT = "integer $.last_modified"
    LIST = "/buckets/garden/collections/notes/records"

    @staticmethod
    def python():
        return pinned.environment("real-increments")

    @contextlib.contextmanager
    def beneath(self):
        """A cluster of PostgreSQL in a directory of its own, which only its socket leads to."""
        owner = {}
        if os.geteuid() == 0:
            # PostgreSQL does not run as root.
            entry = pwd.getpwnam("postgres")
            owner = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        place = tempfile.mkdtemp(prefix="syncd-postgres-")
        child = None
        try:
            if owner:
                os.chown(place, owner["user"], owner["group"])
            subprocess.run(
                [POSTGRES + "initdb", "--auth=trust", "--username=kinto", "--encoding=UTF8", "--no-locale", "--no-sync",
                 place + "/data"], check=True, stdout=subprocess.DEVNULL, cwd=place, **owner)
            with open(self.stage.root + "/postgres.log", "ab") as log:
                child = subprocess.Popen(
                    [POSTGRES + "postgres", "-D", place + "/data", "-k", place, "-c", "listen_addresses=", "-c",
                     "fsync=off"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=place, **owner)
            self.prepare(place)
            yield
        finally:
            if child:
                # SIGINT ends it without waiting for clients.
                child.send_signal(2)
                try:
                    child.wait(30)
                except subprocess.TimeoutExpired:
                    child.kill()
                    child.wait()
            shutil.rmtree(place, ignore_errors=True)

    def prepare(self, socket):
        """The database, its tables, and the file that Kinto is started with."""
        deadline = time.monotonic() + 60
        while subprocess.run(
                [POSTGRES + "createdb", "-h", socket, "-U", "kinto", "kinto"], check=False,
                stderr=subprocess.DEVNULL).returncode:
            if time.monotonic() > deadline:
                raise SystemExit("PostgreSQL did not start")
            time.sleep(0.1)
        url = f"postgresql://kinto@/kinto?host={urllib.parse.quote(socket, safe='')}"
        self.file = self.stage.write_private("kinto.ini", KINTO.format(
            # A percent sign is a sign of the format of the file.
            url=url.replace("%", "%%"), secret="the secret of a test"))
        subprocess.run(
            [self.program(self.stage.python), "migrate", "--ini", self.file], check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def command(self, python):
        return [self.program(python), "start", "--ini", self.file, "--port", str(self.stage.server_port)]

    @staticmethod
    def program(python):
        return os.path.join(os.path.dirname(python), "kinto")

    def headers(self):
        return {"Authorization": "Basic " + base64.b64encode(f"me:{self.stage.password}".encode()).decode()}

    def server(self):
        return {
            "baseURL": self.stage.server + "/v1",
            "auth": {"kind": "basic", "user": "me", "passwordFile": self.stage.password_file}}

    def declaration(self):
        return {
            # A row that changes between two pages comes once more at the end.
            "list": self.LIST + "?_limit=1000&_sort=last_modified", "rows": "$.data", "id": "$.id", "pages": "link",
            "create": {"path": self.LIST, "body": {"data": "@row"}, "row": "$.data"},
            "update": {"path": self.LIST + "/{id}", "body": {"data": "@changed"}, "row": "$.data"},
            "delete": {"path": self.LIST + "/{id}"}, "read": {"path": self.LIST + "/{id}", "row": "$.data"},
            "columns": {**COLUMNS, "moment": self.MOMENT}}

    def fill(self, rows):
        for path in ("/v1/buckets/garden", "/v1/buckets/garden/collections/notes"):
            self.ask("PUT", path, {})
        for start in range(0, len(rows), 25):
            self.ask("POST", "/v1/batch", {
                "defaults": {"method": "POST", "path": self.LIST},
                "requests": [{"body": {"data": row}} for row in rows[start:start + 25]]})

    def create(self, values):
        self.ask("POST", "/v1" + self.LIST, {"data": values})

    def update(self, number, values):
        self.ask("PATCH", f"/v1{self.LIST}/{number}", {"data": values})

    def delete(self, number):
        self.ask("DELETE", f"/v1{self.LIST}/{number}")

    def rows(self):
        """Every row, as (title, done, size, moment) by id."""
        return {row["id"]: (row["title"], row.get("done"), row.get("size"), row["last_modified"])
                for row in self.ask("GET", "/v1" + self.LIST)["data"]}

    @staticmethod
    def order(moment):
        """A moment or a mark as it is compared. The mark is an entity tag."""
        return int(str(moment).strip('"'))


class Redmine(Server):
    """Debian's Redmine under puma, with an instance of its own in the stage. It tells moments in whole seconds."""

    PACKAGES = "--redmine"
    # Of 3000 rows, a whole list takes ten seconds, and each lacks rows that were deleted meanwhile: no increment is read.
    MOST = 800
    SLOWNESS = 3
    SINCE = {"query": "updated_on=>={since}", "moment": "$.updated_on"}
    ASKED = "updated_on="
    MOMENT = "text $.updated_on"
    LIST = "/issues.json"
    CODE = "/usr/share/redmine"
    MAKE = """
Setting.rest_api_enabled = "1"
Setting.notified_events = []
user = User.find_by_login("admin")
user.update_columns(must_change_passwd: false)
Project.create!(name: "garden", identifier: "garden")
File.write(ARGV.last, user.api_key)
"""

    @staticmethod
    def python():
        return None

    def secrets(self):
        # Redmine looks for its instances below its own code.
        instance = os.path.relpath(self.stage.root, self.CODE + "/instances")
        return {
            "REDMINE_INSTANCE": instance, "RAILS_ENV": "production", "REDMINE_LANG": "en",
            "SCHEMA": self.stage.root + "/schema.rb"}

    def values(self, chance):
        return {"done": chance.choice([True, False]), "size": 10 * chance.randint(0, 10)}

    @contextlib.contextmanager
    def beneath(self):
        root = self.stage.root
        for folder in ("config", "files", "log", "tmp"):
            os.mkdir(f"{root}/{folder}", 0o700)
        self.stage.write_private("config/database.yml", json.dumps({"production": {
            "adapter": "sqlite3", "database": self.stage.database, "timeout": 10000}}))
        self.stage.write_private("config/secret_key.txt", secrets.token_hex(64))
        for command in (
                ["rake", "db:migrate"], ["rake", "redmine:load_default_data"],
                ["rails", "runner", self.stage.write_private("make.rb", self.MAKE), root + "/password"]):
            subprocess.run(
                ["bundle", "exec", *command], check=True, cwd=self.CODE, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, env={**self.stage.environment, **self.secrets()})
        with open(self.stage.password_file, encoding="ascii") as file:
            self.stage.password = file.read()
        yield

    def command(self, _):
        # Of two threads that write to SQLite, Redmine lets one fail.
        return ["puma", "--dir", self.CODE, "-e", "production", "-t", "1:1", "-b",
                f"tcp://127.0.0.1:{self.stage.server_port}", self.CODE + "/config.ru"]

    def headers(self):
        return {"X-Redmine-API-Key": self.stage.password}

    def server(self):
        return {"baseURL": self.stage.server, "auth": {
            "kind": "header", "name": "X-Redmine-API-Key", "valueFile": self.stage.password_file}}

    def declaration(self):
        one = "/issues/{id}.json"
        return {
            "list": self.LIST + "?status_id=*&sort=id", "rows": "$.issues", "id": "$.id",
            "pages": {"offset": "offset", "limit": ["limit", 100], "rows": "$.total_count"},
            "create": {"path": "/projects/garden/issues.json", "body": {"issue": "@row"}, "row": "$.issue"},
            "update": {"method": "PUT", "path": one, "body": {"issue": "@changed"}}, "delete": {"path": one},
            "read": {"path": one, "row": "$.issue"},
            "columns": {
                "title": {"text": "$.subject", "write": "both", "required": True},
                "done": {"boolean": "$.is_private", "write": "both"},
                "size": {"integer": "$.done_ratio", "write": "both"}, "moment": self.MOMENT}}

    @staticmethod
    def issue(values):
        names = {"title": "subject", "done": "is_private", "size": "done_ratio"}
        return {"issue": {names[name]: value for name, value in values.items()}}

    def fill(self, rows):
        for row in rows:
            self.create(row)

    def create(self, values):
        self.ask("POST", "/projects/garden/issues.json", self.issue(values))

    def update(self, number, values):
        self.ask("PUT", f"/issues/{number}.json", self.issue(values))

    def delete(self, number):
        self.ask("DELETE", f"/issues/{number}.json")

    def rows(self):
        """Every row, as (title, done, size, moment) by id."""
        rows, offset = {}, 0
        while True:
            page = self.ask("GET", f"{self.LIST}?status_id=*&sort=id&limit=100&offset={offset}")["issues"]
            rows |= {str(row["id"]): (row["subject"], row["is_private"], row["done_ratio"], row["updated_on"])
                     for row in page}
            offset += len(page)
            if len(page) < 100:
                return rows

    @staticmethod
    def order(moment):
        return moment


ALL = {"kinto": Kinto, "fastapi": FastAPI, "redmine": Redmine}
