"""What exactly-once and the soak share: a daemon, a fault proxy and a server that can be killed and
started again, each on its own port. Imported, never run."""

import collections
import json
import os
import random
import signal
import socket
import subprocess
import urllib.error
import urllib.request

import stage as stages


def free_port():
    """A port that no other program is given by chance while its owner is dead."""
    with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as file:
        first = int(file.read().split()[0])
    for _ in range(1000):
        port = random.SystemRandom().randrange(max(1024, first - 12000), first)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise SystemExit("there is no free port on 127.0.0.1")


def end_well():
    """Lets SIGTERM and SIGINT end this script like an error: what it started ends with it."""
    def end(number, _):
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)


def logged(path):
    """What the proxy has written down, line by line."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                yield json.loads(line)
            except ValueError:
                # Cut short by a kill.
                continue


class FaultyStage(stages.Stage):
    """`start`, `kill` and `start` again: "daemon", "server" and "proxy"."""

    def __init__(self, programs, seed, keyed, rate, timeout):
        super().__init__(programs)
        self.seed, self.keyed, self.rate = seed, keyed, rate
        # The client's http.timeout in seconds; twice that long an operation stays in doubt.
        self.timeout = timeout
        # Whether the proxy doubles creates that it must not repeat: what has to be found out.
        self.double = False
        # How many of the new rows the proxy puts below another project: has to be found out, too.
        self.misfile = 0
        # What the proxy answers of its own, as its --fault takes it.
        self.own_faults = []
        # What it says that is not so, as its --untrue takes it.
        self.untruths = []
        # A list of any rows that the server takes writes to, as a file.
        self.list_file = None
        # What demo-api is told beside that.
        self.server_options = []
        # What the server's state held at the end of each of its lives, where somebody asks for it.
        self.history = None
        # The lists that the daemon keeps.
        self.lists = ["todos", "notes"]
        # What is killed and started again, the daemon first; it is started in this order too, the daemon last.
        self.mortal = ["daemon", "server", "proxy"]
        self.server_port, self.proxy_port = free_port(), free_port()
        self.server = self.movies_server = f"http://127.0.0.1:{self.proxy_port}"
        self.running = {}
        self.starts = collections.Counter()
        self.kills = collections.Counter()
        self.proxy_log = self.root + "/proxy.log"
        self.daemon_log = self.root + "/syncd.log"

    def revive(self, name):
        """Starts what is not running; a server or proxy answers when this returns."""
        if name in self.running and self.running[name].poll() is None:
            return
        self.starts[name] += 1
        if name == "daemon":
            with open(self.daemon_log, "ab") as log:
                self.running[name] = self.spawn(
                    os.path.join(self.programs, "syncd"), "run", "--config", self.configuration,
                    stderr=log)
            return
        if name == "server":
            more = ["--idempotency"] if self.keyed else []
            if self.list_file:
                more += ["--lists-need-login", "--lists-take-writes", "--list", self.list_file]
            more += self.server_options
            child = self.spawn(
                os.path.join(self.programs, "demo-api"), "--quiet", "--port",
                str(self.server_port), "--state", self.root + "/server.state", *stages.secret_arguments(),
                *more, stdout=subprocess.PIPE)
        else:
            # Each life has faults of its own. What Python says of connections that were cut goes aside.
            errors = open(self.root + "/proxy.err", "ab")
            child = self.spawn(
                os.path.join(stages.REPOSITORY, "scripts", "fault-proxy"), "--to",
                str(self.server_port), "--port", str(self.proxy_port), "--timeout", str(self.timeout),
                "--seed", str(self.seed * 1000 + self.starts[name]), "--rate", str(self.rate),
                "--log", self.proxy_log, "--debt", self.root + "/proxy.debt",
                *(["--keyed"] if self.keyed else []),
                *(["--double"] if self.double else []),
                *([f"--misfile={self.misfile}"] if self.misfile else []),
                *(f"--fault={fault}" for fault in self.own_faults),
                *(f"--untrue={untruth}" for untruth in self.untruths),
                stdout=subprocess.PIPE, stderr=errors)
            errors.close()
        self.running[name] = child
        if not child.stdout.readline():
            raise SystemExit(f"the {name} did not start")
        child.stdout.close()

    def spawn(self, *arguments, **options):
        child = subprocess.Popen(
            arguments, env=self.environment, stdin=subprocess.DEVNULL, **options)
        self.children.append(child)
        return child

    def kill(self, name):
        """Kills it where it is, with SIGKILL."""
        child = self.running.pop(name, None)
        if child is None or child.poll() is not None:
            return
        child.send_signal(signal.SIGKILL)
        child.wait()
        self.children.remove(child)
        self.kills[name] += 1
        if name == "server" and self.history is not None:
            with open(self.root + "/server.state", encoding="utf-8") as file:
                self.history.append(file.read())

    def reload(self):
        """Lets the daemon read its configuration again."""
        self.running["daemon"].send_signal(signal.SIGHUP)

    def configure_faulty(self, movies="1h", level="info", **todos):
        """The configuration through the proxy; `movies` is their interval."""
        secrets = stages.secrets()
        document = {
            "movies": {"baseURL": self.server + "/3", "token": None, "interval": movies,
                       "apiKeyFile": self.write_private("api-key", secrets["token"])},
            "todos": {"baseURL": self.server, "email": "demo@example.com", "password": None,
                      "passwordFile": self.write_private("password", secrets["password"]),
                      "idempotency": "key" if self.keyed else "none", "interval": "1s", **todos},
            "http": {"connectTimeout": "1s", "timeout": f"{self.timeout * 1000:.0f}ms"},
            "log": {"format": "text", "level": level}}
        if self.list_file:
            document["servers"] = {"demo": {"baseURL": self.server, "auth": {
                "kind": "login", "path": "/login", "user": "demo@example.com",
                "passwordFile": self.root + "/password", "token": "$.string"}}}
        self.write_private("config.json", json.dumps(document))

    def declare(self, name, declaration):
        """Declares a list; to be called before the daemon starts."""
        os.makedirs(os.path.join(self.root, "lists"), mode=0o700, exist_ok=True)
        self.write_private(f"lists/{name}.json", json.dumps(declaration))

    def ask(self, method, path, body=None, **headers):
        """Asks the server itself, past proxy and syncd."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.server_port}{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", **headers})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def other_client(self):
        """The headers of another client of the account."""
        token = self.ask("POST", "/login", Authorization=stages.basic())["string"]
        return {"Authorization": "Bearer " + token}

    def keep(self, folder, name):
        """Keeps cache, server's state and logs there."""
        os.makedirs(folder, exist_ok=True)
        kept = os.path.join(folder, name)
        while os.path.exists(kept):
            kept += "-again"
        for child in list(self.running):
            self.kill(child)
        os.rename(self.root, kept)
        print(f"cache, server's state and logs: {kept}", flush=True)

    def proxy_figures(self):
        """(requests, faults by name, the longest stall of the proxy in seconds)."""
        requests, faults, stall = 0, collections.Counter(), 0.0
        for facts in logged(self.proxy_log):
            requests += "number" in facts
            stall = max(stall, facts.get("stalled", 0.0))
            if facts.get("fault"):
                faults[facts["fault"]] += 1
        return requests, faults, stall
