"""Reads a list in linked pages by dlt and keeps its rows.

usage: pace_dlt.py URL DATABASE

Of dlt, this uses what its REST source reads pages with: RESTClient with HeaderLinkPaginator, and under it the helper
`requests` with its retries as they are if nobody sets them. The rows go to SQLite without dlt's pipeline, which would
first write them to files and load them at the end."""

import sqlite3
import sys

from dlt.sources.helpers.rest_client import RESTClient
from dlt.sources.helpers.rest_client.paginators import HeaderLinkPaginator


def main():
    url, path = sys.argv[1:3]
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT)")
    for page in RESTClient(base_url=url).paginate("/notes", paginator=HeaderLinkPaginator()):
        with database:
            database.executemany("INSERT INTO notes VALUES (:id, :title)", page)
    database.close()


if __name__ == "__main__":
    main()
