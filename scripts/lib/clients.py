"""What programs do to the table `todos` through other libraries. Run by clients-test, in its virtual environment.

Prints one JSON object: the titles that are to be at the server once, and those that nobody wants any more.
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


def check(found, wanted, what):
    if found != wanted:
        raise SystemExit(f"{what}: {found!r}, and not {wanted!r}")


def of_python():
    cache = sqlite3.connect(CACHE, timeout=10)
    with cache:
        added = cache.execute("INSERT INTO todos (title) VALUES (?)", ("python",))
        row = cache.execute("SELECT title FROM todos WHERE id = ?", (added.lastrowid,)).fetchone()
        check(row, ("python",), "lastrowid")
        check(added.rowcount, 1, "rowcount")
        (returned,) = cache.execute(
            "INSERT INTO todos (title) VALUES ('python returning') RETURNING id, state").fetchall()
        check(returned[1], "queued", "RETURNING")
        many = cache.executemany("INSERT INTO todos (title) VALUES (?)", [("python 1",), ("python 2",)])
        check(many.rowcount, 2, "executemany")
        cache.execute("INSERT INTO todos (id, title) VALUES (?, 'other') ON CONFLICT DO NOTHING", (returned[0],))
        check(cache.execute("DELETE FROM todos WHERE title = 'python 2'").rowcount, 1, "DELETE")
    cache.close()
    kept.extend(["python", "python returning", "python 1"])
    gone.append("python 2")


def of_shell():
    subprocess.run(
        ["sqlite3", CACHE, ".timeout 10000", "CREATE TEMP TABLE t (title)",
         "INSERT INTO t VALUES ('shell 1'), ('shell 2')", "INSERT INTO todos (title) SELECT title FROM t"], check=True)
    kept.extend(["shell 1", "shell 2"])


def of_sqlite_utils():
    database = sqlite_utils.Database(CACHE)
    todos = database["todos"]
    first = todos.insert({"title": "sqlite-utils"}).last_pk
    check(todos.get(first)["title"], "sqlite-utils", "last_pk")
    todos.insert_all([{"title": f"sqlite-utils {number}"} for number in range(3)])
    todos.upsert({"id": first, "title": "sqlite-utils"}, pk="id")
    todos.insert({"id": first, "title": "another"}, pk="id", ignore=True)
    (second,) = [row["id"] for row in todos.rows_where("title = 'sqlite-utils 2'")]
    todos.delete(second)
    database.conn.close()
    kept.extend(["sqlite-utils", "sqlite-utils 0", "sqlite-utils 1"])
    gone.append("sqlite-utils 2")


def of_pandas():
    cache = sqlite3.connect(CACHE, timeout=10)
    frame = pandas.DataFrame({"title": ["pandas 1", "pandas 2"]})
    frame.to_sql("todos", cache, if_exists="append", index=False)
    cache.close()
    kept.extend(frame["title"])


def of_sqlalchemy():
    class Base(DeclarativeBase):
        pass

    class Todo(Base):
        __tablename__ = "todos"
        id: Mapped[int] = mapped_column(primary_key=True)
        title: Mapped[str]
        state: Mapped[str] = mapped_column(server_default=sqlalchemy.FetchedValue())

    engine = sqlalchemy.create_engine("sqlite:///" + CACHE, connect_args={"timeout": 10})
    with Session(engine) as session:
        todo = Todo(title="sqlalchemy")
        session.add(todo)
        session.commit()
        check(session.get(Todo, todo.id).title, "sqlalchemy", "the id of an object")
        session.add_all([Todo(title="sqlalchemy 1"), Todo(title="sqlalchemy 2")])
        session.commit()
        ids = session.scalars(
            sqlalchemy.insert(Todo).returning(Todo.id), [{"title": "sqlalchemy 3"}, {"title": "sqlalchemy 4"}]).all()
        session.delete(session.get(Todo, ids[1]))
        session.commit()
    engine.dispose()
    kept.extend(["sqlalchemy", "sqlalchemy 1", "sqlalchemy 2", "sqlalchemy 3"])
    gone.append("sqlalchemy 4")


def of_peewee():
    database = peewee.SqliteDatabase(CACHE, timeout=10)

    class Todo(peewee.Model):
        title = peewee.TextField()

        class Meta:
            table_name = "todos"

    database.bind([Todo])
    todo = Todo.create(title="peewee")
    check(Todo.get_by_id(todo.id).title, "peewee", "the id of a model")
    todo.save()
    Todo.insert_many([{"title": "peewee 1"}, {"title": "peewee 2"}]).execute()
    Todo.get(Todo.title == "peewee 2").delete_instance()
    database.close()
    kept.extend(["peewee", "peewee 1"])
    gone.append("peewee 2")


def of_django():
    settings.configure(
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": CACHE, "OPTIONS": {"timeout": 10}}},
        INSTALLED_APPS=[], DEFAULT_AUTO_FIELD="django.db.models.AutoField")
    django.setup()
    from django.db import connection, models

    class Todo(models.Model):
        title = models.TextField()

        class Meta:
            managed = False
            db_table = "todos"
            app_label = "todos"

    todo = Todo.objects.create(title="django")
    check(Todo.objects.get(pk=todo.pk).title, "django", "the key of a model")
    Todo.objects.bulk_create([Todo(title="django 1"), Todo(title="django 2")])
    check(Todo.objects.get_or_create(title="django 1")[1], False, "get_or_create")
    Todo.objects.get(title="django 2").delete()
    connection.close()
    kept.extend(["django", "django 1"])
    gone.append("django 2")


os.umask(0o077)
for client in [of_python, of_shell, of_sqlite_utils, of_pandas, of_sqlalchemy, of_peewee, of_django]:
    client()
print(json.dumps({"kept": kept, "gone": gone}))
