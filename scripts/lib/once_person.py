"""The person of exactly-once, who adds and removes todos while things go wrong. Imported, never run."""

import collections
import random

import crash_bystander
from once_writer import Failed, Writer, differ

# Titles that many todos share.
POOL = ["milk", "bread", "milk ", "Käse", "two  words"]
# What another client had before: these rows have to survive, and are of equal titles, too. Those come
# first: a list that is cut before them lacks most rows, and is held.
UNSHARED = [f"foreign {number}" for number in range(20)]
FOREIGN = POOL[:3] + UNSHARED
# A todo whose delete was refused is shown again: not wanted by the person, who lets it be tried again.
WANTED = "NOT (state = 'rejected' AND server_id IS NOT NULL)"


class Person(Writer):
    """Adds and removes todos in every way there is, and remembers what was accepted."""

    def __init__(self, stage, seed, killer, unkind, creates, deletes):
        super().__init__(stage, random.Random(seed), killer, unkind)
        self.most_creates, self.most_deletes = creates, deletes
        # It connects now and stays connected until the end.
        self.bystander = crash_bystander.Bystander(stage.cache) if unkind else None
        self.wanted = collections.Counter(FOREIGN)
        self.titles = 0
        self.prefix = f"todo {seed}"

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
            self.in_python("INSERT INTO todos(title) VALUES(?)", [(title,) for title in titles])
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
        status, printed = self.kill_writer(self.command("todo", "add", *titles))
        after = self.shown()
        # Rows of the other client may have come back since, after a wrong list.
        came = after - before - collections.Counter(UNSHARED)
        accepted = bool(came)
        if accepted:
            differ(
                "the cache, to which a killed writer adds all or nothing,", came,
                collections.Counter(titles))
        if not accepted and (printed or status == 0):
            raise Failed("ids were printed of todos that are not in the cache")
        return accepted

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
            self.in_python("DELETE FROM todos WHERE id = ?", [(number,) for number in ids])
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
                "UNION ALL SELECT identity FROM departed WHERE list = 'todos' "
                # Those whose id is another row's by now are remembered for their echo alone.
                "AND server_id NOT IN (SELECT server_id FROM todos WHERE server_id IS NOT NULL)"))

    def look(self):
        """At every moment the cache shows what was accepted, whatever became of it so far.

        Rows may be missing that the cache remembers as gone in the last list, and no other."""
        shown = self.shown()
        missing = self.wanted - shown
        # What another client removed, nobody remembers when two lists have agreed.
        if not missing - collections.Counter(UNSHARED):
            shown += missing
        differ("the cache, while things went wrong,", shown, self.wanted)

    def left(self):
        """How many creates and deletes are still to be made."""
        return sum(self.to_make())

    def to_make(self):
        return self.most_creates - self.creates, self.most_deletes - self.deletes

    def step(self):
        """Adds or removes some todos."""
        creates, deletes = self.to_make()
        enough = sum(self.wanted.values()) - len(FOREIGN) > 20
        if deletes and (not creates or enough and self.chance.random() < 0.4):
            self.remove(min(deletes, self.chance.randint(1, 5)))
        else:
            self.add(min(creates, self.chance.randint(1, 12)))
