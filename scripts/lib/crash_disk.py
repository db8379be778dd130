"""A disk that is really full: a small file system in memory, with a daemon on it. Imported, never
run."""

import os
import shutil
import sqlite3
import subprocess
import sys
import time

from crash_scenario import Broken, require
from crash_stage import PATIENCE, Stage, memory_directory, opened, rows

SIZE = "2m"
# The daemon's own wait after a full disk grows to 60 s.
LONGEST_WAIT = 90.0


def run(programs):
    """Returns the failures; without the right to mount, says so and does nothing."""
    if os.geteuid() != 0:
        return skip("mounting a small file system needs root")
    root = memory_directory("syncd-disk-")
    stage = Stage(programs, root)
    os.makedirs(stage.run)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=0700", "syncd-disk", stage.run],
        stderr=subprocess.PIPE, text=True)
    if mounted.returncode != 0:
        shutil.rmtree(root)
        return skip(f"the file system cannot be mounted: {mounted.stderr.strip()}")
    began = time.monotonic()
    try:
        fill_and_free(stage)
        print(f"full disk: refused, read, and gone on ({time.monotonic() - began:.1f} s)")
        return []
    except Broken as broken:
        print(f"FAILED: full disk: {broken}", file=sys.stderr)
        return [("disk", (), (broken.kind, str(broken)))]
    finally:
        stage.stop_server()
        subprocess.run(["umount", stage.run], check=False)
        shutil.rmtree(root, ignore_errors=True)


def skip(reason):
    print(f"full disk: SKIPPED, {reason}")
    return []


def fill(stage):
    """Takes every byte that is left."""
    with open(stage.run + "/filler", "ab", buffering=0) as file:
        for size in (65536, 4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue


def must(stage, *arguments):
    ended = stage.syncd(*arguments)
    require(ended.returncode == 0,
            f"syncd {' '.join(arguments)} ended with {ended.returncode}: {ended.stderr}")


def fill_and_free(stage):
    os.makedirs(stage.run + "/state", mode=0o700)
    os.makedirs(stage.run + "/xdg", mode=0o700)
    # The server's own state is elsewhere: its disk is another one.
    stage.start_server("--state", stage.root + "/server")
    stage.configure()
    log = open(stage.root + "/daemon.log", "w+", encoding="utf-8")
    daemon = subprocess.Popen(
        [stage.programs + "/syncd", "run", "--config", stage.configuration],
        env=stage.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)

    def told():
        with open(log.name, encoding="utf-8") as file:
            return file.read()

    try:
        # One that opens its cache when the disk is full already ends, and has to be started again.
        stage.wait_for(lambda: "started" in told(), "the daemon does not start")
        must(stage, "todo", "add", "before 1", "before 2")
        must(stage, "sync", "todos")
        wanted = ["before 1", "before 2"]
        for turn in range(1, 4):
            play_turn(stage, turn, wanted)
            require(daemon.poll() is None, f"the daemon ended with {daemon.returncode}")
        server = [title for _, title in stage.server_todos()]
        require(sorted(server) == sorted(wanted),
                f"the server holds {server}, not {wanted}", "loss")
        daemon.terminate()
        require(daemon.wait(PATIENCE) == 0, f"the daemon ended with {daemon.returncode}")
    except (Broken, TimeoutError, subprocess.TimeoutExpired) as broken:
        kind = broken.kind if isinstance(broken, Broken) else "other"
        raise Broken(kind, f"{broken}; the daemon's log ends: {told()[-800:]}") from None
    finally:
        daemon.kill()
        daemon.wait()
        log.close()


def play_turn(stage, turn, wanted):
    """The disk fills up with work in the queue, and has space again."""
    stage.stop_server()
    must(stage, "todo", "add", f"queued {turn}")
    wanted.append(f"queued {turn}")
    fill(stage)
    # What is left of the last page of the WAL may still take some.
    for number in range(200):
        ended = stage.syncd("todo", "add", f"filling {turn}.{number}")
        if ended.returncode != 0:
            break
        wanted.append(f"filling {turn}.{number}")
    require(ended.returncode == 74, f"a full disk gave exit status {ended.returncode}")
    require("the disk is full" in ended.stderr, f"a full disk was told as {ended.stderr!r}")
    try:
        with opened(stage.cache) as connection:
            connection.execute("INSERT INTO todos (title) VALUES ('by a script')")
        raise Broken("other", "a script could write to a full disk")
    except sqlite3.OperationalError as error:
        require("full" in str(error), f"a script was told {error}")
    shown = [row[0] for row in rows(stage.cache, "SELECT title FROM todos", mode="ro")]
    require(sorted(shown) == sorted(wanted), f"the cache shows {shown}, not {wanted}", "loss")
    require(stage.syncd("todo", "list").returncode == 0, "`todo list` fails on a full disk")
    # The server is back, but the daemon cannot note that it is sending.
    stage.start_server("--state", stage.root + "/server")
    ended = stage.syncd("sync", "todos", "--timeout", "1")
    require(ended.returncode != 0, "a sync was told as done, on a full disk")
    os.remove(stage.run + "/filler")
    must(stage, "todo", "add", f"after {turn}")
    wanted.append(f"after {turn}")
    stage.wait_for(
        lambda: rows(stage.cache, "SELECT count(*) FROM outbox", mode="ro")[0][0] == 0,
        "the queue does not drain after the disk has space again", LONGEST_WAIT)
