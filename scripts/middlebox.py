"""What a machine between client and server (a proxy, a firewall, a cache) answers of its own. Imported
by fault-proxy, never run; `demo-api --fault` has the same faults in the same words."""

import argparse
import collections
import json
import os
import random

# Which methods, on the paths of todos, a fault can happen to.
KINDS = {
    "empty-list": {"GET"},  # [] with 200
    "cut-list": {"GET"},  # the first rows alone, as valid JSON with 200
    "307": {"POST", "DELETE"},  # to a path that is not there
    "403": {"GET", "POST", "DELETE"},  # a firewall's
    "404": {"DELETE"},  # the row stays
    "409": {"POST"},  # no row is made
    "410": {"DELETE"},  # the row stays
    "429": {"GET", "POST", "DELETE"},
    "503": {"GET", "POST", "DELETE"},
}
LISTS = {"empty-list", "cut-list"}
# So many lists are right after a wrong one.
RIGHT_LISTS = 2

Habit = collections.namedtuple("Habit", "kind rate requests seconds")


def habit(text):
    """Reads KIND=P[:SPAN], where SPAN is once, twice, Ns or for-good."""
    kind, _, rest = text.partition("=")
    rate, _, span = rest.partition(":")
    if kind not in KINDS:
        raise argparse.ArgumentTypeError(f"the kind is one of {', '.join(KINDS)}, not {kind!r}")
    try:
        requests = {"": 1, "once": 1, "twice": 2}.get(span)
        seconds = None if requests else float("inf" if span == "for-good" else span.removesuffix("s"))
        if not 0 <= float(rate) <= 1 or seconds is not None and not seconds > 0:
            raise ValueError
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not KIND=P[:SPAN] with P from 0 to 1 and SPAN once, twice, 60s or for-good"
        ) from error
    return Habit(kind, float(rate), requests, seconds)


def is_about_todos(path):
    return path.partition("?")[0] == "/todos" or path.startswith("/todos/")


class Middlebox:
    """Draws the faults. Its law of lists: after a wrong list, be it shown once or for a minute, all lists
    are right until two of them were delivered. One is not enough: the client that got it may have been
    killed before it read it. The file `debt` carries what is still owed from one life to the next."""

    def __init__(self, habits, seed, debt=None):
        self.habits, self.chance = habits, random.Random(f"middlebox {seed}")
        self.running = []
        self.debt = debt
        self.owed_lists = self.old_debt()

    def fault(self, method, path, now):
        """The kind of fault that the request meets, or None; a draw for each habit each time."""
        draws = [self.chance.random() for _ in self.habits]
        self.running = [
            run for run in self.running if run["requests"] != 0 and now < run["end"]]
        if not is_about_todos(path):
            return None
        for one, drawn in zip(self.habits, draws):
            if drawn < one.rate and method in KINDS[one.kind] and self.may_begin(one.kind):
                self.running.append({
                    "kind": one.kind, "requests": one.requests,
                    "end": float("inf") if one.seconds is None else now + one.seconds})
        for run in self.running:
            if method in KINDS[run["kind"]]:
                if run["requests"] is not None:
                    run["requests"] -= 1
                if run["kind"] in LISTS:
                    self.owe(RIGHT_LISTS)
                return run["kind"]
        return None

    def may_begin(self, kind):
        kinds = {run["kind"] for run in self.running}
        return kind not in kinds and not (kind in LISTS and (self.owed_lists or kinds & LISTS))

    def note_right_list(self, method, path):
        """A request was answered by the server, and the answer was delivered whole."""
        if method == "GET" and is_about_todos(path):
            self.owe(max(0, self.owed_lists - 1))

    def owe(self, lists):
        """Kept before the answer is sent, so that a kill between the two shows no two wrong lists."""
        if self.debt and lists != self.owed_lists:
            with open(self.debt, "w", encoding="ascii") as file:
                file.write(str(lists))
        self.owed_lists = lists

    def old_debt(self):
        """What the life before owed: all of it where a kill cut its writing short."""
        if not self.debt or not os.path.exists(self.debt):
            return 0
        with open(self.debt, encoding="ascii") as file:
            return int(file.read() or RIGHT_LISTS)

    def cut(self, body):
        """The body of a list without its last rows, one at least; None where it is no list."""
        try:
            rows = json.loads(body)
        except ValueError:
            return None
        if not isinstance(rows, list):
            return None
        kept = self.chance.randrange(max(1, len(rows)))
        return json.dumps(rows[:kept], ensure_ascii=False).encode()
