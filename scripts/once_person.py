"""The person of exactly-once, who adds and removes todos while things go wrong. Imported, never run."""

import collections
import glob
import os
import random
import signal
import sqlite3
import subprocess
import time

import crash_bystander
import stage as stages

# Titles that many todos share.
POOL = ["milk", "bread", "milk ", "Käse", "two  words"]
# What another client had before: these rows have to survive, and are of equal titles, too. Those come
# first: a list that is cut before them lacks most rows, and is held.
UNSHARED = [f"foreign {number}" for number in range(20)]
FOREIGN = POOL[:3] + UNSHARED
# A todo whose delete was refused is shown again: not wanted by the person, who lets it be tried again.
WANTED = "NOT (state = 'rejected' AND server_id IS NOT NULL)"


class Failed(Exception):
    """A promise was broken."""


class Differs(Failed):
    """Two sets that have to be equal are not."""

    def __init__(self, text, doubled):
        super().__init__(text)
        self.doubled = doubled


def differ(name, held, wanted):
    if held == wanted:
        return
    lost, more = wanted - held, held - wanted
    raise Differs(
        f"{name} differs: {sum(lost.values())} lost {few(lost)}, "
        f"{sum(more.values())} doubled or back {few(more)}", sum(more.values()))


def few(titles):
    """The first of them, as they begin."""
    return [title[:40] for title in sorted(titles)[:5]]


class Person:
    """Adds and removes todos in every way there is, and remembers what was accepted."""

    def __init__(self, stage, seed, killer, unkind):
        self.stage, self.chance, self.killer = stage, random.Random(seed), killer
        self.unkind = unkind
        # It connects now and stays connected until the end.
        self.bystander = crash_bystander.Bystander(stage.cache) if unkind else None
        self.wanted = collections.Counter(FOREIGN)
        self.titles = self.creates = self.deletes = 0
        self.refused = self.killed = 0
        self.prefix = f"todo {seed}"

    def connect(self):
        return sqlite3.connect(
            self.stage.cache, timeout=stages.BUSY_TIMEOUT, isolation_level=None)

    def syncd(self, *arguments, text=None, reaching=False):
        """Runs the command until it is not busy, and with `reaching` until it reached the server;
        returns what it printed."""
        for _ in range(20):
            done = subprocess.run(
                [os.path.join(self.stage.programs, "syncd"), *arguments, "--config",
                 self.stage.configuration], env=self.stage.environment, input=text or "",
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

    def sqlite3(self, sql):
        done = subprocess.run(
            ["sqlite3", "-batch", "-bail", "-cmd", ".timeout 5000", self.stage.cache],
            input=f"BEGIN IMMEDIATE;\n{sql}\nCOMMIT;\n", env=self.stage.environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
        if done.returncode:
            raise Failed(f"sqlite3: {done.stderr}")

    def new_titles(self, count):
        titles = []
        for _ in range(count):
            self.titles += 1
            shared = self.chance.random() < 0.15
            titles.append(
                self.chance.choice(POOL) if shared else f"{self.prefix}-{self.titles}")
        return titles

    def add(self, count):
        ways = ["add", "lines", "sqlite3", "python", "killed"]
        way = self.chance.choice(ways + (["bystander", "killed"] if self.unkind else []))
        titles = self.new_titles(count)
        if way == "bystander":
            for _ in range(count):
                self.bystander.commit()
            titles = self.bystander.accepted[-count:]
        elif way == "add":
            ids = self.syncd("todo", "add", *titles).split()
            if len(ids) != count:
                raise Failed(f"todo add printed {len(ids)} ids for {count} todos")
        elif way == "lines":
            # Lines are trimmed by nobody; a title is what it is.
            self.syncd("todo", "add", "-", text="".join(title + "\n" for title in titles))
        elif way == "sqlite3":
            self.sqlite3("\n".join(
                "INSERT INTO todos(title) VALUES('%s');" % title for title in titles))
        elif way == "python":
            self.in_python("INSERT INTO todos(title) VALUES(?)", titles)
        elif not self.add_killed(titles):
            return
        self.wanted.update(titles)
        self.creates += count

    def add_killed(self, titles):
        """Kills the writer itself; returns whether it had been accepted: wholly or not at all."""
        if self.unkind:
            # A commit of many pages, which the next one overwrites in part.
            titles[:] = [title.ljust(self.chance.randint(1, 4000), ".") for title in titles]
        before = self.shown()
        with subprocess.Popen(
                [os.path.join(self.stage.programs, "syncd"), "todo", "add", *titles, "--config",
                 self.stage.configuration], env=self.stage.environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
            try:
                if self.unkind and self.chance.random() < 0.7:
                    self.wait_for_commit(child)
                child.wait(self.chance.uniform(0.0, 0.003 if self.unkind else 0.06))
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
            printed = len(child.stdout.read().split())
        # Killed between the WAL and its index, a commit is seen by nobody until a recovery finds it, or
        # until the next writer takes its place: after one more commit its fate is sealed.
        self.in_python("INSERT INTO todos(title) VALUES(?)", ["probe"], "DELETE FROM todos "
                       "WHERE id = (SELECT max(id) FROM todos WHERE title = 'probe')")
        if self.unkind and self.chance.random() < 0.5:
            # A daemon that starts now finds the log as the dead writer and the next one left it.
            self.killer.strike(["daemon"], 0)
        after = self.shown()
        # Rows of the other client may have come back since, after a wrong list.
        came = after - before - collections.Counter(UNSHARED)
        accepted = bool(came)
        if accepted:
            differ(
                "the cache, to which a killed writer adds all or nothing,", came,
                collections.Counter(titles))
        self.killed += not child.returncode == 0
        if not accepted and (printed or child.returncode == 0):
            raise Failed("ids were printed of todos that are not in the cache")
        return accepted

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

    def in_python(self, sql, values, then="SELECT 1"):
        connection = self.connect()
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(sql, [(value,) for value in values])
            connection.execute(then)
            connection.execute("COMMIT")
        finally:
            connection.close()

    def remove(self, count):
        own = sorted((self.wanted - collections.Counter(FOREIGN)).elements())
        titles = self.chance.sample(own, min(count, len(own)))
        ids = []
        for title, number in collections.Counter(titles).items():
            rows = self.stage.rows(
                f"SELECT id FROM todos WHERE title = ? AND {WANTED} ORDER BY id DESC LIMIT ?",
                title, number)
            if len(rows) != number and self.shown()[title] < number:
                raise Failed(f"{title!r} was accepted and is not in the cache")
            ids += [row[0] for row in rows]
        before = self.shown()
        way = self.chance.choice(["rm", "sqlite3", "python"])
        if way == "rm":
            try:
                self.syncd("todo", "rm", *[str(number) for number in ids])
            except Failed:
                # An id that a wrong list has taken away for a while is unknown, and none was deleted.
                if not self.stage.rows("SELECT 1 FROM departed LIMIT 1"):
                    raise
        elif way == "sqlite3":
            self.sqlite3("\n".join(f"DELETE FROM todos WHERE id = {number};" for number in ids))
        else:
            self.in_python("DELETE FROM todos WHERE id = ?", ids)
        # A row that a wrong list lacks at that moment is not there to be deleted.
        deleted = (before - self.shown()) & collections.Counter(titles)
        self.wanted -= deleted
        self.deletes += deleted.total()

    def shown(self):
        """The titles in the cache, and those that it remembers as gone in the last list: a list that lacks
        less than half of all rows is believed until the next one has them, for rows without a change that
        waits."""
        return collections.Counter(
            row[0] for row in self.stage.rows(
                f"SELECT title FROM todos WHERE {WANTED} "
                "UNION ALL SELECT identity FROM departed WHERE resource = 'todos'"))

    def look(self):
        """At every moment the cache shows what was accepted, whatever became of it so far.

        Rows may be missing that the cache remembers as gone in the last list, and no other."""
        self.look_for_damage()
        shown = self.shown()
        missing = self.wanted - shown
        # What another client removed, nobody remembers when two lists have agreed.
        if not missing - collections.Counter(UNSHARED):
            shown += missing
        differ("the cache, while things went wrong,", shown, self.wanted)

    def look_for_damage(self):
        """The cache is sound all the time, so nobody may say that it is damaged."""
        copies = glob.glob(glob.escape(self.stage.cache) + ".*corrupt-*")
        with open(self.stage.daemon_log, encoding="utf-8") as log:
            said = [line for line in log if "damaged" in line or "salvage" in line]
        if copies or said:
            raise Failed(f"a sound cache was taken for damaged: {said[:1]} {copies[:1]}")

    def retry(self):
        """What was refused, by the server or by a firewall, is tried again."""
        self.stage.rows("UPDATE outbox SET state = 'queued' WHERE state = 'rejected'")

    def nudge(self):
        """Somebody asks for a cycle, in one of the three ways."""
        if self.chance.random() < 0.2:
            # In this process where no daemon runs; its exit code says nothing about the todos.
            self.stage.start(
                "syncd", "sync", "todos", "--timeout", "3", "--config", self.stage.configuration,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        else:
            self.stage.rows("INSERT INTO sync_requests(resource) VALUES('todos')")

    def work(self, creates, deletes):
        last_nudge = time.monotonic()
        while self.creates < creates or self.deletes < deletes:
            left = creates - self.creates, deletes - self.deletes
            enough = sum(self.wanted.values()) - len(FOREIGN) > 20
            if left[1] and (not left[0] or enough and self.chance.random() < 0.4):
                self.remove(min(left[1], self.chance.randint(1, 5)))
            else:
                self.add(min(left[0], self.chance.randint(1, 12)))
            self.look()
            # A client that seldom asks sees few wrong lists.
            if time.monotonic() - last_nudge > (0.4 if self.unkind else 1):
                self.nudge()
                self.retry()
                last_nudge = time.monotonic()
            time.sleep(self.chance.uniform(0, 0.25))
