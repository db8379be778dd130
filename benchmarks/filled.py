"""Servers that hold movies and todos, and a cache of them: what the rows about whole processes and
the guard measure with. Imported, never run."""

import http.client
import json
import os
import sys
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../scripts/lib"))
import stage as stages  # noqa: E402

ON_A_PAGE = 20
WORDS = "the quiet harbour keeps a letter that nobody sent until winter came back to town".split()


def movie(number):
    """A movie as large as TMDB's, the same in every run."""
    overview = " ".join(WORDS[(number * 7 + place) % len(WORDS)] for place in range(50))
    return {
        "adult": False, "backdrop_path": f"/b{number:08}.jpg", "genre_ids": [18, 35, 10749],
        "id": 100_000 + number, "original_language": "en", "original_title": f"Movie {number}",
        "overview": overview, "popularity": round(900 / (1 + number), 3),
        "poster_path": f"/p{number:08}.jpg", "title": f"Movie {number}", "video": False,
        "release_date": f"2027-{number % 12 + 1:02}-{number % 28 + 1:02}",
        "vote_average": number % 100 / 10, "vote_count": number % 1000}


def movie_pages(folder, count):
    """Writes `count` movies as pages into `folder`, and returns the files."""
    last = -(-count // ON_A_PAGE)
    files = []
    for page in range(1, last + 1):
        numbers = range((page - 1) * ON_A_PAGE, min(page * ON_A_PAGE, count))
        path = os.path.join(folder, f"page-{page}.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({
                "page": page, "total_pages": last, "total_results": count,
                "results": [movie(number) for number in numbers]}, file)
        files.append(path)
    return files


def put_todos(stage, count):
    """Makes the server hold `count` todos, as another client would."""
    address = urllib.parse.urlsplit(stage.server)
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)

    def ask(path, authorization, body=None):
        headers = {"Authorization": authorization, "Content-Type": "application/json"}
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        if answer.status not in (200, 201):
            raise SystemExit(f"POST {path}: {answer.status}")
        return json.loads(content)

    bearer = "Bearer " + ask("/login", stages.basic())["string"]
    for number in range(count):
        ask("/todos", bearer, json.dumps({"title": f"todo number {number}"}))
    connection.close()


def serve(stage, todos=1000, movies=1000, *arguments, **configuration):
    """Starts a server that holds so many rows, and writes the configuration for it."""
    pages = movie_pages(stage.root, movies)
    stage.start_server("--quiet", *arguments, "--movies", *pages)
    stage.configure(**configuration)
    put_todos(stage, todos)
