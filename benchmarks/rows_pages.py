"""A long list in pages that each have an entity tag: what the first pull takes, and that the second reads no row again."""

import http.server
import json
import os
import sqlite3
import threading
import urllib.parse

from measure import Row, verdict
from pace_server import QuietHandler
import stage as stages

PAGES, ROWS_OF_PAGE, COLUMNS = 2000, 100, 40
FIELDS = [f"field_{number:02}" for number in range(COLUMNS)]
KINDS = ("integer", "text", "real", "boolean")


def value(field, row):
    """A value of the field's kind."""
    kind = KINDS[field % len(KINDS)]
    return {"integer": row * 40 + field, "text": f"value {row} of {field}", "real": row / 8 + field,
            "boolean": (row + field) % 3 == 0}[kind]


def body(page):
    """The page with this number, from 1."""
    first = (page - 1) * ROWS_OF_PAGE
    return json.dumps([
        {"id": row, **{name: value(field, row) for field, name in enumerate(FIELDS)}}
        for row in range(first + 1, first + ROWS_OF_PAGE + 1)]).encode()


class Handler(QuietHandler):
    """One connection."""

    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        page = int(query.get("page", ["1"])[0])
        tag = f'"{page}"'
        is_known = self.headers.get("If-None-Match") == tag
        content = b"" if is_known else body(page)
        with self.server.lock:
            self.server.asked += 1
            self.server.bytes += len(content)
        self.send_response(304 if is_known else 200)
        self.send_header("ETag", tag)
        if page < PAGES:
            self.send_header("Link", f'<{self.server.url}/rows?page={page + 1}>; rel="next"')
        if not is_known:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


class Server(http.server.ThreadingHTTPServer):
    """`GET /rows?page=N`, whose pages link each other."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.lock = threading.Lock()
        self.asked = self.bytes = 0

    def __enter__(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return super().__enter__()

    def __exit__(self, *arguments):
        self.shutdown()
        super().__exit__(*arguments)

    def told(self):
        """How many requests and bytes of bodies there were since the last call."""
        with self.lock:
            told = (self.asked, self.bytes)
            self.asked = self.bytes = 0
        return told


def configure(stage, server, is_written):
    """Declares the list: for reading alone, or so that programs create, edit and delete."""
    stage.write_private("config.json", json.dumps({"movies": {"enabled": False}, "todos": {"enabled": False}}))
    os.makedirs(os.path.join(stage.root, "lists"), mode=0o700, exist_ok=True)
    columns = {name: f"{KINDS[field % len(KINDS)]} $.{name}" for field, name in enumerate(FIELDS)}
    declaration = {
        "server": {"baseURL": server.url}, "list": "/rows", "id": "integer $.id", "pages": "link", "interval": "1h",
        "columns": columns}
    if is_written:
        columns = {name: {KINDS[field % len(KINDS)]: f"$.{name}", "write": "both"}
                   for field, name in enumerate(FIELDS)}
        declaration |= {"id": "$.id", "columns": columns, "create": True, "update": True, "delete": True}
    stage.write_private("lists/rows.json", json.dumps(declaration))


def long_list(setting, is_written):
    """Both pulls; returns their figures."""
    with Server() as server, stages.Stage(setting.programs) as stage:
        configure(stage, server, is_written)
        pulls = []
        for _ in range(2):
            ended = setting.run(
                [setting.syncd, "sync", "rows", "--config", stage.configuration], environment=stage.environment)
            pulls.append((ended, *server.told()))
        connection = sqlite3.connect(stage.cache)
        count = connection.execute("SELECT count(*) FROM rows").fetchone()[0]
        connection.close()
    return pulls, count


def pages(setting):
    """200 000 rows of 40 columns in 2000 pages, read alone and written."""
    rows = []
    for key, what, is_written in (("read", "read-only", False), ("written", "written by programs", True)):
        (first, second), count = long_list(setting, is_written)
        (ended, asked, size), (again, asked_again, size_again) = first, second
        setting.record("long-list", {
            f"{key}, first pull (s)": [ended.seconds], f"{key}, first pull, peak (KiB)": [ended.peak],
            f"{key}, second pull (s)": [again.seconds], f"{key}, second pull, peak (KiB)": [again.peak]})
        rows.append(Row(
            "long-list",
            f"two pulls of a declared list of {PAGES * ROWS_OF_PAGE:,} rows with {COLUMNS} columns in {PAGES} pages,"
            f" {what}".replace(",000", " 000"),
            "whole; the second reads no row again",
            f"{count} rows; {ended.seconds:.0f} s and {ended.peak / 1024:.0f} MiB at most, then {again.seconds:.0f} s,"
            f" {again.peak / 1024:.0f} MiB and {size_again} bytes of bodies", "one run",
            verdict(count == PAGES * ROWS_OF_PAGE, size_again == 0, asked == PAGES, asked_again == PAGES),
            note=f"The pages have {size / 1e6:.0f} MB together, and an entity tag each."))
    return rows


ROWS = {"long-list": pages}
