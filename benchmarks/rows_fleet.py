"""Rows about a fleet, by simulation with the product's own rules (`Tests/fleet`): what its server meets
when it comes back. Found and run by benchmarks/run."""

import subprocess

import prepare
from measure import Row, verdict

DAEMONS = 100_000
OUTAGE = 3600
WINDOW = 10


def simulated(program, daemons, interval, before):
    """The requests by second, the server's return being second 0: {second: (all, first ones)}."""
    shown = subprocess.run(
        [program, "--daemons", str(daemons), "--interval", str(interval), "--before", str(before),
         "--outage", str(OUTAGE), "--after", str(OUTAGE)],
        check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True).stdout
    counts = {}
    for line in shown.splitlines():
        second, every, first = map(int, line.split("\t"))
        counts[second] = every, first
    return counts


def rates(counts, begin, end, column=0):
    """Requests a second in each window of 10 s from second `begin` to `end`."""
    return [
        sum(counts[second][column] for second in range(start, start + WINDOW)) / WINDOW
        for start in range(begin, end - WINDOW + 1, WINDOW)]


def mean(values):
    return sum(values) / len(values)


def peak(values):
    return max(values) / mean(values)


class Outcome:
    """What the server meets, as ratios of the largest rate over 10 s to a mean."""

    def __init__(self, counts):
        after = rates(counts, 0, OUTAGE)
        # Whole windows until the last daemon has asked for the first time.
        last = max(second for second, (_, first) in counts.items() if first)
        until = min(OUTAGE, (last // WINDOW + 1) * WINDOW)
        self.ordinary = mean(rates(counts, min(counts), -OUTAGE))
        self.outage = max(rates(counts, -OUTAGE, 0))
        self.hour = peak(after)
        self.until_asked = peak(after[:until // WINDOW])
        self.first = peak(rates(counts, 0, until, column=1))
        self.against_ordinary = max(after) / self.ordinary
        self.last = last


def fleet_rows(setting):
    program = prepare.product("fleet")
    daemons = DAEMONS // 10 if setting.quick else DAEMONS
    shown = f"{daemons:,}".replace(",", " ")
    todos = simulated(program, daemons, 60, 1200)
    movies = simulated(program, daemons, 6 * 3600, 6 * 3600)
    setting.plot(
        "fleet", f"{shown} daemons and an hour's outage, seen from the server",
        "seconds since the server's return", "requests a second over 10 s",
        {"requests": [
            (WINDOW * place - OUTAGE - 600, rate)
            for place, rate in enumerate(rates(todos, -OUTAGE - 600, OUTAGE))]}, log=False)
    one, other = Outcome(todos), Outcome(movies)
    goal = "peak over 10 s ≤ 1.5 × mean"
    return [
        Row("fleet",
            f"fleet of {shown} daemons after an hour's outage, todos each minute (simulated)",
            goal, f"{one.hour:.2f} × the mean of the hour after the server's return",
            f"{one.until_asked:.2f} × until each has asked, {one.against_ordinary:.2f} × an ordinary"
            f" mean of {one.ordinary:.0f}/s", verdict(one.hour <= 1.5, one.until_asked <= 1.5),
            note=f"The first requests alone, one of each daemon within {one.last} s, fall linearly, so"
                 f" that their peak is {one.first:.2f} × their mean. This is what full jitter with a"
                 " cap of 15 min looks like from the server. The outage's first minute is the other peak:"
                 f" {one.outage / one.ordinary:.1f} × the ordinary mean, while backoffs are short."),
        Row("fleet",
            "the same with movies every 6 h (simulated)", goal,
            f"{other.hour:.1f} × the mean of the hour after the server's return",
            f"{other.against_ordinary:.0f} × an ordinary mean of {other.ordinary:.1f}/s",
            "met" if other.hour <= 1.5 else "limit",
            note="An interval that is longer than the outage: a sixth of the fleet missed its turn and"
                 " comes back within 15 min, as freshness asks for, while the others come once in six"
                 " hours. No jitter hides that, nor a longer backoff. With a cap of an hour instead of 15 min, a"
                 " model of that rule still has 4.4 ×, and movies would stay old longer."),
    ]


ROWS = {"fleet": fleet_rows}
