"""Two related lists at a server with foreign keys, and another client of it. Imported, never run."""

import collections
import json
import os
import re
import subprocess
import urllib.request

import stage as stages

LIBRARY = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(stages.REPOSITORY, "docs/orms.md")
RULES = ["restrict", "cascade", "set-null"]
WHOLE = "SELECT count(*) = 4 FROM sync_status WHERE state = 'ok'"
SETTLED = "SELECT count(*) = 0 FROM outbox"
CALLS = {"id": "$.id", "interval": "1h", "create": True, "update": True, "delete": True}
LISTS = {
    "projects": {**CALLS, "server": "demo", "list": "/lists/projects", "columns": {
        "title": {"text": "$.title", "write": "both", "required": True},
        "lead": {"row": "$.lead_id", "of": "tasks", "write": "update"}}},
    "tasks": {**CALLS, "server": "demo", "list": "/lists/tasks", "columns": {
        "title": {"text": "$.title", "write": "both", "required": True},
        "project": {"row": "$.project_id", "of": "projects", "write": "both"},
        "parent": {"row": "$.parent_id", "of": "tasks", "write": "both"}}},
}
# Rows of another client: each library takes its own task over, and the last project goes without its tasks.
THEIRS = {
    "projects": [{"id": 1, "title": "theirs"}, {"id": 2, "title": "passive"}],
    "tasks": [{"id": number, "title": f"theirs: {name}", "project_id": 1} for number, name in enumerate(
        ["python", "sqlalchemy", "peewee", "django", "nobody"], start=1)] + [
        {"id": 6, "title": "passive child", "project_id": 2},
        {"id": 7, "title": "passive grandchild", "project_id": 2, "parent_id": 6}],
}
REFERENCES = {"projects": {"lead_id": "tasks"}, "tasks": {"project_id": "projects", "parent_id": "tasks"}}


def prepare(stage, rule, lists, rows):
    """A server with these lists and rows, and syncd's configuration for it."""
    served = [option for name in lists
              for option in ["--list", stage.write_private(f"{name}.json", json.dumps(rows.get(name, [])))]]
    keys = [f"tasks.project_id=projects:{rule}", f"tasks.parent_id=tasks:{rule}", "projects.lead_id=tasks:set-null"]
    stage.start_server("--lists-take-writes", *served, *(word for key in keys for word in ["--foreign-key", key]))
    stage.configure()
    os.makedirs(os.path.join(stage.root, "lists"), mode=0o700)
    for name, declaration in lists.items():
        stage.write_private(f"lists/{name}.json", json.dumps({**declaration, "server": "demo"}))
    with open(stage.configuration, encoding="utf-8") as file:
        configuration = json.load(file)
    stage.write_private("config.json", json.dumps({**configuration, "servers": {"demo": {"baseURL": stage.server}}}))


def sync(stage):
    subprocess.run(
        [os.path.join(stage.programs, "syncd"), "sync", "--quiet", "--config", stage.configuration],
        env=stage.environment, check=True)


def ask(stage, name, row=None):
    """The rows of a list at the server; or adds one as another client."""
    request = urllib.request.Request(
        f"{stage.server}/lists/{name}", method="POST" if row else "GET",
        data=json.dumps(row).encode() if row else None, headers={"Content-Type": "application/json"} if row else {})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def collide(stage, step):
    """Another client adds rows, whose ids at the server are the local numbers that come next here."""
    added = []
    for name in LISTS:
        (last,), = stage.rows(f"SELECT max(_id) FROM {name}")
        taken = {row["id"] for row in ask(stage, name)}
        for number in set(range(last + 1, last + 31)) - taken:
            row = {"id": number, "title": f"theirs: {step} {number}"}
            if name == "tasks":
                row["project_id"] = 1
            ask(stage, name, row)
            added.append([name, row["title"], *(["theirs", None] if name == "tasks" else [None])])
    return added


def collisions(stage):
    """How many rows refer to a row here whose number is the id of quite another one at the server."""
    ((count,),) = stage.rows("""
        SELECT count(*) FROM tasks JOIN projects ON projects._id = tasks.project
            JOIN projects AS other ON other._server_id = tasks.project
        WHERE other._id <> projects._id""")
    return count


def at_server(stage):
    """Each row by titles: its own, and those of the rows that it refers to."""
    rows = {name: ask(stage, name) for name in LISTS}
    titles = {name: {row["id"]: row["title"] for row in rows[name]} for name in LISTS}
    return [[name, row["title"], *(
        titles[of].get(row.get(member), f"nobody's {row[member]}") if row.get(member) is not None else None
        for member, of in REFERENCES[name].items())] for name in LISTS for row in rows[name]]


def in_cache(stage):
    """The same, joined by `_id` as a program joins them. A row that is not synced says so, and one is left out that
    refers to what is not here."""
    return [list(row) for row in stage.rows("""
        SELECT 'projects', project.title || iif(project._state = 'synced', '', ' ' || project._state), lead.title
        FROM projects AS project LEFT JOIN tasks AS lead ON lead._id = project.lead
        WHERE project.lead IS NULL OR lead._id IS NOT NULL""") + stage.rows("""
        SELECT 'tasks', task.title || iif(task._state = 'synced', '', ' ' || task._state), project.title, parent.title
        FROM tasks AS task LEFT JOIN projects AS project ON project._id = task.project
            LEFT JOIN tasks AS parent ON parent._id = task.parent
        WHERE (task.project IS NULL OR project._id IS NOT NULL) AND (task.parent IS NULL OR parent._id IS NOT NULL)""")]


def differences(found, wanted, what):
    found, wanted = (collections.Counter(json.dumps(row) for row in rows) for rows in [found, wanted])
    return [f"{what}: {count} times too often: {row}" for row, count in (found - wanted).items()] + [
        f"{what}: {count} times missing: {row}" for row, count in (wanted - found).items()]


def theirs(step, rule):
    """The rows of the other client that stay as they were."""
    kept = [["projects", "theirs", None], ["tasks", "theirs: nobody", "theirs", None]]
    if step == "make":
        kept += [["tasks", f"theirs: {name}", "theirs", None] for name in ["python", "sqlalchemy", "peewee", "django"]]
    top = "passive" if step == "make" or rule == "restrict" else None
    if top:
        kept.append(["projects", top, None])
    if top or rule == "set-null":
        kept += [["tasks", "passive child", top, None], ["tasks", "passive grandchild", top, "passive child"]]
    return kept


def settle(stage, is_offline):
    """Syncs until nothing waits, and once more: that shows what the server made of the deletes."""
    if is_offline:
        for _ in range(5):
            sync(stage)
            if stage.rows(SETTLED) == [(1,)]:
                break
        else:
            waiting = stage.rows("SELECT seq, op, list, title, state, last_error FROM outbox")
            raise SystemExit(f"five syncs did not empty the queue: {waiting}")
    stage.wait_for(SETTLED, 60, "the end of the queue")
    sync(stage)


def run(python, programs, rule, is_offline):
    """The clients of clients_related.py, without a daemon or beside one; returns what is wrong."""
    found = []
    with stages.Stage(programs) as stage:
        prepare(stage, rule, LISTS, THEIRS)
        if is_offline:
            sync(stage)
        else:
            stage.start_daemon(WHOLE)
        added, met = [], []
        for step in ["make", "change"]:
            added += collide(stage, step)
            ended = subprocess.run(
                [python, os.path.join(LIBRARY, "clients_related.py"), stage.cache, step, rule],
                env=stage.environment, check=True, stdout=subprocess.PIPE, text=True)
            ours = json.loads(ended.stdout)
            settle(stage, is_offline)
            rows = ours + added + theirs(step, rule)
            found += differences(at_server(stage), rows, f"{rule}, {step}, at the server")
            found += differences(in_cache(stage), rows, f"{rule}, {step}, in the cache")
            met.append(collisions(stage))
            if not met[-1]:
                found.append(f"{rule}, {step}: no number of a project here is the id of another one at the server")
        print(f"projects and tasks, {rule}: {len(ours)} rows of ours, {len(added)} of others, {sum(met)} references by"
              f" a number that is another's id, {'before' if is_offline else 'beside'} a daemon: {len(found)} wrong")
    return found


def run_page(python, programs):
    """The lists and the Python of docs/orms.md, as they stand there; returns what is wrong."""
    with open(PAGE, encoding="utf-8") as file:
        shown = re.findall(r"^<!-- example:file lists/(\w+)\.json -->\n```json\n(.*?)^```$", file.read(), re.M | re.S)
    with stages.Stage(programs) as stage:
        prepare(stage, "cascade", {name: json.loads(text) for name, text in shown}, {})
        sync(stage)
        ended = subprocess.run(
            [python, "-B", "-W", "error", os.path.join(LIBRARY, "clients_page.py"), PAGE, stage.root],
            env={**stage.environment, "CACHE": stage.cache}, check=True, stdout=subprocess.PIPE, text=True)
        settle(stage, is_offline=True)
        wrong = []
        for name in LISTS:
            written = [title for (title,) in stage.rows(f"SELECT title FROM {name} WHERE _state = 'synced'")]
            wrong += differences([row["title"] for row in ask(stage, name)], written, f"docs/orms.md, {name}")
    print(f"docs/orms.md: {ended.stdout.strip()} blocks of Python run as they stand there: {len(wrong)} wrong")
    return wrong
