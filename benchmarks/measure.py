"""What the rows of the benchmark share: what a row says, how programs take turns, and what they cost.
Imported, never run."""

import dataclasses
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(HERE)
VERDICTS = ("met", "missed", "limit")

sys.path.insert(0, os.path.join(REPOSITORY, "scripts/lib"))


@dataclasses.dataclass(frozen=True)
class Row:
    """One line of the table. `verdict` is "met", "missed", or "limit": missed, for a measured reason
    that `note` explains."""

    key: str
    work: str
    goal: str
    figure: str
    spread: str
    verdict: str
    command: str = ""
    note: str = ""

    def __post_init__(self):
        if self.verdict not in VERDICTS:
            raise ValueError(f"the verdict of {self.key} is '{self.verdict}', not one of {VERDICTS}")
        if not self.command:
            object.__setattr__(self, "command", f"benchmarks/run --only {self.key}")


@dataclasses.dataclass(frozen=True)
class Spread:
    """The median of some figures, and their smallest and largest."""

    median: float
    low: float
    high: float

    @staticmethod
    def of(values):
        return Spread(statistics.median(values), min(values), max(values))

    def text(self, form="{:.2f}"):
        return form.format(self.low) + " … " + form.format(self.high)


def verdict(*met):
    """The verdict on a row with these goals."""
    return "met" if all(met) else "missed"


def limit(verdict_of_others, is_met):
    """The verdict on a row whose note says why one of its goals is not met."""
    return verdict_of_others if is_met or verdict_of_others != "met" else "limit"


def interleaved(programs, rounds):
    """Lets each of `programs` (name: callable that returns seconds, or any figure) run once to warm
    up, then `rounds` times in turn, the order reversed in every other round: what else goes on at
    the machine meets all of them. Returns the figures by name."""
    for program in programs.values():
        program()
    figures = {name: [] for name in programs}
    for number in range(rounds):
        for name in list(programs) if number % 2 == 0 else reversed(list(programs)):
            figures[name].append(programs[name]())
    return figures


def ratio(figures, others):
    """The spread of figure to other figure of the same round."""
    return Spread.of([figure / other for figure, other in zip(figures, others, strict=True)])


@dataclasses.dataclass(frozen=True)
class Finished:
    """A program that has ended: seconds from its start to its end, seconds of processor time in its
    own code and in the kernel, the most memory it had (KiB), its exit status and what it printed."""

    seconds: float
    user: float
    system: float
    peak: int
    status: int
    output: str


class Setting:
    """Where everything is, and how thorough to be."""

    def __init__(self, programs, alternatives, venv, work, quick):
        self.programs = programs
        self.syncd = os.path.join(programs, "syncd")
        self.demo_api = os.path.join(programs, "demo-api")
        # The directory of the compiled C programs, and of the Python ones.
        self.alternatives = alternatives
        self.scripts = os.path.join(HERE, "alternatives")
        self.venv = venv
        self.python = os.path.join(venv, "bin", "python3")
        # A directory for this run alone, on the disk and not in memory.
        self.work = work
        self.quick = quick
        self.samples = {}
        self.plots = {}
        self.tables = {}

    def rounds(self, count):
        """So many rounds, or fewer where it has to be quick."""
        return max(2, count // 3) if self.quick else count

    def alternative(self, name):
        """The path of a compiled C program."""
        return os.path.join(self.alternatives, name)

    def tool(self, name):
        """The path of a program of the virtual environment."""
        return os.path.join(self.venv, "bin", name)

    def record(self, key, figures):
        """Keeps raw figures by name, in the unit that the name ends with, for `figures.json`."""
        self.samples.setdefault(key, {}).update(figures)

    def plot(self, name, title, x, y, lines, log=True):
        """Keeps a plot, drawn to `docs/performance/NAME.svg`: `lines` are {label: [(x, y), …]}."""
        self.plots[name] = {"title": title, "x": x, "y": y, "lines": lines, "log": log}

    def table(self, name, lines):
        """Keeps a table of its own, for the place of that name in `docs/performance.md`."""
        self.tables[name] = lines

    def run(self, arguments, environment=None, check=True, **options):
        """Runs a program to its end and measures it from outside, by `alternatives/timed.c`: a
        process that Python starts itself would count Python's own memory as its peak."""
        read, write = os.pipe()
        try:
            child = subprocess.Popen(
                [self.alternative("timed"), str(write), *arguments], pass_fds=[write],
                env=environment, stdin=options.pop("stdin", subprocess.DEVNULL),
                stdout=options.pop("stdout", subprocess.PIPE), text=True, **options)
        finally:
            os.close(write)
        with os.fdopen(read, encoding="ascii") as figures:
            output = child.communicate()[0] or ""
            fields = figures.read().split()
        if len(fields) != 5:
            raise SystemExit(f"{arguments[0]} could not be run")
        finished = Finished(*map(float, fields[:3]), int(fields[3]), int(fields[4]), output)
        if check and finished.status != 0:
            raise SystemExit(f"{' '.join(arguments)} ended with {finished.status}\n{output}")
        return finished


def high_water(pid):
    """The most memory (KiB) that a running process has had so far."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0
