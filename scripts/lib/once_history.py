"""What became of each edit of exactly-once: the server's own history of the list, the proxy's log, and the view
`conflicts`. Imported, never run."""

import collections
import json
import re

from faulty_stage import logged
from once_notes import COLUMNS, of_server
from once_writer import Failed, Unaccounted

# With these faults and with none, the client gets the server's answer whole.
DELIVERED = {None, "dripped", "closed", "late", "late-answer", "twice"}


class History:
    """The values that each field of each row has had at the server, in their order."""

    def __init__(self, lives):
        self.values = collections.defaultdict(list)
        self.removed = set()
        self.rows = None
        for life in lives:
            # What follows the last newline was cut short, and never answered.
            for text in life.split("\n")[:-1]:
                self.read(json.loads(text))

    def read(self, line):
        if "state" in line:
            self.begin(line["state"]["lists"].get("notes", {}).get("rows"))
        for change in line.get("changes", []):
            if "listChanged" in change:
                self.apply(change["listChanged"]["_1"])

    def begin(self, rows):
        if self.rows is not None and rows != self.rows:
            raise Failed("the server has other rows after a death than before it")
        for row in rows or [] if self.rows is None else []:
            self.note(row)
        self.rows = rows

    def apply(self, change):
        (kind, facts), = change.items()
        if kind == "replaced":
            self.rows = facts["rows"]
            for row in self.rows:
                self.note(row)
        elif kind == "added":
            self.rows.append(facts["row"])
            self.note(facts["row"])
        elif kind == "edited":
            self.rows[facts["place"]] = facts["row"]
            self.note(facts["row"])
        else:
            self.removed.add(str(json.loads(self.rows.pop(facts["place"]))["id"]))

    def note(self, text):
        row = json.loads(text)
        for field, held in zip(COLUMNS, of_server(row)):
            past = self.values[str(row["id"]), field]
            if not past or past[-1] != held:
                past.append(held)


class Requests:
    """When the proxy got which writes, and which lists it delivered before."""

    def __init__(self, log, path="/lists/notes", words=None, has_versions=False):
        # Then a write of ours cannot meet one of the other client's that we have not seen.
        self.has_versions = has_versions
        self.words = words or Words(path)
        self.pulls, self.writes = [], collections.defaultdict(list)
        by_number = {}
        for facts in logged(log):
            if "number" in facts:
                by_number[facts["number"]] = facts
                if write := self.words.write(facts):
                    self.writes[write].append(facts)
            elif "answered" in facts and facts["answered"] in by_number:
                self.note(by_number[facts["answered"]], facts["status"])

    def note(self, facts, status):
        if self.words.begins_list(facts) and facts["fault"] in DELIVERED and status in ("200", "206", "304"):
            self.pulls.append(facts["at"])

    def is_race(self, edit, kind, server, holds):
        """Whether the other client's edit came when the last list before our write had been asked for. `holds` is
        asked of the values that the write sent."""
        for write in [] if self.has_versions else self.writes[kind, self.words.row(server)]:
            last = max((at for at in self.pulls if at < write["at"]), default=0)
            if holds(self.words.values(write)) and edit.ended >= last:
                return True
        return False


class Words:
    """How a server's requests are read in the proxy's log: rows by their paths, and what is done by the method."""

    def __init__(self, path, row=None, row_of=None):
        # What `write` says of a row of this id.
        self.path, self.row = path, row or (path + "/{}").format
        self.row_of = row_of or (lambda facts: facts["path"])

    def write(self, facts):
        """What it does to which row: "edit" or "delete"; None for any other request."""
        kind = {"PATCH": "edit", "PUT": "edit", "DELETE": "delete"}.get(facts["method"])
        return kind and (kind, self.row_of(facts))

    def values(self, facts):
        """The fields that a write sends, by their names."""
        return json.loads(facts["body"])

    def begins_list(self, facts):
        """Whether it asks for a list, and for its first page if the list has pages."""
        return facts["method"] == "GET" and facts["path"] == self.path and (
            not re.search(r"(skip|offset|page)=", facts["query"])
            or re.search(r"(skip=0|offset=0|page=1)\b", facts["query"]))


class Accounts:
    """Each edit of ours has exactly one account, and none of the other client was taken back unseen."""

    def __init__(self, notes, seen, history, requests):
        self.notes, self.seen = notes, seen
        self.history, self.requests = history, requests
        self.ours, self.theirs = collections.Counter(), collections.Counter()

    def look(self):
        for note in self.notes.notes:
            for edit in note.edits:
                self.ours[self.account(note, edit)] += 1
            for edit in note.foreign:
                self.theirs[self.fate(note, edit)] += 1

    def told(self):
        told = [", ".join(f"{count} {what}" for what, count in sorted(counted.items()))
                for counted in (self.ours, self.theirs)]
        return (f"{told[0]}; {self.theirs.total()} of the other client: {told[1]}; "
                f"{self.notes.gave_way} deletes gave way")

    def account(self, note, edit):
        """Where an accepted edit of ours is."""
        past = self.history.values[note.server, edit.field]
        lines = {line.why for line in self.notes.conflicts_of(note, self.seen)
                 if (line.field, line.mine) == (edit.field, edit.value) and line.why != "overwritten"}
        later = [other for other in note.edits if other.field == edit.field and other.order > edit.order]
        has_arrived = edit.value in past
        if edit.field != "done":
            if past.count(edit.value) > 1:
                self.fail(note, edit, "came twice", past)
            # One whose answer was lost may have been there before the value that replaced it.
            if has_arrived and lines - {"gone"} - ({"doubt"} if past[-1] != edit.value else set()):
                self.fail(note, edit, f"is at the server and in conflicts ({lines})", past)
            if has_arrived:
                self.look_for_older(note, edit, past)
        if lines:
            return "in conflicts"
        if note.is_deleted:
            return "deleted with their row"
        if has_arrived and past[-1] == edit.value:
            return "at the server"
        if has_arrived or later:
            return "replaced"
        return self.fail(note, edit, "is nowhere", past)

    def look_for_older(self, note, edit, past):
        """No edit of ours that is older comes after it."""
        after = past[past.index(edit.value) + 1:]
        for other in note.edits:
            if other.field == edit.field and other.order < edit.order and other.value in after:
                self.fail(note, edit, f"was replaced by the older {other.value!r}", past)

    def fate(self, note, edit):
        """Where an edit of the other client is."""
        past = self.history.values[note.server, edit.field]
        if past.count(edit.value) != 1:
            self.fail(note, edit, f"of the other client was {past.count(edit.value)} times at the server", past)
        after = past[past.index(edit.value) + 1:]
        if not after:
            return self.fate_of_last(note, edit, past)
        if after[0] in [other.value for other in note.foreign]:
            return "replaced by their own"
        by = next((other for other in note.edits if (other.field, other.value) == (edit.field, after[0])), None)
        if by is None:
            self.fail(note, edit, f"of the other client was taken back by {after[0]!r}", past)
        if self.has_seen(note, by, edit):
            return "replaced by ours over it"
        sent = json.loads(by.value) if by.field == "labels" else by.value
        if self.requests.is_race(
                edit, "edit", note.server, lambda values: values.get(by.field) == sent):
            return "races"
        return self.fail(note, edit, f"of the other client was overwritten unseen by {by.value!r}", past)

    def fate_of_last(self, note, edit, past):
        """Of a value that the server had to the end, or until the row went."""
        if note.server not in self.history.removed:
            return "at the server"
        # Otherwise it may have come between our look and our delete.
        if not note.is_deleted_as_known and edit.order < note.delete_order:
            return "deleted by ours over it"
        shown = getattr(note.deleted_as, edit.field) if note.deleted_as else edit.value
        by = next((other for other in note.edits if (other.field, other.value) == (edit.field, shown)), None)
        if shown == edit.value or by and self.has_seen(note, by, edit):
            return "deleted by ours over it"
        if self.requests.is_race(edit, "delete", note.server, lambda _: True):
            return "races"
        return self.fail(note, edit, "of the other client was deleted unseen", past)

    def has_seen(self, note, by, edit):
        """Whether our person edited what showed the other client's value, or an edit of that."""
        if by.old == edit.value:
            return True
        if not by.is_old_known and edit.order < by.order:
            # It may have come between our look and our edit.
            return True
        before = next((other for other in note.edits if (other.field, other.value) == (by.field, by.old)
                       and other.order < by.order), None)
        return before is not None and self.has_seen(note, before, edit)

    @staticmethod
    def fail(note, edit, what, past):
        raise Unaccounted(
            f"the edit of {edit.field} of row {note.local} ({note.server}) to {edit.value!r} {what}: {past}")
