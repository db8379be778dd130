"""Reads a list in linked pages by Airbyte's CDK and keeps its rows.

usage: pace_airbyte.py URL DATABASE

Of the CDK, this uses HttpClient, which all of its streams send requests with, and its retries as they are if a
connector sets none. The rows go to SQLite instead of a destination."""

import logging
import sqlite3
import sys

from airbyte_cdk.sources.streams.http import HttpClient


def main():
    url, path = sys.argv[1:3]
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT)")
    client = HttpClient(name="notes", logger=logging.getLogger("airbyte"))
    address = url + "/notes"
    while address:
        _, answer = client.send_request("GET", address, request_kwargs={})
        with database:
            database.executemany("INSERT INTO notes VALUES (:id, :title)", answer.json())
        address = answer.links.get("next", {}).get("url")
    database.close()


if __name__ == "__main__":
    main()
