"""A cycle inside the daemon that asks a list for changes and finds none: its instructions for a long list, beside those for
a short one. Found and run by benchmarks/run."""

import increment_runs
import increment_server
import stage as stages
from measure import Row, verdict
from rows_increments import number
from rows_unchanged import CYCLES, Quiet, of_syncd

KEY = "increments-unchanged"
SHORT, LONG, PAGE = 1000, 200_000, 100
# No limit: only the loads would meet it.
RATE = 1_000_000


class SinceStage(Quiet, stages.Stage):
    """A place whose cache has all of such a list, and a mark."""

    LIST = "rows"

    def __init__(self, setting, server):
        super().__init__(setting.programs)
        increment_runs.declare(self, server, PAGE, "1s")
        command = [setting.syncd, "sync", "rows", "--config", self.configuration]
        setting.run(command, self.environment)
        # As if the newest moment had stood in the table for long enough.
        self.rows("UPDATE sync_state SET candidate_ms = candidate_ms - ?", int(increment_runs.STOOD * 1000))
        setting.run(command, self.environment)
        if self.rows("SELECT mark FROM sync_status WHERE list = 'rows'")[0][0] is None:
            raise SystemExit("the list has no mark")


def cycle(setting, rows):
    """The instructions of one cycle, and which part of them is whose."""
    with increment_server.Server(rows, RATE) as server, SinceStage(setting, server) as stage:
        before = len(server.requests)
        counted = of_syncd(stage)
        asked = [path for _, _, path, _ in server.requests[before:]]
    if strays := [path for path in asked if "updated_since=" not in path and "offset=" in path]:
        raise SystemExit(f"a cycle did not only ask for changes and for the total, but for {strays[0]}")
    return counted


def unchanged(setting):
    long = LONG // 10 if setting.quick else LONG
    small, _ = cycle(setting, SHORT)
    large, parts = cycle(setting, long)
    setting.record(KEY, {f"{number(SHORT)} rows (instructions)": [small], f"{number(long)} rows (instructions)": [large]})
    return [Row(
        KEY, f"increment that finds nothing new, one cycle in the daemon, list of {number(long)} rows",
        f"instructions ≤ 1.5 × those for {number(SHORT)} rows",
        f"{large / small:.2f} × ({small / 1000:.0f} to {large / 1000:.0f} thousand)", f"{CYCLES} cycles",
        verdict(large <= 1.5 * small),
        note="Counted by callgrind in user mode. Each cycle asks for what changed, which is one row as it was, and for a"
        f" page of {PAGE} rows for its total. Of the long list, by the file that the code is in: {parts}.")]


ROWS = {KEY: unchanged}
