"""A server on loopback with a long list, which also tells what changed since a moment, and a limit of requests.
Imported, never run."""

import bisect
import datetime
import math
import random
import time
import urllib.parse

import pace_server

STATES = ("open", "in progress", "closed")


def moment(seconds):
    """As the server spells it: in UTC, and whole seconds."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def second(text):
    """The second of a moment in any spelling of ISO 8601; None if it is no moment."""
    try:
        read = datetime.datetime.fromisoformat(text)
    except ValueError:
        return None
    return math.ceil(read.timestamp()) if read.tzinfo else None


class Table:
    """The rows of the server by id, with the second in which each was changed last. The newest is an hour old."""

    def __init__(self, count):
        self.chance = random.Random(1)
        newest = int(time.time()) - 3600
        self.changed = {number: newest - count + number for number in range(1, count + 1)}
        self.edits = dict.fromkeys(self.changed, 0)
        self.ids = list(self.changed)
        # (second, id), in this order
        self.order = [(second, number) for number, second in self.changed.items()]

    def change(self, count):
        """Edits so many rows now."""
        now = int(time.time())
        for number in self.chance.sample(self.ids, count):
            del self.order[bisect.bisect_left(self.order, (self.changed[number], number))]
            self.changed[number] = now
            self.edits[number] += 1
            bisect.insort(self.order, (now, number))

    def delete(self, count):
        """Deletes so many rows, and keeps nothing that tells of them."""
        for number in self.chance.sample(self.ids, count):
            del self.order[bisect.bisect_left(self.order, (self.changed.pop(number), number))]
            del self.ids[bisect.bisect_left(self.ids, number)]

    def since(self, second):
        """The ids of the rows that were changed in this second or later, in the order of their changes."""
        return [number for _, number in self.order[bisect.bisect_left(self.order, (second, 0)):]]

    def row(self, number):
        return {
            "id": number, "title": f"row {number}, edit {self.edits[number]}", "number": number * 7,
            "state": STATES[number % 3], "estimate": number / 8, "is_done": number % 3 == 2,
            "author": {"id": number % 50, "name": f"person {number % 50}"},
            "created_at": moment(1_700_000_000 + number), "updated_at": moment(self.changed[number])}

    def held(self):
        """What a program should have of each row."""
        return {number: (f"row {number}, edit {self.edits[number]}", moment(self.changed[number])) for number in self.ids}


class Server(pace_server.Server):
    """`GET /rows?limit=100&offset=200` has a page of the list, in the order of ids. With `updated_since`, it has those
    rows that were changed then or later, in the order of their changes. `X-Total-Count` tells how many rows match,
    and `Link` where the next page is."""

    def __init__(self, rows, rate):
        super().__init__("window", rate, "retry-after", 0)
        self.table = Table(rows)
        self.told_until = 0

    def change(self, count):
        with self.lock:
            self.table.change(count)

    def delete(self, count):
        with self.lock:
            self.table.delete(count)

    def held(self):
        with self.lock:
            return self.table.held()

    def asked(self):
        """How many requests were answered since the last call, and how many refused."""
        with self.lock:
            new, self.told_until = self.requests[self.told_until:], len(self.requests)
        taken = sum(request[3] for request in new)
        return taken, len(new) - taken

    def answer(self, handler, _):
        address = urllib.parse.urlsplit(handler.path)
        query = dict(urllib.parse.parse_qsl(address.query))
        limit, offset = query.get("limit", "100"), query.get("offset", "0")
        is_known = address.path == "/rows" and limit.isdecimal() and offset.isdecimal() and 1 <= int(limit) <= 1000
        if handler.command != "GET" or not is_known:
            return handler.reply(404, {"error": "There is no such page."}, [])
        since = second(query["updated_since"]) if "updated_since" in query else 0
        if since is None:
            return handler.reply(400, {"error": "updated_since is no moment with a zone."}, [])
        offset, end = int(offset), int(offset) + int(limit)
        with self.lock:
            now = time.perf_counter()
            is_taken = self.limit.take(now)
            headers = self.told(is_taken, now)
            self.requests.append((now, "GET", handler.path, is_taken))
            if is_taken:
                ids = self.table.since(since) if "updated_since" in query else self.table.ids
                total, page = len(ids), [self.table.row(number) for number in ids[offset:end]]
        if not is_taken:
            return handler.reply(429, {"error": "Too many requests."}, headers)
        headers.append(("X-Total-Count", str(total)))
        if end < total:
            following = urllib.parse.urlencode({**query, "offset": end})
            headers.append(("Link", f'<{self.url}/rows?{following}>; rel="next"'))
        return handler.reply(200, page, headers)
