"""A list below each row of another one: how many requests its cycles take, and what it is worth while some parts fail."""

import json
import os
import subprocess
import threading
import time

import parts_server
import stage as stages
from measure import Row, limit, verdict

KEY = "parts"
ISSUES, PAGE, COMMENTS, CHANGES = 500, 100, 4, 7
PAGES = -(-ISSUES // PAGE)
# So long a daemon is watched, in seconds.
WATCHED = 10
# So often a person asks for whole lists at most.
LOOKS = 10
HELD = "SELECT c._server_id, i.number, c.body FROM comments AS c JOIN issues AS i ON i._id = c.issue"
FAILED = "SELECT part, error FROM list_parts WHERE list = 'comments' AND error IS NOT NULL"
NOTE = "A process each, from its start to its end; the server counts the requests. See [lists below rows](#lists-below-rows)."


class PartStage(stages.Stage):
    """A place with both lists, and a server of its own."""

    def __init__(self, setting, server):
        super().__init__(setting.programs)
        self.setting, self.source = setting, server
        self.write_private("config.json", json.dumps({
            "servers": {"forge": {"baseURL": server.url}}, "movies": {"enabled": False}, "todos": {"enabled": False}}))
        os.makedirs(self.root + "/lists", mode=0o700)
        self.issues = {
            "list": "/issues", "pages": {"offset": "offset", "limit": ["limit", PAGE], "rows": "header X-Total-Count"},
            "columns": {
                "number": "integer $.number", "title": "text $.title", "comments": "integer $.comments",
                "updated_at": "text $.updated_at"}}
        self.declare("issues", self.issues)
        self.declare("comments", {
            "list": "/issues/{issue.number}/comments", "each": {"issue": "issues", "changed": ["comments", "updated_at"]},
            "update": {"path": "/comments/{id}"}, "read": {"path": "/comments/{id}"},
            "columns": {"issue": "@issue", "body": {"text": "$.body", "write": "update"}}})

    def declare(self, name, declaration):
        self.write_private(f"lists/{name}.json", json.dumps(
            {"server": "forge", "id": "$.id", "interval": "15m", **declaration}))

    def sync(self, *arguments, check=True):
        """Syncs by a process of its own; returns its seconds and what the server was asked for."""
        ended = self.setting.run(
            [self.setting.syncd, "sync", *arguments, "--quiet", "--config", self.configuration], self.environment,
            check=check, stderr=None if check else subprocess.DEVNULL)
        return ended.seconds, self.source.told()

    def is_equal(self):
        """Whether the table has each comment below its issue as the server has it, and no other."""
        held = {int(key): (number, body) for key, number, body in self.rows(HELD)}
        return held == {
            key: (number, body) for number, below in self.source.table.below.items() for key, body in below.items()}


def text(asked):
    """What the server was asked for: pages of issues, lists of comments, and comments alone."""
    parts = [f"{asked['pages']} + {asked['parts']}", *([str(asked["rows"])] if asked["rows"] else [])]
    return f"{' + '.join(parts)} requests"


def row(work, goal, figure, spread, found):
    return Row(KEY, work, goal, figure, spread, found, note=NOTE)


def quiet(stage):
    """The first load, and a cycle after it in which nothing is new."""
    seconds, first = stage.sync()
    loaded = stage.is_equal()
    later, nothing = stage.sync()
    return first, nothing, [
        row(f"first load of {ISSUES} issues in {PAGES} pages, and of the comments of each",
            f"≤ {PAGES} + {ISSUES} requests", text(first), f"{seconds:.1f} s",
            verdict(loaded, first["pages"] <= PAGES, first["parts"] <= ISSUES)),
        row("refresh of both with nothing new", f"≤ {PAGES} + 0 requests", text(nothing), f"{later:.1f} s",
            verdict(stage.is_equal(), nothing["pages"] <= PAGES, nothing["parts"] == 0))]


def changed(stage):
    """Some issues get comments, and then some lose one each."""
    table = stage.source.table
    for number in table.pick(CHANGES):
        table.comment(number)
    seconds, found = stage.sync()
    is_equal = stage.is_equal()
    for number in table.pick(CHANGES):
        table.below[number].popitem()
    later, gone = stage.sync()
    return found, gone, [
        row(f"refresh after new and edited comments of {CHANGES} issues", f"all, ≤ {PAGES} + {CHANGES} requests",
            text(found), f"{seconds:.1f} s", verdict(is_equal, found["pages"] <= PAGES, found["parts"] <= CHANGES)),
        row(f"refresh after {CHANGES} issues have lost a comment each",
            f"none too many, ≤ {PAGES} + {CHANGES} requests, and one for each comment", text(gone), f"{later:.1f} s",
            verdict(stage.is_equal(), gone["pages"] <= PAGES, gone["parts"] <= CHANGES, gone["rows"] <= CHANGES))]


def failing(stage):
    """Some of the changed parts are answered by 500 or 403 for two cycles."""
    table = stage.source.table
    before = {row[:2] for row in stage.rows(HELD)}
    numbers = table.pick(CHANGES)
    for number in numbers:
        table.comment(number)
    faults = {number: status for number, status in zip(numbers, [500, 403, 500, 403])}
    stage.source.faults = faults
    stage.sync(check=False)
    named = {int(part) - 10_000: error for part, error in stage.rows(FAILED)}
    are_named = named.keys() == faults.keys() and all(f" {faults[number]}:" in error for number, error in named.items())
    told = stage.rows("SELECT last_error FROM sync_status WHERE list = 'comments'")[0][0] or ""
    lost = before - {row[:2] for row in stage.rows(HELD)}
    _, again = stage.sync(check=False)
    stage.source.faults = {}
    _, healed = stage.sync()
    return [row(
        f"{len(faults)} of {CHANGES} changed parts are answered by 500 or 403",
        "these are named, no row is gone; then equal by one refresh",
        f"{len(named)} named, {len(lost)} rows gone; then {text(healed)}, and equal" if stage.is_equal() else "not equal",
        f"while they fail, {text(again)} a refresh",
        verdict(are_named, f"{len(faults)} of {ISSUES} parts" in told, not lost, stage.is_equal(),
                healed["parts"] <= len(faults), not stage.rows(FAILED)))]


def refusing(stage):
    """One part is answered by 503 for good, and changes of others come all the same."""
    table = stage.source.table
    numbers = table.pick(CHANGES)
    for number in numbers:
        table.comment(number)
    # The one that is read first.
    broken = min(numbers, key=str)
    stage.source.faults = {broken: 503}
    stage.sync(check=False)
    _, again = stage.sync(check=False)
    held = {int(key) for key, *_ in stage.rows(HELD)}
    others = sum(held >= table.below[number].keys() for number in numbers if number != broken)
    stage.source.faults = {}
    stage.sync(check=False)
    return [row(
        f"one of {CHANGES} changed parts is answered by 503 for good", f"the other {CHANGES - 1} come by the second refresh",
        f"{others} have come", f"the second takes {text(again)}", verdict(others == CHANGES - 1))]


def watched(stage):
    """An issue changes while a daemon runs, whose turn for the comments is much later."""
    stage.sync()
    stage.declare("issues", {**stage.issues, "interval": "2s"})
    daemon = stage.start(
        "syncd", "run", "--config", stage.configuration, stderr=subprocess.PIPE)
    threading.Thread(target=daemon.stderr.read, daemon=True).start()
    table = stage.source.table
    number, = table.pick(1)
    table.comment(number)
    before = ticks(daemon.pid)
    time.sleep(WATCHED)
    took = (ticks(daemon.pid) - before) / os.sysconf("SC_CLK_TCK")
    is_equal = stage.is_equal()
    stage.end(daemon)
    return [row(
        "an issue changes while a daemon runs, which asks for issues every 2 s and for comments every 15 min",
        f"its comments are here within {WATCHED} s, for ≤ 1 s of processor time",
        f"{'here' if is_equal else 'not here'}, {took:.1f} s", "one run", verdict(is_equal, took <= 1))]


def ticks(pid):
    """How much processor time a process has had, in ticks."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        return sum(map(int, file.read().rpartition(")")[2].split()[11:13]))


def silent(stage):
    """Comments change, and no column of their issues tells of it."""
    table = stage.source.table
    for number in table.chance.sample(list(table.below), CHANGES):
        table.below[number][next(iter(table.below[number]))] += ", silently"
    looks = 0
    asked = 0
    while looks < LOOKS and (looks == 0 or not stage.is_equal()):
        asked += stage.sync("comments", "--whole")[1]["parts"]
        looks += 1
    return [Row(
        KEY, f"comments of {CHANGES} issues have changed, and no column of these tells of it", "found by one `sync --whole`",
        f"by {looks}; {asked} requests", "one run", limit(verdict(stage.is_equal()), looks == 1),
        note="A cycle reads at most `most` parts, 100 here, also if a person asks for the whole list.")]


def parts(setting):
    with parts_server.Server(ISSUES, COMMENTS) as server, PartStage(setting, server) as stage:
        first, nothing, rows = quiet(stage)
        found, gone, more = changed(stage)
        rows += more + failing(stage) + refusing(stage) + silent(stage) + watched(stage)
    setting.record(KEY, {f"{name} (requests)": [sum(asked.values())] for name, asked in [
        ("first load", first), ("nothing new", nothing), ("changed", found), ("comments gone", gone)]})
    return rows


ROWS = {KEY: parts}
