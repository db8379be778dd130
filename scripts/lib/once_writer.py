"""What the writers of exactly-once share: ways into the cache, and a death in the middle of one. Imported, never
run."""

import os
import signal
import sqlite3
import subprocess
import time

import stage as stages


class Failed(Exception):
    """A promise was broken."""


class Differs(Failed):
    """Two sets that have to be equal are not."""

    def __init__(self, text, doubled):
        super().__init__(text)
        self.doubled = doubled


class Unaccounted(Failed):
    """Nobody knows what became of an edit, or another client's was taken back."""


def differ(name, held, wanted):
    if held == wanted:
        return
    lost, more = wanted - held, held - wanted
    raise Differs(
        f"{name} differs: {sum(lost.values())} lost {few(lost)}, "
        f"{sum(more.values())} doubled or back {few(more)}", sum(more.values()))


def few(names):
    """The first of them, as they begin."""
    return [name[:40] for name in sorted(names)[:5]]


class Writer:
    """Writes in every way there is."""

    # A commit that leaves nothing.
    PROBE = ("INSERT INTO todos(title) VALUES(?)",
             "DELETE FROM todos WHERE id = (SELECT max(id) FROM todos WHERE title = 'probe')")

    def __init__(self, stage, chance, killer, unkind):
        self.stage, self.chance, self.killer, self.unkind = stage, chance, killer, unkind
        self.creates = self.deletes = 0
        self.refused = self.killed = 0

    def connect(self):
        return sqlite3.connect(
            self.stage.cache, timeout=stages.BUSY_TIMEOUT, isolation_level=None)

    def syncd(self, *arguments, text=None, reaching=False):
        """Runs the command until it is not busy, and with `reaching` until it reached the server;
        returns what it printed."""
        for _ in range(20):
            done = subprocess.run(
                self.command(*arguments), env=self.stage.environment, input=text or "",
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
            if done.returncode == 69 and reaching:
                time.sleep(1)
            elif done.returncode == 75:
                self.refused += 1
            else:
                break
        if done.returncode:
            raise Failed(f"{arguments} was refused: {done.returncode} {done.stderr}")
        return done.stdout

    def command(self, *arguments):
        return [os.path.join(self.stage.programs, "syncd"), *arguments, "--config", self.stage.configuration]

    def sqlite3(self, sql, *options):
        """Runs SQL in the shell, in one transaction; returns what it printed."""
        done = subprocess.run(
            ["sqlite3", "-batch", "-bail", *options, "-cmd", ".timeout 5000", self.stage.cache],
            input=f"BEGIN IMMEDIATE;\n{sql}\nCOMMIT;\n", env=self.stage.environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
        if done.returncode:
            raise Failed(f"sqlite3: {done.stderr}")
        return done.stdout

    def in_python(self, sql, rows, then="SELECT 1"):
        """Runs a statement once for each row of values, in one transaction."""
        connection = self.connect()
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(sql, rows)
            connection.execute(then)
            connection.execute("COMMIT")
        finally:
            connection.close()

    def kill_writer(self, command, text=None):
        """Kills a program while it writes; returns its exit status and how many words it printed."""
        with subprocess.Popen(
                command, env=self.stage.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL) as child:
            try:
                self.feed(child, text or "")
                waits = self.unkind and self.chance.random() < 0.7
                if waits:
                    self.wait_for_commit(child)
                child.wait(self.chance.uniform(0.0, 0.003 if waits else 0.06))
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
            printed = len(child.stdout.read().split())
        # Killed between the WAL and its index, a commit is seen by nobody until a recovery finds it, or
        # until the next writer takes its place: after one more commit its fate is sealed.
        self.in_python(self.PROBE[0], [("probe",)], self.PROBE[1])
        if self.unkind and self.chance.random() < 0.5:
            # A daemon that starts now finds the log as the dead writer and the next one left it.
            self.killer.strike(["daemon"], 0)
        self.killed += not child.returncode == 0
        return child.returncode, printed

    @staticmethod
    def feed(child, text):
        try:
            with child.stdin:
                child.stdin.write(text.encode())
        except BrokenPipeError:
            # It has ended without reading.
            pass

    def wait_for_commit(self, child):
        """Waits until somebody writes to the log, for as long as the child runs."""
        before = self.log_written()
        while child.poll() is None and self.log_written() == before:
            pass

    def log_written(self):
        """When somebody last wrote to the write-ahead log; 0 without one."""
        try:
            return os.stat(self.stage.cache + "-wal").st_mtime_ns
        except FileNotFoundError:
            return 0
