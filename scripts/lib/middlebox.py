"""What a machine between client and server (a proxy, a firewall, a cache) answers of its own. Imported
by fault-proxy, never run; `demo-api --fault` has the same faults in the same words."""

import argparse
import collections
import json
import os
import random

# Which methods, on the paths of todos and of declared lists, a fault can happen to.
KINDS = {
    "empty-list": {"GET"},  # [] with 200
    "cut-list": {"GET"},  # the first rows alone, as valid JSON with 200
    "307": {"POST", "PATCH", "DELETE"},  # to a path that is not there
    "403": {"GET", "POST", "PATCH", "DELETE"},  # a firewall's
    "404": {"PATCH", "DELETE"},  # the row stays
    "409": {"POST", "PATCH"},  # no row is made or changed
    "410": {"PATCH", "DELETE"},  # the row stays
    "429": {"GET", "POST", "PATCH", "DELETE"},
    "503": {"GET", "POST", "PATCH", "DELETE"},
}
LISTS = {"empty-list", "cut-list"}

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


def list_of(path):
    """The path of the list that a request is about, or None."""
    _, *parts = path.partition("?")[0].split("/")
    if parts[:1] == ["todos"] and len(parts) <= 2:
        return "/todos"
    return "/" + "/".join(parts[:2]) if parts[:1] == ["lists"] and 2 <= len(parts) <= 3 else None


class Middlebox:
    """Draws the faults. Its law of lists: after a wrong list, be it shown once or for a minute, all answers for
    that list are right until a client has read one of them. A client that got one may have been killed before it
    read it. So it has to ask for that list once more on the same connection, which dies with it; its token lives on
    in a file. The file `debt` carries what is still owed from one life to the next."""

    def __init__(self, habits, seed, debt=None):
        self.habits, self.chance = habits, random.Random(f"middlebox {seed}")
        self.running = []
        self.debt = debt
        # Of which lists a right one is owed, and over which connections it was delivered since.
        self.owed_lists = self.old_debt()
        self.delivered_over = collections.defaultdict(set)

    def fault(self, method, path, connection, now):
        """The kind of fault that the request meets, or None; a draw for each habit each time.

        `connection`: the number of that over which it came."""
        draws = [self.chance.random() for _ in self.habits]
        self.running = [
            run for run in self.running if run["requests"] != 0 and now < run["end"]]
        about = list_of(path)
        if not about:
            return None
        if method == "GET" and path.partition("?")[0] == about and connection in self.delivered_over[about]:
            self.owe(about, False)
        for one, drawn in zip(self.habits, draws):
            if drawn < one.rate and method in KINDS[one.kind] and self.may_begin(one.kind, about):
                self.running.append({
                    "kind": one.kind, "about": about, "requests": one.requests,
                    "end": float("inf") if one.seconds is None else now + one.seconds})
        for run in self.running:
            if method in KINDS[run["kind"]] and (run["kind"] not in LISTS or run["about"] == about):
                if run["requests"] is not None:
                    run["requests"] -= 1
                if run["kind"] in LISTS:
                    self.owe(about, True)
                return run["kind"]
        return None

    def may_begin(self, kind, about):
        kinds = {run["kind"] for run in self.running}
        return kind not in kinds and not (kind in LISTS and (about in self.owed_lists or kinds & LISTS))

    def note_right_list(self, method, path, connection):
        """A request was answered by the server, and the answer was delivered whole over a connection."""
        about = list_of(path)
        if method == "GET" and about in self.owed_lists and path.partition("?")[0] == about:
            self.delivered_over[about].add(connection)

    def owe(self, about, is_owed):
        """Kept before the answer is sent, so that a kill between the two shows no two wrong lists."""
        self.delivered_over[about].clear()
        if is_owed == (about in self.owed_lists):
            return
        self.owed_lists ^= {about}
        if self.debt:
            with open(self.debt + ".new", "w", encoding="ascii") as file:
                json.dump(sorted(self.owed_lists), file)
            os.replace(self.debt + ".new", self.debt)

    def old_debt(self):
        """The lists that the life before owed."""
        if not self.debt or not os.path.exists(self.debt):
            return set()
        with open(self.debt, encoding="ascii") as file:
            return set(json.load(file))

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
