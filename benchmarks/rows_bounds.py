"""Bounds that docs/reliability.md states: how long a pull keeps others from writing (S2), and what an
answer costs that is as large as it may be (S7)."""

import http.server
import json
import signal
import sqlite3
import threading
import time
import urllib.request

import stage as stages
from measure import Row, Spread, verdict
from servers import TOKEN, ListServer

MIB = 1 << 20


def add_todo(server, number):
    """Another client adds a todo."""
    request = urllib.request.Request(
        server.server + "/todos", json.dumps({"title": f"another {number}"}).encode(),
        {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        answer.read()


class Bystander(threading.Thread):
    """Asks for the write lock again and again, and remembers how long it was refused at most."""

    def __init__(self, cache):
        super().__init__(daemon=True)
        self.cache, self.longest, self.ending = cache, 0.0, threading.Event()

    def run(self):
        connection = sqlite3.connect(self.cache, timeout=0, isolation_level=None)
        taken = time.perf_counter()
        while not self.ending.is_set():
            try:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("ROLLBACK")
                taken = time.perf_counter()
            except sqlite3.OperationalError:
                self.longest = max(self.longest, time.perf_counter() - taken)
            time.sleep(0.001)
        connection.close()


def lock_rows(setting):
    """How long nobody else could write while a list of 100 000 todos with one more is pulled."""
    waits = []
    with ListServer(setting, 100_000) as server:
        place = server.new_place()
        server.syncd(place, "sync", "todos")
        for number in range(setting.rounds(15)):
            add_todo(server, number)
            bystander = Bystander(server.cache_in(place))
            bystander.start()
            server.syncd(place, "sync", "todos")
            bystander.ending.set()
            bystander.join()
            waits.append(bystander.longest * 1000)
    setting.record("lock", {"longest wait for the write lock (ms)": waits})
    found = Spread.of(waits)
    return [Row(
        "lock", "longest wait of another writer while 100 000 todos with one more are pulled",
        "under 100 ms", f"{found.median:.0f} ms", found.text("{:.0f}") + " ms",
        verdict(found.high < 100),
        note="A bystander asks for the lock each millisecond. The checkpoint behind the pull counts, too.")]


class BodyServer:
    """Gives everybody a token, and one body as the list of todos."""

    def __init__(self, body):
        answered = self.answered = threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self, content):
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def do_POST(self):
                self.answer(json.dumps({"string": TOKEN}).encode())

            def do_GET(self):
                self.answer(body)
                answered.set()

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def configure(self, stage):
        stage.server = stage.movies_server = f"http://127.0.0.1:{self.http.server_port}"
        stage.configure()
        with open(stage.configuration, encoding="utf-8") as file:
            settings = json.load(file)
        settings["movies"]["enabled"] = False
        stage.write_private("config.json", json.dumps(settings))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()


def large_bodies():
    """Bodies that are as large as `http.maxBodyBytes` allows, by what is large in them."""
    title = b'[{"id":1,"title":"' + b"a" * (60 * MIB) + b'"},{"id":2,"title":"milk"}]'
    keys = b"".join(b'"k%d":%d,' % (number, number) for number in range(3_300_000))
    return {
        "a title of 60 MiB": title,
        "an object of 3.3 million keys": b"[{" + keys + b'"id":1,"title":"a"},{"id":2,"title":"milk"}]',
    }


def large_rows(setting):
    """The memory of a pull, by body, and how soon SIGTERM ends one of 1.9 million rows."""
    factors = {}
    for name, body in large_bodies().items():
        with BodyServer(body) as server, stages.Stage(setting.programs) as stage:
            server.configure(stage)
            run = setting.run(
                [setting.syncd, "sync", "--quiet", "--config", stage.configuration], stage.environment)
            if stage.rows("SELECT title FROM todos") != [("milk",)]:
                raise SystemExit(f"the neighbour of {name} was not taken")
            factors[name] = run.peak * 1024 / len(body)
    rows = b",".join(b'{"id":%d,"title":"t"}' % number for number in range(1_900_000))
    ends = []
    for number in range(setting.rounds(9)):
        with BodyServer(b"[" + rows + b"]") as server, stages.Stage(setting.programs) as stage:
            server.configure(stage)
            child = stage.start("syncd", "run", "--config", stage.configuration)
            if not server.answered.wait(60):
                raise SystemExit("the daemon has not asked for the list")
            # Somewhere in the middle of the pull.
            time.sleep(0.3 * number)
            began = time.perf_counter()
            child.send_signal(signal.SIGTERM)
            child.wait(60)
            ends.append(time.perf_counter() - began)
    setting.record("large-rows", {"SIGTERM to end (s)": ends})
    worst = max(factors.values())
    found = Spread.of(ends)
    each = "; ".join(f"{name}: {factor:.1f} ×" for name, factor in factors.items())
    return [
        Row("large-rows", "peak memory of a pull with one row that is far too large",
            "≤ 6 × the body's size", f"{worst:.1f} ×", each, verdict(worst <= 6)),
        Row("large-rows", "SIGTERM in a pull of 1.9 million rows until the daemon's end",
            "under 5 s", f"{found.median:.2f} s", found.text() + " s", verdict(found.high < 5)),
    ]


ROWS = {"lock": lock_rows, "large-rows": large_rows}
