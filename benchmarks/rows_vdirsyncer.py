"""Rows beside vdirsyncer with a Radicale on this machine: 1000 new todos, and a sync that finds nothing
new. Found and run by benchmarks/run."""

import os
import statistics
import subprocess

import caldav
import durability
import filled
from measure import Row, Spread, ratio, verdict

COUNT = 1000
QUEUE = (
    "INSERT INTO todos(title) WITH RECURSIVE n(i) AS"
    " (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT 'todo number ' || i FROM n")


def queued(setting, stage, count):
    """Queues new todos where everything is synced; returns the command that pushes them."""
    stage.start_server("--quiet")
    stage.configure()
    sync = [setting.syncd, "sync", "todos", "--quiet", "--config", stage.configuration]
    setting.run(sync, stage.environment)
    stage.rows(QUEUE, count)
    return sync


def ours(setting):
    """Pushes new todos, then syncs again: both runs of syncd."""
    with filled.stages.Stage(setting.programs) as stage:
        sync = queued(setting, stage, COUNT)
        push = finished(setting, sync, stage.environment)
        pushed = stage.rows("SELECT count(*) FROM todos WHERE state = 'synced'")[0][0]
        # The pull that takes in what the push has made.
        setting.run(sync, stage.environment)
        return pushed, push, finished(setting, sync, stage.environment)


def theirs(setting):
    with caldav.CalDAV(setting) as other:
        other.add_items(COUNT)
        push = finished(setting, other.sync, other.environment)
        pushed = other.pushed()
        finished(setting, other.sync, other.environment)
        return pushed, push, finished(setting, other.sync, other.environment)


def finished(setting, command, environment):
    return setting.run(
        command, environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def waits(setting, count):
    """How often each program waits for the disk while so many todos are pushed."""
    with filled.stages.Stage(setting.programs) as stage:
        found = {"syncd": durability.syncs(
            queued(setting, stage, count), stage.environment, stage.root)}
    report = os.path.join(setting.work, "radicale-syncs")
    with caldav.CalDAV(setting, durability.tracer(report)) as other:
        other.add_items(count)
        found["vdirsyncer"] = durability.syncs(other.sync, other.environment, other.root)
    found["Radicale"] = durability.counted(report)
    return found


def vdirsyncer_rows(setting):
    runs = {"syncd": [], "vdirsyncer": []}
    for _ in range(1 if setting.quick else 3):
        for name, function in {"syncd": ours, "vdirsyncer": theirs}.items():
            pushed, *pair = function(setting)
            if pushed != COUNT:
                raise SystemExit(f"{name} has pushed {pushed} of {COUNT}")
            runs[name].append(pair)
    counts = ", ".join(f"{name} {count} ×" for name, count in waits(setting, 100).items())
    note = (
        "What a person waits for, not a comparison of like programs. syncd keeps one SQLite file and"
        " sends four requests at a time to `demo-api`, which keeps todos in memory. vdirsyncer reads a"
        " file for each item, and Radicale writes one for each. While 100 todos are pushed, they wait"
        f" for the disk: {counts}. Processor time is of the client alone.")
    return [
        row(setting, runs, 0, f"{COUNT} new todos pushed, `syncd sync` beside vdirsyncer", note),
        row(setting, runs, 1, f"sync of {COUNT} todos that finds nothing new, beside vdirsyncer", note)]


def row(setting, runs, number, work, note):
    ends = {name: [pair[number] for pair in pairs] for name, pairs in runs.items()}
    seconds = {name: [end.seconds for end in found] for name, found in ends.items()}
    used = {name: [end.user + end.system for end in found] for name, found in ends.items()}
    setting.record("vdirsyncer", {f"{work}, {name}, s": values for name, values in seconds.items()})
    faster = ratio(seconds["vdirsyncer"], seconds["syncd"])
    less = ratio(used["vdirsyncer"], used["syncd"])
    medians = ", ".join(
        f"{name} {statistics.median(values):.2f} s" for name, values in seconds.items())
    return Row(
        "vdirsyncer", work, "–",
        f"{faster.median:.0f} × faster, {less.median:.0f} × less processor time",
        f"{Spread.text(faster, '{:.0f}')} ×; {medians}", verdict(faster.median > 1), note=note)


ROWS = {"vdirsyncer": vdirsyncer_rows}
