"""Projects and tasks at the server of real_fastapi.py, with foreign keys that SQLite looks after. A project that is not
there is told by 404, as the template does. Imported by uvicorn, never run."""

import datetime
import os
import uuid

from fastapi import APIRouter, HTTPException
from real_fastapi import ENGINE, Opened, User, app, now
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError
from sqlmodel import Field, SQLModel, func, select

RULE = {"restrict": "RESTRICT", "cascade": "CASCADE", "set-null": "SET NULL"}[os.environ["REAL_RULE"]]


@event.listens_for(ENGINE, "connect")
def enforce(connection, _):
    connection.execute("PRAGMA foreign_keys = ON")


# A connection that is open already would not enforce them.
ENGINE.dispose()


class ProjectBase(SQLModel):
    title: str = Field(min_length=1, max_length=5000)


class Project(ProjectBase, table=True):
    id: uuid.UUID = Field(default_factory=uuid.uuid4, primary_key=True)
    created_at: datetime.datetime = Field(default_factory=now)


class TaskBase(SQLModel):
    title: str = Field(min_length=1, max_length=5000)
    project_id: uuid.UUID | None = Field(default=None, foreign_key="project.id", ondelete=RULE, nullable=True)
    parent_id: uuid.UUID | None = Field(default=None, foreign_key="task.id", ondelete=RULE, nullable=True)


class Task(TaskBase, table=True):
    id: uuid.UUID = Field(default_factory=uuid.uuid4, primary_key=True)
    created_at: datetime.datetime = Field(default_factory=now)


class TaskUpdate(TaskBase):
    title: str | None = Field(default=None, min_length=1, max_length=5000)


class ProjectsPublic(SQLModel):
    data: list[Project]
    count: int


class TasksPublic(SQLModel):
    data: list[Task]
    count: int


def found(opened, model, number):
    row = opened.get(model, number)
    if not row:
        raise HTTPException(status_code=404, detail=f"{model.__name__} not found")
    return row


def saved(opened, row):
    # What is looked for must not write the row first.
    with opened.no_autoflush:
        for model, number in ((Project, getattr(row, "project_id", None)), (Task, getattr(row, "parent_id", None))):
            if number is not None:
                found(opened, model, number)
    opened.add(row)
    commit(opened)
    opened.refresh(row)
    return row


def commit(opened):
    try:
        opened.commit()
    except IntegrityError as error:
        raise HTTPException(status_code=409, detail="Other rows refer to this one") from error


def listed(opened, model, skip, limit):
    count = opened.exec(select(func.count()).select_from(model)).one()
    rows = opened.exec(select(model).order_by(model.created_at.desc()).offset(skip).limit(limit)).all()
    return {"data": rows, "count": count}


def removed(opened, model, number):
    opened.delete(found(opened, model, number))
    commit(opened)
    return {"message": f"{model.__name__} deleted successfully"}


projects = APIRouter(prefix="/projects", tags=["projects"])
tasks = APIRouter(prefix="/tasks", tags=["tasks"])


@projects.get("/", response_model=ProjectsPublic)
def read_projects(opened: Opened, _: User, skip: int = 0, limit: int = 100):
    return listed(opened, Project, skip, limit)


@projects.post("/", response_model=Project)
def create_project(opened: Opened, _: User, given: ProjectBase):
    return saved(opened, Project.model_validate(given))


@projects.delete("/{number}")
def delete_project(opened: Opened, _: User, number: uuid.UUID):
    return removed(opened, Project, number)


@tasks.get("/", response_model=TasksPublic)
def read_tasks(opened: Opened, _: User, skip: int = 0, limit: int = 100):
    return listed(opened, Task, skip, limit)


@tasks.post("/", response_model=Task)
def create_task(opened: Opened, _: User, given: TaskBase):
    return saved(opened, Task.model_validate(given))


@tasks.put("/{number}", response_model=Task)
def update_task(opened: Opened, _: User, number: uuid.UUID, given: TaskUpdate):
    task = found(opened, Task, number)
    task.sqlmodel_update(given.model_dump(exclude_unset=True))
    return saved(opened, task)


@tasks.delete("/{number}")
def delete_task(opened: Opened, _: User, number: uuid.UUID):
    return removed(opened, Task, number)


SQLModel.metadata.create_all(ENGINE)
app.include_router(projects, prefix="/api/v1")
app.include_router(tasks, prefix="/api/v1")
