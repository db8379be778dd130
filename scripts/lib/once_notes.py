"""The declared list of exactly-once: somebody adds, edits and removes its rows in every way there is, and remembers
what was accepted. Imported, never run."""

import collections
import json
import random
import sys
import time

from once_person import POOL, UNSHARED
from once_writer import Differs, Failed, Writer, differ, few

COLUMNS = ("title", "done", "size", "labels")
Row = collections.namedtuple("Row", COLUMNS)
# Rows by local id; ids that the cache remembers as gone in the last list; lines of `conflicts`.
Seen = collections.namedtuple("Seen", "shown departed conflicts")
Conflict = collections.namedtuple("Conflict", "seq row field why mine theirs")
# A row whose delete was refused is shown again: not wanted by the person, who lets it be tried again.
REFUSED = ("SELECT row_id FROM outbox "
           "WHERE list = 'notes' AND op = 'delete' AND state = 'rejected' AND row_id IS NOT NULL")


def declaration(keyed, edits, conflict="theirs"):
    """The list as syncd is told of it."""
    write = "both" if edits else "create"
    return {
        "server": "demo", "list": "/lists/notes", "id": "$.id", "interval": "1s",
        "create": True, "delete": True, **({"update": True, "conflict": conflict} if edits else {}),
        **({"once": {"header": "Idempotency-Key"}} if keyed else {}),
        "columns": {
            "title": {"text": "$.title", "write": write, "required": True},
            "done": {"boolean": "$.done", "write": write},
            "size": {"integer": "$.size", "write": write},
            "labels": {"json": "$.labels", "write": write}}}


def theirs():
    """What another client had before, as the server has it: of equal titles, too."""
    return [{"id": number, "title": title, "done": number % 3 == 0, "size": number, "labels": ["theirs", number]}
            for number, title in enumerate(POOL[:3] + UNSHARED, 1)]


def value(field, held):
    """A value as it is compared, however it is written."""
    if field == "labels" and isinstance(held, str):
        held = json.loads(held)
    if field == "labels":
        return None if held is None else json.dumps(held, sort_keys=True)
    return int(held) if field == "done" and held is not None else held


def of_server(row):
    return Row(*(value(field, row.get(field)) for field in COLUMNS))


class Note:
    """A row as the person wants it."""

    def __init__(self, row, local=None, server=None):
        self.row, self.local, self.server = row, local, server
        # All local ids that it has had.
        self.locals = {local}
        # Another client had it before.
        self.is_theirs = server is not None
        self.is_deleted = False
        # The last line of `conflicts` before it was deleted.
        self.deleted_after = None
        # Its place in the order of edits and deletes, what was shown then, and whether that is known for sure.
        self.delete_order, self.deleted_as, self.is_deleted_as_known = 0, None, False
        # Of our person and of the other client, in their order.
        self.edits, self.foreign = [], []


class Notes(Writer):
    """Adds and removes rows; `once_edits` edits them."""

    SIZES = [None, -1, 2**53 + 1]

    def __init__(self, stage, seed, killer, unkind, creates, deletes):
        super().__init__(stage, random.Random(f"notes {seed}"), killer, unkind)
        self.most_creates, self.most_deletes = creates, deletes
        self.prefix, self.titles = f"note {seed}", 0
        self.notes = [Note(of_server(row), server=str(row["id"])) for row in self.rows_of_others()]
        # Every local id that a row has had.
        self.ids = set()
        # Deletes that gave way to another's change.
        self.gave_way = 0
        self.numbers = 0

    @staticmethod
    def rows_of_others():
        return theirs()

    def next_number(self):
        """Of an edit or a delete: they are in this order."""
        self.numbers += 1
        return self.numbers

    # MARK: What the cache shows

    def seen(self):
        """All of it at one moment."""
        connection = self.connect()
        try:
            connection.execute("BEGIN")
            shown = {
                local: (server, Row(*map(value, COLUMNS, row))) for local, server, *row in connection.execute(
                    f"SELECT _id, _server_id, {', '.join(COLUMNS)} FROM notes WHERE _id NOT IN ({REFUSED})")}
            departed = {row[0] for row in connection.execute(
                "SELECT row_id FROM departed WHERE list = 'notes'")}
            conflicts = [Conflict(seq, row, field, why, value(field, mine), value(field, others))
                         for seq, row, field, why, mine, others in connection.execute(
                             "SELECT seq, row_id, field, why, mine, theirs FROM conflicts "
                             "WHERE list = 'notes' ORDER BY seq")]
            return Seen(shown, departed, conflicts)
        finally:
            connection.close()

    def look(self):
        """At every moment the cache shows what was accepted; returns what it shows.

        Rows may be missing that the cache remembers as gone in the last list, and no other."""
        seen = self.seen()
        self.bind(seen)
        lost, more = [], []
        known = {note.local: note for note in self.notes}
        for note in self.notes:
            if note.is_deleted:
                self.give_way(note, seen)
            if note.is_deleted:
                more += [note.row.title] if note.local in seen.shown else []
            elif note.local in seen.shown:
                self.compare(note, seen)
            elif note.local not in seen.departed and note.row.title not in UNSHARED:
                # What another client removed, nobody remembers when two lists have agreed.
                lost.append(note.row.title)
        more += [row.title for local, (_, row) in seen.shown.items() if local not in known]
        if lost or more:
            raise Differs(
                f"the cache's list, while things went wrong, differs: {len(lost)} lost {few(lost)}, "
                f"{len(more)} doubled or back {few(more)}", len(more))
        return seen

    def bind(self, seen):
        """Learns which local rows are those of the server. Another's row that was forgotten has a new local id."""
        known = {note.local: note for note in self.notes}
        others = {note.server: note for note in self.notes if note.is_theirs}
        for local, (server, _) in seen.shown.items():
            if local in known and server is not None:
                known[local].server = server
            elif local not in known and server in others:
                others[server].local = local
                others[server].locals.add(local)
        self.ids.update(note.local for note in self.notes)

    def give_way(self, note, seen):
        """A delete that gave way to another's change has given the row back."""
        if note.local in seen.shown and any(
                line.why == "delete" and line.row == note.local and line.seq > note.deleted_after
                for line in seen.conflicts):
            note.is_deleted = False
            self.gave_way += 1

    def compare(self, note, seen):
        """The shown row has the values that it was given."""
        shown = seen.shown[note.local][1]
        for field, held in zip(COLUMNS, shown):
            if held not in self.allowed(note, field, seen):
                # Whether it is another row of ours, which is there twice then.
                doubled = any(other.row == shown for other in self.notes if other is not note)
                raise Differs(
                    f"row {note.local} shows {held!r} in {field}, and not what was accepted", int(doubled))

    def allowed(self, note, field, _):
        return [getattr(note.row, field)]

    # MARK: Adding

    def new_row(self):
        self.titles += 1
        shared = self.chance.random() < 0.15
        title = self.chance.choice(POOL) if shared else f"{self.prefix}-{self.titles}" + self.chance.choice(
            ["", "", " it's \"so\"", " Käse"])
        return Row(
            title, self.chance.choice([None, 0, 1]), self.chance.choice([*self.SIZES, self.titles]),
            value("labels", self.chance.choice([None, [], ["home"], ["a", {"b": [1.5, None, "ä"]}]])))

    def add(self, count):
        way = self.chance.choice(["add", "lines", "sqlite3", "python", "killed"] + ["killed"] * self.unkind)
        if way == "add":
            count = 1
        rows = [self.new_row() for _ in range(count)]
        if way == "add":
            ids = self.syncd("add", "notes", *(
                f"{field}={self.argument(field, held)}" for field, held in zip(COLUMNS, rows[0])
                if held is not None)).split()
        elif way == "lines":
            ids = self.syncd("add", "notes", "-", text=self.lines(rows)).split()
        elif way == "sqlite3":
            ids = self.sqlite3("\n".join(self.insert(row) + " RETURNING _id;" for row in rows)).split()
        elif way == "python":
            ids = self.add_in_python(rows)
        else:
            ids = self.add_killed(rows)
            if ids is None:
                return
        if len(ids) != count:
            raise Failed(f"{way} printed {len(ids)} ids for {count} rows")
        self.notes += [Note(row, int(local)) for row, local in zip(rows, ids)]
        self.creates += count

    @staticmethod
    def argument(field, held):
        return ["false", "true"][held] if field == "done" else held

    @staticmethod
    def lines(rows):
        """Lines of JSON; a column without a value is null or left out."""
        return "".join(json.dumps({
            field: bool(held) if field == "done" else json.loads(held) if field == "labels" else held
            for field, held in row._asdict().items() if held is not None}) + "\n" for row in rows)

    @staticmethod
    def insert(row):
        values = ", ".join(quoted(held) for held in row)
        return f"INSERT INTO notes ({', '.join(COLUMNS)}) VALUES ({values})"

    def add_in_python(self, rows):
        connection = self.connect()
        try:
            connection.execute("BEGIN IMMEDIATE")
            ids = [connection.execute(
                f"INSERT INTO notes ({', '.join(COLUMNS)}) VALUES (?, ?, ?, ?)", row).lastrowid for row in rows]
            connection.execute("COMMIT")
            return ids
        finally:
            connection.close()

    def add_killed(self, rows):
        """Kills the writer itself; returns the ids of its rows, or None: it was accepted wholly or not at all."""
        if self.unkind:
            # A commit of many pages, which the next one overwrites in part.
            rows[:] = [row._replace(title=row.title.ljust(self.chance.randint(1, 4000), ".")) for row in rows]
        command, text = self.chance.choice([
            (self.command("add", "notes", "-"), self.lines(rows)), self.program(map(self.insert, rows))])
        status, _ = self.kill_writer(command, text)
        while True:
            seen = self.seen()
            self.bind(seen)
            # A row that the last list lacked comes with the next one.
            if seen.departed <= self.ids:
                break
            time.sleep(0.2)
        came = {local: row for local, (_, row) in sorted(seen.shown.items()) if local not in self.ids}
        if not came and status != 0:
            return None
        if list(came.values()) != rows:
            more = collections.Counter(came.values()) - collections.Counter(rows)
            raise Differs(
                f"a killed writer of {len(rows)} rows has added {len(came)}: {few(map(repr, came.values()))}",
                more.total())
        return list(came)

    def program(self, statements):
        """A program that runs them in one transaction, and is to be killed: its command and its input."""
        script = "BEGIN IMMEDIATE;\n" + ";\n".join(statements) + ";\nCOMMIT;\n"
        if self.chance.random() < 0.5:
            return ["sqlite3", "-batch", "-bail", "-cmd", ".timeout 5000", self.stage.cache], script
        return [sys.executable, "-E", "-S", "-c", "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=5)"
                ".executescript(sys.stdin.read())", self.stage.cache], script

    # MARK: Removing

    def remove(self, count):
        own = [note for note in self.notes if not note.is_theirs and not note.is_deleted]
        chosen = self.chance.sample(own, min(count, len(own)))
        before = self.look()
        last = before.conflicts[-1].seq if before.conflicts else 0
        ids = [note.local for note in chosen]
        way = self.chance.choice(["rm", "sqlite3", "python", "killed"])
        statements = [
            f"DELETE FROM notes WHERE _id = {number} RETURNING json_array(_id, {', '.join(COLUMNS)})" for number in ids]
        order, told = self.next_number(), []
        if way == "rm":
            try:
                self.syncd("rm", "notes", *map(str, ids))
            except Failed:
                # An id that a wrong list has taken away for a while is unknown, and none was deleted.
                if not self.seen().departed:
                    raise
        elif way == "sqlite3":
            told = self.sqlite3(";\n".join(statements) + ";").splitlines()
        elif way == "python":
            told = self.delete_in_python(statements)
        else:
            self.kill_writer(*self.program(statements))
        after = self.seen()
        deleted = {local: Row(*map(value, COLUMNS, row)) for local, *row in map(json.loads, told)}
        for note in chosen:
            # A row that a wrong list lacks at that moment is not there to be deleted.
            if note.local not in after.shown and note.local not in after.departed:
                note.is_deleted, note.deleted_after, note.delete_order = True, last, order
                note.is_deleted_as_known = note.local in deleted
                note.deleted_as = deleted.get(note.local, before.shown.get(note.local, (None, None))[1])
                self.deletes += 1

    def delete_in_python(self, statements):
        connection = self.connect()
        try:
            connection.execute("BEGIN IMMEDIATE")
            told = [row[0] for statement in statements for row in connection.execute(statement)]
            connection.execute("COMMIT")
            return told
        finally:
            connection.close()

    # MARK: The end

    def conclude(self, rows):
        """Compares the rows that were accepted, the cache and the server; returns a sentence about them."""
        seen = self.look()
        server = {str(row["id"]): of_server(row) for row in rows}
        differ_in_all("the server's list", server.values(), self.wanted(seen))
        differ_in_all("the cache's list", (row for _, row in seen.shown.values()), self.wanted(seen))
        if server != dict(seen.shown.values()):
            raise Failed("the rows of the cache's list have other ids than those of the server")
        unsynced = self.stage.rows("SELECT _id, title, _state FROM notes WHERE _state <> 'synced' LIMIT 5")
        if unsynced:
            raise Failed(f"not synced in the end: {unsynced}")
        return f"{len(server)} rows in four columns"

    def wanted(self, _):
        return [note.row for note in self.notes if not note.is_deleted]

    # MARK: What is to be done

    def to_make(self):
        return self.most_creates - self.creates, self.most_deletes - self.deletes

    def left(self):
        """How many creates and deletes are still to be made."""
        return sum(self.to_make())

    def step(self):
        """Adds or removes some rows."""
        creates, deletes = self.to_make()
        enough = sum(not note.is_theirs and not note.is_deleted for note in self.notes) > 12
        if deletes and (not creates or enough and self.chance.random() < 0.4):
            self.remove(min(deletes, self.chance.randint(1, 5)))
        elif creates:
            self.add(min(creates, self.chance.randint(1, 12)))


def differ_in_all(name, held, wanted):
    """Whether two sets of rows differ in any column."""
    differ(name, *(collections.Counter(map(repr, rows)) for rows in (held, wanted)))


def quoted(held):
    """A value in SQL."""
    return "NULL" if held is None else str(held) if isinstance(held, int) else "'%s'" % held.replace("'", "''")
