"""What the service test tries beyond that where syncd was installed as a package: what the package holds, an
upgrade with changes that wait, from a version with an older schema, links that the service plants, removal,
and purge beside hostile caches. Imported, never run."""

import glob
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile

import service_checks
from machine import Failed, wait_until
from service_checks import CACHE, UNIT
from stage import REPOSITORY

MIGRATIONS = os.path.join(REPOSITORY, "Migrations")


class PackageChecks(service_checks.Checks):
    """The checks of a service, and then those of its package."""

    order = ["contents", *service_checks.ORDER, "upgrade", "upgrade_of_an_older_schema", "planted_links",
             "removal", "purge"]

    def __init__(self, machine, stage, package):
        super().__init__(machine, stage)
        self.package = package

    def dpkg(self, *words):
        return self.machine.text("dpkg", *words)

    def install(self):
        """Installs the newer package in the running machine."""
        inside = "/tmp/" + os.path.basename(self.package)
        shutil.copyfile(self.package, f"/proc/{self.machine.pid}/root{inside}")
        return self.dpkg("--install", inside)

    def contents(self):
        said = outside("lintian", "--fail-on", "error,warning", "--allow-root", self.package)
        self.same(said, "", "what lintian says")
        with tempfile.TemporaryDirectory() as tree:
            outside("dpkg-deb", "--extract", self.package, tree)
            program = tree + "/usr/bin/syncd"
            dynamic = outside("readelf", "--dynamic", "--wide", program)
            self.expect(re.search(r"FLAGS_1.*\bNOW\b.*\bPIE\b", dynamic), f"no NOW or no PIE: {dynamic}")
            segments = outside("readelf", "--segments", "--wide", program)
            self.expect("GNU_RELRO" in segments, "no RELRO")
            self.expect(re.search(r"GNU_STACK .* RW +0x", segments), "the stack can be executed")
            links = 0
            for page in glob.glob(tree + "/usr/share/doc/syncd/**/*.md", recursive=True):
                with open(page, encoding="utf-8") as file:
                    text = re.sub(r"^```.*?^```", "", file.read(), flags=re.M | re.S)
                for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
                    target = os.path.join(os.path.dirname(page), link)
                    self.expect(os.path.exists(target), f"{page.removeprefix(tree)} leads to {link}")
                    links += 1
            self.expect(links > 10, f"there are {links} links only")
        return f"lintian finds nothing; PIE, full RELRO; {links} links lead to files"

    def version(self):
        return self.machine.text("dpkg-query", "--show", "--showformat=${Version}", "syncd")

    def wait_without_network(self, title):
        """Leaves a change in the queue that no network lets out."""
        self.machine.run("ip", "link", "set", "inside", "down")
        self.add(title)
        self.same(self.sql("SELECT count(*) FROM outbox"), "1", "the queue")

    def back_online(self, what):
        self.machine.run("ip", "link", "set", "inside", "up")
        # What was on its way when the network went is in doubt, and lists decide about it after a minute.
        return self.drained(200, what)

    def upgrade(self):
        before, pid = self.version(), self.pid()
        self.wait_without_network("before the upgrade")
        self.install()
        self.expect(self.version() != before, "the version stays")
        wait_until(lambda: self.pid() not in [0, pid], 20, "the restart with the new program")
        self.same(self.sql("SELECT count(*) FROM outbox"), "1", "the queue after the upgrade")
        took = self.back_online("the queue of the upgrade")
        return f"{before} to {self.version()}, the queue was sent {took:.2f} s after the network"

    def upgrade_of_an_older_schema(self):
        self.systemctl("stop", UNIT)
        draft = self.stage.root + "/first.sqlite"
        make_first_schema(draft)
        connection = sqlite3.connect(draft)
        connection.executemany(
            "INSERT INTO conflict (at, list, row_id, field, why, mine, theirs) "
            "VALUES (0, 'todos', ?, 'title', 'edited', 'mine', 'theirs')", [(n,) for n in range(1, 4)])
        connection.commit()
        connection.close()
        self.machine.run("sh", "-c", f"rm -f {CACHE}*")
        shutil.copyfile(draft, f"/proc/{self.machine.pid}/root{CACHE}")
        self.machine.run("chmod", "640", CACHE)
        self.machine.run("chown", "syncd:syncd", CACHE)
        self.install()
        self.systemctl("start", UNIT)
        self.add("after the first schema")
        self.drained(20, "the queue after the first schema")
        copy = self.machine.text("sh", "-c", f"ls {CACHE}.before-*")
        self.expect(copy, "no copy from before the migration")
        told = self.sql("SELECT count(*) FROM conflicts WHERE mine = 'mine'")
        self.same(told, "3", "the conflicts of the first schema")
        return f"3 conflicts of the first schema are still told; {os.path.basename(copy)} is kept"

    def removal(self):
        self.wait_without_network("before the removal")
        self.dpkg("--remove", "syncd")
        self.expect(
            self.machine.run("pgrep", "-x", "syncd", check=False).returncode != 0, "it still runs")
        self.same(self.sql("SELECT count(*) FROM outbox"), "1", "the queue after the removal")
        self.install()
        self.systemctl("start", UNIT)
        self.back_online("the queue of the removed package")
        return "the cache stayed, and after a new installation its change was sent"

    def planted_links(self):
        """What root does in the service's directory follows no link that the service has put there."""
        target = "/etc/skel"
        self.machine.run("ln", "-s", target, "/var/lib/syncd/planted", user="syncd")
        self.machine.run("ln", "-s", target + "/.bashrc", "/var/lib/syncd/cache.sqlite.link", user="syncd")
        before = self.everything(target)
        self.configure("planted")
        self.credentials("syncd.planted")
        self.systemctl("start", "syncd@planted.service", check=False)
        self.install()
        self.systemctl("restart", UNIT)
        self.systemctl("stop", "syncd@planted.service")
        self.same(self.everything(target), before, target)
        self.machine.run("rm", "/var/lib/syncd/planted", "/var/lib/syncd/cache.sqlite.link")
        return "a start, an upgrade and a restart left their targets alone"

    def everything(self, *places):
        return self.machine.text(
            "find", *places, "-printf", "%p %m %U:%G %s %T@ %l\\n").splitlines()

    def purge(self):
        """Purges beside caches that the service made to have its commands run; none may."""
        self.wait_without_network("never sent")
        self.plant("edit", "edit('', 'touch /var/tmp/ran-edit')")
        self.plant("write", "writefile('/var/tmp/ran-write', 'x')")
        self.plant("load", "load_extension('/var/lib/syncd/load/evil')")
        self.plant("endless", "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                              "SELECT count(*) FROM n)")
        self.plant("\x1b[31mred", "edit('', 'touch /var/tmp/ran-red')")
        # Without care, the first one works.
        self.machine.run(
            "sqlite3", "-readonly", "/var/lib/syncd/edit/cache.sqlite", "SELECT count(*) FROM outbox",
            check=False)
        self.same(self.ran(), ["/var/tmp/ran-edit"], "the control")
        self.machine.run("sh", "-c", """
            rm /var/tmp/ran-*
            echo '.shell touch /var/tmp/ran-rc' >/var/lib/syncd/.sqliterc
            cd /var/lib/syncd
            mkdir -p kept pipe
            mkfifo pipe/cache.sqlite
            ln -s /home/reader/.local/state/syncd theirs
            ln -s /etc/shadow kept/cache.sqlite
            ln /etc/hostname kept/hard
            ln -s /etc/skel kept/skel
            chown --no-dereference syncd:syncd .sqliterc kept pipe pipe/cache.sqlite kept/skel theirs
        """)
        others = ["/etc/skel", "/etc/shadow", "/etc/hostname", "/home/reader/.local/state/syncd"]
        before = self.everything(*others)
        instances = self.machine.text("ls", "/var/lib/syncd").split()
        said = self.dpkg("--purge", "syncd")
        synced = [name for name in ["old", "one", "two"] if name in instances]
        told = sorted(line for line in said.splitlines() if "never sent" in line)
        self.same(told, sorted(
            f"syncd: deleting {path}; changes in it that were never sent: {count}"
            for path, count in [
                (CACHE, "1"), *((f"/var/lib/syncd/{name}/cache.sqlite", count) for name, count in [
                    *((name, "0") for name in synced), ("edit", "not known"),
                    ("write", "not known"), ("load", "not known"), ("endless", "not known"),
                    ("??31mred", "not known")])]), "what it said")
        self.same(self.ran(), [], "what ran at the service's wish")
        self.same(self.everything(*others), before, "the files of others")
        left = self.machine.text(
            "sh", "-c", "ls -d /var/lib/syncd /etc/syncd /etc/credstore/syncd.* 2>/dev/null",
            check=False)
        self.same(left, "", "what is left")
        self.machine.run("test", "-e", "/home/reader/.local/state/syncd/cache.sqlite")
        return "said what it deleted, ran nothing of the service's, and left what people keep"

    def plant(self, name, term):
        """Makes an instance's cache whose queue is a view that does something else."""
        draft = self.stage.root + "/hostile.sqlite"
        connection = sqlite3.connect(draft)
        connection.execute(f"CREATE VIEW outbox AS SELECT 1 WHERE {term} IS NOT NULL")
        connection.commit()
        connection.close()
        place = f"/var/lib/syncd/{name}"
        self.machine.run("mkdir", place)
        shutil.move(draft, f"/proc/{self.machine.pid}/root{place}/cache.sqlite")
        self.machine.run("chown", "-R", "syncd:syncd", place)

    def ran(self):
        return self.machine.text(
            "find", "/var/tmp", "-maxdepth", "1", "-name", "ran-*").split()


def outside(*words):
    """What a program on this machine prints."""
    done = subprocess.run(
        words, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True)
    if done.returncode:
        raise Failed(f"{words[0]}: {done.stdout}")
    return done.stdout.strip()


def make_first_schema(path):
    """Makes a cache as the first version had it."""
    with open(os.path.join(MIGRATIONS, "0001_create_cache.sql"), encoding="utf-8") as file:
        text = file.read()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript("""
        PRAGMA application_id = 0x73796e64;
        CREATE TABLE migration (
            version INTEGER PRIMARY KEY, name TEXT NOT NULL, text TEXT NOT NULL,
            applied_at INTEGER NOT NULL
        ) STRICT;""" + text)
    connection.execute("INSERT INTO migration VALUES (1, 'create_cache', ?, 0)", (text,))
    connection.close()
