"""What the programs of exactly-once wanted of rows that refer to rows, and what a server takes along. Imported, never
run."""

import collections
import math

# The columns that refer to other rows, and to rows of which list.
REFERENCES = {"projects": {}, "tasks": {"project": "projects", "parent": "tasks"}}
# What a column referred to, from one moment to another.
Stay = collections.namedtuple("Stay", "other since until")


class Row:
    """A row as somebody wants it. Its title is its own."""

    def __init__(self, kind, title, made_at, is_theirs, references):
        self.kind, self.title, self.made_at, self.is_theirs = kind, title, made_at, is_theirs
        self.local = self.server = self.deleted_at = None
        # Its create was refused and dropped; or an update was, so that nobody knows which of its places counts.
        self.is_dropped = self.is_loose = False
        # A program deleted it, though that may have been refused.
        self.was_deleted = False
        self.stays = {column: [Stay(references.get(column), made_at, math.inf)] for column in REFERENCES[kind]}

    def refer(self, column, other, moment):
        stays = self.stays[column]
        stays[-1] = stays[-1]._replace(until=moment)
        stays.append(Stay(other, moment, math.inf))

    def refers_to(self, column):
        return self.stays[column][-1].other

    def references(self):
        return {column: self.refers_to(column) for column in self.stays}


class Doom:
    """From when on a server may take a row along, because a row was deleted that it referred to then or later.

    `left` has the moment at which the delete of a row was first sent, where that is known: a move before it counts."""

    def __init__(self, rule, left=None):
        self.rule, self.left, self.known = rule, left, {}

    def deleted_at(self, row):
        if row.deleted_at is None:
            return math.inf
        return row.deleted_at if self.left is None else max(row.deleted_at, self.left.get(row.title, math.inf))

    def of(self, row):
        """Infinite for a row that stays."""
        if row.title not in self.known:
            moments = [self.deleted_at(row)]
            if self.rule == "cascade":
                moments += [self.end_of(row, stay) for column in row.stays for stay in row.stays[column]]
            self.known[row.title] = min(moments)
        return self.known[row.title]

    def end_of(self, row, stay):
        if stay.other is None:
            return math.inf
        begin = self.of(stay.other)
        return max(begin, stay.since) if begin < stay.until or row.is_loose else math.inf

    def spares(self, row):
        """Whether the row has to stay: nobody deleted it, and no server may take it along."""
        return row.deleted_at is None and not row.is_dropped and self.of(row) == math.inf

    def excuses(self, row):
        """Whether something that the row refers to, or did, is gone or was to go: then it may be refused."""
        others = [stay.other for stays in row.stays.values() for stay in stays if stay.other]
        return any(other.is_dropped or other.was_deleted or self.of(other) < math.inf for other in others)

    def spares_reference(self, row, column):
        """Whether nothing that the column referred to was deleted meanwhile."""
        return all(self.end_of(row, stay) == math.inf for stay in row.stays[column])
