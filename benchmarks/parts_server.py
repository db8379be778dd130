"""A server on loopback with issues, and a list of comments below each of them. Imported, never run."""

import http.server
import random
import re
import threading
import urllib.parse

import pace_server
from increment_server import moment

# The newest change before a play begins.
BEGAN = 1_700_000_000


class Table:
    """The issues by number, each with the second of its last change, and its comments by id."""

    def __init__(self, issues, comments):
        self.chance = random.Random(1)
        self.clock = BEGAN
        self.changed = {number: BEGAN - issues + number for number in range(1, issues + 1)}
        self.below = {number: {} for number in self.changed}
        self.last = 0
        for _ in range(comments):
            for number in self.changed:
                self.add(number)

    def add(self, number):
        self.last += 1
        self.below[number][self.last] = f"comment {self.last}"

    def pick(self, count):
        """The numbers of so many issues, which are changed in this second."""
        self.clock += 1
        numbers = self.chance.sample(list(self.changed), count)
        self.changed.update(dict.fromkeys(numbers, self.clock))
        return numbers

    def comment(self, number):
        """Adds a comment to this issue, and edits one."""
        edited = self.chance.choice(list(self.below[number]))
        self.below[number][edited] += ", edited"
        self.add(number)

    def issue(self, number):
        return {
            "id": 10_000 + number, "number": number, "title": f"issue {number}", "comments": len(self.below[number]),
            "updated_at": moment(self.changed[number])}

    def comments(self, number):
        return [self.shown(number, key) for key in self.below[number]]

    def one(self, key):
        """This comment, or None."""
        return next((self.shown(number, key) for number, below in self.below.items() if key in below), None)

    def shown(self, number, key):
        return {"id": key, "body": self.below[number][key], "issue_url": f"/issues/{number}"}


class Handler(pace_server.QuietHandler):
    """One connection."""

    def do_GET(self):
        self.server.answer(self)

    reply = pace_server.Handler.reply


class Server(http.server.ThreadingHTTPServer):
    """`GET /issues?limit=100&offset=200` has a page of the issues, `GET /issues/NUMBER/comments` all comments of one, and
    `GET /comments/ID` one of them. `faults` are the statuses that the comments of some issues are answered with."""

    daemon_threads = True
    request_queue_size = 64
    PLACES = re.compile(r"/issues(?:/(\d+)/comments)?|/comments/(\d+)")

    def __init__(self, issues, comments):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.lock = threading.Lock()
        self.table = Table(issues, comments)
        self.faults = {}
        self.asked = {"pages": 0, "parts": 0, "rows": 0}

    def __enter__(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return super().__enter__()

    def __exit__(self, *arguments):
        self.shutdown()
        super().__exit__(*arguments)

    def told(self):
        """How many pages of issues, lists of comments and single comments were asked for since the last call."""
        with self.lock:
            told, self.asked = self.asked, dict.fromkeys(self.asked, 0)
        return told

    def answer(self, handler):
        address = urllib.parse.urlsplit(handler.path)
        place = self.PLACES.fullmatch(address.path)
        if not place:
            return handler.reply(404, {"error": "There is no such list."}, [])
        number, key = place.groups()
        with self.lock:
            if key:
                self.asked["rows"] += 1
                row = self.table.one(int(key))
                return handler.reply(200 if row else 404, row or {"error": "There is no such comment."}, [])
            if number:
                self.asked["parts"] += 1
                status = self.faults.get(int(number), 200)
                body = self.table.comments(int(number)) if status == 200 else {"error": "Not now."}
                return handler.reply(status, body, [])
            self.asked["pages"] += 1
            query = dict(urllib.parse.parse_qsl(address.query))
            offset, limit = int(query.get("offset", "0")), int(query.get("limit", "100"))
            numbers = list(self.table.changed)
            page = [self.table.issue(number) for number in numbers[offset:offset + limit]]
            return handler.reply(200, page, [("X-Total-Count", str(len(numbers)))])
