"""A server in GraphQL, by Strawberry: notes with pages by cursor, and everything by POST to one path. uvicorn runs it for
real-servers. Imported by uvicorn, never run."""

import base64
import json
import os
import sqlite3

import strawberry
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from strawberry.asgi import GraphQL
from strawberry.scalars import JSON

TABLE = """
CREATE TABLE IF NOT EXISTS item (
    id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, done BOOLEAN, size INTEGER, labels TEXT)
"""
COLUMNS = "title", "done", "size", "labels"


def database():
    connection = sqlite3.connect(os.environ["REAL_DATABASE"], timeout=10)
    connection.row_factory = sqlite3.Row
    return connection


@strawberry.type
class Note:
    id: strawberry.ID
    title: str
    done: bool | None
    size: int | None
    labels: JSON | None


@strawberry.type
class PageInfo:
    end_cursor: str | None
    has_next_page: bool


@strawberry.type
class NotePage:
    nodes: list[Note]
    page_info: PageInfo


@strawberry.input
class NoteInput:
    title: str | None = strawberry.UNSET
    done: bool | None = strawberry.UNSET
    size: int | None = strawberry.UNSET
    labels: JSON | None = strawberry.UNSET

    def given(self):
        """The columns that the client has named, as the table has them."""
        values = {name: getattr(self, name) for name in COLUMNS if getattr(self, name) is not strawberry.UNSET}
        if values.get("title", "-") is None:
            raise ValueError("title cannot be null")
        if values.get("labels") is not None:
            values["labels"] = json.dumps(values["labels"])
        return values


def note(row):
    done = None if row["done"] is None else bool(row["done"])
    labels = None if row["labels"] is None else json.loads(row["labels"])
    return Note(id=strawberry.ID(str(row["id"])), title=row["title"], done=done, size=row["size"], labels=labels)


def found(connection, number):
    row = connection.execute("SELECT * FROM item WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise ValueError(f"there is no note {number}")
    return note(row)


@strawberry.type
class Query:
    @strawberry.field
    def notes(self, first: int = 20, after: str | None = None) -> NotePage:
        last = int(base64.b64decode(after)) if after else 0
        first = max(1, min(first, 100))
        with database() as connection:
            rows = connection.execute(
                "SELECT * FROM item WHERE id > ? ORDER BY id LIMIT ?", (last, first + 1)).fetchall()
        nodes = [note(row) for row in rows[:first]]
        end = base64.b64encode(nodes[-1].id.encode()).decode() if nodes else None
        return NotePage(nodes=nodes, page_info=PageInfo(end_cursor=end, has_next_page=len(rows) > first))

    @strawberry.field
    def note(self, id: strawberry.ID) -> Note:
        with database() as connection:
            return found(connection, id)


@strawberry.type
class Mutation:
    @strawberry.mutation
    def create_note(self, note: NoteInput) -> Note:
        values = note.given()
        with database() as connection:
            number = connection.execute(
                f"INSERT INTO item ({', '.join(values)}) VALUES ({', '.join('?' for _ in values)})",
                tuple(values.values())).lastrowid
            return found(connection, number)

    @strawberry.mutation
    def update_note(self, id: strawberry.ID, note: NoteInput) -> Note:
        values = note.given()
        with database() as connection:
            found(connection, id)
            connection.execute(
                f"UPDATE item SET {', '.join(f'{name} = ?' for name in values)} WHERE id = ?", (*values.values(), id))
            return found(connection, id)

    @strawberry.mutation
    def delete_note(self, id: strawberry.ID) -> strawberry.ID:
        with database() as connection:
            found(connection, id)
            connection.execute("DELETE FROM item WHERE id = ?", (id,))
        return id


class Guarded:
    """401 without the token, as a gateway before such a server answers."""

    def __init__(self, inner):
        self.inner = inner

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            sent = dict(scope["headers"]).get(b"authorization", b"").decode()
            if sent != "Bearer " + os.environ["REAL_PASSWORD"]:
                await JSONResponse({"message": "Unauthorized"}, 401)(scope, receive, send)
                return
        await self.inner(scope, receive, send)


with database() as opened:
    opened.execute(TABLE)
app = Starlette()
app.mount("/graphql", Guarded(GraphQL(strawberry.Schema(Query, Mutation), graphql_ide=None)))
