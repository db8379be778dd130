"""The play of real-increments: another client and our programs change rows while daemon and server are killed, and a judge
compares table and server meanwhile. Imported, never run."""

import collections
import itertools
import json
import random
import sqlite3
import subprocess
import threading
import time
import urllib.parse

import faulty_stage
import once_play
import real_stage
from once_writer import Failed

# So long a kill comes after the one before, at most: a list of thousands of rows is read in between.
LONGEST = 15.0
INTERVAL = "2s"
# A mark is a moment that has stood in the table for four minutes when a pull begins, and two lists come before.
FIRST_MARK = 600.0
# So often the judge looks, in seconds.
LOOK = 10.0


class IncrementStage(real_stage.RealStage):
    """A stage whose server can be asked for what changed, or whose daemon reads whole lists alone."""

    def __init__(self, programs, kind, seed, has_increments):
        self.has_increments = has_increments and kind.SINCE is not None
        super().__init__(programs, kind.python(), kind, seed, 0.0)
        self.timeout, self.lists = 10.0, kind.LISTS

    def declare(self, name, declaration):
        super().declare(name, {**declaration, "interval": INTERVAL})

    def look(self):
        """The mark, and the rows of the table by their ids at the server, as (title, done, size, moment) and what else the
        server looks at."""
        connection = sqlite3.connect(f"file:{urllib.parse.quote(self.cache)}?mode=ro", uri=True, timeout=10)
        try:
            # One transaction: the mark is that of these rows.
            connection.execute("BEGIN")
            mark = connection.execute(
                "SELECT mark FROM sync_status WHERE list = 'notes'").fetchone() if self.has_increments else None
            rows = connection.execute(self.framework.LOOK).fetchall()
        finally:
            connection.close()
        return mark and mark[0], {
            str(number): (title, None if done is None else bool(done), *more)
            for number, title, done, *more in rows if number is not None}

    def lists_read(self):
        """How many pulls began with an increment, and how many with the whole list."""
        counts = collections.Counter()
        for facts in faulty_stage.logged(self.proxy_log):
            query = facts.get("query", "")
            is_later = "_token=" in query or "offset=" in query and "offset=0" not in query.split("&")
            if facts.get("method") == "GET" and facts["path"].endswith(self.framework.LIST) and not is_later:
                counts[bool(self.framework.ASKED) and self.framework.ASKED in query] += 1
        return counts[True], counts[False]


class Changer(threading.Thread):
    """Changes rows at random until it is told to end. Throws what went wrong when it is joined."""

    def __init__(self, stage, seed, pause):
        super().__init__(daemon=True)
        self.stage, self.server, self.chance, self.pause = stage, stage.framework, random.Random(seed), pause
        self.over = threading.Event()
        self.changes = 0
        self.failure = None

    def run(self):
        try:
            while not self.over.wait(self.chance.uniform(0, self.pause)):
                self.step()
                self.changes += 1
        # Whatever it is, the script has to fail.
        except (Exception, SystemExit) as error:
            self.failure = error

    def end(self):
        self.over.set()
        self.join()
        if self.failure:
            raise Failed(f"{type(self).__name__} could not go on: {self.failure!r}")

    def values(self):
        return self.server.values(self.chance)


class OtherClient(Changer):
    """Another client of the server, which knows its rows by their ids."""

    NUMBERS = itertools.count(1)

    def __init__(self, stage, seed):
        super().__init__(stage, seed * 3 + 1, 0.2 * stage.framework.SLOWNESS)
        self.known = list(self.server.rows())

    def step(self):
        self.server.change_more(self.chance)
        kind = self.chance.random()
        if kind < 0.02:
            # Many at once, as imports are.
            self.server.fill([self.new_row() for _ in range(30)])
        elif kind < 0.2:
            self.server.create(self.new_row())
        elif kind < 0.35:
            self.server.delete(self.known.pop(self.chance.randrange(len(self.known))))
        else:
            self.server.update(self.chance.choice(self.known), self.values())
        if kind < 0.2 and self.chance.random() < 0.1:
            self.known = list(self.server.rows())

    def new_row(self):
        return {"title": f"their note {next(self.NUMBERS)}", **self.values()}


class OurProgram(Changer):
    """A program that writes to the table, also while no daemon runs."""

    NUMBERS = itertools.count(1)
    ANY = "(SELECT _id FROM notes ORDER BY random() LIMIT 1)"

    def __init__(self, stage, seed):
        super().__init__(stage, seed * 3 + 2, 2)
        # The ids at the server of the rows that it has deleted.
        self.deleted = set()

    def step(self):
        kind, values = self.chance.random(), self.values()
        try:
            if kind < 0.2:
                self.stage.rows(self.server.INSERT, f"our note {next(self.NUMBERS)}", *values.values())
            elif kind < 0.35:
                self.deleted |= {str(number) for number, in self.stage.rows(
                    f"DELETE FROM notes WHERE _id = {self.ANY} RETURNING _server_id")}
            else:
                self.stage.rows(f"UPDATE notes SET size = ? WHERE _id = {self.ANY}", values["size"])
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) and "busy" not in str(error):
                raise


class Judge:
    """Compares table and server: before the mark, no change of the server may be missing from the table."""

    def __init__(self, stage, program):
        self.stage, self.server, self.program = stage, stage.framework, program
        self.looks = 0
        # The ids at the server of the rows that the table had at the last look.
        self.had = set()

    def look(self):
        """What lies before the mark of a table that is read after the server was. And no row has left that lives."""
        theirs = self.server.rows()
        mark, ours = self.stage.look()
        lost, self.had = (self.had & theirs.keys()) - ours.keys(), set(ours)
        if lost and (lost := (lost & self.server.rows().keys()) - self.program.deleted):
            raise Failed(f"{len(lost)} rows have left the table, and the server has them, such as {min(lost)}")
        if mark is None:
            self.looks += not self.stage.has_increments
            return
        self.looks += 1
        order, late = self.server.order, []
        for number, row in theirs.items():
            is_here = number in ours and ours[number][3] is not None and order(ours[number][3]) >= order(row[3])
            if order(row[3]) < order(mark) and not is_here and number not in self.program.deleted:
                late.append(number)
        # What was deleted since is no fault.
        if late and (late := set(late) & self.server.rows().keys()):
            raise Failed(f"before the mark {mark}, the table lacks changes of {len(late)} rows, such as {min(late)}")

    def await_equal(self, seconds, what, has_deletions):
        """Waits until the table has every row of the server as it is there, and with deletions no other."""
        deadline = time.monotonic() + seconds
        while True:
            theirs, (_, ours) = self.server.rows(), self.stage.look()
            unequal = [number for number, row in theirs.items() if ours.get(number) != row]
            more = sorted(ours.keys() - theirs.keys()) if has_deletions else []
            if not unequal and not more:
                return len(theirs)
            if time.monotonic() > deadline:
                first = [(theirs[number], ours.get(number)) for number in unequal[:2]]
                first += [ours[number] for number in more[:2]]
                raise Failed(f"{what}: {len(unequal)} rows are not equal, and {len(more)} are too many: {first}")
            once_play.ask_for_cycles(self.stage)
            time.sleep(0.5)


def begin(stage, count):
    """Server, rows of the other client, proxy and daemon, until the table has the rows."""
    chance, count = random.Random(stage.seed), min(count, stage.framework.MOST)
    stage.revive("server")
    stage.framework.fill([{"title": f"note {number}", **stage.framework.values(chance)} for number in range(count)])
    stage.revive("proxy")
    stage.configure_real()
    stage.revive("daemon")
    stage.wait_for(f"SELECT count(*) = {count} FROM notes", 120, "the first list")


def await_mark(stage, judge, others):
    """Goes on until there is a first mark."""
    deadline = time.monotonic() + FIRST_MARK
    while stage.look()[0] is None:
        if time.monotonic() > deadline:
            raise Failed(f"there was no mark after {FIRST_MARK:.0f} s")
        watch(stage, judge, others, 5)


def watch(stage, judge, others, seconds):
    """Lets the others go on for so long, and looks at what they have done."""
    until = time.monotonic() + seconds
    while (rest := until - time.monotonic()) > 0:
        if others[0].over.wait(min(LOOK * stage.framework.SLOWNESS, rest)) or any(other.failure for other in others):
            break
        # After lists that were cut off, the daemon would wait for minutes.
        once_play.ask_for_cycles(stage)
        judge.look()
        once_play.look_for_damage(stage)
        once_play.retry(stage)


def play(stage, seed, count, minutes):
    """One seed at one server. Returns a sentence about it, and throws if anything is wrong."""
    with stage.framework.beneath():
        try:
            return played(stage, seed, count, minutes)
        finally:
            # The server goes before what is beneath it.
            for name in list(stage.running):
                stage.kill(name)


def played(stage, seed, count, minutes):
    begin(stage, count)
    program = OurProgram(stage, seed)
    others = [OtherClient(stage, seed), program]
    judge, killer = Judge(stage, program), once_play.Killer(stage, seed, LONGEST * stage.framework.SLOWNESS)
    for thread in [*others, killer]:
        thread.start()
    try:
        if stage.has_increments:
            await_mark(stage, judge, others)
        watch(stage, judge, others, minutes * 60)
    finally:
        for thread in [*others, killer]:
            thread.end()
    kills, pulls = sum(stage.kills.values()), stage.lists_read()
    settle(stage)
    rows = judge.await_equal(120, "in the end", stage.framework.TOMBSTONES or not stage.has_increments)
    missed = judged(stage, judge) if stage.has_increments else "read whole"
    if stage.has_increments and not pulls[0]:
        raise Failed("no increment was read")
    return (
        f"{others[0].changes} changes by another client, {program.changes} by programs, {kills} kills; {pulls[0]} increments"
        f" and {pulls[1]} {stage.framework.WHOLE}; {judge.looks} looks found nothing missing; {rows} rows are equal;"
        f" {missed}{stage.framework.judge_more()}")


def settle(stage):
    """Everything runs, and the queue drains."""
    for name in [*stage.mortal[1:], "daemon"]:
        stage.revive(name)
    deadline = time.monotonic() + 240
    while stage.rows("SELECT count(*) FROM outbox")[0][0]:
        if time.monotonic() > deadline:
            raise Failed("the queue did not end: " + json.dumps(
                stage.rows("SELECT op, title, state, attempts, last_error FROM outbox LIMIT 5")))
        once_play.retry(stage)
        stage.framework.decide()
        once_play.ask_for_cycles(stage)
        time.sleep(0.5)


def judged(stage, judge):
    """Reads the whole list as the judge of the increments: it has to find nothing that they should have shown."""
    limit = 60 * stage.framework.SLOWNESS
    # Where pages are counted, a row leaves when two lists in a row lack it.
    for _ in range(3):
        status = stage.start(
            "syncd", "sync", "notes", "--whole", "--timeout", str(limit), "--config", stage.configuration,
            stdout=subprocess.DEVNULL).wait(limit + 30)
        if status:
            raise Failed(f"syncd sync notes --whole ended with {status}")
    judge.await_equal(120, "after whole lists", True)
    missed, = stage.rows("SELECT missed FROM sync_status WHERE list = 'notes'")[0]
    if missed != 0:
        raise Failed(f"increments missed {missed} rows")
    return "nothing was missed"
