"""What the service test tries on a machine that has syncd installed. Imported, never run.

Everything here goes through what an administrator has: systemctl, journalctl, files and sqlite3. So
the same checks hold for a build and for a package.
"""

import json
import os
import re
import signal
import subprocess
import time
import traceback

import stage as stages
from machine import Failed, SERVER, wait_until

CACHE = "/var/lib/syncd/cache.sqlite"
# The names of the credentials, and which of the stage's secrets each is.
SECRETS = {"movies-token": "token", "todos-password": "password"}
UNIT = "syncd.service"
BOUNDS = {"MemoryMax": str(1 << 30), "TasksMax": "64"}
# Writes down which of these files it can read, also by way of other processes.
SPY = """
for file in /var/lib/syncd/*/token*.json \\
        /run/credentials/syncd@one.service/todos-password /run/credentials/syncd@two.service/todos-password \\
        /proc/[0-9]*/root/var/lib/syncd/one/token*.json /proc/[0-9]*/cwd/one/token*.json; do
    case $file in /proc/$$/* | /proc/self/*) continue ;; esac
    if head -c 1 "$file" >/dev/null 2>&1; then echo "$file"; fi
done >/var/lib/syncd/two/seen
"""


class Checks:
    """All checks in their order; each stands on what those before it have set up."""

    # Of a kind that has more of them.
    order = None

    def __init__(self, machine, stage):
        self.machine = machine
        self.stage = stage
        self.failed = []

    def run(self, only=None):
        for name in self.order or ORDER:
            if only and name not in only and name not in NEEDED:
                continue
            try:
                said = getattr(self, name)()
                print(f"ok      {name.replace('_', ' ')}{': ' + said if said else ''}", flush=True)
            except (Failed, AssertionError, subprocess.SubprocessError) as error:
                self.failed.append(name)
                print(f"FAILED  {name.replace('_', ' ')}: {error}", flush=True)
                if isinstance(error, AssertionError):
                    traceback.print_exc()
                # The first checks come before the machine runs.
                if self.machine.leader:
                    shown = self.machine.run(
                        "journalctl", "-u", "syncd*", "-n", "20", "--no-pager", check=False)
                    print(shown.stdout)
                if name in NEEDED:
                    return

    # Helpers

    def expect(self, is_so, what):
        if not is_so:
            raise Failed(what)

    def same(self, found, wanted, what):
        self.expect(found == wanted, f"{what}: expected {wanted!r}, found {found!r}")

    def sql(self, sql, cache=CACHE, user=None, check=True):
        return self.machine.text(
            "sqlite3", "-batch", "-cmd", ".timeout 5000", cache, sql, user=user, check=check)

    def add(self, title, cache=CACHE):
        self.sql(f"INSERT INTO todos(title) VALUES ('{title}')", cache)

    def drained(self, seconds, what, cache=CACHE):
        began = time.monotonic()
        wait_until(lambda: self.sql("SELECT count(*) FROM outbox", cache) == "0", seconds, what)
        return time.monotonic() - began

    def pid(self, unit=UNIT):
        return int(self.machine.show(unit, "MainPID")["MainPID"])

    def systemctl(self, *words, check=True):
        return self.machine.run("systemctl", *words, check=check)

    def log(self, unit=UNIT):
        """The messages of the unit's process in this boot, with their priorities."""
        shown = self.machine.text("journalctl", "-b", "-u", unit, "-o", "json", "--no-pager")
        lines = [json.loads(line) for line in shown.splitlines()]
        return [line for line in lines if line.get("SYSLOG_IDENTIFIER") == "syncd"]

    def logged(self, text, unit=UNIT, seconds=10):
        wait_until(
            lambda: any(text in line["MESSAGE"] for line in self.log(unit)), seconds,
            f"‘{text}’ in the journal")

    def configure(self, name="config", movies=None, **more):
        """Writes a configuration that keeps every secret elsewhere; `movies` is their server."""
        address = f"http://{SERVER}:{self.port}"
        movies = movies or address
        directory = "/var/lib/syncd" + ("" if name == "config" else f"/{name}")
        self.machine.write(f"/etc/syncd/{name}.json", json.dumps({
            # Named, so that whoever reads it with this configuration finds it, too.
            "database": directory + "/cache.sqlite",
            "movies": {"baseURL": movies + "/3", "interval": "1h"},
            "todos": {"baseURL": address, "email": "demo@example.com", "interval": "1h"},
            "http": {
                "connectTimeout": "2s", "timeout": "30s",
                "allowInsecure": [address, movies + "/3"]},
            **more}, indent=2))

    def credentials(self, prefix="syncd"):
        for name, kind in SECRETS.items():
            self.machine.write(
                f"/etc/credstore/{prefix}.{name}", stages.secrets()[kind] + "\n", mode=0o600)

    def drop_in(self, text, unit=UNIT, name="test"):
        self.machine.write(f"/etc/systemd/system/{unit}.d/{name}.conf", "[Service]\n" + text + "\n")
        self.systemctl("daemon-reload")

    def undo_drop_in(self, unit=UNIT, name="test"):
        self.machine.run("rm", "-f", f"/etc/systemd/system/{unit}.d/{name}.conf")
        self.systemctl("daemon-reload")
        self.systemctl("reset-failed", unit, check=False)

    def restarts(self):
        return int(self.machine.show(UNIT, "NRestarts")["NRestarts"])

    def again(self, count, seconds=20):
        """Waits until systemd has restarted the unit so often and it is up."""
        wait_until(
            lambda: self.machine.show(UNIT, "NRestarts", "ActiveState") == {
                "NRestarts": str(count), "ActiveState": "active"}, seconds, "the restart")

    # Checks

    def boot_without_network(self):
        self.stage.start_server("--quiet")
        self.port = self.stage.server.rsplit(":", 1)[1]
        # demo-api serves this machine only.
        self.stage.children.append(subprocess.Popen(
            ["socat", f"TCP-LISTEN:{self.port},bind={SERVER},ip-freebind,fork,reuseaddr",
             f"TCP:127.0.0.1:{self.port}"], stdin=subprocess.DEVNULL))
        self.configure()
        self.credentials()
        self.machine.change("systemctl", "enable", UNIT)
        self.machine.change("useradd", "--create-home", "reader", "-G", "syncd")
        self.machine.change("useradd", "--create-home", "outsider")
        state = self.machine.boot()
        self.same(state, "running", "systemctl is-system-running")
        shown = self.machine.show(UNIT, "ActiveState", "SubState", "NRestarts", "Result")
        self.same(shown, {"ActiveState": "active", "SubState": "running", "NRestarts": "0",
                          "Result": "success"}, UNIT)
        version = self.machine.text("systemctl", "--version").splitlines()[0]
        return f"{version}, state {state}, {UNIT} is active"

    def units_are_clean(self):
        said = self.machine.run("systemd-analyze", "verify", "--man=no", UNIT, "syncd@one.service")
        self.same(said.stderr.strip(), "", "systemd-analyze verify")
        said = self.machine.run(
            "env", "XDG_RUNTIME_DIR=/home/reader", "systemd-analyze", "--user", "verify",
            "--man=no", UNIT, user="reader")
        self.same(said.stderr.strip(), "", "systemd-analyze --user verify")
        levels = []
        for unit in ["syncd.service", "syncd@.service"]:
            shown = self.machine.text(
                "systemd-analyze", "security", "--offline=true", "--threshold=11", "--no-pager",
                f"/usr/lib/systemd/system/{unit}")
            levels.append(shown.splitlines()[-1].strip())
        for unit in [UNIT, "syncd@one.service"]:
            self.same(self.machine.show(unit, "MemoryMax", "TasksMax"), BOUNDS, f"bounds of {unit}")
        return "; ".join(levels)

    def status_without_network(self):
        wait_until(lambda: "todos: offline (" in self.status_text(), 15, "the state offline")
        return self.status_text()

    def status_text(self, unit=UNIT):
        return self.machine.show(unit, "StatusText")["StatusText"]

    def network_comes_up(self):
        for number in range(20):
            self.add(f"offline {number}")
        wait_until(lambda: "queue: 20 queued" in self.status_text(), 15, "the queue in the status")
        queued = self.status_text()
        self.machine.connect()
        took = self.drained(5, "the end of the queue")
        wait_until(
            lambda: "todos: 20 rows" in self.status_text()
            and synced("movies", self.status_text()), 15, "all rows in the status")
        self.expect("queue: empty" in self.status_text(), self.status_text())
        return f"‘{queued}’; drained {took:.2f} s after the network came up"

    def transcript(self):
        print(self.machine.text("systemctl", "status", "--no-pager", "--full", UNIT, check=False))
        return ""

    def sandbox_is_in_force(self):
        with open(self.outer_proc("status"), encoding="ascii") as file:
            lines = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
        for name in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]:
            self.same(int(lines[name], 16), 0, name)
        self.same(lines["NoNewPrivs"], "1", "NoNewPrivs")
        self.same(lines["Seccomp"], "2", "Seccomp")
        owner = self.machine.text("id", "-u", "syncd")
        self.same(lines["Uid"].split()[1], owner, "the effective user")
        with open(self.outer_proc("limits"), encoding="ascii") as file:
            core = next(line.split() for line in file if line.startswith("Max core file size"))
        self.same(core[4], "0", "the limit of core files")
        for path in ["/etc/syncd/config.json", "/usr/bin/syncd", "/home", "/tmp"]:
            done = self.machine.run(
                "nsenter", "--target", str(self.pid()), "--mount", "--setuid", owner, "--setgid",
                owner, "touch", f"{path}/x" if path in ["/home", "/tmp"] else path, check=False)
            self.same(done.returncode == 0, path == "/tmp", f"writing to {path}")
        self.expect(not os.path.exists(f"/proc/{self.machine.pid}/root/tmp/x"), "/tmp is shared")
        return f"Uid {owner}, CapEff 0, CapBnd 0, NoNewPrivs 1, Seccomp 2, no core"

    def outer_proc(self, name):
        """The path of a file of /proc about the daemon."""
        return f"/proc/{self.machine.pid}/root/proc/{self.pid()}/{name}"

    def secrets_are_credentials(self):
        listed = self.machine.text("ls", "/run/credentials/" + UNIT).split()
        self.same(listed, list(SECRETS), "the credentials")
        for name in ["environ", "cmdline"]:
            with open(self.outer_proc(name), "rb") as file:
                text = file.read()
            for secret in stages.secrets().values():
                self.expect(secret.encode() not in text, f"a secret in {name}")
        outsider = self.machine.run(
            "cat", f"/run/credentials/{UNIT}/todos-password", user="outsider", check=False)
        self.expect(outsider.returncode != 0, "an outsider reads a credential")
        for secret in stages.secrets().values():
            shown = self.machine.text("grep", "-rlF", secret, "/var/lib/syncd", check=False)
            self.same(shown, "", "files of the state directory with a secret in them")
        return "movies-token and todos-password, read by both logins"

    def state_directory_modes(self):
        found = self.machine.text("stat", "-c", "%a %U:%G %n", "/var/lib/syncd")
        self.same(found, "750 syncd:syncd /var/lib/syncd", "the state directory")
        shown = self.machine.text("stat", "-c", "%a %U %n", "/etc/credstore")
        self.same(shown, "700 root /etc/credstore", "the credential store")
        found = self.machine.text(
            "sh", "-c", "cd /var/lib/syncd && stat -c '%n %a %U:%G' * .[!.]* 2>/dev/null",
            check=False).splitlines()
        modes = dict(line.split(" ", 1) for line in found)
        for name, mode in modes.items():
            is_read = name.startswith("cache.sqlite") and not name.endswith(".lock")
            wanted = "640" if is_read else "600"
            self.same(mode, f"{wanted} syncd:syncd", name)
        self.expect("cache.sqlite" in modes and len(modes) > 3, f"the files are {modes}")
        return ", ".join(f"{name} {mode.split()[0]}" for name, mode in modes.items())

    def reader_of_the_group(self):
        self.reads("while the daemon runs")
        self.systemctl("stop", UNIT)
        self.reads("after it has stopped")
        self.systemctl("start", UNIT)
        os.kill(self.outer_pid(), signal.SIGKILL)
        self.again(1)
        self.reads("after it was killed and started again")
        refused = self.sql("INSERT INTO todos(title) VALUES ('x')", user="reader", check=False)
        self.same(refused, "", "a write of a reader")
        self.same(self.sql("SELECT count(*) FROM todos WHERE title = 'x'"), "0", "its todo")
        outsider = self.machine.run(
            "sqlite3", CACHE, "SELECT 1 FROM todos", user="outsider", check=False)
        self.expect(outsider.returncode != 0, "an outsider reads the cache")
        return "sqlite3, python3 and syncd read, running, stopped and killed; nobody else does"

    def reads(self, when):
        python = ("import sqlite3; c = sqlite3.connect('%s'); "
                  "print(c.execute('SELECT count(*) FROM todos').fetchone()[0])" % CACHE)
        for words in [
                ["sqlite3", CACHE, "SELECT count(*) FROM todos"],
                # As the guide recommends it.
                ["sqlite3", "-safe", "-readonly", CACHE, "SELECT count(*) FROM todos"],
                ["python3", "-c", python],
                ["syncd", "query", "SELECT count(*) AS n FROM todos", "--csv",
                 "--config", "/etc/syncd/config.json"]]:
            shown = self.machine.run(*words, user="reader", check=False)
            self.expect(
                shown.returncode == 0 and "20" in shown.stdout,
                f"{when}, {words[0]} of a reader: {shown.stdout}{shown.stderr}")

    def outer_pid(self, unit=UNIT):
        """The daemon's number in the namespace of this script."""
        inside = str(self.pid(unit))
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{number}/status", encoding="utf-8") as file:
                    line = next((line for line in file if line.startswith("NSpid:")), "")
                same = os.readlink(f"/proc/{number}/ns/pid") == os.readlink(
                    f"/proc/{self.machine.pid}/ns/pid")
            except OSError:
                continue
            if same and line.split()[-1:] == [inside]:
                return int(number)
        raise Failed(f"no process {inside}")

    def reload(self):
        self.configure(log={"level": "debug"})
        self.systemctl("reload", UNIT)
        self.logged("the configuration was read again")
        self.add("after the reload")
        self.logged("todos: cycle ended: ok")
        return "a new log level is in force"

    def bad_reload(self):
        pid = self.pid()
        self.machine.write("/etc/syncd/config.json", '{"todos": {"intervall": "1s"}}')
        done = self.systemctl("reload", UNIT, check=False)
        self.expect(done.returncode != 0, "systemctl reload took a bad configuration")
        shown = self.machine.show(UNIT, "ActiveState", "SubState")
        self.same(shown, {"ActiveState": "active", "SubState": "running"}, UNIT)
        # Past the check of the unit, as a person with kill would.
        self.systemctl("kill", "--kill-who=main", "-s", "HUP", UNIT)
        self.logged("the old configuration stays")
        wait_until(lambda: "the old one stays" in self.status_text(), 5, "the remark")
        remark = self.status_text()
        self.add("with the old configuration")
        self.drained(5, "the end of the queue")
        self.configure()
        self.systemctl("reload", UNIT)
        wait_until(lambda: "stays" not in self.status_text(), 5, "the end of the remark")
        self.same(self.pid(), pid, "the process")
        return f"refused with exit status {done.returncode}; by signal: ‘{remark}’"

    def watchdog_kills_a_stopped_process(self):
        self.drop_in("WatchdogSec=2s\nRestartSec=100ms")
        self.systemctl("restart", UNIT)
        pings = self.pid()
        time.sleep(5)
        self.same(self.pid(), pings, "the process that pings")
        os.kill(self.outer_pid(), signal.SIGSTOP)
        self.again(1, 30)
        shown = self.machine.text("journalctl", "-b", "-u", UNIT, "--no-pager", "-o", "cat")
        self.expect("Failed with result 'watchdog'" in shown, "no result 'watchdog'")
        self.undo_drop_in()
        self.systemctl("restart", UNIT)
        return "lived for 5 s of pings; Result=watchdog, NRestarts=1 after SIGSTOP"

    def restart_after_a_trap(self):
        self.drop_in("RestartSec=100ms")
        self.systemctl("restart", UNIT)
        for count, number in enumerate([signal.SIGILL, signal.SIGABRT, signal.SIGSEGV], 1):
            os.kill(self.outer_pid(), number)
            self.again(count)
        self.add("after the traps")
        self.drained(5, "the end of the queue")
        self.undo_drop_in()
        self.systemctl("restart", UNIT)
        return "SIGILL, SIGABRT, SIGSEGV: restarted each time"

    def stop_during_a_stalled_request(self):
        listener = subprocess.Popen(
            ["socat", f"TCP-LISTEN:9,bind={SERVER},fork,reuseaddr", "SYSTEM:sleep 60"],
            stdin=subprocess.DEVNULL)
        try:
            self.configure(movies=f"http://{SERVER}:9")
            self.systemctl("restart", UNIT)
            self.systemctl("kill", "--kill-who=main", "-s", "USR1", UNIT)
            wait_until(
                lambda: f"{SERVER}:9" in self.machine.text("ss", "-Htn", "state", "established"),
                10, "a request under way")
            began = time.monotonic()
            self.systemctl("stop", UNIT)
            took = time.monotonic() - began
            self.same(self.machine.show(UNIT, "Result")["Result"], "success", "Result")
            self.expect(took < 5, f"the stop took {took:.2f} s")
        finally:
            listener.kill()
            listener.wait()
        self.configure()
        self.systemctl("start", UNIT)
        return f"{took:.2f} s"

    def out_of_memory(self):
        controllers = self.machine.text("cat", "/sys/fs/cgroup/cgroup.controllers", check=False)
        legacy = self.machine.run("test", "-d", "/sys/fs/cgroup/memory", check=False)
        if "memory" not in controllers.split() and legacy.returncode != 0:
            return "skipped: there is no memory controller"
        self.systemctl("stop", UNIT)
        self.add("before the end of memory")
        self.drop_in("MemoryMax=2M\nRestart=no")
        self.systemctl("start", UNIT, check=False)
        wait_until(
            lambda: self.machine.show(UNIT, "ActiveState")["ActiveState"] == "failed", 30, "the end")
        result = self.machine.show(UNIT, "Result")["Result"]
        # The older hierarchy tells systemd of the signal only.
        self.same(result, "signal" if legacy.returncode == 0 else "oom-kill", "Result")
        self.same(
            self.sql("SELECT count(*) FROM todos WHERE title = 'before the end of memory'"), "1",
            "the accepted todo")
        self.undo_drop_in()
        self.systemctl("start", UNIT)
        self.drained(10, "the end of the queue")
        self.same(self.sql("PRAGMA integrity_check"), "ok", "the cache")
        return f"Result={result}; the todo that waited was sent afterwards"

    def few_threads(self):
        said = []
        for limit in [1, 2, 3, 4, 6]:
            self.drop_in(f"TasksMax={limit}\nRestart=no\nTimeoutStartSec=10s")
            self.systemctl("restart", UNIT, check=False)
            wait_until(
                lambda: self.machine.show(UNIT, "ActiveState")["ActiveState"]
                in ["active", "failed"], 20, "an end of the start")
            self.add(f"with {limit} threads")
            time.sleep(1)
            shown = self.machine.show(UNIT, "ActiveState", "Result", "ExecMainStatus")
            said.append(f"{limit}: {shown['ActiveState']}"
                        + ("" if shown["Result"] == "success" else f" ({shown['Result']})"))
            self.expect(shown["Result"] not in ["core-dump", "signal"],
                        f"TasksMax={limit}: {shown}")
            self.systemctl("stop", UNIT, check=False)
            self.undo_drop_in()
        self.systemctl("restart", UNIT)
        self.drained(10, "the end of the queue")
        return "TasksMax " + ", ".join(said)

    def long_rebuild(self):
        place = "/var/lib/syncd/old"
        cache, unit = place + "/cache.sqlite", "syncd@old.service"
        self.declare_things({"title": "text $.title"})
        self.configure("old", lists="/etc/syncd/old", todos={"enabled": False}, servers={
            "things": {"baseURL": f"http://{SERVER}:{self.port}"}})
        self.credentials("syncd.old")
        self.systemctl("start", unit)
        self.systemctl("stop", unit)
        self.sql("""
            BEGIN;
            UPDATE control SET applying = 'things', paused = 'things';
            WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1000000)
            INSERT INTO things (title, _server_id, _fetched_at, _rank, _document)
            SELECT 'thing ' || n, n, '', n, json_object('id', n, 'title', 'thing ' || n,
                'about', hex(randomblob(8)) || ' ' || hex(randomblob(60)))
            FROM number;
            UPDATE control SET applying = NULL, paused = NULL;
            COMMIT""", cache, user="syncd")
        self.declare_things({"title": "text $.title", "about": "text $.about"}, search=["about"])
        # Longer than a busy machine takes to make the sandbox, shorter than the new table takes.
        timeout = 4
        self.drop_in(f"TimeoutStartSec={timeout}s", unit)
        began = time.monotonic()
        self.systemctl("start", unit)
        took = time.monotonic() - began
        self.expect(took > timeout, f"it took {took:.2f} s only, which tells nothing")
        self.logged("bringing the cache to this version", unit)
        self.same(self.sql("SELECT count(about) FROM things", cache), "1000000", "the new column")
        self.systemctl("stop", unit)
        return f"took {took:.1f} s under TimeoutStartSec={timeout}s"

    def declare_things(self, columns, **more):
        self.machine.write("/etc/syncd/old/things.json", json.dumps({
            "server": "things", "list": "/things", "id": "$.id", "columns": columns, **more}))

    def two_instances(self):
        for name in ["one", "two"]:
            self.configure(name)
            self.credentials(f"syncd.{name}")
            self.systemctl("start", f"syncd@{name}.service")
        for name in ["one", "two"]:
            cache = f"/var/lib/syncd/{name}/cache.sqlite"
            wait_until(
                lambda unit=f"syncd@{name}.service": synced("todos", self.status_text(unit)), 15,
                "the rows of the instance")
            self.add(f"of {name}", cache)
            self.drained(5, "the end of the queue", cache)
            mode = self.machine.text("stat", "-c", "%a %U:%G", f"/var/lib/syncd/{name}")
            self.same(mode, "750 syncd:syncd", f"the directory of {name}")
            listed = self.machine.text("ls", f"/run/credentials/syncd@{name}.service").split()
            self.same(listed, list(SECRETS), "the credentials")
        self.instances_are_apart()
        self.systemctl("stop", "syncd@one.service")
        self.same(self.machine.show("syncd@two.service", "ActiveState")["ActiveState"], "active",
                  "the other instance")
        self.systemctl("stop", "syncd@two.service")
        return "each with its own configuration, cache and credentials, and without the other's"

    def instances_are_apart(self):
        """Has the second instance look for the secrets of both, in its sandbox and as its user."""
        unit = "syncd@two.service"
        self.machine.write("/etc/syncd/spy", SPY)
        own = ["/var/lib/syncd/two/token.json", f"/run/credentials/{unit}/todos-password"]
        # First without the rule, to see that the spy would find something.
        for rule, wanted in [
                ("TemporaryFileSystem=\nBindPaths=\n", ["/var/lib/syncd/one/token.json", *own]),
                ("", own)]:
            self.drop_in(rule + "Type=oneshot\nExecStart=\nExecStart=/bin/sh /etc/syncd/spy", unit)
            self.systemctl("restart", unit)
            seen = self.machine.text("cat", "/var/lib/syncd/two/seen").splitlines()
            self.same(sorted(seen), sorted(wanted), "the secrets that the second instance reads")
        self.undo_drop_in(unit)
        self.systemctl("restart", unit)

    def journal(self):
        lines = self.log()
        # 3 error, 4 warning, 6 info, 7 debug.
        priorities = {line["PRIORITY"] for line in lines}
        self.expect({"4", "6"} <= priorities <= {"3", "4", "6", "7"}, f"priorities {priorities}")
        for line in lines:
            # Not by way of the system's log, as libdispatch would.
            self.same(line["_TRANSPORT"], "stdout", f"the way of {line['MESSAGE']!r}")
            self.expect(not line["MESSAGE"].startswith("<"), f"a prefix in {line['MESSAGE']!r}")
        shown = self.machine.text("journalctl", "-b", "-o", "export", "--no-pager")
        for secret in stages.secrets().values():
            self.expect(secret not in shown, "a secret in the journal")
        refused = [line for line in lines if "the old configuration stays" in line["MESSAGE"]]
        self.same([line["PRIORITY"] for line in refused], ["3"], "the refused reload")
        return f"{len(lines)} lines, priorities {', '.join(sorted(priorities))}, no secret"

    def unit_of_a_user(self):
        number = self.machine.text("id", "-u", "reader")
        self.machine.write(
            "/home/reader/.config/syncd/config.json", json.dumps({
                "movies": {"enabled": False},
                "todos": {"baseURL": f"http://{SERVER}:{self.port}", "email": "demo@example.com",
                          "passwordFile": "/home/reader/.config/syncd/password"},
                "http": {"allowInsecure": [f"http://{SERVER}:{self.port}"]}}), 0o600)
        self.machine.write(
            "/home/reader/.config/syncd/password", stages.secrets()["password"] + "\n", 0o600)
        self.machine.run("chown", "-R", "reader:reader", "/home/reader/.config")
        self.machine.run("loginctl", "enable-linger", "reader")
        wait_until(
            lambda: self.machine.run("test", "-S", f"/run/user/{number}/systemd/private",
                                     check=False).returncode == 0, 15, "the user's manager")

        def systemctl(*words):
            return self.machine.text(
                "env", f"XDG_RUNTIME_DIR=/run/user/{number}", "systemctl", "--user", *words,
                user="reader", check=False)

        systemctl("enable", "--now", UNIT)
        wait_until(lambda: synced("todos", systemctl("show", UNIT, "-p", "StatusText")), 15,
                   "the user's todos")
        self.same(systemctl("is-active", UNIT), "active", "the user's service")
        cache = "/home/reader/.local/state/syncd/cache.sqlite"
        self.same(self.machine.text("stat", "-c", "%a %U", cache), "600 reader", cache)
        inside = systemctl("show", UNIT, "-p", "MainPID").split("=")[1]
        with open(f"/proc/{self.machine.pid}/root/proc/{inside}/status", encoding="ascii") as file:
            status = file.read()
        self.expect("NoNewPrivs:\t1" in status and "Seccomp:\t2" in status, "no sandbox")
        bounds = systemctl("show", UNIT, "-p", "MemoryMax", "-p", "TasksMax").splitlines()
        self.same(dict(line.split("=", 1) for line in bounds), BOUNDS, "the bounds")
        systemctl("stop", UNIT)
        return "active, its cache is 600, Seccomp 2"


def synced(list, status):
    """Whether the status line says that the last cycle of the list went well."""
    return re.search(rf"\b{list}: \d+ rows?, next ", status)


NEEDED = ["boot_without_network", "network_comes_up"]
ORDER = [
    "boot_without_network", "units_are_clean", "status_without_network", "network_comes_up",
    "transcript", "sandbox_is_in_force", "secrets_are_credentials", "state_directory_modes",
    "reader_of_the_group", "reload", "bad_reload", "watchdog_kills_a_stopped_process",
    "restart_after_a_trap", "stop_during_a_stalled_request", "out_of_memory", "few_threads",
    "long_rebuild", "two_instances", "unit_of_a_user", "journal",
]
