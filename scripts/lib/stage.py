"""What the benchmarks and the contention test share: syncd and demo-api on free loopback ports, in a
directory of their own. Imported, never run."""

import base64
import json
import os
import queue
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
import urllib.parse

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# What the documentation tells scripts to set.
BUSY_TIMEOUT = 5.0


def build(configuration):
    """Builds both programs and returns the directory they are in."""
    flags = ["--package-path", REPOSITORY, "-c", configuration]
    flags += ["--explicit-target-dependency-import-check", "error"]
    environment = {**os.environ, "SYNCD_STRICT": "1"}
    for product in ["syncd", "demo-api"]:
        subprocess.run(
            ["swift", "build", *flags, "--product", product],
            check=True, env=environment, stdout=subprocess.DEVNULL)
    shown = subprocess.run(
        ["swift", "build", *flags, "--show-bin-path"],
        check=True, env=environment, stdout=subprocess.PIPE, text=True)
    return shown.stdout.strip()


def secrets():
    """The password and the movies' token of the demo's account, or those in the private file that
    SYNCD_TEST_SECRETS names."""
    path = os.environ.get("SYNCD_TEST_SECRETS")
    if not path:
        return {"password": "demo", "token": "demo"}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def secret_arguments():
    """What demo-api has to be told of them."""
    path = os.environ.get("SYNCD_TEST_SECRETS")
    return ["--secrets", path] if path else []


def basic():
    """The value of `Authorization` to log in with."""
    pair = "demo@example.com:" + secrets()["password"]
    return "Basic " + base64.b64encode(pair.encode()).decode("ascii")


class Stage:
    """A directory with a cache, a server and a daemon; everything ends with it."""

    def __init__(self, programs):
        self.programs = programs
        # Where stages are left behind, for somebody who looks through them afterwards.
        self.kept = os.environ.get("SYNCD_TEST_KEEP")
        self.root = tempfile.mkdtemp(prefix="syncd-", dir=self.kept)
        self.environment = {
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": self.root,
            "XDG_STATE_HOME": self.root + "/state", "XDG_CONFIG_HOME": self.root + "/config"}
        self.configuration = self.root + "/config.json"
        self.cache = self.root + "/state/syncd/cache.sqlite"
        self.children = []
        # What stands before the command line of every program that is started.
        self.enter = []
        self.requests = queue.SimpleQueue()
        self.log = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for child in reversed(self.children):
            self.end(child)
        if not self.kept:
            shutil.rmtree(self.root, ignore_errors=True)

    def start(self, program, *arguments, **options):
        child = subprocess.Popen(
            [*self.enter, os.path.join(self.programs, program), *arguments], env=self.environment,
            stdin=subprocess.DEVNULL, text=True, **options)
        self.children.append(child)
        return child

    @staticmethod
    def end(child):
        if child.poll() is not None:
            return child.returncode
        child.send_signal(signal.SIGTERM)
        try:
            return child.wait(8)
        except subprocess.TimeoutExpired:
            child.kill()
            return child.wait()

    def start_server(self, *arguments):
        """Starts demo-api. Its requests come to `requests` as (moment, line)."""
        child = self.start(
            "demo-api", "--port", "0", *secret_arguments(), *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.server = self.movies_server = child.stdout.readline().split()[-1]

        def read():
            for line in child.stderr:
                self.requests.put((time.perf_counter(), line.strip()))

        threading.Thread(target=read, daemon=True).start()
        return child

    def start_movies(self, file, port="0"):
        """Starts a demo-api of its own for the movies, with one page."""
        child = self.start(
            "demo-api", "--quiet", "--port", port, *secret_arguments(), "--movies", file,
            stdout=subprocess.PIPE)
        self.movies_server = child.stdout.readline().split()[-1]
        return child

    def configure(self, allow=(), timeout="60s", movies="1h", **todos):
        """Writes the configuration: intervals of an hour unless `movies` and `interval` differ."""
        known = secrets()
        account = {"email": "demo@example.com", "password": known["password"]}
        token = {"token": known["token"]}
        if allow:
            # An inline secret is for this machine alone.
            token = {"tokenFile": self.write_private("movies-token", known["token"])}
            account = {"email": "demo@example.com",
                       "passwordFile": self.write_private("password", known["password"])}
        self.write_private("config.json", json.dumps({
            "movies": {"baseURL": self.movies_server + "/3", "interval": movies, **token},
            "todos": {"baseURL": self.server, "interval": "1h", **account, **todos},
            "http": {
                "timeout": timeout,
                "allowInsecure": [url + path for url in allow for path in ["", "/3"]]},
        }))

    def write_private(self, name, text):
        """Writes a file of the stage that only its owner can read, from the first byte."""
        path = os.path.join(self.root, name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with open(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def start_daemon(self, until="SELECT count(*) = 2 FROM sync_status WHERE state = 'ok'"):
        """Starts the daemon and returns it once it has synced both lists, or `until` says 1."""
        child = self.start(
            "syncd", "run", "--config", self.configuration, stderr=subprocess.PIPE)
        started = threading.Event()

        def read():
            for line in child.stderr:
                self.log.append(line.rstrip())
                started.set()
            started.set()

        threading.Thread(target=read, daemon=True).start()
        started.wait(30)
        self.wait_for(until, 30, "the first sync")
        return child

    def rows(self, sql, *values):
        """Runs SQL as a script would, in a connection of its own.

        A cache that is not there yet is an OperationalError: made by this, it would be open to all.
        """
        connection = sqlite3.connect(
            f"file:{urllib.parse.quote(self.cache)}?mode=rw", uri=True, timeout=BUSY_TIMEOUT)
        try:
            with connection:
                return connection.execute(sql, values).fetchall()
        finally:
            connection.close()

    def wait_for(self, sql, seconds, what):
        """Waits until the query says 1; looks seldom, because each look is a reader."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if self.rows(sql)[0][0] == 1:
                    return
            except sqlite3.OperationalError:
                # It is not there yet, or without its tables, or somebody writes for long.
                pass
            time.sleep(0.1)
        raise SystemExit(f"{what} did not come in {seconds} s\n" + "\n".join(self.log[-20:]))
