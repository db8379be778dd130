"""A server as FastAPI's own full-stack template has it: SQLModel, an OAuth2 password form, `{"data": …, "count": …}`,
`skip` and `limit`, ids that are UUIDs, 403 for a token that is not known. uvicorn runs it for real-servers.
Imported by uvicorn, never run."""

import datetime
import os
import secrets
import uuid
from typing import Annotated, Any

import jwt
from fastapi import APIRouter, Depends, FastAPI, HTTPException
from fastapi.security import OAuth2PasswordBearer, OAuth2PasswordRequestForm
from sqlmodel import JSON, Column, Field, Session, SQLModel, create_engine, func, select

# Made anew at each start, as the template does without a setting: all tokens end with the process.
KEY = secrets.token_urlsafe(32)
ENGINE = create_engine("sqlite:///" + os.environ["REAL_DATABASE"])


def now():
    return datetime.datetime.now(datetime.timezone.utc)


class ItemBase(SQLModel):
    title: str = Field(min_length=1, max_length=5000)
    done: bool | None = None
    size: int | None = None
    labels: Any = Field(default=None, sa_column=Column(JSON))


class ItemCreate(ItemBase):
    pass


class ItemUpdate(ItemBase):
    title: str | None = Field(default=None, min_length=1, max_length=5000)


class Item(ItemBase, table=True):
    id: uuid.UUID = Field(default_factory=uuid.uuid4, primary_key=True)
    created_at: datetime.datetime = Field(default_factory=now)


class ItemPublic(ItemBase):
    id: uuid.UUID
    created_at: datetime.datetime


class ItemsPublic(SQLModel):
    data: list[ItemPublic]
    count: int


def session():
    with Session(ENGINE) as opened:
        yield opened


Opened = Annotated[Session, Depends(session)]
Token = Annotated[str, Depends(OAuth2PasswordBearer(tokenUrl="/api/v1/login/access-token"))]


def user(token: Token):
    try:
        return jwt.decode(token, KEY, algorithms=["HS256"])["sub"]
    except jwt.InvalidTokenError as error:
        raise HTTPException(status_code=403, detail="Could not validate credentials") from error


User = Annotated[str, Depends(user)]
login = APIRouter(tags=["login"])
items = APIRouter(prefix="/items", tags=["items"])


@login.post("/login/access-token")
def access_token(form: Annotated[OAuth2PasswordRequestForm, Depends()]):
    if (form.username, form.password) != ("me@example.org", os.environ["REAL_PASSWORD"]):
        raise HTTPException(status_code=400, detail="Incorrect email or password")
    payload = {"sub": form.username, "exp": now() + datetime.timedelta(days=8)}
    return {"access_token": jwt.encode(payload, KEY, algorithm="HS256"), "token_type": "bearer"}


@items.get("/", response_model=ItemsPublic)
def read_items(opened: Opened, _: User, skip: int = 0, limit: int = 100):
    count = opened.exec(select(func.count()).select_from(Item)).one()
    rows = opened.exec(select(Item).order_by(Item.created_at.desc()).offset(skip).limit(limit)).all()
    return {"data": rows, "count": count}


def found(opened, number):
    item = opened.get(Item, number)
    if not item:
        raise HTTPException(status_code=404, detail="Item not found")
    return item


@items.get("/{number}", response_model=ItemPublic)
def read_item(opened: Opened, _: User, number: uuid.UUID):
    return found(opened, number)


@items.post("/", response_model=ItemPublic)
def create_item(opened: Opened, _: User, given: ItemCreate):
    return saved(opened, Item.model_validate(given))


@items.put("/{number}", response_model=ItemPublic)
def update_item(opened: Opened, _: User, number: uuid.UUID, given: ItemUpdate):
    item = found(opened, number)
    item.sqlmodel_update(given.model_dump(exclude_unset=True))
    return saved(opened, item)


def saved(opened, item):
    opened.add(item)
    opened.commit()
    opened.refresh(item)
    return item


@items.delete("/{number}")
def delete_item(opened: Opened, _: User, number: uuid.UUID):
    opened.delete(found(opened, number))
    opened.commit()
    return {"message": "Item deleted successfully"}


SQLModel.metadata.create_all(ENGINE)
app = FastAPI()
app.include_router(login, prefix="/api/v1")
app.include_router(items, prefix="/api/v1")
