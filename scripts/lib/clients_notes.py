"""What programs do to a declared table through other libraries. Run by clients-test, in its virtual environment.

Prints one JSON object: the rows that are to be at the server once, as the server has them, and the titles of those
that nobody wants any more. Each client also deletes a row that another client of the server has added before.

What a library has to be told of such a table:

- `_id` is the primary key, and SQLite gives its values.
- `_server_id`, `_state`, `_error` and `_added_at` are syncd's. Leave them out of an INSERT, or send NULL.
- What is syncd's can change at any moment, and so can the text of a JSON column: when the server has answered, it is
  what a pull would bring, without white space. An UPDATE with older values is refused. So a library that writes whole
  rows, as the save() of Django and peewee, is to be told what has changed (update_fields, only), or to leave such
  columns out of its model.
"""

import json
import os
import sqlite3
import subprocess
import sys

import django
import pandas
import peewee
import sqlalchemy
import sqlite_utils
from django.conf import settings
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

CACHE = sys.argv[1]
kept, gone = [], []

LARGE = 2**53 + 1
NOT_CHANGED = "a row of notes cannot be changed, because the server has no call for it"
NOT_OURS = "_state, _server_id, _error, _added_at of notes are written by syncd alone: leave them out"


def keep(title, done=None, size=None, labels=None):
    """A row as the server has it: what has no value is not there."""
    row = {"title": title}
    if done is not None:
        row["meta"] = {"done": done}
    if size is not None:
        row["size"] = size
    if labels is not None:
        row["labels"] = labels
    kept.append(row)


def check(found, wanted, what):
    if found != wanted:
        raise SystemExit(f"{what}: {found!r}, and not {wanted!r}")


def check_refused(error, sentence, action):
    """That an action fails with a sentence of the table."""
    try:
        action()
    except error as refused:
        check(sentence in str(refused), True, f"the refusal {refused!s}")
    else:
        raise SystemExit(f"nothing refused what has to fail with: {sentence}")


def of_python():
    cache = sqlite3.connect(CACHE, timeout=10)
    with cache:
        added = cache.execute(
            "INSERT INTO notes (title, done, size, labels) VALUES (?, ?, ?, ?)",
            ("python", True, LARGE, json.dumps(["a", {"b": None}])))
        row = cache.execute(
            "SELECT title, done, size, labels, _state FROM notes WHERE _id = ?", (added.lastrowid,)).fetchone()
        check(row, ("python", 1, LARGE, '["a", {"b": null}]', "queued"), "lastrowid")
        check(added.rowcount, 1, "rowcount")
        (returned,) = cache.execute(
            "INSERT INTO notes (title, done) VALUES ('python returning', 0) RETURNING _id, _state").fetchall()
        check(returned[1], "queued", "RETURNING")
        many = cache.executemany(
            "INSERT INTO notes (title, size) VALUES (?, ?)", [("python 1", -1), ("python 2", 2), ("python 1", -1)])
        check(many.rowcount, 3, "executemany")
        cache.execute("INSERT INTO notes (_id, title) VALUES (?, 'other') ON CONFLICT DO NOTHING", (returned[0],))
        check(cache.execute("DELETE FROM notes WHERE title = 'python 2'").rowcount, 1, "DELETE")
        check(cache.execute("DELETE FROM notes WHERE title = 'theirs: python'").rowcount, 1, "DELETE of another's")
    for sentence, sql in [
        (NOT_CHANGED, "UPDATE notes SET size = 3 WHERE title = 'python'"),
        (NOT_OURS, "INSERT INTO notes (title, _state) VALUES ('refused', 'synced')"),
        ("title of notes must be given", "INSERT INTO notes (done) VALUES (1)"),
        ("done of notes must be 0 or 1", "INSERT INTO notes (title, done) VALUES ('refused', 2)"),
        ("cannot store TEXT value in INTEGER column", "INSERT INTO notes (title, size) VALUES ('refused', 'x')"),
    ]:
        check_refused(sqlite3.IntegrityError, sentence, lambda: cache.execute(sql))
    cache.close()
    keep("python", True, LARGE, ["a", {"b": None}])
    keep("python returning", False)
    # Two equal rows are two rows.
    keep("python 1", size=-1)
    keep("python 1", size=-1)
    gone.extend(["python 2", "theirs: python"])


def of_shell():
    subprocess.run(
        ["sqlite3", "-bail", CACHE, ".timeout 10000", "CREATE TEMP TABLE t (title, done, size, labels)",
         "INSERT INTO t VALUES ('shell ''1''', true, 1, json_array('ä', 1.5)), ('shell 2', false, 2, NULL)",
         "INSERT INTO notes (title, done, size, labels) SELECT title, done, size, labels FROM t",
         "INSERT INTO notes (title) VALUES ('shell 3')", "DELETE FROM notes WHERE title = 'shell 3'",
         "DELETE FROM notes WHERE title = 'theirs: shell'"], check=True)
    keep("shell '1'", True, 1, ["ä", 1.5])
    keep("shell 2", False, 2)
    gone.extend(["shell 3", "theirs: shell"])


def of_sqlite_utils():
    database = sqlite_utils.Database(CACHE)
    notes = database["notes"]
    # It writes lists and objects as JSON by itself.
    first = notes.insert({"title": "sqlite-utils", "done": True, "size": 0, "labels": {"a": ["b"]}}).last_pk
    check(notes.get(first)["title"], "sqlite-utils", "last_pk")
    notes.insert_all(
        [{"title": f"sqlite-utils {number}", "done": number > 0, "size": number} for number in range(3)])
    # Values that are there already are no change.
    notes.upsert({"_id": first, "title": "sqlite-utils", "done": True}, pk="_id")
    notes.insert({"_id": first, "title": "another"}, pk="_id", ignore=True)
    check_refused(
        sqlite3.IntegrityError, NOT_CHANGED,
        lambda: notes.upsert({"_id": first, "title": "another"}, pk="_id"))
    (second,) = [row["_id"] for row in notes.rows_where("title = 'sqlite-utils 2'")]
    notes.delete(second)
    notes.delete_where("title = ?", ["theirs: sqlite-utils"])
    database.conn.close()
    keep("sqlite-utils", True, 0, {"a": ["b"]})
    keep("sqlite-utils 0", False, 0)
    keep("sqlite-utils 1", True, 1)
    gone.extend(["sqlite-utils 2", "theirs: sqlite-utils"])


def of_pandas():
    cache = sqlite3.connect(CACHE, timeout=10)
    # A column of numbers with a gap is one of floats; the table takes those that are whole.
    frame = pandas.DataFrame({
        "title": ["pandas 1", "pandas 2", "pandas 3"], "done": [True, False, None], "size": [1, None, 3],
        "labels": [json.dumps(["x"]), None, json.dumps({})]})
    frame.to_sql("notes", cache, if_exists="append", index=False)
    # It deletes nothing by itself.
    shown = pandas.read_sql("SELECT _id, title FROM notes", cache, index_col="_id")
    (other,) = shown.index[shown["title"] == "theirs: pandas"]
    with cache:
        cache.execute("DELETE FROM notes WHERE _id = ?", (int(other),))
    cache.close()
    keep("pandas 1", True, 1, ["x"])
    keep("pandas 2", False)
    keep("pandas 3", None, 3, {})
    gone.append("theirs: pandas")


def of_sqlalchemy():
    class Base(DeclarativeBase):
        pass

    class Note(Base):
        __tablename__ = "notes"
        id: Mapped[int] = mapped_column("_id", primary_key=True)
        title: Mapped[str]
        done: Mapped[bool | None]
        size: Mapped[int | None]
        # Else None is the JSON text null.
        labels: Mapped[list | None] = mapped_column(sqlalchemy.JSON(none_as_null=True))
        # Not sent, and read again.
        state: Mapped[str] = mapped_column("_state", server_default=sqlalchemy.FetchedValue())
        added_at: Mapped[str] = mapped_column("_added_at", server_default=sqlalchemy.FetchedValue())
        # Sent as NULL.
        server_id: Mapped[str | None] = mapped_column("_server_id")
        error: Mapped[str | None] = mapped_column("_error")

    engine = sqlalchemy.create_engine("sqlite:///" + CACHE, connect_args={"timeout": 10})
    with Session(engine) as session:
        note = Note(title="sqlalchemy", done=True, size=LARGE, labels=["a", 1])
        session.add(note)
        session.commit()
        found = session.get(Note, note.id)
        check((found.title, found.done, found.size, found.labels), ("sqlalchemy", True, LARGE, ["a", 1]), "an object")
        check(found.state in ("queued", "sending", "synced"), True, "the state of an object")
        session.add_all([Note(title="sqlalchemy 1", done=False), Note(title="sqlalchemy 2", labels=[])])
        session.commit()
        ids = session.scalars(
            sqlalchemy.insert(Note).returning(Note.id),
            [{"title": "sqlalchemy 3", "size": 3}, {"title": "sqlalchemy 4", "size": 4}]).all()
        session.delete(session.get(Note, ids[1]))
        session.delete(session.scalars(sqlalchemy.select(Note).filter_by(title="theirs: sqlalchemy")).one())
        session.commit()
        found.size = 5
        check_refused(sqlalchemy.exc.IntegrityError, NOT_CHANGED, session.commit)
        session.rollback()
    # A table that is read from the cache needs no more.
    reflected = sqlalchemy.Table("notes", sqlalchemy.MetaData(), autoload_with=engine)
    with engine.begin() as connection:
        connection.execute(reflected.insert(), {"title": "sqlalchemy 5", "done": 1})
    engine.dispose()
    keep("sqlalchemy", True, LARGE, ["a", 1])
    keep("sqlalchemy 1", False)
    keep("sqlalchemy 2", labels=[])
    keep("sqlalchemy 3", size=3)
    keep("sqlalchemy 5", True)
    gone.extend(["sqlalchemy 4", "theirs: sqlalchemy"])


def of_peewee():
    database = peewee.SqliteDatabase(CACHE, timeout=10)

    class Labels(peewee.TextField):
        def db_value(self, value):
            return None if value is None else json.dumps(value)

        def python_value(self, value):
            return None if value is None else json.loads(value)

    class Note(peewee.Model):
        id = peewee.AutoField(column_name="_id")
        title = peewee.TextField()
        done = peewee.BooleanField(null=True)
        size = peewee.BigIntegerField(null=True)
        labels = Labels(null=True)
        # Sent as NULL where a row is made of several.
        state = peewee.TextField(column_name="_state", null=True)
        error = peewee.TextField(column_name="_error", null=True)

        class Meta:
            table_name = "notes"

    database.bind([Note])
    note = Note.create(title="peewee", done=False, size=7, labels={"a": [True]})
    found = Note.get_by_id(note.id)
    check((found.title, found.done, found.size, found.labels), ("peewee", False, 7, {"a": [True]}), "the id of a model")
    note.save(only=[Note.title, Note.done, Note.size])
    whole = Note.create(title="peewee whole", done=True)
    whole.save()
    Note.insert_many([{"title": "peewee 1", "done": True}, {"title": "peewee 2", "done": None}]).execute()
    Note.bulk_create([Note(title="peewee 3", size=3), Note(title="peewee 4", labels=[4])])
    Note.get(Note.title == "peewee 2").delete_instance()
    check(Note.delete().where(Note.title == "theirs: peewee").execute(), 1, "DELETE")
    found.title = "another"
    check_refused(peewee.IntegrityError, NOT_CHANGED, found.save)
    database.close()
    keep("peewee", False, 7, {"a": [True]})
    keep("peewee whole", True)
    keep("peewee 1", True)
    keep("peewee 3", size=3)
    keep("peewee 4", labels=[4])
    gone.extend(["peewee 2", "theirs: peewee"])


def of_django():
    settings.configure(
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": CACHE, "OPTIONS": {"timeout": 10}}},
        INSTALLED_APPS=[], DEFAULT_AUTO_FIELD="django.db.models.AutoField")
    django.setup()
    from django.db import IntegrityError, connection, models

    class Note(models.Model):
        # A field cannot be called _state: every model has something else there.
        id = models.AutoField(primary_key=True, db_column="_id")
        title = models.TextField()
        done = models.BooleanField(null=True)
        size = models.BigIntegerField(null=True)
        labels = models.JSONField(null=True)
        # Sent as NULL.
        sync_state = models.TextField(null=True, editable=False, db_column="_state")
        sync_error = models.TextField(null=True, editable=False, db_column="_error")
        server_id = models.TextField(null=True, editable=False, db_column="_server_id")
        added_at = models.TextField(null=True, editable=False, db_column="_added_at")

        class Meta:
            managed = False
            db_table = "notes"
            app_label = "notes"

    note = Note.objects.create(title="django", done=True, size=LARGE, labels=[{"a": 1}])
    note.refresh_from_db()
    check((note.title, note.done, note.size, note.labels), ("django", True, LARGE, [{"a": 1}]), "the key of a model")
    check(note.sync_state in ("queued", "sending", "synced"), True, "the state of a model")
    Note.objects.bulk_create([Note(title="django 1", done=False), Note(title="django 2", size=2)])
    check(Note.objects.get_or_create(title="django 1")[1], False, "get_or_create")
    Note.objects.get(title="django 2").delete()
    check(Note.objects.filter(title="theirs: django").delete()[0], 1, "DELETE")
    note.save(update_fields=["title", "done", "size"])
    note.size = 1
    check_refused(IntegrityError, NOT_CHANGED, lambda: note.save(update_fields=["size"]))
    connection.close()
    keep("django", True, LARGE, [{"a": 1}])
    keep("django 1", False)
    gone.extend(["django 2", "theirs: django"])


os.umask(0o077)
for client in [of_python, of_shell, of_sqlite_utils, of_pandas, of_sqlalchemy, of_peewee, of_django]:
    client()
print(json.dumps({"kept": kept, "gone": gone}))
