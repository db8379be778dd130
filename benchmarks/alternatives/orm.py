"""Adds rows by SQLAlchemy: `orm.py CACHE TABLE COUNT`. TABLE is `todos`, or `plain`, which is made with the same
columns. Prints the seconds from the first object to the end of the commit."""

import sys
import time

import sqlalchemy
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

CACHE, TABLE, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3])


class Base(DeclarativeBase):
    """What every mapped class needs."""


class Todo(Base):
    """The columns that a program gives or gets back."""

    __tablename__ = TABLE
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    state: Mapped[str] = mapped_column(server_default=sqlalchemy.FetchedValue())


engine = sqlalchemy.create_engine("sqlite:///" + CACHE, connect_args={"timeout": 10})
with engine.connect() as connection:
    if TABLE == "plain":
        connection.exec_driver_sql(
            "CREATE TABLE plain (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, state TEXT DEFAULT 'queued',"
            " server_id TEXT, created_at INTEGER, error TEXT)")
        connection.commit()
    connection.exec_driver_sql("SELECT count(*) FROM " + TABLE).fetchall()
began = time.perf_counter()
with Session(engine) as session:
    session.add_all([Todo(title=f"added {number}") for number in range(COUNT)])
    session.commit()
print(time.perf_counter() - began)
