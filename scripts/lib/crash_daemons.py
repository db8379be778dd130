"""The scenarios of the crash test with a daemon. Imported, never run."""

import os
import signal
import socket
import sqlite3
import time

from crash_commands import WithQueue
from crash_scenario import require
from crash_stage import PATIENCE, opened, rows


class Daemon(WithQueue):
    """A daemon for its whole life: a start with a queue, a todo that a script adds, the end."""

    name, about = "daemon", "`run` from its start to SIGTERM, a script writing meanwhile"
    arguments = ["run"]
    # Whether the daemon is followed only from the moment when it is at rest.
    late = False

    def begin(self, stage):
        stage.start_server()
        path = stage.run + "/notify"
        if os.path.exists(path):
            os.remove(path)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(path)
        self.socket.settimeout(0.02)
        stage.environment["NOTIFY_SOCKET"] = path
        self.accepted = []

    def end(self, stage):
        self.socket.close()
        stage.environment.pop("NOTIFY_SOCKET", None)

    def beside(self, stage, process, ended):
        """Goes on until the process has ended by itself or by being killed."""
        if self.heard("READY=1", ended):
            self.insert(stage, "script 1")
            if self.settled(stage, ended):
                self.signal(process, signal.SIGTERM, ended)

    @staticmethod
    def signal(process, number, ended):
        if not ended.is_set():
            os.kill(process, number)

    def insert(self, stage, title):
        try:
            with opened(stage.cache) as connection:
                connection.execute("INSERT INTO todos (title) VALUES (?)", (title,))
        except sqlite3.Error:
            return
        self.accepted.append(title)

    def heard(self, word, ended):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and not ended.is_set():
            try:
                if word in self.socket.recv(4096).decode():
                    return True
            except TimeoutError:
                continue
        return False

    def settled(self, stage, ended):
        """Whether the queue was found empty before the process ended."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and not ended.is_set():
            try:
                if rows(stage.cache, "SELECT count(*) FROM outbox", mode="ro")[0][0] == 0:
                    return True
            except sqlite3.Error:
                pass
            time.sleep(0.005)
        return False

    def look_inside(self, connection, accepted):
        titles = sorted(row[0] for row in connection.execute("SELECT title FROM todos"))
        due = sorted(self.wanted + self.accepted)
        require(titles == due, f"the cache shows {titles}, due was {due}", "loss")

    def compare(self, stage, accepted, extra=()):
        super().compare(stage, accepted, self.accepted)


class Reload(Daemon):
    name, about = "reload", "SIGHUP with a new configuration, a script writing meanwhile, SIGTERM"
    late = True

    def rest(self, stage, ended):
        """Brings the daemon to where it is followed from."""
        self.heard("READY=1", ended)
        self.settled(stage, ended)

    def beside(self, stage, process, ended):
        self.insert(stage, "script 1")
        stage.configure(interval="2h", concurrency=2)
        self.signal(process, signal.SIGHUP, ended)
        if self.heard("READY=1", ended):
            self.insert(stage, "script 2")
            if self.settled(stage, ended):
                self.signal(process, signal.SIGTERM, ended)
