"""How cost grows with the rows of a list: time and memory of the first sync."""

import math

from measure import Row, Spread, interleaved, ratio, verdict
from servers import MIGRATIONS, ListServer

SIZES = [1_000, 10_000, 100_000, 1_000_000]


def exponent(points):
    """The slope of log y over log x, by least squares."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    middle, height = sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum((x - middle) * (y - height) for x, y in zip(xs, ys))
            / sum((x - middle) ** 2 for x in xs))


def first_syncs(setting, servers):
    """Seconds, and the peaks (KiB) by name, of syncd and the C program at each size."""
    peaks = {}
    tables = servers[SIZES[0]].tables_of("todos")

    def keep(name, run):
        peaks.setdefault(name, []).append(run.peak)
        return run.seconds

    def syncd(size):
        server = servers[size]
        return keep(f"syncd, {size} rows", server.syncd(server.new_place(), "sync", "todos"))

    def c_program(size):
        server = servers[size]
        return keep(f"C, {size} rows", setting.run(
            [setting.alternative("sync"), server.server, server.new_place() + "/cache",
             tables, *MIGRATIONS]))

    times = interleaved(
        {f"{name}, {size} rows": lambda by=by, size=size: by(size)
         for size in SIZES for name, by in [("syncd", syncd), ("C", c_program)]},
        setting.rounds(5))
    return times, peaks


def growth(setting):
    servers = {}
    try:
        for size in SIZES:
            servers[size] = ListServer(setting, size)
        bodies = {size: server.fetch()[1] for size, server in servers.items()}
        times, peaks = first_syncs(setting, servers)
    finally:
        for server in servers.values():
            server.__exit__()
    setting.record("growth", {
        **{name + " (s)": values for name, values in times.items()},
        **{name + " peak (KiB)": values for name, values in peaks.items()}})
    seconds = {name: [(size, Spread.of(times[f"{name}, {size} rows"]).median) for size in SIZES]
               for name in ["syncd", "C"]}
    memory = {name: [(size, Spread.of(peaks[f"{name}, {size} rows"]).median / 1024)
                     for size in SIZES] for name in ["syncd", "C"]}
    bends = {name: exponent(points[1:]) for name, points in [*seconds.items()]}
    setting.plot(
        "first-sync-time", "First sync, process start to exit", "rows", "seconds",
        {f"{name} (exponent {bends[name]:.2f} from 10 000 rows)": points
         for name, points in seconds.items()})
    setting.plot(
        "first-sync-memory", "First sync, peak memory", "rows", "MiB resident",
        {**memory, "the body": [(size, body / 2 ** 20) for size, body in bodies.items()]})
    largest = SIZES[-1]
    times_more = ratio(times[f"syncd, {largest} rows"], times[f"syncd, {SIZES[-2]} rows"])
    peak = Spread.of(peaks[f"syncd, {largest} rows"]).median
    return [
        Row("growth", f"first sync of 1 000 000 todos, {bodies[largest] / 1e6:.0f} MB",
            "≤ 11 × the time of 100 000, within the body limit",
            f"{times_more.median:.1f} × ({seconds['syncd'][-1][1]:.1f} s); peak memory"
            f" {peak / 1024:.0f} MiB, {peak * 1024 / bodies[largest]:.1f} × the body",
            times_more.text("{:.1f}"), verdict(times_more.median <= 11),
            note="The limit is that of the default configuration, 64 MiB."),
        Row("growth", "growth of a first sync from 10 000 to 1 000 000 todos",
            "linear: exponent about 1",
            f"exponent {bends['syncd']:.2f} (the C program: {bends['C']:.2f})",
            f"{len(times[f'syncd, {largest} rows'])} rounds", verdict(bends["syncd"] <= 1.1)),
    ]


ROWS = {"growth": growth}
