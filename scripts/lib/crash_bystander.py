"""A program that keeps its connection to a cache while others die, and commits now and then. Imported,
never run."""

import contextlib
import subprocess

from crash_scenario import Broken

TITLES = "bystander "
# Each line is a title to commit, or empty to look; the answer is the error, or empty.
_PROGRAM = """
import sqlite3, sys
cache = None
for line in sys.stdin:
    title = line.strip()
    try:
        cache = cache or sqlite3.connect(
            "file:" + sys.argv[1] + "?mode=rw", uri=True, timeout=5, isolation_level=None)
        if title:
            cache.execute("INSERT INTO todos (title) VALUES (?)", (title,))
        else:
            cache.execute("SELECT count(*) FROM todos").fetchone()
        print(flush=True)
    except sqlite3.Error as error:
        print(error, flush=True)
"""
# There is no cache yet, or nobody has brought it to its first version.
_NOT_YET = ("unable to open database file", "no such table: todos")


class Bystander:
    """Connected from the beginning where there is a cache, else from its first commit on."""

    def __init__(self, cache):
        self.accepted = []
        self._process = subprocess.Popen(
            ["/usr/bin/python3", "-E", "-S", "-c", _PROGRAM, cache], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self._ask("")

    def _ask(self, title):
        self._process.stdin.write(title + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit("the bystander has ended")
        return answer.strip()

    def commit(self):
        """Adds a todo of its own, which has to be there from now on."""
        title = f"{TITLES}{len(self.accepted) + 1}"
        error = self._ask(title)
        if not error:
            self.accepted.append(title)
        elif error not in _NOT_YET:
            raise Broken("other", f"a program that is connected cannot commit: {error}")

    def end(self):
        """Killed: the last connection that closes would take the log away."""
        self._process.kill()
        self._process.wait()
        self._process.stdin.close()
        self._process.stdout.close()


@contextlib.contextmanager
def connected(cache):
    """A bystander as long as the block lasts."""
    bystander = Bystander(cache)
    try:
        yield bystander
    finally:
        bystander.end()
