"""A server as people write one with FastAPI and SQLModel: `updated_since`, `offset` and `limit`, `{"data": …, "count": …}`,
a token in the header. It keeps nothing of a row that is deleted. uvicorn runs it for real-increments. Imported by
uvicorn, never run."""

import datetime
import os
import secrets
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy import event
from sqlmodel import Field, Session, SQLModel, create_engine, func, select

ENGINE = create_engine("sqlite:///" + os.environ["REAL_DATABASE"])


@event.listens_for(ENGINE, "connect")
def durable(connection, _):
    connection.execute("PRAGMA journal_mode = WAL")


def now():
    return datetime.datetime.now(datetime.timezone.utc)


class NoteBase(SQLModel):
    title: str = Field(min_length=1, max_length=5000)
    done: bool | None = None
    size: int | None = None


class NoteUpdate(NoteBase):
    title: str | None = Field(default=None, min_length=1, max_length=5000)


class Note(NoteBase, table=True):
    id: int | None = Field(default=None, primary_key=True, sa_column_kwargs={"autoincrement": True})
    # Moments of one zone, in whole microseconds.
    changed: int = Field(index=True)


class NotePublic(NoteBase):
    id: int
    updated_at: datetime.datetime


class NotesPublic(SQLModel):
    data: list[NotePublic]
    count: int


def microseconds(moment):
    return (moment - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(microseconds=1)


def public(note):
    moment = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(microseconds=note.changed)
    return NotePublic(**note.model_dump(exclude={"changed"}), updated_at=moment)


def session():
    with Session(ENGINE) as opened:
        yield opened


def user(given: Annotated[HTTPAuthorizationCredentials, Depends(HTTPBearer())]):
    if not secrets.compare_digest(given.credentials, os.environ["REAL_PASSWORD"]):
        raise HTTPException(status_code=401, detail="Could not validate credentials")


Opened = Annotated[Session, Depends(session)]
SQLModel.metadata.create_all(ENGINE)
app = FastAPI(dependencies=[Depends(user)])


@app.get("/notes")
def read_notes(
        opened: Opened, updated_since: datetime.datetime | None = None, offset: int = 0, limit: int = 100) -> NotesPublic:
    wanted = select(Note)
    if updated_since:
        wanted = wanted.where(Note.changed >= microseconds(updated_since))
    count = opened.exec(select(func.count()).select_from(wanted.subquery())).one()
    order = (Note.changed, Note.id) if updated_since else (Note.id,)
    rows = opened.exec(wanted.order_by(*order).offset(offset).limit(min(limit, 1000))).all()
    return NotesPublic(data=[public(note) for note in rows], count=count)


@app.post("/notes", status_code=201)
def create_note(opened: Opened, given: NoteBase) -> NotePublic:
    return saved(opened, Note(**given.model_dump(), changed=microseconds(now())))


@app.post("/notes/import", status_code=201)
def create_notes(opened: Opened, given: list[NoteBase]) -> list[int]:
    """As imports do: all rows have one moment."""
    moment = microseconds(now())
    notes = [Note(**note.model_dump(), changed=moment) for note in given]
    opened.add_all(notes)
    opened.commit()
    return [note.id for note in notes]


def found(opened, number):
    note = opened.get(Note, number)
    if not note:
        raise HTTPException(status_code=404, detail="Note not found")
    return note


@app.get("/notes/{number}")
def read_note(opened: Opened, number: int) -> NotePublic:
    return public(found(opened, number))


@app.patch("/notes/{number}")
def update_note(opened: Opened, number: int, given: NoteUpdate) -> NotePublic:
    note = found(opened, number)
    note.sqlmodel_update({**given.model_dump(exclude_unset=True), "changed": microseconds(now())})
    return saved(opened, note)


def saved(opened, note):
    opened.add(note)
    opened.commit()
    opened.refresh(note)
    return public(note)


@app.delete("/notes/{number}", status_code=204)
def delete_note(opened: Opened, number: int):
    opened.delete(found(opened, number))
    opened.commit()
