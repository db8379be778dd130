"""The stage of real-servers: a framework instead of demo-api, nginx before it or not. Imported, never run."""

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request

import faulty_stage
from once_edits import EditedNotes
from once_history import Requests
from once_notes import of_server, theirs
from once_writer import Failed

NGINX = """
daemon off; master_process off; pid {root}/nginx.pid; error_log {root}/nginx.log;
events {{}}
http {{
    access_log off; client_body_temp_path {root}/nginx-body; proxy_temp_path {root}/nginx-proxy;
    fastcgi_temp_path {root}/nginx-fastcgi; uwsgi_temp_path {root}/nginx-uwsgi; scgi_temp_path {root}/nginx-scgi;
    limit_req_zone $binary_remote_addr zone=all:1m rate=20r/s;
    server {{
        listen 127.0.0.1:{front} ssl;
        ssl_certificate {root}/server.pem; ssl_certificate_key {root}/server.key;
        gzip on; gzip_types application/json; gzip_min_length 1; gzip_proxied any;
        limit_req zone=all burst=5 nodelay; limit_req_status 429; error_page 429 @busy;
        location / {{ proxy_pass http://127.0.0.1:{proxy}; proxy_http_version 1.1; proxy_buffering on; }}
        location @busy {{
            default_type application/json; add_header Retry-After 1 always;
            return 429 '{{"error": "Too many requests"}}';
        }}
    }}
}}
"""


class RealStage(faulty_stage.FaultyStage):
    """`start`, `kill` and `start` again: "daemon", "server", "proxy", and with nginx "front"."""

    def __init__(self, programs, python, framework, seed, rate):
        super().__init__(programs, seed, False, rate, 2.0)
        self.python, self.lists = python, ["notes"]
        self.password = "correct+horse&5"
        self.password_file = self.write_private("password", self.password)
        self.database = self.root + "/server.sqlite"
        self.server_log = self.root + "/server.log"
        if framework.FRONT:
            self.front_port = faulty_stage.free_port()
            self.server = f"https://127.0.0.1:{self.front_port}"
            self.mortal = [*self.mortal, "front"]
        self.framework = framework(self)

    def revive(self, name):
        if name not in ("server", "front"):
            super().revive(name)
            return
        if name in self.running and self.running[name].poll() is None:
            return
        self.starts[name] += 1
        if name == "front":
            command, port = ["/usr/sbin/nginx", "-e", self.root + "/nginx.log", "-c", self.write_front()], self.front_port
        else:
            command, port = self.framework.command(self.python), self.server_port
        environment = {
            **self.environment, "REAL_DATABASE": self.database, "REAL_PASSWORD": self.password,
            "NODE_PATH": "/usr/share/nodejs", "PYTHONDONTWRITEBYTECODE": "1",
            **(self.framework.secrets() if name == "server" else {})}
        with open(self.server_log, "ab") as log:
            child = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.root)
        self.children.append(child)
        self.running[name] = child
        self.wait_for_port(name, child, port)

    def wait_for_port(self, name, child, port):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and child.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=5).close()
                return
            except OSError:
                time.sleep(0.02)
        with open(self.server_log, encoding="utf-8", errors="replace") as log:
            raise SystemExit(f"the {name} did not start:\n" + log.read()[-2000:])

    def write_front(self):
        """The configuration of nginx, and at first a certificate by an authority of its own."""
        if not os.path.exists(self.root + "/ca.pem"):
            for arguments in [
                    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=authority", "-keyout", "ca.key",
                     "-out", "ca.pem"],
                    ["req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-keyout", "server.key",
                     "-out", "server.csr"],
                    ["x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                     "-extfile", self.write_private("names", "subjectAltName=IP:127.0.0.1\n"), "-out",
                     "server.pem"]]:
                subprocess.run(["openssl", *arguments], check=True, cwd=self.root, stderr=subprocess.DEVNULL)
        return self.write_private("nginx.conf", NGINX.format(
            root=self.root, front=getattr(self, "front_port", 0), proxy=self.proxy_port))

    def configure_real(self):
        """The configuration, and the declarations of the lists."""
        http = {"connectTimeout": "1s", "timeout": f"{self.timeout * 1000:.0f}ms"}
        if self.framework.FRONT:
            http["caFile"] = self.root + "/ca.pem"
        self.write_private("config.json", json.dumps({
            "servers": {"real": self.framework.server()}, "http": http,
            "movies": {"enabled": False}, "todos": {"enabled": False},
            "log": {"format": "text", "level": "debug"}}))
        for name, declaration in self.framework.declarations().items():
            self.declare(name, {**declaration, "server": "real", "interval": "1s"})

    def ask_plainly(self, method, path, body, headers):
        """Asks the server itself, past proxy and syncd; returns its status and its answer."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.server_port}{path}", method=method,
            data=None if body is None else body.encode(), headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode(errors="replace")

    def wait_for_unmodified(self):
        """Waits until the server knows a list again by the entity tag that came through nginx."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with open(self.proxy_log, encoding="utf-8") as file:
                if '"status": "304"' in file.read():
                    return
            time.sleep(0.2)
        raise Failed("no list was known again by its entity tag")

    def other_client(self):
        return {}


class RealNotes(EditedNotes):
    """The writers of exactly-once, at a framework."""

    PROBE = ("INSERT INTO notes(title) VALUES(?)",
             "DELETE FROM notes WHERE _id = (SELECT max(_id) FROM notes WHERE title = 'probe')")

    def __init__(self, stage, seed, killer, creates, deletes, edits):
        self.framework, self.SIZES = stage.framework, stage.framework.SIZES
        super().__init__(stage, seed, killer, False, creates, deletes, edits, True, False)
        # The server's own database has the history.
        stage.history = None

    def rows_of_others(self):
        return [{**row, "title": self.kept(row["title"]), "id": number}
                for row, number in zip(theirs(), self.stage.numbers)]

    def new_row(self):
        row = super().new_row()
        return row._replace(title=self.kept(row.title))

    def kept(self, title):
        """The title as the server keeps it. Whoever compares values has to know which edit they are."""
        return title.strip() if self.framework.TRIMS else title

    def change_at_server(self, server, values):
        self.framework.change(server, values)

    def records(self):
        return self.framework.record(), Requests(
            self.stage.proxy_log, words=self.framework.words(), has_versions=self.framework.VERSIONS)

    def figures(self, rows):
        """How many rows of the accepted ones are lost, how many there are too many, and how many fields of the cache
        are not as the server has them."""
        seen = self.seen()
        self.bind(seen)
        # A delete can give way after the last step: then its row is wanted.
        for note in filter(lambda note: note.is_deleted, self.notes):
            self.give_way(note, seen)
        wanted = {note.server for note in self.notes if not note.is_deleted}
        server = {str(row["id"]): row for row in rows}
        cache = dict(seen.shown.values())
        lost = len(wanted - set(server)) + len(wanted - set(cache))
        more = len(set(server) - wanted) + len(set(cache) - wanted) + len(seen.shown) - len(cache)
        unequal = sum(
            field != held for number in set(server) & set(cache)
            for field, held in zip(cache[number], of_server(server[number])))
        return lost, more, unequal
