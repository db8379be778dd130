"""vdirsyncer with a Radicale of its own on a free port of this machine. Imported, never run."""

import base64
import http.client
import os
import signal
import socket
import subprocess
import tempfile
import time

ITEM = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//syncd//benchmark//EN\r
BEGIN:VTODO\r
UID:todo-{0}\r
DTSTAMP:20270101T000000Z\r
SUMMARY:todo number {0}\r
END:VTODO\r
END:VCALENDAR\r
"""
CONFIGURATION = """[general]
status_path = "{root}/status/"
[pair todos]
a = "here"
b = "there"
collections = ["todos"]
[storage here]
type = "filesystem"
path = "{root}/items/"
fileext = ".ics"
[storage there]
type = "caldav"
url = "http://127.0.0.1:{port}/demo/"
username = "demo"
password = "demo"
item_types = ["VTODO"]
"""


class CalDAV:
    """A folder of todos as files, a server, and the command line that syncs them. It all ends with the
    `with` block."""

    def __init__(self, setting, before=()):
        """`before` stands before the server's command line."""
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.root = root = self.folder.name
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.server = subprocess.Popen(
            [*before, setting.python, "-m", "radicale", "--config", "", "--auth-type", "none",
             "--server-hosts", f"127.0.0.1:{self.port}", "--logging-level", "error",
             "--storage-filesystem-folder", root + "/server"],
            # A group of its own: what stands before the server ends with it.
            start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": root}
        self.sync = [setting.tool("vdirsyncer"), "-c", root + "/config", "sync"]

    def __enter__(self):
        try:
            self.make_collection()
            os.makedirs(self.root + "/items/todos")
            with open(self.root + "/config", "w", encoding="ascii") as file:
                file.write(CONFIGURATION.format(root=self.root, port=self.port))
            subprocess.run(
                [*self.sync[:-1], "discover", "--no-list"], env=self.environment, check=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        os.killpg(self.server.pid, signal.SIGTERM)
        self.server.wait()
        self.folder.cleanup()

    def make_collection(self):
        """Waits for the server, too."""
        login = {"Authorization": "Basic " + base64.b64encode(b"demo:demo").decode("ascii")}
        deadline = time.monotonic() + 30
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            try:
                connection.request("MKCALENDAR", "/demo/todos/", "", login)
                status = connection.getresponse().status
                break
            except ConnectionRefusedError:
                if time.monotonic() > deadline or self.server.poll() is not None:
                    raise
                time.sleep(0.05)
            finally:
                connection.close()
        if status != 201:
            raise SystemExit(f"MKCALENDAR: {status}")

    def add_items(self, count):
        for number in range(count):
            path = f"{self.root}/items/todos/todo-{number}.ics"
            with open(path, "w", encoding="ascii", newline="") as file:
                file.write(ITEM.format(number))

    def pushed(self):
        """How many items the server holds."""
        folder = self.root + "/server/collection-root/demo/todos"
        return sum(1 for name in os.listdir(folder) if name.endswith(".ics"))
