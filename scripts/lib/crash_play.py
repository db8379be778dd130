"""Plays one scenario once: kills it at a call, lets a call fail, or lets it run. Imported, never
run."""

import os
import re
import signal
import subprocess
import tempfile
import threading

import tracer
from crash_bystander import Bystander
from crash_scenario import Broken, copy_cache, require
from crash_stage import PATIENCE, opened

# What fails, and how. Of calls that lead to files of the stage alone: a pipe has no full disk.
FAULTS = {
    "pwrite64": ["EIO", "ENOSPC", "EDQUOT", "EFBIG", "EINTR", "short"],
    "write": ["EIO", "ENOSPC", "EDQUOT", "EINTR", "short"],
    "pread64": ["EIO", "EINTR", "short"],
    "read": ["EIO", "EINTR", "short"],
    # A commit whose writer dies there is in the log as a whole, and nobody was told.
    "fdatasync": ["EIO", "ENOSPC", "kill"],
    "fsync": ["EIO", "ENOSPC"],
    "ftruncate": ["EIO", "ENOSPC", "EINTR"],
    "fallocate": ["EIO", "ENOSPC"],
    "openat": ["EIO", "ENOSPC", "EMFILE", "EINTR"],
    "mkdir": ["EIO", "ENOSPC"],
    "rename": ["EIO", "ENOSPC"], "renameat": ["EIO", "ENOSPC"],
    "link": ["EIO", "ENOSPC"],
    "unlink": ["EIO"], "unlinkat": ["EIO"]}
# These are no failures: whoever reads and writes goes on.
HARMLESS = {"EINTR", "short"}
# The disk has no room: what was asked for is refused, and nothing else.
FULL = {"ENOSPC", "EDQUOT", "EFBIG"}
SPACE = re.compile("disk is full|No space|quota|too large")
# What is made beside a file, to take its place when it is whole.
DRAFT = re.compile(r"\.draft(-journal|-wal|-shm)?$")
_PATHS = {"openat": (1, 0), "renameat": (1, 0), "unlinkat": (1, 0), "linkat": (1, 0),
          "mkdir": (0, None), "rename": (0, None), "link": (0, None), "unlink": (0, None)}


def touches(call, root):
    """The path that a call is about where it lies in the stage, else nil."""
    if call.name not in FAULTS:
        return None
    if call.name in _PATHS:
        path = call.absolute(*_PATHS[call.name])
    else:
        path = call.path_of(0)
    return path if path.startswith(root + "/") else None


class Played:
    """What became of one run."""

    def __init__(self, outcome, errors, isStuck):
        self.outcome = outcome
        self.errors = errors
        self.isStuck = isStuck


def play(stage, scenario, pick, isAlone=False):
    """Runs the scenario's command on its state, each of its calls shown to `pick` first. A bystander
    is connected, unless `isAlone`."""
    stage.reset(scenario.template)
    if isAlone:
        stage.join(None)
    elif stage.bystander is None:
        stage.join(Bystander(stage.cache))
    scenario.begin(stage)
    stage.untouched = None
    ended = threading.Event()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        follower = tracer.Tracer(pick)
        arguments = [
            stage.programs + "/syncd", *scenario.arguments, "--config", stage.configuration]
        if getattr(scenario, "late", False):
            daemon = subprocess.Popen(
                arguments, env=stage.environment, stdin=subprocess.DEVNULL, stdout=output,
                stderr=errors, cwd=stage.run)
            process = daemon.pid
            scenario.rest(stage, ended)
            follower.attach(process)
        else:
            process = follower.start(
                arguments, stage.environment, output.fileno(), errors.fileno(), stage.run)
        isStuck = threading.Event()

        def insist():
            if not ended.wait(2 * PATIENCE):
                isStuck.set()
                os.kill(process, signal.SIGKILL)

        threads = [threading.Thread(target=insist)]
        if hasattr(scenario, "socket"):
            threads.append(
                threading.Thread(target=scenario.beside, args=(stage, process, ended)))
        for thread in threads:
            thread.start()
        outcome = follower.follow()
        ended.set()
        for thread in threads:
            thread.join()
        if hasattr(scenario, "end"):
            scenario.end(stage)
        errors.seek(0)
        return Played(outcome, errors.read().decode(errors="replace"), isStuck.is_set())


def judge(stage, scenario, played, again=None):
    """Looks, recovers and compares; raises Broken. `again` kills the recovery at a call first."""
    accepted = played.outcome.status == 0
    require(not played.isStuck, "the command did not come to its end")
    let_bystander_commit(stage)
    scenario.look(stage, copy_cache(stage), accepted)
    if again is not None:
        kill_recovery(stage, scenario, again)
        let_bystander_commit(stage)
        scenario.look(stage, copy_cache(stage), False)
    scenario.recover(stage)
    scenario.compare(stage, accepted)


def let_bystander_commit(stage):
    if stage.bystander:
        stage.bystander.commit()


def kill_recovery(stage, scenario, chance):
    """Starts a sync after the first kill, and kills that one, too."""
    stage.start_server()
    left = chance.randrange(200, 1600)

    def pick(call):
        nonlocal left
        left -= 1
        return tracer.KILL if left == 0 else None

    with open(os.devnull, "wb") as null:
        follower = tracer.Tracer(pick)
        follower.start(
            [stage.programs + "/syncd", "sync", "todos", "--config", stage.configuration],
            stage.environment, null.fileno(), null.fileno(), stage.run)
        follower.follow()


def count(stage, scenario):
    """How many calls each thread makes, and which of them can fail; from an undisturbed run."""
    scenario.prepare(stage)
    sites, counts = {}, []
    for _ in range(3):
        found = {}

        def pick(call):
            if touches(call, stage.run):
                found[call.name] = found.get(call.name, 0) + 1

        played = play(stage, scenario, pick)
        if played.outcome.status not in scenario.normal:
            raise SystemExit(
                f"{scenario.name} does not run by itself: {played.outcome.status} {played.errors}")
        judge(stage, scenario, played)
        for name, number in found.items():
            sites[name] = max(sites.get(name, 0), number)
        made = played.outcome.counts
        counts = [max(pair) for pair in zip(
            counts + [0] * (len(made) - len(counts)), made + [0] * (len(counts) - len(made)))]
    return counts, sites


def spoil(stage, scenario):
    """Breaks what the process left behind, to prove that the comparison sees it: the WAL is thrown
    away, or what was sent without an answer is forgotten and queued again."""
    if scenario.name == "lost":
        with opened(stage.cache) as connection:
            connection.execute(
                "UPDATE operation SET state = 'queued', undecided = 0, sent_boot = NULL,"
                " sent_ms = NULL, first_sent_boot = NULL, first_sent_ms = NULL"
                " WHERE state IN ('sending', 'in doubt')")
    elif os.path.exists(stage.cache + "-wal"):
        os.remove(stage.cache + "-wal")


def kill_once(stage, scenario, thread, number, again, isControl=False):
    """One run, killed before the given call. Returns whether it came to that call."""
    scenario.prepare(stage)
    hasConnected = False

    def pick(call):
        nonlocal hasConnected
        hasConnected = hasConnected or call.name == "connect"
        return tracer.KILL if (call.index, call.number) == (thread, number) else None

    played = play(stage, scenario, pick, isAlone=isControl or number % 3 == 0)
    wasKilled = played.outcome.status == -signal.SIGKILL
    if not wasKilled:
        require(played.outcome.status in scenario.normal,
                f"ended with {played.outcome.status}: {played.errors}")
    if isControl:
        spoil(stage, scenario)
    elif wasKilled and not hasConnected and number > 1 and stage.is_like(scenario.template):
        # As if it had never run: what a start from here comes to, the first call has shown.
        stage.untouched = scenario.template
        return True, played.outcome.picked
    judge(stage, scenario, played, again)
    return wasKilled, played.outcome.picked


def fail_once(stage, scenario, name, number, fault):
    """One run in which the given call of its kind fails. Returns whether it came to that."""
    scenario.prepare(stage)
    seen, where = 0, ""

    def pick(call):
        nonlocal seen, where
        if call.name != name:
            return None
        path = touches(call, stage.run)
        if not path:
            return None
        seen += 1
        if seen != number:
            return None
        where = path.removeprefix(stage.run + "/")
        if fault == "kill":
            return tracer.KILL
        return tracer.SHORTEN if fault == "short" else tracer.fail(fault)

    played = play(stage, scenario, pick, isAlone=fault != "kill" and number % 3 == 0)
    status, text = played.outcome.status, played.errors
    about = f"{fault} of {name} on {where}: exit status {status}, {text.strip()[-300:]!r}"
    try:
        wasKilled = fault == "kill" and seen >= number
        require(status >= 0 or wasKilled, "a crash: " + about)
        if wasKilled:
            pass
        elif seen < number or fault in HARMLESS:
            require(status in scenario.normal, "not gone on: " + about)
        elif status not in scenario.normal:
            require("syncd:" in text or "error" in text, "no word about it: " + about)
            require(fault not in FULL or name not in ("pwrite64", "write") or SPACE.search(text),
                    "not said that there is no space: " + about)
            judge_daemon(scenario, name, fault, where, status, about)
        litter = [name for _, _, names in os.walk(stage.run) for name in names
                  if DRAFT.search(name)]
        # What the disk does not let go of is not left behind by us.
        require(not litter or name.startswith("unlink") or wasKilled, f"{litter} left behind: {about}")
        judge(stage, scenario, played)
    except Broken as broken:
        sentence = str(broken)
        raise Broken(
            broken.kind, sentence if about in sentence else f"{sentence} [{about}]") from None
    return seen >= number, about


def judge_daemon(scenario, name, fault, where, status, about):
    """A daemon ends when the disk does not keep what it is given, and waits when it is full."""
    if scenario.arguments != ["run"] or not where.startswith("state/cache.sqlite"):
        return
    if name in ("fdatasync", "pwrite64") and fault == "EIO":
        require(status == 74, "a daemon has to end with 74: " + about)
    if name == "pwrite64" and fault in FULL and scenario.late:
        require(status == 0, "a daemon has to wait for space: " + about)
