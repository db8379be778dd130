"""A stand-in for PostgREST 14, which neither Debian nor PyPI has. One table `notes`, kept by SQLite, with the manners
that PostgREST's documents and its own specifications tell: filters, ranges, counts, `Prefer`, single objects, error
bodies, JSON web tokens. It is no PostgREST: whoever uses one should try it, too. real-servers runs it:
`real_postgrest.py PORT`.

Source: docs.postgrest.org, references/api/pagination_count, preferences, resource_representation, tables_views, and
references/errors, auth; in its repository test/spec/Feature/Query/RangeSpec, SingularSpec, UpdateSpec, DeleteSpec,
InsertSpec, Auth/AuthSpec and NoAnonSpec, and RangeQuery for when a status is 200, 206 or 416."""

import collections
import http.server
import json
import os
import sqlite3
import sys
import urllib.parse
import uuid

from real_postgrest_words import COLUMNS, Refused, check_token, condition, content_range, order, stored, wanted_range

# The table of a database: it makes ids and counts versions, as a trigger of PostgreSQL would.
SCHEMA = """
CREATE TABLE IF NOT EXISTS item (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, done INTEGER, size INTEGER, labels TEXT, version INTEGER NOT NULL,
    created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%f+00:00')));
"""
OBJECT = "application/vnd.pgrst.object+json"
Answer = collections.namedtuple("Answer", "status body fields")


class Notes:
    """One request at the table."""

    def __init__(self, headers, query, body):
        self.headers, self.query, self.body = headers, query, body
        self.preferences = [part.strip() for field in headers.get_all("Prefer", []) for part in field.split(",")]
        accepted = [part.partition(";")[0].strip() for part in headers.get("Accept", "*/*").split(",")]
        if not set(accepted) & {"*/*", "application/*", "application/json", OBJECT, OBJECT.removesuffix("+json")}:
            raise Refused(406, "PGRST107", f"None of these media types are available: {', '.join(accepted)}")
        self.singular = OBJECT in accepted or OBJECT.removesuffix("+json") in accepted
        self.connection = sqlite3.connect(os.environ["REAL_DATABASE"], timeout=20, isolation_level=None)
        self.connection.row_factory = sqlite3.Row

    def where(self):
        found = [condition(name, text) for name, text in self.query
                 if name not in ("order", "limit", "offset", "select", "columns", "on_conflict")]
        sql = " AND ".join(part for part, _ in found)
        return " WHERE " + sql if sql else "", [value for _, values in found for value in values]

    @staticmethod
    def shown(row):
        return {name: None if row[name] is None else bool(row[name]) if kind == "boolean"
                else json.loads(row[name]) if kind == "jsonb" else row[name] for name, kind in COLUMNS.items()}

    def given(self, several):
        """The objects of the body."""
        try:
            body = json.loads(self.body)
        except ValueError as error:
            raise Refused(400, "PGRST102", "Empty or invalid json") from error
        rows = body if isinstance(body, list) and several else [body]
        if any(not isinstance(row, dict) or row.keys() != rows[0].keys() for row in rows):
            raise Refused(400, "PGRST102", "All object keys must match")
        return [{name: stored(name, held) for name, held in row.items()} for row in rows]

    def answer(self, rows, status, silent, lower=None, total=None):
        """What a call gives back: all rows, the only one, or nothing, with the range."""
        if self.singular and len(rows) != 1:
            raise Refused(406, "PGRST116", "Cannot coerce the result to a single JSON object",
                          f"The result contains {len(rows)} rows")
        fields = {"Content-Range": content_range(lower or 0, 0 if lower is None else len(rows), total)}
        applied = [one for one in self.preferences if one in ("return=representation", "return=minimal", "count=exact")]
        if applied:
            fields["Preference-Applied"] = ", ".join(applied)
        if silent is not None and "return=representation" not in self.preferences:
            return Answer(silent, None, fields)
        fields["Content-Type"] = (OBJECT if self.singular else "application/json") + "; charset=utf-8"
        found = [self.shown(row) for row in rows]
        return Answer(status, found[0] if self.singular else found, fields)

    def counted(self, count):
        return count if "count=exact" in self.preferences else None

    def get(self):
        sql, values = self.where()
        query = dict(self.query)
        lower, upper = wanted_range(query, self.headers.get("Range"))
        self.connection.execute("BEGIN")
        rows = self.connection.execute(
            f"SELECT * FROM item{sql}{order(query.get('order', ''))} LIMIT ? OFFSET ?",
            [*values, -1 if upper is None else upper - lower + 1, lower]).fetchall()
        total = self.counted(self.connection.execute(f"SELECT count(*) FROM item{sql}", values).fetchone()[0])
        if total is not None and lower > total:
            raise Refused(416, "PGRST103", "Requested range not satisfiable", **{
                "details": f"An offset of {lower} was requested, but there are only {total} rows.",
                "Content-Range": f"*/{total}"})
        partial = total is not None and len(rows) < total
        return self.answer(rows, 206 if partial else 200, None, lower, total)

    def post(self):
        self.connection.execute("BEGIN IMMEDIATE")
        rows = []
        for given in self.given(several=True):
            given = {"id": str(uuid.uuid4()), "title": None, "version": 1, **given}
            try:
                rows += self.connection.execute(
                    f"INSERT INTO item ({', '.join(given)}) VALUES ({', '.join('?' * len(given))}) RETURNING *",
                    list(given.values())).fetchall()
            except sqlite3.IntegrityError as error:
                raise self.violated(given, error) from error
        return self.answer(rows, 201, 201, None, self.counted(len(rows)))

    @staticmethod
    def violated(given, error):
        if "NOT NULL" in str(error):
            return Refused(400, "23502", 'null value in column "title" of relation "notes" violates not-null constraint',
                           "Failing row contains (…).")
        return Refused(409, "23505", 'duplicate key value violates unique constraint "notes_pkey"',
                       f"Key (id)=({given['id']}) already exists.")

    def patch(self):
        self.connection.execute("BEGIN IMMEDIATE")
        sql, values = self.where()
        given, = self.given(several=False)
        rows = []
        if given:
            try:
                rows = self.connection.execute(
                    f"UPDATE item SET {', '.join(f'{name} = ?' for name in given)}, version = version + 1{sql} "
                    "RETURNING *", [*given.values(), *values]).fetchall()
            except sqlite3.IntegrityError as error:
                raise self.violated({"id": "", **given}, error) from error
        return self.answer(rows, 200, 204, 0, self.counted(len(rows)))

    def delete(self):
        self.connection.execute("BEGIN IMMEDIATE")
        sql, values = self.where()
        rows = self.connection.execute(f"DELETE FROM item{sql} RETURNING *", values).fetchall()
        return self.answer(rows, 200, 204, None, self.counted(len(rows)))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "stand-in", ""

    def respond(self):
        address = urllib.parse.urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        notes = None
        try:
            check_token(self.headers.get("Authorization"))
            table = address.path.strip("/")
            if table != "notes":
                raise Refused(404, "PGRST205", f"Could not find the table 'public.{table}' in the schema cache")
            notes = Notes(self.headers, urllib.parse.parse_qsl(address.query, keep_blank_values=True), body)
            answer = getattr(notes, self.command.lower())()
            notes.connection.execute("COMMIT")
        except Refused as refused:
            answer = Answer(refused.status, refused.body, {
                "Content-Type": "application/json; charset=utf-8",
                "Proxy-Status": "PostgREST; error=" + refused.body["code"], **refused.fields})
        finally:
            if notes:
                # Whatever was not committed is undone.
                notes.connection.close()
        self.write(answer)

    def write(self, answer):
        body = b"" if answer.body is None else json.dumps(answer.body, ensure_ascii=False).encode()
        self.send_response(answer.status)
        for name, held in answer.fields.items():
            self.send_header(name, held)
        if answer.status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PATCH = do_DELETE = respond

    def log_message(self, *_):
        """Nothing: the proxy has a log."""


def main():
    connection = sqlite3.connect(os.environ["REAL_DATABASE"], timeout=20)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.executescript(SCHEMA)
    connection.close()
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()


if __name__ == "__main__":
    main()
