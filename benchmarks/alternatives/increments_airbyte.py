"""Loads what is new of a list by Airbyte's CDK, with the cursor of a declarative connector.

usage: increments_airbyte.py load URL SIZE FOLDER    the rows that changed since the last load, at first all
       increments_airbyte.py show FOLDER             the rows as lines of JSON: id, title, updated_at

The connector is written as the documents of the CDK have it. Its messages go to SQLite in the same process, instead
of over a pipe to a destination, and the state that it gives is kept in a file for the next load."""

import json
import logging
import os
import sqlite3
import sys

from airbyte_cdk.models import (
    AirbyteStateMessageSerializer, ConfiguredAirbyteCatalogSerializer, Type)
from airbyte_cdk.sources.declarative.concurrent_declarative_source import ConcurrentDeclarativeSource

FORMAT = "%Y-%m-%dT%H:%M:%SZ"
SCHEMA = {"type": "object", "properties": {"id": {"type": "integer"}, "updated_at": {"type": "string"}}}


def manifest(url, size):
    """A list in linked pages, of which the cursor asks for what changed since its state."""
    return {
        "version": "6.0.0", "type": "DeclarativeSource", "check": {"type": "CheckStream", "stream_names": ["rows"]},
        "streams": [{
            "type": "DeclarativeStream", "name": "rows", "primary_key": ["id"],
            "retriever": {
                "type": "SimpleRetriever",
                "requester": {
                    "type": "HttpRequester", "url_base": url, "path": "/rows", "http_method": "GET",
                    "request_parameters": {"limit": size}},
                "record_selector": {"type": "RecordSelector", "extractor": {"type": "DpathExtractor", "field_path": []}},
                "paginator": {
                    "type": "DefaultPaginator", "page_token_option": {"type": "RequestPath"},
                    "pagination_strategy": {
                        "type": "CursorPagination", "cursor_value": "{{ headers['link']['next']['url'] }}",
                        "stop_condition": "{{ 'next' not in headers['link'] }}"}}},
            "incremental_sync": {
                "type": "DatetimeBasedCursor", "cursor_field": "updated_at", "datetime_format": FORMAT,
                "start_datetime": "2000-01-01T00:00:00Z",
                "start_time_option": {
                    "type": "RequestOption", "inject_into": "request_parameter", "field_name": "updated_since"}},
            "schema_loader": {"type": "InlineSchemaLoader", "schema": SCHEMA}}]}


def load(url, size, folder):
    database = sqlite3.connect(os.path.join(folder, "rows.sqlite"))
    database.execute("CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, title TEXT, updated_at TEXT, row TEXT)")
    kept = os.path.join(folder, "state.json")
    state = []
    if os.path.exists(kept):
        with open(kept, encoding="utf-8") as file:
            state = [AirbyteStateMessageSerializer.load(json.load(file))]
    catalog = ConfiguredAirbyteCatalogSerializer.load({"streams": [{
        "stream": {"name": "rows", "json_schema": SCHEMA, "supported_sync_modes": ["full_refresh", "incremental"]},
        "sync_mode": "incremental", "destination_sync_mode": "append_dedup"}]})
    source = ConcurrentDeclarativeSource(
        catalog=catalog, config={}, state=state, source_config=manifest(url, size))
    last = None
    with database:
        for message in source.read(logging.getLogger("airbyte"), {}, catalog, state):
            if message.type == Type.RECORD:
                row = message.record.data
                database.execute(
                    "INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?)",
                    (row["id"], row["title"], row["updated_at"], json.dumps(row)))
            elif message.type == Type.STATE:
                last = message.state
    database.close()
    if last:
        with open(kept, "w", encoding="utf-8") as file:
            json.dump(AirbyteStateMessageSerializer.dump(last), file)


def show(folder):
    database = sqlite3.connect(os.path.join(folder, "rows.sqlite"))
    for number, title, moment in database.execute("SELECT id, title, unixepoch(updated_at) FROM rows"):
        print(json.dumps([number, title, moment]))
    database.close()


if __name__ == "__main__":
    {"load": load, "show": show}[sys.argv[1]](*sys.argv[2:])
