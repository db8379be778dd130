"""The play of exactly-once about rows that refer to rows, at demo-api and at servers that people have. Imported, never
run."""

import collections
import json
import sqlite3
import subprocess
import time
import urllib.error

import faulty_stage
import once_play
from crash_scenario import Broken
from once_related import RelatedRows
from once_related_accounts import RelatedAccounts
from once_writer import Differs, Failed, Unaccounted

RULES = ["restrict", "cascade", "set-null"]
# What another client had before. Its ids are small, as local numbers are, and are not those that the rows get here.
THEIRS = {
    "projects": [{"id": 7 - number, "title": f"project {number} theirs"} for number in range(1, 5)],
    "tasks": [{"id": 20 - number, "title": f"task {number} theirs", "project_id": 3 + number % 4,
               "parent_id": 19 if number > 4 else None} for number in range(1, 9)]}


def declarations(fields, **more):
    """Both lists as syncd is told of them; `fields` has the members that refer to other rows."""
    title = {"text": "$.title", "write": "both", "required": True}
    return {
        "projects": {**more, "list": "/lists/projects", "columns": {"title": title}},
        "tasks": {**more, "list": "/lists/tasks", "columns": {
            "title": title,
            "project": {"row": "$." + fields["project"], "of": "projects", "write": "both"},
            "parent": {"row": "$." + fields["parent"], "of": "tasks", "write": "both"}}}}


class DemoSite:
    """demo-api, as the play needs to know a server."""

    # The first number of rows that it makes itself: a program gives the same one to a row of its own.
    FIRST_NUMBER = 1_000_001
    FIELDS = {"project": "project_id", "parent": "parent_id"}

    def __init__(self, stage, rule):
        self.stage, self.rule = stage, rule
        stage.history, stage.lists = [], ["projects", "tasks"]

    def begin(self):
        """Server, proxy and daemon, until the cache has the other client's rows."""
        stage = self.stage
        stage.list_file, other = (
            stage.write_private(name + ".json", json.dumps(rows)) for name, rows in THEIRS.items())
        stage.server_options = [
            "--list", other, "--foreign-key", f"tasks.project_id=projects:{self.rule}",
            "--foreign-key", f"tasks.parent_id=tasks:{self.rule}"]
        stage.revive("server")
        self.headers = stage.other_client()
        stage.revive("proxy")
        stage.configure_faulty(concurrency=8, level="debug", interval="1h")
        once = {"once": {"header": "Idempotency-Key"}} if stage.keyed else {}
        for name, declaration in declarations(
                self.FIELDS, server="demo", id="$.id", interval="1s", create=True, update=True, delete=True,
                **once).items():
            stage.declare(name, declaration)
        stage.revive("daemon")

    def path(self, kind, server):
        return f"/lists/{kind}/{server}"

    def add(self, kind, title, project):
        """Adds a row for the other client; returns its id, or None if its project is not there."""
        reference = {} if project is None else {"project_id": int(project)}
        try:
            return str(self.stage.ask("POST", f"/lists/{kind}", {"title": title, **reference}, **self.headers)["id"])
        except urllib.error.HTTPError as refused:
            if refused.code != 422:
                raise
            return None

    def rows(self, kind):
        return [plain(row, self.FIELDS) for row in self.stage.ask("GET", f"/lists/{kind}", **self.headers)]

    def made(self):
        """How often the server has added a row of each title, in all of its lives."""
        self.stage.kill("server")
        self.stage.revive("server")
        made = collections.Counter()
        for life in self.stage.history:
            # What follows the last newline was cut short, and never answered.
            for line in map(json.loads, life.split("\n")[:-1]):
                for change in line.get("changes", []):
                    for kind, facts in change.get("listChanged", {}).get("_1", {}).items():
                        rows = facts["rows"] if kind == "replaced" else [facts["row"]] if kind == "added" else []
                        made.update(json.loads(row)["title"] for row in rows)
        return made


def plain(row, fields):
    """A row of a server with its ids as texts, under the names of the columns."""
    ids = {"id": row["id"], **{column: row.get(field) for column, field in fields.items()}}
    return {"title": row["title"], **{name: None if held is None else str(held) for name, held in ids.items()}}


def remember_theirs(writer):
    """The other client's rows, from what the server has."""
    held = [(kind, row) for kind in ("projects", "tasks") for row in writer.site.rows(kind)]
    by_id = {(kind, row["id"]): row["title"] for kind, row in held}
    while held:
        # Who refers to a row comes after it.
        kind, row = held.pop(0)
        others = {column: by_id[other, row[column]] for column, other in (("project", "projects"), ("parent", "tasks"))
                  if row[column] is not None}
        if not all(title in writer.rows for title in others.values()):
            held.append((kind, row))
            continue
        writer.remember(kind, row["title"], True, **{
            column: writer.rows[title] for column, title in others.items()}).server = row["id"]


def play(stage, site, seed, most, longest=1.5):
    """One seed at one server; returns the sentence that tells the figures."""
    site.begin()
    killer = once_play.Killer(stage, seed, longest)
    writer = RelatedRows(stage, seed, killer, site, most)
    remember_theirs(writer)
    for kind in ("projects", "tasks"):
        count = sum(row.kind == kind for row in writer.rows.values())
        stage.wait_for(f"SELECT count(*) = {count} FROM {kind}", 60, f"the other client's {kind}")
    began = time.monotonic()
    killer.start()
    try:
        once_play.work(stage, [writer], False)
    finally:
        killer.end()
    worked, kills = time.monotonic() - began, dict(stage.kills)
    drained = once_play.heal(stage, writer, writer.settle)
    figures = RelatedAccounts(writer).look()
    writer.syncd("check", "--quiet")
    once_play.look_for_damage(stage)
    requests, faults, _ = stage.proxy_figures()
    return (
        f"{writer.told()} in {worked:.0f} s; SIGKILL: {told(kills)}, writer {writer.killed}; {requests} requests, "
        f"{sum(faults.values())} with a fault; the queue ended {drained:.0f} s after the heal; of all rows: "
        f"{told(figures)}")


def told(counts):
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


def kind_of(failure):
    """What went wrong, in the words of the controls."""
    if isinstance(failure, Differs) and failure.doubled > 0:
        return "doubled"
    return "misfiled" if isinstance(failure, Unaccounted) else "failed"


def sizes(tasks):
    """How many of each are made, moved and deleted, for so many tasks."""
    return {"projects": max(1, tasks // 5), "tasks": tasks, "moves": tasks // 3, "deletes": tasks // 5}


def attempt(options, programs, seed, rule, keyed, control=None):
    """Plays a seed once at demo-api; returns "equal", or what went wrong."""
    name = f"seed {seed}, {rule}, {'keys' if keyed else 'no keys'}" + (f", with rows {control}" if control else "")
    with faulty_stage.FaultyStage(programs, seed, keyed, options.rate, 2.0) as stage:
        stage.double, stage.misfile = control == "doubled", 0.3 * (control == "misfiled")
        try:
            print(f"{name}: {play(stage, DemoSite(stage, rule), seed, sizes(options.tasks))}", flush=True)
            return "equal"
        except (Failed, Broken, sqlite3.Error, subprocess.TimeoutExpired) as failure:
            print(f"FAILED with {name}: {failure}", flush=True)
            if not control:
                print(f"Run it again with: scripts/exactly-once --related --seed {seed} --rule {rule} "
                      f"{'--keys' if keyed else '--no-keys'} --tasks {options.tasks}", flush=True)
                if options.keep:
                    stage.keep(options.keep, f"{seed}-{rule}{'-keys' if keyed else ''}")
            return kind_of(failure)


def run(options, programs, seeds, kinds):
    """All seeds with each rule. Whether all was well, or with the control, whether all was found out."""
    if options.control:
        # A row that is put elsewhere, and whose answer is lost, is not found again: it is made twice.
        found = all(attempt(options, programs, seed, "restrict", False, control) in (control, "doubled")
                    for seed in seeds for control in ("doubled", "misfiled"))
        print("the control was found out" if found else "FAILED: what is wrong on purpose was not found out")
        return found
    rules = [options.rule] if options.rule else RULES
    # Each run takes a minute of doubt: seed and rule decide about the keys, unless an option does.
    results = [attempt(options, programs, seed, rule, kinds[(seed + number) % len(kinds)])
               for seed in seeds for number, rule in enumerate(rules)]
    return set(results) == {"equal"}
