"""Loads what is new of a list by dlt's REST source, whose incremental cursor the pipeline keeps.

usage: increments_dlt.py load URL SIZE FOLDER    the rows that changed since the last load, at first all
       increments_dlt.py show FOLDER             the rows as lines of JSON: id, title, updated_at

It is written as dlt's documents have it: a source with `incremental`, `merge` by the primary key, DuckDB."""

import json
import os
import sys

import dlt
import duckdb
from dlt.sources.rest_api import rest_api_source


def load(url, size, folder):
    source = rest_api_source({
        "client": {"base_url": url, "paginator": "header_link"},
        "resources": [{
            "name": "rows", "primary_key": "id", "write_disposition": "merge",
            "endpoint": {
                "path": "rows", "params": {"limit": int(size), "updated_since": "{incremental.start_value}"},
                "incremental": {"cursor_path": "updated_at", "initial_value": "2000-01-01T00:00:00Z"}}}]})
    pipeline = dlt.pipeline(
        "increments", destination=dlt.destinations.duckdb(os.path.join(folder, "rows.duckdb")), dataset_name="here",
        pipelines_dir=os.path.join(folder, "pipelines"))
    pipeline.run(source)


def show(folder):
    with duckdb.connect(os.path.join(folder, "rows.duckdb"), read_only=True) as connection:
        rows = connection.execute("SELECT id, title, epoch(updated_at)::BIGINT FROM here.rows").fetchall()
    for row in rows:
        print(json.dumps(row))


if __name__ == "__main__":
    {"load": load, "show": show}[sys.argv[1]](*sys.argv[2:])
