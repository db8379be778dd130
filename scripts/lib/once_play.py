"""What exactly-once and real-servers share: who kills, who writes meanwhile, and how everything gets well again.
Imported, never run."""

import glob
import random
import subprocess
import threading
import time

from once_writer import Failed


class Killer(threading.Thread):
    """Kills and starts again, until it is told to end."""

    def __init__(self, stage, seed, longest=1.5):
        super().__init__(daemon=True)
        self.stage, self.chance = stage, random.Random(seed * 7 + 1)
        # The longest time in seconds from one kill to the next.
        self.longest = longest
        self.over = threading.Event()
        self.failure = None
        # Whoever kills and starts again holds it.
        self.lock = threading.Lock()

    def run(self):
        try:
            while not self.over.wait(self.chance.uniform(0.1, self.longest)):
                chosen = self.chance.sample(self.stage.mortal, self.chance.choice([1, 1, 1, 2, 3]))
                self.strike(chosen, self.chance.uniform(0, 0.4))
        except (OSError, SystemExit) as error:
            self.failure = str(error)

    def strike(self, names, pause):
        """Kills them, and starts them again after a pause in seconds."""
        with self.lock:
            for name in names:
                self.stage.kill(name)
            self.over.wait(pause)
            for name in names:
                self.stage.revive(name)

    def end(self):
        self.over.set()
        self.join()
        if self.failure:
            raise Failed("the killer could not go on: " + self.failure)


def work(stage, writers, is_unkind):
    """Lets the writers write until all of them have enough, and looks after each step."""
    chance, last_nudge = writers[0].chance, time.monotonic()
    while any(writer.left() for writer in writers):
        chance.choices(writers, [writer.left() for writer in writers])[0].step()
        look_for_damage(stage)
        for writer in writers:
            writer.look()
        # A client that seldom asks sees few wrong lists.
        if time.monotonic() - last_nudge > (0.4 if is_unkind else 1):
            nudge(stage, chance)
            retry(stage)
            last_nudge = time.monotonic()
        time.sleep(chance.uniform(0, 0.25))


def look_for_damage(stage):
    """The cache is sound all the time, so nobody may say that it is damaged."""
    copies = glob.glob(glob.escape(stage.cache) + ".*corrupt-*")
    with open(stage.daemon_log, encoding="utf-8") as log:
        said = [line for line in log if "damaged" in line or "salvage" in line]
    if copies or said:
        raise Failed(f"a sound cache was taken for damaged: {said[:1]} {copies[:1]}")


def retry(stage):
    """What was refused, by the server or by a firewall, is tried again."""
    stage.rows("UPDATE outbox SET state = 'queued' WHERE state = 'rejected'")


def nudge(stage, chance):
    """Somebody asks for a cycle, in one of the three ways."""
    if chance.random() < 0.2:
        # In this process where no daemon runs; its exit code says nothing about the rows.
        stage.start(
            "syncd", "sync", chance.choice(stage.lists), "--timeout", "3", "--config", stage.configuration,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    else:
        ask_for_cycles(stage)


def ask_for_cycles(stage):
    values = ", ".join(f"('{name}')" for name in stage.lists)
    stage.rows(f"INSERT INTO sync_requests(list) VALUES {values}")


def heal(stage, person, settle=None):
    """Everything starts once more, without faults; returns how long the queue took to end. `settle` decides about what
    was refused, which is tried again otherwise."""
    for name in stage.mortal:
        stage.kill(name)
    stage.rate, stage.own_faults, stage.untruths = 0, [], []
    began = time.monotonic()
    for name in [*stage.mortal[1:], "daemon"]:
        stage.revive(name)
    while stage.rows("SELECT count(*) FROM outbox")[0][0]:
        if time.monotonic() - began > 180:
            rows = stage.rows("SELECT list, op, title, state, attempts, last_error FROM outbox LIMIT 5")
            lists = stage.rows("SELECT list, state, last_attempt_at, next_due_at, last_error FROM sync_status")
            ended = [name for name in stage.mortal if stage.running[name].poll() is not None]
            with open(stage.daemon_log, encoding="utf-8") as log:
                said = log.readlines()[-5:]
            raise Failed(
                f"the queue did not end within three minutes: {rows}; {lists}; ended: {ended}; the daemon said: {said}")
        settle() if settle else retry(stage)
        ask_for_cycles(stage)
        time.sleep(0.5)
    took = time.monotonic() - began
    # One more pull, so that the cache has seen the server after the last operation. On a busy machine
    # one try can take longer than a request may.
    for name in stage.lists:
        person.syncd("sync", name, "--timeout", "30", reaching=True)
    return took
