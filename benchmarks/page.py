"""Writes docs/performance.md and its plots from what is kept in figures.json. Imported, never run."""

import datetime
import json
import os
import platform
import sqlite3
import statistics
import subprocess

from measure import HERE, REPOSITORY

PAGE = os.path.join(REPOSITORY, "docs/performance.md")
FOLDER = os.path.join(REPOSITORY, "docs/performance")
FIGURES = os.path.join(FOLDER, "figures.json")
BEGIN, END = "<!-- {}:begin -->", "<!-- {}:end -->"


def machine():
    """The machine that measured, in a line."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        models = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    with open("/proc/meminfo", encoding="utf-8") as file:
        memory = int(file.readline().split()[1]) / 1024 ** 2
    today = datetime.date.today().isoformat()
    return (
        f"{len(models)} × {models[0] if models else platform.machine()}, {memory:.0f} GiB, Linux "
        f"{platform.release()}, SQLite {sqlite3.sqlite_version}, on {today}, with a load of"
        f" {os.getloadavg()[0]:.1f} at the end")


def kept():
    """What earlier runs have left, so that `--only` renews its rows and leaves the others."""
    try:
        with open(FIGURES, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {"machine": "", "rows": {}, "samples": {}, "plots": {}, "tables": {}}


def merge(figures, rows, setting, order):
    """Puts new rows (by key), samples and plots in the place of the old ones; `order` are all keys."""
    # Of a few rows, the machine that measured all others is not told anew.
    if rows.keys() >= set(order) or not figures["machine"]:
        figures["machine"] = machine()
    figures["rows"].update({key: [vars(row) for row in found] for key, found in rows.items()})
    figures["rows"] = {key: figures["rows"][key] for key in order if key in figures["rows"]}
    for key, samples in setting.samples.items():
        figures["samples"][key] = {
            name: {
                "median": significant(statistics.median(values)), "min": significant(min(values)),
                "max": significant(max(values)), "count": len(values)}
            for name, values in samples.items()}
    figures["samples"] = {
        key: figures["samples"][key] for key in order if key in figures["samples"]}
    figures["plots"].update(setting.plots)
    figures.setdefault("tables", {}).update(setting.tables)
    return figures


def significant(value):
    return float(f"{value:.5g}")


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def table(figures):
    lines = ["| work | goal | figure | spread | verdict | again by |", "| --- " * 6 + "|"]
    notes = []
    for rows in figures["rows"].values():
        for row in rows:
            mark = ""
            if row["note"]:
                if row["note"] not in notes:
                    notes.append(row["note"])
                mark = f" ({notes.index(row['note']) + 1})"
            cells = [row["work"] + mark, row["goal"], row["figure"], row["spread"]]
            cells += ["**" + row["verdict"] + "**", f"`./{row['command']}`"]
            lines.append("| " + " | ".join(map(cell, cells)) + " |")
    lines += [""] + [f"{number}. {cell(note)}" for number, note in enumerate(notes, 1)]
    return [f"Measured on {figures['machine']}.", "", *lines]


def pictures(figures):
    lines = []
    for name, plot in figures["plots"].items():
        lines += [f"![{plot['title']}](performance/{name}.svg)", ""]
    return lines[:-1]


def replaced(text, name, lines):
    """`text` with `lines` between the two marks of that name."""
    begin, end = BEGIN.format(name), END.format(name)
    before, _, rest = text.partition(begin)
    inside, found, after = rest.partition(end)
    if not found:
        raise SystemExit(f"docs/performance.md has no {begin} … {end}")
    return "\n".join([before + begin, *lines, end]) + after


def write(figures, setting):
    os.makedirs(FOLDER, exist_ok=True)
    with open(FIGURES, "w", encoding="utf-8") as file:
        json.dump(figures, file, indent=1, ensure_ascii=False)
        file.write("\n")
    subprocess.run(
        [setting.python, os.path.join(HERE, "draw.py"), FIGURES, FOLDER], check=True)
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    text = replaced(text, "table", table(figures))
    text = replaced(text, "plots", pictures(figures))
    for name, lines in figures["tables"].items():
        text = replaced(text, name, lines)
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(text)
