"""Edits of the declared list of exactly-once, by our person and by another client of the server. Imported, never
run."""

import collections
import json
import time

import once_history
from once_notes import COLUMNS, Notes, Row, quoted, value
from once_writer import Failed

# Which columns our person edits, and which the other client does: in most cases others. In the control, the same.
OURS = {"title": 3, "done": 3, "labels": 3, "size": 1}
THEIRS = {"size": 8, "title": 1, "labels": 1}
OURS_BUT_DONE = {"title": 3, "labels": 3, "size": 1}
SHOW = f"SELECT json_array({', '.join(COLUMNS)}) FROM notes WHERE _id = "


class Edit:
    """A value that somebody gave to a field of a row."""

    def __init__(self, order, field, new, old=None, is_old_known=False):
        self.order, self.field, self.value = order, field, new
        # What the cache showed in the field at that moment, if it is known.
        self.old, self.is_old_known = old, is_old_known
        # For the other client: when the server surely had it.
        self.ended = None


class EditedNotes(Notes):
    """Adds, edits and removes rows, beside another client that edits them at the server."""

    def __init__(self, stage, seed, killer, unkind, creates, deletes, edits, can_set, control):
        super().__init__(stage, seed, killer, unkind, creates, deletes)
        self.most_edits, self.edits = edits, 0
        self.ways = ["sqlite3", "python", "killed"] + ["set"] * can_set
        self.theirs = OURS_BUT_DONE if control else THEIRS
        self.made = collections.Counter()
        self.headers = stage.other_client()
        stage.history = []

    # MARK: What the cache shows

    def allowed(self, note, field, seen):
        """What was given last; or another's later value, or the one for which ours was taken back."""
        own = [edit for edit in note.edits if edit.field == field]
        others = [edit for edit in note.foreign if edit.field == field]
        if not own:
            return [getattr(note.row, field)] + [edit.value for edit in others]
        last = own[-1]
        lost = [line for line in self.conflicts_of(note, seen) if (line.field, line.mine) == (field, last.value)]
        return ([last.value] + [line.theirs for line in lost]
                + [edit.value for edit in others if lost or edit.order > last.order])

    @staticmethod
    def conflicts_of(note, seen):
        return [line for line in seen.conflicts if line.row in note.locals]

    def wanted(self, seen):
        """What the cache shows, which is allowed: that the server has it, too, is to be seen."""
        return [seen.shown[note.local][1] if note.local in seen.shown else note.row
                for note in self.notes if not note.is_deleted]

    # MARK: Edits

    def new_value(self, field, shown, who):
        """A value that nobody has given before, but for a boolean."""
        number = self.next_number()
        if field == "done":
            return 0 if shown.done else 1
        return {"title": f"{who} {self.prefix} edit {number}", "size": 1_000_000 + number,
                "labels": value("labels", [who, number])}[field]

    def edit(self, count):
        """Edits some fields of some rows, in one transaction."""
        before = self.look()
        rows = [note for note in self.notes if not note.is_deleted and note.local in before.shown]
        # A wrong list may have taken all of them away at that moment.
        if not rows:
            return
        way = self.chance.choice(self.ways)
        plan = []
        for note in self.chance.sample(rows, min(count, len(rows))):
            shown = before.shown[note.local][1]
            fields = set(self.chance.choices(list(OURS), OURS.values(), k=self.chance.randint(1, 2)))
            # A death leaves only the values to tell what was accepted: they are to be new ones.
            fields = sorted(fields - {"done"} if way == "killed" else fields) or ["labels"]
            plan.append((note, {field: self.new_value(field, shown, "ours") for field in fields}))
        if way == "killed":
            self.edit_killed(plan, before)
        elif way == "set":
            for note, fields in plan:
                self.set(note, fields, before.shown[note.local][1])
        else:
            for (note, fields), (old, changed) in zip(plan, self.edit_and_ask(way, plan)):
                if changed != (old is not None):
                    raise Failed(f"an edit of row {note.local} has changed {changed} rows")
                if old is not None:
                    self.accept(note, fields, Row(*map(value, COLUMNS, old)), way)

    @staticmethod
    def update(note, fields):
        changes = ", ".join(f"{field} = {quoted(new)}" for field, new in fields.items())
        return f"UPDATE notes SET {changes} WHERE _id = {note.local}"

    def edit_and_ask(self, way, plan):
        """What each row showed before, None if it was not there, and how many rows were changed."""
        if way == "sqlite3":
            told = self.sqlite3("\n".join(
                f"SELECT coalesce(({SHOW}{note.local}), 'null');\n{self.update(note, fields)};\nSELECT changes();"
                for note, fields in plan)).splitlines()
            return [(json.loads(old), int(changed)) for old, changed in zip(told[::2], told[1::2])]
        connection = self.connect()
        try:
            told = []
            connection.execute("BEGIN IMMEDIATE")
            for note, fields in plan:
                old = connection.execute(SHOW + str(note.local)).fetchone()
                told.append((old and json.loads(old[0]), connection.execute(self.update(note, fields)).rowcount))
            connection.execute("COMMIT")
            return told
        finally:
            connection.close()

    def set(self, note, fields, shown):
        """By the command line, which says that the row is unknown while a wrong list has taken it away."""
        try:
            self.syncd(*self.setting(note, fields))
        except Failed:
            if note.local in self.seen().shown:
                raise
            return
        self.accept(note, fields, shown, "set", is_old_known=False)

    def setting(self, note, fields):
        return ["set", "notes", str(note.local), *(
            f"{field}={self.argument(field, new)}" for field, new in fields.items())]

    def edit_killed(self, plan, before):
        """Kills the writer itself: each row's edits were accepted wholly or not at all."""
        if "set" in self.ways and self.chance.random() < 0.4:
            plan = plan[:1]
            status, _ = self.kill_writer(self.command(*self.setting(*plan[0])))
        else:
            # A row that a wrong list lacks at that moment is not there to be edited: then the program fails.
            status, _ = self.kill_writer(*self.program(
                f"{self.update(note, fields)};\nSELECT json(iif(changes(), '1', 'no such row'))"
                for note, fields in plan))
        for note, fields in plan:
            taken = self.fate(note, fields)
            if len(taken) != 1 or status == 0 and taken == {False}:
                raise Failed(f"a killed writer's edits of row {note.local} were taken so: {taken}, status {status}")
            if taken == {True}:
                self.accept(note, fields, before.shown[note.local][1], "killed", is_old_known=False)

    def fate(self, note, fields):
        """Whether each of the edits is in the cache, as it shows or as `conflicts` tells."""
        while True:
            seen = self.seen()
            self.bind(seen)
            lines = {(line.field, line.mine) for line in self.conflicts_of(note, seen)}
            if note.local in seen.shown:
                shown = seen.shown[note.local][1]
                return {getattr(shown, field) == new or (field, new) in lines for field, new in fields.items()}
            time.sleep(0.2)

    def accept(self, note, fields, old, way, is_old_known=True):
        for field, new in fields.items():
            if new != getattr(old, field):
                note.edits.append(Edit(self.next_number(), field, new, getattr(old, field), is_old_known))
                self.edits += 1
                self.made[way] += 1

    def intrude(self):
        """The other client edits a row at the server itself, whatever the proxy does meanwhile."""
        if rows := self.rows_of_both(self.look()):
            self.edit_at_server(
                self.chance.choice(rows), self.chance.choices(list(self.theirs), self.theirs.values())[0])

    def rows_of_both(self, seen):
        """Those that the cache shows and the server has."""
        return [note for note in self.notes
                if not note.is_deleted and note.server is not None and note.local in seen.shown]

    def meet(self):
        """Our person and the other client give one field a value each while the daemon is dead."""
        self.stage.kill("daemon")
        seen = self.look()
        note = self.rows_of_both(seen)[0]
        shown = seen.shown[note.local][1]
        fields = {"title": self.new_value("title", shown, "ours")}
        self.sqlite3(self.update(note, fields) + ";")
        self.accept(note, fields, shown, "sqlite3")
        self.edit_at_server(note, "title")

    def edit_at_server(self, note, field):
        edit = Edit(self.next_number(), field, self.new_value(field, None, "theirs"))
        sent = json.loads(edit.value) if field == "labels" else edit.value
        # Nobody kills the server meanwhile, so that its answer tells what it has.
        with self.killer.lock:
            self.change_at_server(note.server, {field: sent})
            edit.ended = time.time()
        note.foreign.append(edit)

    def change_at_server(self, server, values):
        self.stage.ask("PATCH", f"/lists/notes/{server}", values, **self.headers)

    def records(self):
        """What the server had, and when the proxy got what."""
        return once_history.History(self.stage.history), once_history.Requests(self.stage.proxy_log)

    # MARK: What is to be done

    def left(self):
        return super().left() + max(0, self.most_edits - self.edits)

    def step(self):
        """Adds, edits or removes some rows; the other client edits one now and then."""
        others = super().left()
        edits = max(0, self.most_edits - self.edits)
        if edits and (not others or self.chance.random() < edits / (edits + others)):
            self.edit(min(edits, self.chance.randint(1, 4)))
        elif others:
            super().step()
        if self.most_edits and self.chance.random() < 0.35:
            self.intrude()

    def conclude(self, rows):
        held = super().conclude(rows)
        self.stage.kill("server")
        accounts = once_history.Accounts(self, self.seen(), *self.records())
        accounts.look()
        self.stage.revive("server")
        ways = ", ".join(f"{way} {count}" for way, count in sorted(self.made.items()))
        return f"{held}; {self.edits} edits ({ways}): {accounts.told()}"
