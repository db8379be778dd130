"""The first sync: todos beside a C program and a Python script, and the pages of movies."""

import json
import os

from measure import Row, Spread, interleaved, ratio, verdict
from servers import MIGRATIONS, ListServer

ROWS_OF_LIST = 100_000
LATENCY = 20


def first_sync(setting):
    """100 000 todos into an empty cache: time beside both alternatives, and memory."""
    finished = {}
    with ListServer(setting, ROWS_OF_LIST) as server:

        def keep(name, run):
            finished.setdefault(name, []).append(run)
            return run.seconds

        tables = server.tables_of("todos")

        def c_program(place):
            return setting.run(
                [setting.alternative("sync"), server.server, place + "/cache", tables, *MIGRATIONS])

        def script(place):
            return setting.run(
                [setting.python, setting.scripts + "/sync.py", server.server, place + "/todos.db"])

        size = server.fetch()[1]
        times = interleaved({
            "syncd (s)": lambda: keep("syncd", server.syncd(server.new_place(), "sync", "todos")),
            "C (s)": lambda: keep("C", c_program(server.new_place())),
            "curl (s)": lambda: server.fetch()[0],
        }, setting.rounds(9))
        # The script takes long, and is so far away that few rounds tell.
        slow = interleaved({
            "syncd beside Python (s)": lambda: server.syncd(
                server.new_place(), "sync", "todos").seconds,
            "Python (s)": lambda: keep("Python", script(server.new_place())),
        }, setting.rounds(3))
        empty = nothing(setting)
    peaks = {f"{name} peak (KiB)": [run.peak for run in runs] for name, runs in finished.items()}
    processor = {
        f"{name} processor (s)": [run.user + run.system for run in runs]
        for name, runs in finished.items()}
    setting.record("first-sync", {**times, **slow, **peaks, **processor})
    beside_c = ratio(times["syncd (s)"], times["C (s)"])
    beside_python = ratio(slow["Python (s)"], slow["syncd beside Python (s)"])
    # What keeps documents and checks titles has a limit of its own.
    c_beside_python = (
        Spread.of(slow["Python (s)"]).median / Spread.of(times["C (s)"]).median)
    server_share = ratio(times["curl (s)"], times["syncd (s)"]).median
    levels = "; ".join(
        f"{name}: {line}" for name in ["C", "Python"]
        for line in [finished[name][0].output.strip()])
    work = "first sync of 100 000 todos, process start to exit"
    syncd_time = Spread.of(times["syncd (s)"])
    return [
        Row("first-sync", work, "≤ 1.0 × the C program",
            f"{beside_c.median:.2f} × ({syncd_time.median:.2f} s)", beside_c.text(),
            verdict(beside_c.median <= 1.0),
            note=f"{levels}; syncd: NORMAL for a pull, FULL for what a person changes. The server's"
            f" share, by curl, is {server_share:.0%} of syncd's time."),
        Row("first-sync", work, "≥ 3 × faster than the Python script",
            f"{beside_python.median:.1f} × faster", beside_python.text("{:.1f}"),
            "met" if beside_python.median >= 3
            else "limit" if c_beside_python < 3 and beside_c.median <= 1.0 else "missed",
            note="sqlite-utils commits every 100 rows, with SQLite's own settings; it keeps ids and"
            " titles. The C program, which keeps what the cache keeps, is itself"
            f" {c_beside_python:.1f} × faster than the script here."),
        memory_row(Spread.of(peaks["syncd peak (KiB)"]), size, empty),
    ]


def nothing(setting):
    """The peak (KiB) of a sync of an empty list: program and libraries."""
    with ListServer(setting, 0) as server:
        return min(server.syncd(server.new_place(), "sync", "todos").peak for _ in range(3))


def memory_row(peak, size, empty):
    whole = peak.median * 1024 / size
    above = [(figure - empty) * 1024 / size for figure in [peak.median, peak.low, peak.high]]
    # The program and its libraries are there for a list of any length.
    met = "met" if whole <= 6 else "limit" if above[0] <= 6 else "missed"
    return Row(
        "first-sync", "peak memory of that sync", "≤ 6 × the body's size",
        f"{above[0]:.1f} × the body of {size / 1e6:.1f} MB, beside {empty / 1024:.1f} MiB that a"
        f" sync of nothing has", f"{above[1]:.1f} … {above[2]:.1f}", met,
        note=f"{whole:.1f} × with everything: {peak.median / 1024:.1f} MiB resident. What a sync of"
        " nothing has is program and libraries, pages that other processes share. See the row of"
        " 1 000 000 todos for a list that outweighs them.")


def write_pages(folder, pages):
    """Recorded pages as TMDB would serve them; returns their paths."""
    paths = []
    for page in range(1, pages + 1):
        rows = [
            {"adult": False, "backdrop_path": None, "genre_ids": [18, 35], "id": number,
             "original_language": "en", "original_title": f"The film {number}",
             "overview": "Somebody goes somewhere, and it is not what it seemed. " * 4,
             "popularity": 1000 / number, "poster_path": f"/poster{number}.jpg",
             "release_date": f"2030-{number % 12 + 1:02}-{number % 28 + 1:02}",
             "title": f"The film {number}", "video": False, "vote_average": 6.5,
             "vote_count": number}
            for number in range(page * 20 - 19, page * 20 + 1)]
        paths.append(os.path.join(folder, f"page-{page:03}.json"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            json.dump({"page": page, "results": rows, "total_pages": pages,
                       "total_results": pages * 20}, file)
    return paths


def movie_pages(setting, key, pages, rounds):
    """So many pages at 20 ms: beside what four requests at a time must take."""
    folder = os.path.join(setting.work, key)
    os.makedirs(folder, exist_ok=True)
    paths = write_pages(folder, pages)
    with ListServer(setting, 0, "--movies", *paths, "--latency", str(LATENCY)) as slow, \
            ListServer(setting, 0, "--movies", *paths) as quick:
        times = interleaved({
            "at 20 ms (s)": lambda: slow.syncd(slow.new_place(), "sync", "movies").seconds,
            "without latency (s)": lambda: quick.syncd(quick.new_place(), "sync", "movies").seconds,
        }, setting.rounds(rounds))
    setting.record(key, times)
    waits = LATENCY / 1000 * pages / 4
    beside = ratio(times["at 20 ms (s)"], [waits + t for t in times["without latency (s)"]])
    whole = Spread.of(times["at 20 ms (s)"]).median
    return [Row(
        key, f"first pull of {pages} movie pages at 20 ms server latency",
        "≤ 1.1 × (latency × pages ÷ 4 + merge)", f"{beside.median:.2f} × ({whole:.2f} s)",
        beside.text(), verdict(beside.median <= 1.1),
        note="The merge is the same sync from a server without latency, process start to exit."
        " Page 1 goes alone, because it tells how many there are.")]


ROWS = {
    "first-sync": first_sync,
    "movie-pages": lambda setting: movie_pages(setting, "movie-pages", 60, 9),
    "all-movie-pages": lambda setting: movie_pages(setting, "all-movie-pages", 500, 5),
}
