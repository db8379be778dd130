"""Where the crash and power-loss tests play: a directory in memory with a cache, its configuration
and a demo-api, which is put back to a kept state before each run. Imported, never run."""

import base64
import contextlib
import http.client
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
import time

EMAIL, PASSWORD = "demo@example.com", "demo"
# How long one step may take before the run counts as stuck.
# Doubt that two lists decide takes a minute between them, and two timeouts before.
PATIENCE = 100.0


def memory_directory(prefix):
    """A new directory on a file system in memory where there is one: syncs cost nothing there."""
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    return tempfile.mkdtemp(prefix=prefix, dir=place)


class Stage:
    """`run` is played in and thrown away; `kept` holds what it begins with, by name."""

    def __init__(self, programs, root):
        self.programs = programs
        self.root = root
        self.run = root + "/run"
        self.kept = root + "/kept"
        self.cache = self.run + "/state/cache.sqlite"
        self.configuration = self.run + "/config.json"
        self.environment = {
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": self.run,
            "XDG_STATE_HOME": self.run + "/xdg", "XDG_CONFIG_HOME": self.run + "/config"}
        self.port = 0
        self.server = None
        self.options = ()
        # Who is connected to the cache meanwhile.
        self.bystander = None
        # The kept state that `run` still is, to the byte, with its server in the beginning.
        self.untouched = None
        os.makedirs(self.kept)

    # MARK: Files

    def clear(self):
        shutil.rmtree(self.run, ignore_errors=True)
        os.makedirs(self.run + "/state", mode=0o700)
        os.makedirs(self.run + "/xdg", mode=0o700)

    def keep(self, name):
        self.stop_server()
        shutil.copytree(self.run, f"{self.kept}/{name}")

    def reset(self, name):
        if self.untouched == name:
            return
        self.untouched = None
        self.stop_server()
        self.join(None)
        shutil.rmtree(self.run, ignore_errors=True)
        shutil.copytree(f"{self.kept}/{name}", self.run)

    def is_like(self, name):
        """Whether the cache and all beside it are what was kept, byte for byte, and nothing is new."""
        kept = f"{self.kept}/{name}"
        return set(os.listdir(self.run)) == set(os.listdir(kept)) and all(
            contents(f"{self.run}/{part}") == contents(f"{kept}/{part}")
            for part in ("state", "xdg"))

    def join(self, bystander):
        """This one is connected from now on, and the one before no longer."""
        if self.bystander:
            self.bystander.end()
        self.bystander = bystander

    def accepted_beside(self):
        """What the bystander has committed, as titles."""
        return self.bystander.accepted if self.bystander else []

    def moved_aside(self):
        """What a salvage says of the cache, the empty text where there was none."""
        folder = self.run + "/state"
        names = os.listdir(folder) if os.path.exists(folder) else []
        notes = [name for name in names if ".corrupt-" in name and name.endswith(".txt")]
        return b" ".join(contents(folder)[name] for name in notes).decode()

    def configure(self, timeout="5s", movies=False, **todos):
        if self.port == 0:
            self.start_server()
        address = f"http://127.0.0.1:{self.port}"
        text = json.dumps({
            "database": self.cache,
            "movies": {"enabled": movies, "baseURL": address + "/3", "token": "demo"},
            "todos": {"baseURL": address, "email": EMAIL, "password": PASSWORD,
                      "interval": "1h", **todos},
            "http": {"timeout": timeout}})
        # A process that is running reads the old one or the new one.
        with open(self.configuration + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.configuration + ".new", 0o600)
        os.rename(self.configuration + ".new", self.configuration)

    # MARK: Programs

    def start_server(self, *options):
        """Starts demo-api on the state in `run`: first on a free port, later on the same one."""
        if self.untouched and self.server and options == self.options:
            return
        self.stop_server()
        self.options = options
        self.server = subprocess.Popen(
            [self.programs + "/demo-api", "--port", str(self.port), "--state",
             self.run + "/server", *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.server.stdout.readline()
        if not line:
            raise SystemExit("demo-api did not start")
        self.port = int(line.rsplit(":", 1)[1])

    def stop_server(self):
        if self.server is None:
            return
        self.server.kill()
        self.server.wait()
        self.server.stdout.close()
        self.server = None

    def syncd(self, *arguments):
        return subprocess.run(
            [self.programs + "/syncd", *arguments, "--config", self.configuration],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, timeout=PATIENCE, cwd=self.run)

    def must(self, *arguments):
        ended = self.syncd(*arguments)
        if ended.returncode != 0:
            raise SystemExit(f"syncd {' '.join(arguments)} failed: {ended.stderr}")
        return ended.stdout

    # MARK: What there is

    def request(self, method, path, body=None, authorization=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json"}
        if authorization:
            headers["Authorization"] = authorization
        connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        if answer.status >= 300:
            raise SystemExit(f"{method} {path} was answered {answer.status}")
        return json.loads(text) if text else None

    def login(self):
        """What another client says in its `Authorization`."""
        basic = base64.b64encode(f"{EMAIL}:{PASSWORD}".encode()).decode()
        answer = self.request("POST", "/login", authorization="Basic " + basic)
        return "Bearer " + answer["string"]

    def server_todos(self):
        """Id and title of each todo at the server, read past syncd and sorted."""
        rows = self.request("GET", "/todos", authorization=self.login())
        return sorted((str(row["id"]), row["title"]) for row in rows)

    def wait_for(self, is_there, what, patience=PATIENCE):
        """Looks seldom, because each look may be a reader, and others want the processor."""
        deadline = time.monotonic() + patience
        while not is_there():
            if time.monotonic() > deadline:
                raise TimeoutError(what)
            time.sleep(0.05)


def contents(directory):
    """Every file below a directory, as {path: bytes}, but the index of a log, which is made anew."""
    found = {}
    for place, _, names in os.walk(directory):
        for name in names:
            if name.endswith("-shm"):
                continue
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, directory)] = file.read()
    return found


@contextlib.contextmanager
def opened(path, mode="rw"):
    """A connection as a script would have it, in SQLite's own hands."""
    connection = sqlite3.connect(
        f"file:{path}?mode={mode}", uri=True, timeout=5, isolation_level=None)
    try:
        yield connection
    finally:
        connection.close()


def rows(path, sql, *values, mode="rw"):
    with opened(path, mode) as connection:
        return connection.execute(sql, values).fetchall()


def defects(connection):
    """What is wrong with a cache by SQLite's own checks and by its laws; a list of sentences."""
    found = [f"integrity_check: {row[0]}"
             for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
    found += [f"foreign_key_check: {row}"
              for row in connection.execute("PRAGMA foreign_key_check")]
    laws = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'view' AND name GLOB 'invariant_*'").fetchall()
    for (law,) in laws:
        found += [f"{law}: {row}" for row in connection.execute(f"SELECT * FROM {law}")]
    return found
