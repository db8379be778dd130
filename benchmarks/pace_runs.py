"""The runs of `pace`: one program that reads a list from a server with a limit, or a daemon that meanwhile has rows to
send. Imported, never run."""

import json
import math
import os
import sqlite3
import time

from measure import HERE
import pace_server
import stage as stages

# A program that is slower than so many times the least time is ended. Its ratio is that of the pages that came.
SLOW = 2
CREATES = 30
# So long they may take: this time, or that of so many requests.
CREATES_GOAL, CREATES_REQUESTS = 10.0, 100


def run(program, name, says, options, python):
    """One first pull; returns its figures."""
    with pace_server.Server(name, options.rate, says, options.pages) as server, stages.Stage(options.programs) as stage:
        least = pace_server.least(name, options.rate, options.pages)
        if program == "syncd":
            cache = stage.cache
            configure(stage, server)
            command = ["syncd", "sync", "notes", "--config", stage.configuration]
        else:
            cache = os.path.join(stage.root, "rows.sqlite")
            stage.environment["RUNTIME__DLTHUB_TELEMETRY"] = "false"
            command = [python, os.path.join(HERE, f"alternatives/pace_{program}.py"), server.url, cache]
        status, ended = finished(stage, command, server, SLOW * least + 10)
        requests = list(server.requests)
        came = len({page for _, _, page, is_taken in requests if is_taken})
        seconds = ended - requests[0][0] if requests else 0.0
        possible = pace_server.least(name, options.rate, came)
        kept = rows(cache)
        keep(options, f"{program}-{name}-{says}", stage, requests)
    return {
        "program": program, "limit": name, "says": says, "seconds": seconds, "least": least, "status": status,
        "ratio": seconds / possible if possible else None, "pages": came,
        "refused": sum(not is_taken for *_, is_taken in requests), "rows": kept,
        "whole": kept == options.pages * pace_server.ROWS}


def finished(stage, command, server, bound):
    """The exit status of the program, None if it had to be ended, and the moment of its end."""
    with open(os.path.join(stage.root, "said"), "w", encoding="utf-8") as file:
        child = stage.start(*command, stdout=file, stderr=file)
    start = time.perf_counter()
    # The start of a large program is not counted, but it has an end, too.
    while child.poll() is None:
        began = server.requests[0][0] if server.requests else start + 60
        if time.perf_counter() > began + bound:
            moment = time.perf_counter()
            stage.end(child)
            return None, moment
        time.sleep(0.02)
    return child.returncode, time.perf_counter()


def creates(name, says, options):
    """Rows that are written while the first pull of the daemon is under way; returns its figures."""
    goal = max(CREATES_GOAL, CREATES_REQUESTS / options.rate)
    bound = 6 * goal
    # Whatever the options say, the pull takes longer than the creates may.
    pages = max(options.pages, math.ceil(2 * bound * options.rate))
    with pace_server.Server(name, options.rate, says, pages) as server, stages.Stage(options.programs) as stage:
        configure(stage, server)
        with open(os.path.join(stage.root, "said"), "w", encoding="utf-8") as file:
            child = stage.start("syncd", "run", "--config", stage.configuration, stdout=file, stderr=file)
        is_under_way = within(60, lambda: sum(request[3] for request in server.requests) >= 3 * options.rate)
        began = time.perf_counter()
        if is_under_way:
            for number in range(CREATES):
                stage.rows("INSERT INTO notes(title) VALUES (?)", f"new {number}")
        within(bound, lambda: len(server.created) >= CREATES or child.poll() is not None)
        requests, created = list(server.requests), list(server.created)
        stage.end(child)
        keep(options, f"creates-{name}-{says}", stage, requests)
    titles = {title for _, title in created}
    return {
        "program": "creates", "limit": name, "says": says,
        "arrived": len(titles), "doubled": len(created) - len(titles),
        "seconds": max((moment for moment, _ in created), default=began) - began, "goal": goal,
        "refused": sum(not is_taken for moment, _, _, is_taken in requests if moment >= began),
        "pages": sum(method == "GET" and is_taken for moment, method, _, is_taken in requests if moment >= began)}


def within(seconds, test):
    """Whether the test came true in this time."""
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline:
        if test():
            return True
        time.sleep(0.02)
    return False


def configure(stage, server):
    """Declares the list; its pages are linked, and it takes rows."""
    stage.write_private("config.json", json.dumps({"movies": {"enabled": False}, "todos": {"enabled": False}}))
    os.makedirs(os.path.join(stage.root, "lists"), mode=0o700)
    stage.write_private("lists/notes.json", json.dumps({
        "server": {"baseURL": server.url}, "list": "/notes", "id": "$.id", "pages": "link", "interval": "1h",
        "create": True, "columns": {"title": {"text": "$.title", "write": "create", "required": True}}}))


def rows(path):
    """How many different rows a program has kept."""
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5)
        try:
            return connection.execute("SELECT count(DISTINCT title) FROM notes").fetchone()[0]
        finally:
            connection.close()
    except sqlite3.OperationalError:
        return 0


def keep(options, name, stage, requests):
    """Leaves the moments of the requests and what the program said in the directory of `--keep`."""
    if not options.keep:
        return
    with open(os.path.join(stage.root, "said"), encoding="utf-8", errors="replace") as file:
        said = file.read()
    with open(os.path.join(options.keep, name + ".txt"), "w", encoding="utf-8") as file:
        for moment, method, what, is_taken in requests:
            file.write(f"{moment - requests[0][0]:9.3f} {method:4} {what} {'' if is_taken else 'refused'}\n")
        file.write(said)
