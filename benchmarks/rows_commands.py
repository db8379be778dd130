"""Rows about commands as whole processes, beside the stock sqlite3 with the same statement on the same
cache, and Taskwarrior with as many tasks. Found and run by benchmarks/run."""

import json
import os
import resource
import sqlite3
import statistics
import subprocess
import tempfile

import filled
from durability import syncs
from measure import Row, interleaved, ratio, verdict

COUNT = 1000
# The columns that a command prints; sqlite3 prints them from the same cache.
SQL = {
    "todo add": "INSERT INTO todos(title) VALUES('buy milk')",
    "todo list": "SELECT id, title, state, server_id, created_at, error FROM todos ORDER BY id",
    "movies": "SELECT id, title, original_title, release_date, popularity, vote_average,"
              " vote_count, rank, document FROM movies ORDER BY rank",
    "status": "SELECT * FROM account; SELECT * FROM sync_status ORDER BY list;"
              " SELECT state, count(*) FROM outbox GROUP BY state",
}
WORDS = {"todo add": ["todo", "add", "buy milk"], "todo list": ["todo", "list"]}
# Against sqlite3; what is not here has 2.
GOALS = {"todo add": 1.3, "todo list": 1.3}
TASKWARRIOR = {"todo add": ["add", "buy milk"], "todo list": ["list"]}


class Taskwarrior:
    """A data directory with so many tasks, and the command line to work with it."""

    def __init__(self, folder, count):
        self.command = ["task", f"rc:{folder}/taskrc"]
        self.environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder}
        with open(folder + "/taskrc", "w", encoding="ascii") as file:
            file.write(f"data.location={folder}/data\nconfirmation=off\n")
        tasks = [{"description": f"todo number {number}"} for number in range(count)]
        with open(folder + "/tasks.json", "w", encoding="ascii") as file:
            json.dump(tasks, file)
        os.mkdir(folder + "/data")
        subprocess.run(
            [*self.command, "import", folder + "/tasks.json"], env=self.environment, check=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def touched(command, environment):
    """How many pages a process touches that are not in its memory yet."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
    subprocess.run(
        command, env=environment, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before


def command_rows(setting):
    """One row for each command, all on one cache that nobody else uses."""
    with filled.stages.Stage(setting.programs) as stage, tempfile.TemporaryDirectory() as folder:
        filled.serve(stage, COUNT, COUNT)
        setting.run(
            [setting.syncd, "sync", "--quiet", "--config", stage.configuration], stage.environment)
        # The last connection that closes a database copies its log back: with this one open, neither
        # program has to, which spares sqlite3 more than syncd.
        holder = sqlite3.connect(stage.cache)
        holder.execute("SELECT count(*) FROM todos").fetchone()
        tasks = Taskwarrior(folder, COUNT)
        rows = [row(setting, stage, tasks, name) for name in SQL]
        holder.close()
    return rows


def row(setting, stage, tasks, name):
    def run(command, environment):
        return setting.run(
            command, environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL).seconds * 1000

    ours = [setting.syncd, *WORDS.get(name, [name]), "--config", stage.configuration]
    theirs = ["sqlite3", stage.cache, SQL[name]]
    programs = {
        "syncd": lambda: run(ours, stage.environment),
        "sqlite3": lambda: run(theirs, stage.environment)}
    if name in TASKWARRIOR:
        command = [*tasks.command, *TASKWARRIOR[name]]
        programs["taskwarrior"] = lambda: run(command, tasks.environment)
        starts = {"syncd": [setting.syncd, "help"], "sqlite3": ["sqlite3", ":memory:", "SELECT 1"]}
        programs["syncd's start"] = lambda: run(starts["syncd"], stage.environment)
        programs["sqlite3's start"] = lambda: run(starts["sqlite3"], stage.environment)
    figures = interleaved(programs, setting.rounds(30))
    setting.record("commands", {f"{name}, {one}, ms": values for one, values in figures.items()})
    against = ratio(figures["syncd"], figures["sqlite3"])
    most = GOALS.get(name, 2)
    figure, goal, met = f"{against.median:.2f} × sqlite3", f"≤ {most} × sqlite3", [against.median <= most]
    if "taskwarrior" in figures:
        faster = ratio(figures["taskwarrior"], figures["syncd"])
        figure += f", {faster.median:.1f} × faster than Taskwarrior"
        goal += ", faster than Taskwarrior"
        met.append(faster.median > 1)
    note, limit = "", False
    if "syncd's start" in figures:
        ours_ms, theirs_ms = (statistics.median(figures[f"{one}'s start"]) for one in starts)
        pages = [touched(start, stage.environment) for start in starts.values()]
        rest = ratio(
            [whole - ours_ms + theirs_ms for whole in figures["syncd"]], figures["sqlite3"])
        limit = rest.median <= most and all(met[1:])
        note = (
            f"The start of the process alone takes {ours_ms:.1f} ms (`syncd help`) and {theirs_ms:.1f} ms"
            f" (`sqlite3 :memory: 'SELECT 1'`). It touches {pages[0]} new pages of memory, sqlite3's {pages[1]}."
            f" With sqlite3's start it would be {rest.median:.2f} × sqlite3.")
    if name == "todo add":
        mode = subprocess.run(
            ["sqlite3", stage.cache, "PRAGMA synchronous"], check=True, capture_output=True,
            text=True).stdout.strip()
        counts = {
            one: syncs(program, environment, stage.root) for one, program, environment in [
                ("syncd", ours, stage.environment), ("sqlite3", theirs, stage.environment),
                ("Taskwarrior", command, tasks.environment)]}
        note += (
            " Each waits for the disk: " + ", ".join(f"{one} {n} ×" for one, n in counts.items())
            + f" for one `add`. sqlite3's `PRAGMA synchronous` is {mode}, FULL, which is what syncd"
            " sets for a person's change.")
    medians = [
        f"{one} {statistics.median(values):.1f} ms" for one, values in figures.items() if "start" not in one]
    spread = f"{against.text()} × sqlite3; " + ", ".join(medians)
    return Row(
        "commands", f"`syncd {name}` as a whole process, {COUNT} movies and {COUNT} todos", goal, figure,
        spread, "limit" if limit and not all(met) else verdict(*met), note=note)


ROWS = {"commands": command_rows}
