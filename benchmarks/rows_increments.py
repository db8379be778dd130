"""Rows about increments, beside dlt and Airbyte's CDK: a first load of a long list, a refresh that finds nothing new, one
with some changes, and rows that were deleted. Found and run by benchmarks/run."""

import os
import re

import increment_runs
from measure import HERE, Row, verdict
from page import machine

NAMES = {"syncd": "syncd", "dlt": "dlt", "airbyte": "Airbyte's CDK"}
PACKAGES = {"dlt": "dlt", "airbyte": "airbyte-cdk"}
KEY = "increments"


def number(count):
    """As the document writes it: with a space after the thousands."""
    return f"{count:,}".replace(",", " ") if count >= 10_000 else str(count)


def titles():
    """The names of the programs, with the versions that pace.txt pins."""
    with open(os.path.join(HERE, "pace.txt"), encoding="utf-8") as file:
        pins = dict(re.findall(r"^([\w-]+)==(\S+)", file.read(), re.MULTILINE))
    return {name: f"{shown} {pins[PACKAGES[name]]}" if name in PACKAGES else shown for name, shown in NAMES.items()}


def cost(look):
    """Time, processor time and requests of one refresh."""
    form = "{:.0f} s" if look.seconds >= 10 else "{:.1f} s"
    refused = f", {look.refused} refused" if look.refused else ""
    return f"{form.format(look.seconds)}, {look.processor:.1f} s, {look.asked}{refused}"


def left(look):
    """What a refresh left: how many rows are not as the server has them."""
    return f"; {look.stale} rows are old" if look.stale else ""


def after(looks):
    """After how many refreshes nothing is there that the server has no more."""
    return "never" if looks[-1].gone else f"after {len(looks)}"


def table(found, load):
    """The figures side by side, as lines of the document."""
    shown = [titles()[name] for name in found]
    lines = ["| | " + " | ".join(shown) + " |", "| --- " * (len(shown) + 1) + "|"]

    def add(what, cell):
        lines.append(f"| {what} | " + " | ".join(cell(looks) for looks in found.values()) + " |")

    add(f"first load of {number(load.rows)} rows", lambda looks: cost(looks["first"]) + left(looks["first"]))
    if any("second" in looks for looks in found.values()):
        add("the second whole list", lambda looks: cost(looks["second"]) if "second" in looks else "–")
    add("refresh with nothing new", lambda looks: cost(looks["nothing"]) + left(looks["nothing"]))
    add(f"refresh with {increment_runs.CHANGES} changes", lambda looks: cost(looks["changes"]) + left(looks["changes"]))
    for place in range(max(len(looks["deletions"]) for looks in found.values())):
        add(f"refresh {place + 1} after {increment_runs.DELETIONS} deletions", lambda looks: (
            f"{cost(looks['deletions'][place])}; {looks['deletions'][place].gone} rows too many"
            if place < len(looks["deletions"]) else "–"))
    return [f"Measured on {machine()}.", "", *lines]


def asked(look):
    """How many requests, and in which time."""
    return f"{look.asked} request{'s' * (look.asked != 1)} in {look.seconds:.1f} s"


def beside(found, told):
    """What there is to tell of the others."""
    return ", ".join(f"{NAMES[name]} {told(looks)}" for name, looks in found.items() if name != "syncd")


def is_true(look):
    return look.stale == look.gone == 0


def rows_of(found, load):
    ours, dlt = found["syncd"], found["dlt"]
    where = f"list of {number(load.rows)} rows in {load.pages} pages at {load.rate} requests a second"
    first, nothing, changes, deletions = (ours[phase] for phase in ("first", "nothing", "changes", "deletions"))
    time, processor = first.seconds / dlt["first"].seconds, first.processor / dlt["first"].processor
    many = increment_runs.DELETIONS
    note = (
        "A process each, from its start to its end, and the requests that were answered. One run. See"
        " [increments](#increments).")
    return [
        Row(KEY, f"first load of a {where}", "≤ 1.0 × dlt's time", f"{time:.2f} × ({first.seconds:.0f} s)",
            beside(found, lambda looks: f"{looks['first'].seconds:.0f} s"), verdict(time <= 1, is_true(first)), note=note),
        Row(KEY, "processor time of that", "≤ 1/3 of dlt's", f"{processor:.2f} × ({first.processor:.1f} s)",
            beside(found, lambda looks: f"{looks['first'].processor:.1f} s"), verdict(processor <= 1 / 3), note=note),
        Row(KEY, "refresh of that list with nothing new", "1 or 2 requests", asked(nothing),
            beside(found, lambda looks: asked(looks["nothing"])), verdict(nothing.asked <= 2, is_true(nothing)), note=note),
        Row(KEY, f"refresh of that list with {increment_runs.CHANGES} changes", "all changes, ≤ 3 requests",
            asked(changes) + left(changes), beside(found, lambda looks: asked(looks["changes"])),
            verdict(changes.asked <= 3, is_true(changes)), note=note),
        Row(KEY, f"{many} rows of that list are deleted, and nothing tells of them", "gone after ≤ 2 refreshes",
            f"{after(deletions)}; {sum(look.asked for look in deletions)} requests",
            beside(found, lambda looks: after(looks["deletions"])),
            verdict(len(deletions) <= 2, is_true(deletions[-1])), note=note)]


def increments(setting):
    load = increment_runs.Load(rows=20_000) if setting.quick else increment_runs.Load()
    found = increment_runs.measure(setting, load)
    for name, looks in found.items():
        setting.record(KEY, {
            f"{name}, {phase} ({unit})": [getattr(look, field) for look in (phases if phase == "deletions" else [phases])]
            for phase, phases in looks.items()
            for field, unit in [("seconds", "s"), ("processor", "s of processor time"), ("asked", "requests")]})
    setting.table(KEY, table(found, load))
    return rows_of(found, load)


ROWS = {KEY: increments}
