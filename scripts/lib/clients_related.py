"""What programs do to two related tables through other libraries. Run by clients-test, in its virtual environment.

A task stands in a project, and can stand below another task. Each client makes families, which are a project, a task
in it, and a task below that one, in one transaction or flush. Later it moves some and deletes others, in each order.
Prints what is to be at the server of this client's rows: lists of a table, a title, and the titles referred to.

What a library has to be told of such tables:

- `project`, `parent` and `lead` hold the `_id` of a row, before and after the server has it. They are no foreign keys
  of SQLite. So what becomes of the rows below a deleted one is what the library does, or else the server.
- A delete that the library leaves to the database (`passive_deletes`, DO_NOTHING) is the server's to follow up.
"""

import json
import os
import sqlite3
import sys

import django
import peewee
import sqlalchemy
from django.apps import AppConfig
from django.conf import settings
from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship

CACHE, STEP, RULE = sys.argv[1:4]
# What becomes of each: it stays; it is deleted from below, or from above; its tasks are let go before it is deleted;
# its tasks move to a project that is made in the same transaction, and it is deleted.
FAMILIES = ["home", "from below", "from above", "let go", "left behind"]
wanted = []


def project(title, lead=None):
    wanted.append(["projects", title, lead])


def task(title, of=None, below=None):
    wanted.append(["tasks", title, of, below])


def family(title):
    project(title)
    task(title + " child", title)
    task(title + " grandchild", title, title + " child")


def check(found, expected, what):
    if found != expected:
        raise SystemExit(f"{what}: {found!r}, and not {expected!r}")


def wanted_of(name):
    """What every client has in the end of this step."""
    if STEP == "make":
        for title in FAMILIES:
            family(f"{name} {title}")
        project(f"{name} late")
        task(f"{name} moved", f"{name} late")
        return
    family(f"{name} home")
    task(f"theirs: {name}", f"{name} home", f"{name} home child")
    task(f"{name} let go child")
    task(f"{name} let go grandchild", None, f"{name} let go child")
    project(f"{name} new")
    task(f"{name} left behind child", f"{name} new")
    task(f"{name} left behind grandchild", f"{name} new", f"{name} left behind child")
    project(f"{name} late")
    task(f"{name} moved", f"{name} late")


class Python:
    """Statements of one's own, in every order."""

    def __init__(self):
        self.cache = sqlite3.connect(CACHE, timeout=10)

    def insert(self, table, **values):
        return self.cache.execute(
            f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
            list(values.values())).lastrowid

    def make(self):
        with self.cache:
            for title in FAMILIES + ["never"]:
                top = self.insert("projects", title=f"python {title}")
                child = self.insert("tasks", title=f"python {title} child", project=top)
                self.insert("tasks", title=f"python {title} grandchild", project=top, parent=child)
            moved = self.insert("tasks", title="python moved", project=top)
        with self.cache:
            late = self.insert("projects", title="python late")
            self.cache.execute("UPDATE tasks SET project = ? WHERE _id = ?", (late, moved))
            self.cache.execute("DELETE FROM projects WHERE _id = ?", (top,))
            self.cache.execute("DELETE FROM tasks WHERE project = ?", (top,))
        try:
            with self.cache:
                self.insert("tasks", title="python refused", project=top)
            raise SystemExit("a row that is gone was taken as a project")
        except sqlite3.IntegrityError as refused:
            check("project of tasks must be the _id of a row of projects" in str(refused), True, str(refused))
        wanted_of("python")

    def change(self):
        ids = dict(self.cache.execute("SELECT title, _id FROM projects"))
        tasks = dict(self.cache.execute("SELECT title, _id FROM tasks"))
        with self.cache:
            self.cache.execute(
                "UPDATE tasks SET project = ?, parent = ? WHERE title = 'theirs: python'",
                (ids["python home"], tasks["python home child"]))
            new = self.insert("projects", title="python new")
            self.cache.execute("UPDATE tasks SET project = ? WHERE project = ?", (new, ids["python left behind"]))
            self.cache.execute("DELETE FROM projects WHERE _id = ?", (ids["python left behind"],))
        with self.cache:
            for title in ["grandchild", "child"]:
                self.cache.execute("DELETE FROM tasks WHERE title = ?", (f"python from below {title}",))
            self.cache.execute("DELETE FROM projects WHERE title = 'python from below'")
        with self.cache:
            self.cache.execute("DELETE FROM projects WHERE title = 'python from above'")
            for title in ["child", "grandchild"]:
                self.cache.execute("DELETE FROM tasks WHERE title = ?", (f"python from above {title}",))
        with self.cache:
            self.cache.execute("UPDATE tasks SET project = NULL WHERE project = ?", (ids["python let go"],))
            self.cache.execute("DELETE FROM projects WHERE _id = ?", (ids["python let go"],))
        wanted_of("python")


class SQLAlchemy:
    """One model for each way that SQLAlchemy can treat the rows below one that it deletes."""

    def __init__(self):
        self.engine = sqlalchemy.create_engine("sqlite:///" + CACHE, connect_args={"timeout": 10})

    @staticmethod
    def models(post_update=False, **rows_below):
        class Base(DeclarativeBase):
            pass

        class Project(Base):
            __tablename__ = "projects"
            id: Mapped[int] = mapped_column("_id", primary_key=True)
            title: Mapped[str]
            lead_id: Mapped[int | None] = mapped_column("lead", ForeignKey("tasks._id"))
            tasks: Mapped[list["Task"]] = relationship(
                back_populates="project", foreign_keys="Task.project_id", **rows_below)
            # They refer to one another: the UPDATE that closes the circle comes last, or first before a delete.
            lead: Mapped["Task | None"] = relationship(foreign_keys=[lead_id], post_update=True)

        class Task(Base):
            __tablename__ = "tasks"
            id: Mapped[int] = mapped_column("_id", primary_key=True)
            title: Mapped[str]
            project_id: Mapped[int | None] = mapped_column("project", ForeignKey("projects._id"))
            parent_id: Mapped[int | None] = mapped_column("parent", ForeignKey("tasks._id"))
            project: Mapped[Project | None] = relationship(back_populates="tasks", foreign_keys=[project_id])
            parent: Mapped["Task | None"] = relationship(
                back_populates="below", remote_side=[id], post_update=post_update)
            below: Mapped[list["Task"]] = relationship(back_populates="parent", post_update=post_update, **rows_below)

        return Project, Task

    @staticmethod
    def titled(session, model, title):
        return session.scalars(sqlalchemy.select(model).filter_by(title=title)).one()

    def make(self):
        for post_update, titles in [(True, ["home", "led"]), (False, FAMILIES[1:] + ["never"])]:
            Project, Task = self.models(post_update, cascade="all, delete-orphan")
            with Session(self.engine) as session:
                for title in titles:
                    top = Project(title=f"sqlalchemy {title}")
                    child = Task(title=f"sqlalchemy {title} child", project=top)
                    Task(title=f"sqlalchemy {title} grandchild", project=top, parent=child)
                    session.add(top)
                session.commit()
        with Session(self.engine) as session:
            never = self.titled(session, Project, "sqlalchemy never")
            moved = Task(title="sqlalchemy moved", project=never)
            session.add(moved)
            session.flush()
            moved.project = Project(title="sqlalchemy late")
            session.flush()
            session.delete(never)
            # Both are new and refer to one another, in one flush.
            both = Project(title="sqlalchemy both")
            both.lead = Task(title="sqlalchemy both child", project=both)
            session.add(both)
            session.commit()
        self.wanted_of_both()
        wanted_of("sqlalchemy")
        family("sqlalchemy led")

    @staticmethod
    def wanted_of_both():
        project("sqlalchemy both", "sqlalchemy both child")
        task("sqlalchemy both child", "sqlalchemy both")

    def change(self):
        Project, Task = self.models()
        with Session(self.engine) as session:
            home = self.titled(session, Project, "sqlalchemy home")
            theirs = self.titled(session, Task, "theirs: sqlalchemy")
            theirs.project, theirs.parent = home, self.titled(session, Task, "sqlalchemy home child")
            home.lead = theirs.parent
            left = self.titled(session, Project, "sqlalchemy left behind")
            new = Project(title="sqlalchemy new")
            for below in list(left.tasks):
                below.project = new
            session.delete(left)
            # Sets what refers to it to NULL, first.
            session.delete(self.titled(session, Project, "sqlalchemy let go"))
            session.commit()
        with Session(self.engine) as session:
            session.execute(sqlalchemy.delete(Project).filter_by(title="sqlalchemy from above"))
            for title in ["child", "grandchild"]:
                session.execute(sqlalchemy.delete(Task).filter_by(title=f"sqlalchemy from above {title}"))
            session.commit()
        Project, Task = self.models(cascade="all, delete-orphan")
        with Session(self.engine) as session:
            session.delete(self.titled(session, Project, "sqlalchemy from below"))
            led = self.titled(session, Project, "sqlalchemy led")
            led.lead = led.tasks[0]
            session.flush()
            session.delete(led)
            session.commit()
        Project, Task = self.models(cascade="all, delete", passive_deletes=True)
        with Session(self.engine) as session:
            # At a server that restricts, that is refused as long as there are tasks below it.
            if RULE != "restrict":
                session.delete(self.titled(session, Project, "passive"))
            session.commit()
        self.wanted_of_both()
        wanted_of("sqlalchemy")
        wanted[wanted.index(["projects", "sqlalchemy home", None])][2] = "sqlalchemy home child"
        self.engine.dispose()


class Peewee:
    """`recursive=True` sets to NULL what can be NULL, and with `delete_nullable=True` deletes it."""

    def __init__(self):
        self.database = peewee.SqliteDatabase(CACHE, timeout=10)

        class Project(peewee.Model):
            id = peewee.AutoField(column_name="_id")
            title = peewee.TextField()

            class Meta:
                table_name = "projects"

        class Task(peewee.Model):
            id = peewee.AutoField(column_name="_id")
            title = peewee.TextField()
            project = peewee.ForeignKeyField(Project, column_name="project", null=True, backref="tasks")
            parent = peewee.ForeignKeyField("self", column_name="parent", null=True, backref="below")

            class Meta:
                table_name = "tasks"

        self.database.bind([Project, Task])
        self.Project, self.Task = Project, Task

    def make(self):
        with self.database.atomic("IMMEDIATE"):
            for title in FAMILIES + ["never"]:
                top = self.Project.create(title=f"peewee {title}")
                child = self.Task.create(title=f"peewee {title} child", project=top)
                self.Task.create(title=f"peewee {title} grandchild", project=top, parent=child)
            moved = self.Task.create(title="peewee moved", project=top)
        with self.database.atomic("IMMEDIATE"):
            moved.project = self.Project.create(title="peewee late")
            moved.save(only=[self.Task.project])
            top.delete_instance(recursive=True, delete_nullable=True)
        wanted_of("peewee")

    def change(self):
        Project, Task = self.Project, self.Task
        with self.database.atomic("IMMEDIATE"):
            theirs = Task.get(title="theirs: peewee")
            theirs.project, theirs.parent = Project.get(title="peewee home"), Task.get(title="peewee home child")
            theirs.save(only=[Task.project, Task.parent])
            left = Project.get(title="peewee left behind")
            new = Project.create(title="peewee new")
            Task.update(project=new).where(Task.project == left).execute()
            left.delete_instance(recursive=True, delete_nullable=True)
        with self.database.atomic("IMMEDIATE"):
            Project.get(title="peewee from below").delete_instance(recursive=True, delete_nullable=True)
            Project.get(title="peewee let go").delete_instance(recursive=True)
        with self.database.atomic("IMMEDIATE"):
            above = Project.get(title="peewee from above")
            above.delete_instance()
            for title in ["child", "grandchild"]:
                Task.get(title=f"peewee from above {title}").delete_instance()
        self.database.close()
        wanted_of("peewee")


class RelatedApp(AppConfig):
    """Django looks for what refers to a row among the models of installed apps alone."""

    name, label, path = "__main__", "related", os.path.dirname(os.path.abspath(__file__))


class Django:
    """One model for each `on_delete`; foreign keys of SQLite are on, as Django sets them."""

    def __init__(self):
        settings.configure(
            DATABASES={"default": {
                "ENGINE": "django.db.backends.sqlite3", "NAME": CACHE,
                # A transaction that reads first could not write any more if the daemon has written meanwhile.
                "OPTIONS": {"timeout": 10, "transaction_mode": "IMMEDIATE"}}},
            INSTALLED_APPS=["__main__.RelatedApp"], DEFAULT_AUTO_FIELD="django.db.models.AutoField")
        django.setup()
        from django.db import connection, models, transaction
        self.connection, self.orm, self.transaction = connection, models, transaction
        with connection.cursor() as cursor:
            check(cursor.execute("PRAGMA foreign_keys").fetchone(), (1,), "foreign keys")

    def models(self, on_delete):
        def model(name, table, **fields):
            meta = type("Meta", (), {"managed": False, "db_table": table, "app_label": RelatedApp.label})
            return type(on_delete.__name__ + name, (self.orm.Model,), {
                "__module__": __name__, "Meta": meta, "title": self.orm.TextField(),
                "id": self.orm.AutoField(primary_key=True, db_column="_id"), **fields})

        project = model("Project", "projects")
        return project, model(
            "Task", "tasks",
            project=self.orm.ForeignKey(project, on_delete, null=True, db_column="project", related_name="tasks"),
            parent=self.orm.ForeignKey("self", on_delete, null=True, db_column="parent", related_name="below"))

    def make(self):
        Project, Task = self.models(self.orm.CASCADE)
        with self.transaction.atomic():
            tops = Project.objects.bulk_create([Project(title=f"django {title}") for title in FAMILIES + ["never"]])
            children = Task.objects.bulk_create([Task(title=f"{top.title} child", project=top) for top in tops])
            Task.objects.bulk_create(
                [Task(title=f"{child.project.title} grandchild", project=child.project, parent=child)
                 for child in children])
            moved = Task.objects.create(title="django moved", project=tops[-1])
        with self.transaction.atomic():
            moved.project = Project.objects.create(title="django late")
            moved.save(update_fields=["project"])
            tops[-1].delete()
        wanted_of("django")

    def change(self):
        Project, Task = self.models(self.orm.CASCADE)
        with self.transaction.atomic():
            home = Project.objects.get(title="django home")
            theirs = Task.objects.get(title="theirs: django")
            theirs.project, theirs.parent = home, home.tasks.get(title="django home child")
            theirs.save(update_fields=["project", "parent"])
            left = Project.objects.get(title="django left behind")
            left.tasks.update(project=Project.objects.create(title="django new"))
            left.delete()
            Project.objects.get(title="django from below").delete()
        Project, Task = self.models(self.orm.SET_NULL)
        Project.objects.get(title="django let go").delete()
        Project, Task = self.models(self.orm.DO_NOTHING)
        with self.transaction.atomic():
            Project.objects.get(title="django from above").delete()
            for title in ["child", "grandchild"]:
                Task.objects.get(title=f"django from above {title}").delete()
        self.connection.close()
        wanted_of("django")


os.umask(0o077)
for client in [Python, SQLAlchemy, Peewee, Django]:
    getattr(client(), STEP)()
print(json.dumps(wanted))
