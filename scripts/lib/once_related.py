"""Projects and tasks of exactly-once, which refer to each other: programs make, move and delete them, and remember what
was accepted. Imported, never run."""

from once_notes import quoted
from once_related_cache import RelatedCache
from once_related_rows import Doom, Row
from once_writer import Failed

# A task, or a project as the libraries of programs delete it and what is below.
WAYS_TO_DELETE = ["task", "task", "children first", "parent first", "let go", "alone"]


class RelatedRows(RelatedCache):
    """Makes, moves and deletes projects and tasks, beside another client that adds some at the server."""

    def __init__(self, stage, seed, killer, site, most):
        super().__init__(stage, seed, killer, site)
        self.most, self.made = dict(most), dict.fromkeys(most, 0)
        self.offline = self.foreign = 0

    # MARK: Making

    def make(self, count):
        """A project or none, tasks in it or in others, and tasks below these, in one transaction."""
        is_killed = count > 0 and self.chance.random() < 0.2
        statements, rows = [], []
        with self.transaction() as (connection, shown):
            homes = self.lasting("projects", shown)
            if self.made["projects"] < self.most["projects"] and (
                    self.chance.random() < 0.6 or not homes or not count):
                title = self.new_title("projects")
                number = self.site.FIRST_NUMBER if self.made["projects"] == 0 else None
                statements.append(f"INSERT INTO projects(_id, title) VALUES({quoted(number)}, {quoted(title)})")
                rows.append(("projects", title, {}))
                homes = [Row("projects", title, 0, False, {})]
            tops = self.lasting("tasks", shown)
            for _ in range(count):
                title = self.new_title("tasks")
                home = self.chance.choice(homes)
                parent = self.chance.choice(tops) if tops and self.chance.random() < 0.4 else None
                statements.append(
                    f"INSERT INTO tasks(title, project, parent) VALUES({quoted(title)}, {number_of(home)}, "
                    f"{number_of(parent)})")
                rows.append(("tasks", title, {"project": home.title, "parent": parent and parent.title}))
                # Below new ones, too.
                tops = [*tops[-6:], Row("tasks", title, 0, False, {})]
            if not is_killed:
                for statement in statements:
                    connection.execute(statement)
        if is_killed and not self.make_killed(statements, rows):
            return
        for kind, title, references in rows:
            self.remember(kind, title, **{
                column: self.rows[other] for column, other in references.items() if other})
            self.made[kind] += 1

    def make_killed(self, statements, rows):
        """Kills the program while it writes; returns whether it was accepted: wholly or not at all."""
        script = "BEGIN IMMEDIATE;\n" + ";\n".join(statements) + ";\nCOMMIT;\n"
        status, _ = self.kill_writer(
            ["sqlite3", "-batch", "-bail", "-cmd", ".timeout 5000", self.stage.cache], script)
        with self.transaction() as (_, shown):
            came = [title for _, title, _ in rows if title in shown]
        if came and len(came) != len(rows) or status == 0 and not came:
            raise Failed(f"a killed program has written {len(came)} of {len(rows)} rows, status {status}")
        return bool(came)

    def lasting(self, kind, shown):
        """The rows that a program can refer to and that nothing takes away: they are shown, and nobody deleted them."""
        doom = Doom(self.site.rule)
        return [row for row in self.rows.values() if row.kind == kind and row.title in shown and doom.spares(row)]

    # MARK: Moving

    def move(self, count):
        """Moves tasks, also to a project that is made in this transaction, or to none."""
        with self.transaction() as (connection, shown):
            tasks = self.lasting("tasks", shown) + self.condemned(shown)
            homes = self.lasting("projects", shown)
            if self.made["projects"] < self.most["projects"] and self.chance.random() < 0.4:
                title = self.new_title("projects")
                connection.execute("INSERT INTO projects(title) VALUES(?)", (title,))
                homes = [self.remember("projects", title)]
                self.made["projects"] += 1
            tops = self.lasting("tasks", shown)
            for task in self.chance.sample(tasks, min(count, len(tasks))):
                if self.chance.random() < 0.75:
                    home = self.chance.choice(homes) if homes and self.chance.random() < 0.8 else None
                    self.write(connection, task, "project", home)
                else:
                    # Only below an older one: then no two are below each other.
                    older = [top for top in tops if top.made_at < task.made_at]
                    self.write(connection, task, "parent",
                               self.chance.choice(older) if older and self.chance.random() < 0.7 else None)
                self.made["moves"] += 1

    def condemned(self, shown):
        """Some tasks of ours below what was deleted already: a program may still move them."""
        rows = [row for row in self.rows.values() if row.kind == "tasks" and row.title in shown
                and row.deleted_at is None and not Doom(self.site.rule).spares(row)]
        return self.chance.sample(rows, min(3, len(rows)))

    def write(self, connection, task, column, other):
        changed = connection.execute(
            f"UPDATE tasks SET {column} = {number_of(other)} WHERE title = ?", (task.title,)).rowcount
        if changed != 1:
            raise Failed(f"an update of {task.title!r} has changed {changed} rows")
        task.refer(column, other, self.now())

    # MARK: Deleting

    def delete(self):
        """Deletes a task, or a project as the libraries of programs do."""
        with self.transaction() as (connection, shown):
            way = self.chance.choice(WAYS_TO_DELETE)
            kind = "tasks" if way == "task" else "projects"
            own = [row for row in self.lasting(kind, shown) if not row.is_theirs]
            self.made["deletes"] += 1
            if len(own) < 4:
                # Programs go on with the rest.
                return
            chosen = self.chance.choice(own)
            below = [row for row in self.rows.values() if row.title in shown and row.kind == "tasks"
                     and shown[row.title][2]["project" if kind == "projects" else "parent"] == chosen.local]
            if way == "parent first":
                self.remove(connection, chosen)
            if way in ("children first", "parent first"):
                # The tasks below tasks first, as they would be loaded last.
                for row in sorted(below, key=lambda row: -row.made_at):
                    self.remove(connection, row)
            if way == "let go":
                for row in below:
                    self.write(connection, row, "project", None)
            if way != "parent first":
                self.remove(connection, chosen)

    def remove(self, connection, row):
        if connection.execute(f"DELETE FROM {row.kind} WHERE title = ?", (row.title,)).rowcount != 1:
            raise Failed(f"a delete of {row.title!r} has changed nothing")
        row.deleted_at, row.was_deleted = self.now(), True

    # MARK: The other client

    def intrude(self):
        """The other client adds a project, or a task in any project that the server has."""
        with self.transaction() as (_, shown):
            homes = [row for row in self.lasting("projects", shown) if row.server]
        kind = "projects" if not homes or self.chance.random() < 0.2 else "tasks"
        title = self.new_title(kind, "theirs")
        home = self.chance.choice(homes) if kind == "tasks" else None
        # Nobody kills the server meanwhile, so that its answer tells what it has.
        with self.killer.lock:
            server = self.site.add(kind, title, home.server if home else None)
            if server is None:
                # Its project has just gone.
                return
            row = self.remember(kind, title, True, **({"project": home} if home else {}))
            row.server = server
            self.foreign += 1

    # MARK: What is to be done

    def left(self):
        return sum(max(0, self.most[name] - self.made[name]) for name in self.most)

    def step(self):
        """One thing, or many of them while the daemon is dead."""
        if self.chance.random() < 0.05:
            self.offline += 1
            with self.killer.lock:
                self.stage.kill("daemon")
                for _ in range(self.chance.randint(3, 8)):
                    self.step_once()
                self.stage.revive("daemon")
        else:
            self.step_once()
        if self.chance.random() < 0.25:
            self.intrude()

    def step_once(self):
        left = {name: max(0, self.most[name] - self.made[name]) for name in self.most}
        if not any(left.values()):
            return
        name = self.chance.choices(list(left), left.values())[0]
        if name == "moves":
            self.move(min(left[name], self.chance.randint(1, 4)))
        elif name == "deletes":
            self.delete()
        else:
            self.make(min(left["tasks"], self.chance.randint(1, 9)))

    def told(self):
        made = ", ".join(f"{count} {name}" for name, count in self.made.items())
        doubts = sum("given up while in doubt" in reason for reason in self.dropped)
        return (f"{made}, {self.foreign} rows of the other client, {self.offline} times offline; {len(self.dropped)} "
                f"changes were refused and dropped, {doubts} of them in doubt")


def number_of(row):
    """The local id of a row by its title, in SQL: it may be made in the same transaction."""
    return "NULL" if row is None else f"(SELECT _id FROM {row.kind} WHERE title = {quoted(row.title)})"

