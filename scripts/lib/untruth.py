"""What a server says that is not so, said in its place. Imported by fault-proxy, never run; `demo-api --untrue` has the
same kinds in the same words."""

import argparse
import asyncio
import collections
import json
import random

from middlebox import list_of
from proxy_messages import own_answer

WRITES = {"POST", "PATCH", "PUT", "DELETE"}
# Which methods it can happen to.
KINDS = {
    "ignore-create": {"POST"},
    "ignore-create-field": {"POST"},
    "ignore-update": {"PATCH", "PUT"},
    "ignore-update-field": {"PATCH"},
    "ignore-delete": {"DELETE"},
    "answer-part": WRITES,
    "answer-old": WRITES,
    "answer-other": WRITES,
    "answer-id": WRITES,
    "answer-none": WRITES,
    "answer-claim": {"POST", "PATCH", "PUT"},
    "ok-false": WRITES,
    "ok-false-effect": WRITES,
    "async": WRITES,
    "lag": {"GET"},
    "age": {"GET"},
    "age-untold": {"GET"},
}
LONGEST_PAST = 100

Habit = collections.namedtuple("Habit", "kind rate seconds")
Kept = collections.namedtuple("Kept", "habit answer moment")


def habit(text):
    """Reads KIND=P[:Ns]."""
    kind, _, rest = text.partition("=")
    rate, _, span = rest.partition(":")
    if kind not in KINDS:
        raise argparse.ArgumentTypeError(f"the kind is one of {', '.join(KINDS)}, not {kind!r}")
    try:
        seconds = float(span.removesuffix("s")) if span else 20.0
        if not 0 <= float(rate) <= 1 or not 0 < seconds <= 86_400:
            raise ValueError
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not KIND=P[:Ns] with P from 0 to 1 and N a number of seconds") from error
    return Habit(kind, float(rate), seconds)


def body_of(answer):
    """Status and value of an answer; None for a value that is no JSON."""
    head, body = answer
    try:
        return int(head[9:12]), json.loads(body)
    except ValueError:
        return int(head[9:12]), None


def said(status, value=None):
    body = b"" if value is None else json.dumps(value, ensure_ascii=False).encode()
    return own_answer(status, body, *([b"Content-Type: application/json"] if body else []))


def without(lines, *names):
    return [line for line in lines if line.partition(b":")[0].lower() not in names]


def rewritten(request, method=None, path=None, body=None):
    """The request with another method, path or body, and without conditions."""
    head = request.bytes.partition(b"\r\n\r\n")[0].split(b"\r\n")
    lines = without(head[1:], b"content-length", b"if-none-match", b"if-modified-since")
    if method == "GET":
        lines = without(lines, b"content-type", b"if-match", b"idempotency-key")
    if body is not None:
        lines.append(b"Content-Length: %d" % len(body))
    start = f"{method or request.method} {path or request.path} HTTP/1.1".encode("latin-1")
    return request._replace(bytes=b"\r\n".join([start, *lines]) + b"\r\n\r\n" + (body or b""))


class UntrueServer:
    """Draws what is said; `forward` sends a request to the server that is true, and returns head and body."""

    def __init__(self, habits, seed, forward, clock):
        self.habits, self.chance = habits, random.Random(f"untruth {seed}")
        self.forward, self.clock = forward, clock
        # What each list showed before a write, and until when; the newest request for it; what a cache keeps.
        self.past, self.asked, self.kept = collections.defaultdict(list), {}, {}
        self.made_up = 9_000_000
        self.promised = set()

    def draw(self, request):
        """The habit that the request meets, or None; a draw for each habit each time."""
        drawn = [one for one in self.habits if self.chance.random() < one.rate]
        about = list_of(request.path)
        is_list = request.path.partition("?")[0] == about
        return next((one for one in drawn if about and request.method in KINDS[one.kind] and (
            request.method != "GET" or is_list)), None)

    async def answer(self, request):
        """The bytes of an untrue answer and its kind, or None: then the request goes the usual way."""
        about, found = list_of(request.path), self.draw(request)
        if not about or not self.habits:
            return None
        if request.method == "GET":
            if request.path.partition("?")[0] != about:
                return None
            self.asked[request.path] = rewritten(request)
            return await self.list(request, found)
        await self.remember()
        return (await self.write(request, about, found.kind, found.seconds), found.kind) if found else None

    async def remember(self):
        """Keeps what the lists show, because a write is about to change them."""
        if not any(one.kind == "lag" for one in self.habits):
            return
        for path, request in list(self.asked.items()):
            answer = await self.forward(request._replace(received=self.clock()))
            if answer[0][9:12] == b"200":
                self.past[path].append((answer, self.clock()))
                del self.past[path][:-LONGEST_PAST]

    async def list(self, request, found):
        kept, now = self.kept.get(request.path), self.clock()
        if kept and now - kept.moment < kept.habit.seconds:
            age = [b"Age: %d" % (now - kept.moment)] if kept.habit.kind == "age" else []
            return self.old(kept.answer, *age), kept.habit.kind
        self.kept.pop(request.path, None)
        if not found:
            return None
        if found.kind == "lag":
            lag = self.chance.uniform(0, found.seconds)
            old = next((answer for answer, until in self.past[request.path] if until > now - lag), None)
            return (self.old(old), "lag") if old else None
        answer = await self.forward(self.asked[request.path])
        if answer[0][9:12] == b"200":
            self.kept[request.path] = Kept(found, answer, now)
        return self.old(answer), found.kind

    @staticmethod
    def old(answer, *fields):
        """A list of the past has no entity tag that the server knows."""
        head, body = answer
        start, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
        return b"\r\n".join([start, *without(lines, b"etag"), *fields]) + b"\r\n\r\n" + body

    async def write(self, request, about, kind, seconds):
        sent = self.sent(request)
        if kind == "ignore-create":
            self.made_up += 1
            return said(201, {"id": self.made_up, **sent})
        if kind == "ignore-update":
            return b"".join(await self.forward(rewritten(request, "GET")))
        if kind == "ignore-delete":
            return said(204)
        if kind == "ok-false":
            return said(200, {"ok": False, "error": "the server does not want to"})
        if kind == "async":
            self.promise(request, self.chance.uniform(0, seconds))
            return said(202, {})
        if kind.endswith("-field"):
            names = list(sent)[1:]
            if names:
                del sent[self.chance.choice(names)]
            return b"".join(await self.forward(rewritten(request, body=json.dumps(sent).encode())))
        is_row = request.path != about
        before = await self.forward(rewritten(request, "GET")) if is_row and kind == "answer-old" else None
        answer = await self.forward(request)
        status, row = body_of(answer)
        if not 200 <= status < 300:
            return b"".join(answer)
        return await self.shape(request, about, kind, before, answer, sent, row if isinstance(row, dict) else {})

    async def shape(self, request, about, kind, before, answer, sent, row):
        """The answer to a write that is done."""
        status = int(answer[0][9:12])
        if kind == "answer-old" and before and before[0][9:12] == b"200":
            return b"".join(before)
        if kind == "answer-none":
            return said(204)
        if kind == "ok-false-effect":
            return said(200, {"ok": False, "error": "the server does not want to"})
        if kind == "answer-claim":
            return said(status, {"id": row.get("id"), **sent})
        if row and kind == "answer-id":
            return said(status, {"id": row.get("id")})
        if row and kind == "answer-part":
            return said(status, {name: row[name] for name in row if name == "id" or self.chance.random() < 0.5})
        if row and kind == "answer-other":
            rows = body_of(await self.forward(rewritten(request, "GET", about)))[1]
            other = next((one for one in rows or [] if one.get("id") != row.get("id")), None)
            return said(200, other) if other else b"".join(answer)
        return b"".join(answer)

    @staticmethod
    def sent(request):
        try:
            value = json.loads(request.bytes.partition(b"\r\n\r\n")[2] or b"{}")
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    def promise(self, request, seconds):
        """Does later what was answered with 202."""
        async def keep():
            await asyncio.sleep(seconds)
            await self.remember()
            await self.forward(request._replace(received=self.clock()))

        task = asyncio.get_running_loop().create_task(keep())
        self.promised.add(task)
        task.add_done_callback(self.done)

    def done(self, task):
        self.promised.discard(task)
        # The server is gone: it has lost what it promised, as a real one does that dies.
        task.exception()
