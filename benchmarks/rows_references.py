"""Rows that refer to rows: what a pull of them costs beside one whose column is a plain number, and what it costs that
a row arrives to which many refer. Found and run by benchmarks/run."""

import json
import os
import statistics
import urllib.request

from measure import Row, Spread, interleaved, ratio, verdict
from servers import ListServer

TASKS, PROJECTS = 100_000, 1_000
# So many projects are still to come, each with a thousand tasks that are there already.
LATE, BELOW_EACH = 24, 1_000
COLUMNS = {
    "row": {"row": "$.project_id", "of": "projects", "write": "both"},
    "integer": {"integer": "$.project_id", "write": "both", "index": True, "of": False}}


class TaskServer(ListServer):
    """A server with projects and tasks, and a cache whose tasks have this column of projects."""

    def __init__(self, setting, kind):
        os.makedirs(os.path.join(setting.work, kind))
        files = [os.path.join(setting.work, kind, name + ".json") for name in ("projects", "tasks")]
        first_late = TASKS - LATE * BELOW_EACH
        rows = [
            [{"id": number, "title": f"project {number}"} for number in range(1, PROJECTS + 1)],
            [{"id": number, "title": f"task number {number} of many", "project_id":
              PROJECTS + 1 + (number - first_late) // BELOW_EACH if number >= first_late else number % PROJECTS + 1}
             for number in range(TASKS)]]
        for path, list_of in zip(files, rows):
            with open(path, "w", encoding="utf-8") as file:
                json.dump(list_of, file, separators=(",", ":"))
        super().__init__(setting, 0, "--lists-take-writes", "--list", files[0], "--list", files[1])
        with open(self.configuration, encoding="utf-8") as file:
            settings = json.load(file)
        settings["movies"]["enabled"] = settings["todos"]["enabled"] = False
        settings["servers"] = {"demo": {"baseURL": self.server}}
        self.write_private("config.json", json.dumps(settings))
        os.makedirs(self.root + "/lists", mode=0o700, exist_ok=True)
        title = {"text": "$.title", "write": "both", "required": True}
        for name, columns in [("projects", {}), ("tasks", {"project": COLUMNS[kind]})]:
            self.write_private(f"lists/{name}.json", json.dumps({
                "server": "demo", "list": f"/lists/{name}", "id": "$.id", "interval": "1h", "create": True,
                "update": True, "delete": True, "columns": {"title": title, **columns}}))
        self.place, self.changes, self.came = self.new_place(), 0, {True: PROJECTS, False: 10_000}

    def ask(self, method, path, row):
        request = urllib.request.Request(
            f"{self.server}/lists/{path}", json.dumps(row).encode(), {"Content-Type": "application/json"},
            method=method)
        urllib.request.urlopen(request, timeout=30).close()

    def sync(self, name):
        """Milliseconds of processor time."""
        run = self.syncd(self.place, "sync", name)
        return (run.user + run.system) * 1000

    def first(self):
        self.place = self.new_place()
        self.sync("projects")
        return self.sync("tasks")

    def changed(self):
        self.changes += 1
        self.ask("PATCH", f"tasks/{self.changes}", {"title": f"changed {self.changes}"})
        return self.sync("tasks")

    def arrived(self, is_awaited):
        """A project comes to which a thousand tasks refer, or none."""
        self.came[is_awaited] += 1
        self.ask("POST", "projects", {"id": self.came[is_awaited], "title": "new"})
        return self.sync("projects")


def references(setting):
    with TaskServer(setting, "row") as row, TaskServer(setting, "integer") as plain:
        first = interleaved({"first pull, row (ms)": row.first, "first pull, integer (ms)": plain.first},
                            setting.rounds(5))
        changed = interleaved(
            {"one changed, row (ms)": row.changed, "one changed, integer (ms)": plain.changed}, setting.rounds(15))
        came = interleaved({
            "awaited by 1000 (ms)": lambda: row.arrived(True),
            "awaited by none (ms)": lambda: row.arrived(False)}, setting.rounds(9))
        shown = row.syncd(row.place, "query", "SELECT count(*) FROM tasks WHERE project IS NOT NULL").output
        missing = (LATE - len(came["awaited by 1000 (ms)"]) - 1) * BELOW_EACH
        if int(shown.split()[-1]) != TASKS - missing:
            raise SystemExit(f"{shown.split()[-1]} tasks show their project, not {TASKS - missing}")
    setting.record("references", {**first, **changed, **came})
    beside = {name: ratio(*figures.values()) for name, figures in [("first", first), ("changed", changed)]}
    more = [a - b for a, b in zip(*came.values(), strict=True)]
    return [
        Row("references", "pull of 100 000 rows that refer to 1000, one of which has changed, in processor time",
            "≤ 1.1 × a column of plain numbers", f"{beside['changed'].median:.2f} ×"
            f" ({statistics.median(changed['one changed, row (ms)']):.0f} ms)", beside["changed"].text(),
            verdict(beside["changed"].median <= 1.1),
            note=f"The plain column has an index, as the reference has. The first pull costs"
            f" {beside['first'].median:.2f} × ({beside['first'].text()})."),
        Row("references", "a row arrives to which 1000 rows refer: what is more than for one to which none does",
            "≤ 20 ms of processor time", f"{statistics.median(more):.1f} ms", Spread.of(more).text("{:.1f}"),
            verdict(statistics.median(more) <= 20)),
    ]


ROWS = {"references": references}
