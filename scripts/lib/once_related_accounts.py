"""Whether each row of exactly-once that refers to others is at the server once, and below what it was put. Imported,
never run."""

import collections
import math
import time

import once_play
from faulty_stage import logged
from once_related_rows import REFERENCES, Doom
from once_writer import Differs, Failed, Unaccounted, few

# So long before the proxy sees a delete, syncd may have decided to send it.
HEAD_START = 1.0
# What lists show within a minute of an answer takes no new row away, though the server may have, by its rule.
PATIENCE = 90


def first_deletes(log, rows, path):
    """When the proxy first saw the delete of each row."""
    by_path = {path(row.kind, row.server): row.title for row in rows.values() if row.server is not None}
    seen = {}
    for facts in logged(log):
        if facts.get("method") == "DELETE" and facts["path"] in by_path:
            seen.setdefault(by_path[facts["path"]], facts["at"] - HEAD_START)
    return seen


class RelatedAccounts:
    """Compares what was accepted, the cache, and the server."""

    def __init__(self, writer):
        self.writer, self.site, self.rows = writer, writer.site, writer.rows
        self.server = {}
        for kind in REFERENCES:
            for row in self.site.rows(kind):
                if row["title"] in self.server:
                    raise Differs(f"the server has {row['title']!r} twice", 1)
                self.server[row["title"]] = (kind, row)
        self.titles = {(kind, row["id"]): title for title, (kind, row) in self.server.items()}
        self.doom = Doom(self.site.rule, first_deletes(writer.stage.proxy_log, self.rows, self.site.path))
        self.conflicts = {(kind, local, column) for kind, local, column in writer.stage.rows(
            "SELECT list, row_id, field FROM conflicts")}
        self.back = {(kind, local) for kind, local in writer.stage.rows(
            "SELECT list, row_id FROM conflicts WHERE why = 'delete'")}
        self.figures = collections.Counter()

    def look(self):
        self.wait_for_equal()
        made = self.site.made()
        doubled = [title for title, count in made.items() if count > 1]
        if doubled:
            raise Differs(f"the server was made to add {few(doubled)} twice", len(doubled))
        strangers = set(self.server) - set(self.rows)
        if strangers:
            raise Failed(f"the server has rows of nobody: {few(strangers)}")
        for row in self.rows.values():
            self.account(row, made[row.title])
        return self.figures

    def account(self, row, made):
        is_there = row.title in self.server
        if row.is_dropped or row.is_loose:
            self.expect(row, self.doom.excuses(row), "was refused, and all that it refers to is there")
        if row.was_deleted and row.deleted_at is None:
            self.expect(row, self.site.rule == "restrict", "was not deleted, and the server restricts nothing")
        if row.is_dropped:
            self.figures["dropped"] += 1
            # One whose answer was lost can be taken along with the row above it. Then it is made again, and refused.
            is_taken_along = made == 1 and self.doom.of(row) < math.inf
            self.expect(row, not is_there, "was refused and dropped, and is at the server")
            self.expect(row, not made or is_taken_along, "was refused and dropped, and was made all the same")
        elif row.deleted_at is not None:
            gave_way = (row.kind, row.local) in self.back
            self.figures["deleted"] += 1
            self.expect(row, not is_there or gave_way, "was deleted and is there")
        elif self.doom.spares(row):
            self.figures["there"] += 1
            self.expect(row, is_there, "is not at the server" + (", which had it" if made else ""))
        elif not is_there:
            self.figures["taken along"] += 1
        if is_there:
            for column in row.stays:
                self.account_for(row, column)

    def account_for(self, row, column):
        kind = REFERENCES["tasks"][column]
        held = self.titles.get((kind, self.server[row.title][1][column]))
        wanted = row.refers_to(column)
        if row.is_loose:
            allowed = {stay.other and stay.other.title for stay in row.stays[column]} | {None}
        else:
            # A server that lets go of rows gives NULL to them.
            allowed = {wanted.title if wanted and wanted.title in self.server else None}
            is_told = (row.kind, row.local, column) in self.conflicts
            if held is None and held not in allowed and is_told and not self.doom.spares_reference(row, column):
                # It was moved when the server had let go of it already, and `conflicts` has both values.
                self.figures["taken back"] += 1
                allowed.add(None)
        self.expect(row, held in allowed,
                    f"is below {held!r} in {column} at the server, and was put below {wanted and wanted.title!r}")
        self.figures["placed"] += 1

    @staticmethod
    def expect(row, is_so, what):
        if not is_so:
            past = {column: [(stay.other and stay.other.title, stay.since, stay.until) for stay in stays]
                    for column, stays in row.stays.items()}
            raise Unaccounted(f"{row.title!r} (here {row.local}, there {row.server}) {what}; deleted at "
                              f"{row.deleted_at}; was below {past}")

    def wait_for_equal(self):
        """Until the same rows are here and there, below the same ones."""
        deadline = time.monotonic() + PATIENCE
        while problem := self.unequal():
            if time.monotonic() > deadline:
                raise Failed(problem)
            once_play.ask_for_cycles(self.writer.stage)
            time.sleep(0.5)
        unsynced = self.writer.stage.rows(
            "SELECT 'projects', title, _state FROM projects WHERE _state <> 'synced' "
            "UNION ALL SELECT 'tasks', title, _state FROM tasks WHERE _state <> 'synced' LIMIT 5")
        if unsynced:
            raise Failed(f"not synced in the end: {unsynced}")

    def unequal(self):
        """How the cache and the server differ, or None."""
        titles = {(kind, local): title for kind in REFERENCES
                  for local, title in self.writer.stage.rows(f"SELECT _id, title FROM {kind}")}
        here = [("projects", title, server) for title, server in self.writer.stage.rows(
            "SELECT title, _server_id FROM projects")]
        here += [("tasks", title, server, titles.get(("projects", project)), titles.get(("tasks", parent)))
                 for title, server, project, parent in self.writer.stage.rows(
                     "SELECT title, _server_id, project, parent FROM tasks")]
        there = [(kind, title, row["id"], *(self.titles.get((other, row[column]))
                                            for column, other in REFERENCES[kind].items()))
                 for title, (kind, row) in self.server.items()]
        only_here, only_there = set(here) - set(there), set(there) - set(here)
        if not only_here and not only_there and len(here) == len(set(here)):
            return None
        return (f"the cache and the server are not equal: {sorted(map(repr, only_here))[:5]} here, "
                f"{sorted(map(repr, only_there))[:5]} there")
