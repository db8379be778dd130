"""What the cache shows of projects and tasks of exactly-once, and what was accepted of them. Imported, never run."""

import contextlib
import random
import time

from once_related_rows import REFERENCES, Doom, Row
from once_writer import Differs, Unaccounted, Writer, few

# Rows by title: (local id, server's id, {column: local id of the other row}).
SHOWN = {
    "projects": "SELECT title, _id, _server_id FROM projects",
    "tasks": "SELECT title, _id, _server_id, project, parent FROM tasks"}
# A row whose delete was refused is shown again, and so is one whose delete gave way.
BACK = ("SELECT list, row_id FROM outbox WHERE op = 'delete' AND state = 'rejected' "
        "UNION SELECT list, row_id FROM conflicts WHERE why = 'delete'")
END_DOUBTS = "UPDATE outbox SET state = 'rejected' WHERE state = 'in doubt' AND last_status BETWEEN 400 AND 499"


class RelatedCache(Writer):
    """Remembers what was accepted, compares it with what the cache shows, and decides about what was refused."""

    # So many seconds after the heal, nothing that was sent before can arrive: the proxy forwards until 1.3 timeouts.
    FAULTS_END = 6
    PROBE = ("INSERT INTO projects(title) VALUES(?)",
             "DELETE FROM projects WHERE _id = (SELECT max(_id) FROM projects WHERE title = 'probe')")

    def __init__(self, stage, seed, killer, site):
        super().__init__(stage, random.Random(f"related {seed}"), killer, False)
        self.site, self.seed, self.rows = site, seed, {}
        self.titles, self.last = 0, 0.0
        # A seed decides whether what is refused is tried again in the end, or dropped.
        self.drops_at_once = seed % 2 == 0
        self.healed_at, self.dropped = None, []

    def now(self):
        """The moment: no two are equal."""
        self.last = max(time.time(), self.last + 1e-6)
        return self.last

    def remember(self, kind, title, is_theirs=False, **references):
        row = self.rows[title] = Row(kind, title, self.now(), is_theirs, references)
        return row

    def new_title(self, kind, who="ours"):
        self.titles += 1
        return f"{kind[:-1]} {self.seed}-{self.titles} {who}"

    def in_cache(self, connection):
        """What the cache shows by title, with the rows that are shown again."""
        back = set(connection.execute(BACK))
        shown = {}
        for kind, sql in SHOWN.items():
            for title, local, server, *others in connection.execute(sql):
                if title in shown:
                    raise Differs(f"the cache shows {title!r} twice", 1)
                shown[title] = (local, server, dict(zip(REFERENCES[kind], others)))
                row = self.rows.get(title)
                if row:
                    self.bind(row, local, server)
        return shown, {title for title in shown if title in self.rows
                       and (self.rows[title].kind, shown[title][0]) in back}

    @staticmethod
    def bind(row, local, server):
        if not row.is_theirs and row.local not in (None, local):
            # Another row has its title.
            raise Differs(f"{row.title!r} had the local id {row.local} and has {local} now", 1)
        row.local, row.server = local, server or row.server

    @contextlib.contextmanager
    def transaction(self):
        """A transaction of a program; `shown` is what it sees."""
        connection = self.connect()
        try:
            connection.execute("BEGIN IMMEDIATE")
            shown, _ = self.in_cache(connection)
            yield connection, shown
            connection.execute("COMMIT")
        finally:
            connection.close()

    # MARK: Looking

    def look(self):
        """At every moment the cache shows what was accepted, below what it was put."""
        connection = self.connect()
        try:
            connection.execute("BEGIN")
            shown, back = self.in_cache(connection)
        finally:
            connection.close()
        doom = Doom(self.site.rule)
        lost, more = [], [title for title in shown if title not in self.rows]
        for row in self.rows.values():
            if row.deleted_at is not None:
                more += [row.title] if row.title in shown and row.title not in back else []
            elif row.title not in shown:
                lost += [row.title] if doom.spares(row) and (row.local or not row.is_theirs) else []
            else:
                self.look_below(row, shown, doom)
        if lost or more:
            raise Differs(f"the cache, while things went wrong, differs: {len(lost)} lost {few(lost)}, "
                          f"{len(more)} doubled or back {few(more)}", len(more))

    def look_below(self, row, shown, doom):
        for column, held in shown[row.title][2].items():
            other = row.refers_to(column)
            if row.is_loose or not doom.spares_reference(row, column) or other and other.title not in shown:
                continue
            if held != (other and other.local):
                raise Unaccounted(f"the cache shows {row.title!r} below {held} in {column}, and it was put below "
                                  f"{other and (other.local, other.title)}")

    # MARK: The end

    def settle(self):
        """What was refused is tried again, or dropped."""
        self.healed_at = self.healed_at or time.monotonic()
        connection = self.connect()
        try:
            connection.execute("BEGIN IMMEDIATE")
            healed = time.monotonic() - self.healed_at
            if healed > self.FAULTS_END:
                # A refusal after a lost answer leaves doubt, for minutes. But all faults are over: a person who looks
                # at the server sees that it is meant.
                connection.execute(END_DOUBTS)
            if not self.drops_at_once and healed < 20:
                connection.execute("UPDATE outbox SET state = 'queued' WHERE state = 'rejected'")
            else:
                refused = connection.execute(
                    "SELECT list, op, row_id, last_error FROM outbox WHERE state = 'rejected'").fetchall()
                connection.execute("DELETE FROM outbox WHERE state = 'rejected'")
                for line in refused:
                    self.drop(*line)
            connection.execute("COMMIT")
        finally:
            connection.close()

    def drop(self, kind, op, local, reason):
        """A refused create that is dropped takes its row along; a refused delete gives it back."""
        row, = (row for row in self.rows.values() if (row.kind, row.local) == (kind, local))
        self.dropped.append(f"{op} of {row.title}: {reason}")
        if op == "create":
            row.is_dropped = True
        elif op == "delete":
            row.deleted_at = None
        else:
            row.is_loose = True
