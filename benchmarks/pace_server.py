"""A server on loopback with a list in pages and a limit of requests, which it tells in one of four ways. Imported,
never run."""

import http.server
import json
import math
import threading
import time
import urllib.parse

ROWS = 10
SAYS = ["nothing", "retry-after", "ratelimit", "x-ratelimit"]


class Window:
    """So many requests in each second. The first request begins the first second; the others follow without a gap."""

    def __init__(self, rate):
        self.size = rate
        self.began, self.number, self.used = None, 0, 0

    @staticmethod
    def least(rate, count):
        """How long after the first request the last of so many can be answered at the earliest."""
        return float(max(0, math.ceil(count / rate) - 1))

    def take(self, now):
        """Whether a request is taken at this moment."""
        if self.began is None:
            self.began = now
        self._move(now)
        if self.used >= self.size:
            return False
        self.used += 1
        return True

    def remaining(self):
        return self.size - self.used

    def until_one(self, now):
        return self.until_full(now)

    def until_full(self, now):
        return self.began + self.number + 1 - now

    def _move(self, now):
        number = int(now - self.began)
        if number > self.number:
            self.number, self.used = number, 0


class Bucket:
    """A bucket of tokens, full at first, that so many tokens a second flow into."""

    def __init__(self, rate, size):
        self.rate, self.size = rate, size
        self.tokens, self.at = float(size), None

    @staticmethod
    def least(rate, size, count):
        return max(0, count - size) / rate

    def take(self, now):
        if self.at is not None:
            self.tokens = min(float(self.size), self.tokens + (now - self.at) * self.rate)
        self.at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    def remaining(self):
        return int(self.tokens)

    def until_one(self, _):
        return max(0.0, 1 - self.tokens) / self.rate

    def until_full(self, _):
        return (self.size - self.tokens) / self.rate


def limit(name, rate):
    """The limit of this name, `window` or `bucket-SIZE`; None if there is none."""
    if name == "window":
        return Window(rate)
    kind, _, size = name.partition("-")
    if kind == "bucket" and size.isdecimal() and 1 <= int(size) <= 10_000:
        return Bucket(rate, int(size))
    return None


def least(name, rate, count):
    """The least time in which this limit lets so many requests through."""
    if name == "window":
        return Window.least(rate, count)
    return Bucket.least(rate, int(name.partition("-")[2]), count)


def whole(seconds):
    """As servers tell it: in whole seconds, never too short, and never zero."""
    return max(1, math.ceil(seconds))


class QuietHandler(http.server.BaseHTTPRequestHandler):
    """One connection that is kept, and of which nothing is printed."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    # An answer leaves in one write.
    wbufsize = -1

    def log_message(self, *_):
        """Says nothing."""


class Handler(QuietHandler):
    """One connection."""

    def do_GET(self):
        self.server.answer(self, b"")

    def do_POST(self):
        self.server.answer(self, self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def reply(self, status, value, headers):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, text in headers:
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)


class Server(http.server.ThreadingHTTPServer):
    """`GET /notes?page=N` has ten rows and links the next page; `POST /notes` takes a row. Both count for the limit."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, name, rate, says, pages):
        super().__init__(("127.0.0.1", 0), Handler)
        self.limit, self.says, self.pages = limit(name, rate), says, pages
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.lock = threading.Lock()
        # (moment, method, page or title, whether it was taken), in their order
        self.requests = []
        self.created = []

    def __enter__(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return super().__enter__()

    def __exit__(self, *arguments):
        self.shutdown()
        super().__exit__(*arguments)

    def handle_error(self, *_):
        """A client that goes away is no news."""

    def answer(self, handler, body):
        address = urllib.parse.urlsplit(handler.path)
        page = urllib.parse.parse_qs(address.query).get("page", ["1"])[0]
        if address.path != "/notes" or not page.isdecimal() or not 1 <= int(page) <= self.pages:
            return handler.reply(404, {"error": "There is no such page."}, [])
        title = json.loads(body).get("title") if handler.command == "POST" else None
        with self.lock:
            now = time.perf_counter()
            is_taken = self.limit.take(now)
            headers = self.told(is_taken, now)
            self.requests.append((now, handler.command, title or int(page), is_taken))
            if title and is_taken:
                self.created.append((now, title))
                number = self.pages * ROWS + len(self.created)
        if not is_taken:
            return handler.reply(429, {"error": "Too many requests."}, headers)
        if title:
            return handler.reply(201, {"id": number, "title": title}, headers)
        if int(page) < self.pages:
            headers.append(("Link", f'<{self.url}/notes?page={int(page) + 1}>; rel="next"'))
        first = (int(page) - 1) * ROWS + 1
        return handler.reply(200, [{"id": row, "title": f"row {row}"} for row in range(first, first + ROWS)], headers)

    def told(self, is_taken, now):
        """What an answer says of the limit."""
        if self.says == "retry-after" and not is_taken:
            return [("Retry-After", str(whole(self.limit.until_one(now))))]
        if self.says not in ("ratelimit", "x-ratelimit"):
            return []
        wait = self.limit.until_full(now)
        # The older fields tell the moment, in seconds since 1970.
        prefix, reset = ("RateLimit-", whole(wait)) if self.says == "ratelimit" else (
            "X-RateLimit-", math.ceil(time.time() + wait))
        return [(prefix + "Limit", str(self.limit.size)), (prefix + "Remaining", str(self.limit.remaining())),
                (prefix + "Reset", str(reset))]
