"""What the service test tries beyond that where syncd was installed as a package: an upgrade with changes
that wait, from a version with an older schema, removal, and purge. Imported, never run."""

import os
import shutil
import sqlite3

import service_checks
from machine import wait_until
from service_checks import CACHE, UNIT


class PackageChecks(service_checks.Checks):
    """The checks of a service, and then those of its package."""

    order = [*service_checks.ORDER, "upgrade", "upgrade_of_an_older_schema", "removal", "purge"]

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

    def version(self):
        return self.machine.text("dpkg-query", "--show", "--showformat=${Version}", "syncd")

    def wait_without_network(self, title):
        """Leaves a change in the queue that no network lets out."""
        self.machine.run("ip", "link", "set", "inside", "down")
        self.add(title)
        self.same(self.sql("SELECT count(*) FROM outbox"), "1", "the queue")

    def back_online(self, what):
        self.machine.run("ip", "link", "set", "inside", "up")
        return self.drained(60, what)

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
        service_checks.make_first_schema(draft, movies=20)
        connection = sqlite3.connect(draft)
        connection.executemany(
            "INSERT INTO todos(title) VALUES (?)", [(f"of the first schema {n}",) for n in range(3)])
        connection.commit()
        connection.close()
        self.machine.run("sh", "-c", f"rm -f {CACHE}*")
        shutil.copyfile(draft, f"/proc/{self.machine.pid}/root{CACHE}")
        self.machine.run("chmod", "640", CACHE)
        self.machine.run("chown", "syncd:syncd", CACHE)
        self.install()
        self.systemctl("start", UNIT)
        self.drained(20, "the queue of the first schema")
        copy = self.machine.text("sh", "-c", f"ls {CACHE}.before-*")
        self.expect(copy, "no copy from before the migration")
        synced = self.sql(
            "SELECT count(*) FROM todos WHERE title LIKE 'of the first%' AND state = 'synced'")
        self.same(synced, "3", "the todos of the first schema")
        return f"3 changes of the first schema were sent; {os.path.basename(copy)} is kept"

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

    def purge(self):
        self.wait_without_network("never sent")
        said = self.dpkg("--purge", "syncd")
        self.expect(
            f"deleting {CACHE}, with 1 changes that were not sent" in said, f"it said: {said}")
        left = self.machine.text(
            "sh", "-c", "ls -d /var/lib/syncd /etc/syncd /etc/credstore/syncd.* 2>/dev/null",
            check=False)
        self.same(left, "", "what is left")
        self.machine.run("test", "-e", "/home/reader/.local/state/syncd/cache.sqlite")
        return "said what it deleted, and left what people keep"
