"""A first sync of the todos as people write it: httpx and sqlite-utils.

usage: sync.py URL DATABASE"""

import sys

import httpx
import sqlite_utils


def main():
    url, path = sys.argv[1:3]
    database = sqlite_utils.Database(path)
    with httpx.Client(base_url=url, timeout=60) as client:
        token = client.post("/login", auth=("demo@example.com", "demo")).json()["string"]
        answer = client.get("/todos", headers={"Authorization": f"Bearer {token}"})
        answer.raise_for_status()
        database["todos"].upsert_all(answer.json(), pk="id")
    level = database.execute("PRAGMA synchronous").fetchone()[0]
    print("pull: PRAGMA synchronous =", ["OFF", "NORMAL", "FULL", "EXTRA"][level])


if __name__ == "__main__":
    main()
