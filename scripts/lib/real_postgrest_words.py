"""What a request says to the stand-in for PostgREST: its token, its values, filters, order and range. Imported by
real_postgrest, never run."""

import collections
import json
import os
import re
import uuid

import jwt

COLUMNS = {"id": "uuid", "title": "text", "done": "boolean", "size": "bigint", "labels": "jsonb", "version": "integer",
           "created_at": "text"}
OPERATORS = {"eq": "=", "neq": "<>", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
Range = collections.namedtuple("Range", "lower upper")


class Refused(Exception):
    """An answer of four parts, as each error has it."""

    def __init__(self, status, code, message, details=None, hint=None, **fields):
        super().__init__(message)
        self.body = {"code": code, "details": details, "hint": hint, "message": message}
        self.status, self.fields = status, fields


def unauthorized(code, message, told):
    """A refused token; `told` is whether the challenge says why."""
    more = f' error="invalid_token", error_description="{message}"' if told else ""
    return Refused(401, code, message, **{"WWW-Authenticate": "Bearer" + more})


def check_token(field):
    """Every request has a token of the role: there is no anonymous one."""
    kind, _, token = (field or "").partition(" ")
    if kind.lower() != "bearer":
        raise unauthorized("PGRST302", "Anonymous access is disabled", False)
    parts = token.strip().count(".") + 1
    if not token.strip():
        raise unauthorized("PGRST301", "Empty JWT is sent in Authorization header", True)
    if parts != 3:
        raise unauthorized("PGRST301", f"Expected 3 parts in JWT; got {parts}", True)
    try:
        claims = jwt.decode(token.strip(), os.environ["REAL_SECRET"], algorithms=["HS256"])
    except jwt.ExpiredSignatureError as error:
        raise unauthorized("PGRST303", "JWT expired", True) from error
    except jwt.InvalidTokenError as error:
        raise unauthorized("PGRST301", "No suitable key or wrong key type", True) from error
    if claims.get("role") != "me":
        raise Refused(403, "42501", "permission denied for table notes")


def stored(name, held):
    """A value of JSON as the column keeps it."""
    kind = COLUMNS.get(name)
    if kind is None:
        raise Refused(400, "PGRST204", f"Could not find the '{name}' column of 'notes' in the schema cache")
    if held is None:
        return None
    if kind == "jsonb":
        return json.dumps(held)
    try:
        if kind == "uuid":
            return str(uuid.UUID(held))
        if kind == "boolean":
            return {True: 1, False: 0, "true": 1, "false": 0}[held]
        if kind in ("bigint", "integer"):
            number = int(held)
            if not -2**63 <= number < 2**63:
                raise Refused(400, "22003", f'value "{held}" is out of range for type {kind}')
            return number
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise Refused(400, "22P02", f'invalid input syntax for type {kind}: "{held}"') from error
    text = held if isinstance(held, str) else json.dumps(held)
    if "\0" in text:
        raise Refused(400, "22P05", "unsupported Unicode escape sequence", "\\u0000 cannot be converted to text.")
    return text


def condition(name, text):
    """SQL and values of one filter, such as `id=eq.7` or `done=not.is.null`."""
    negated = text.startswith("not.")
    operator, point, operand = text.removeprefix("not.").partition(".")
    if name not in COLUMNS:
        raise Refused(400, "42703", f"column notes.{name} does not exist")
    if operator in OPERATORS and point:
        sql, values = f"{name} {OPERATORS[operator]} ?", [stored(name, operand)]
    elif operator == "is" and operand in ("null", "true", "false"):
        sql, values = f"{name} IS {dict(null='NULL', true='1', false='0')[operand]}", []
    elif operator == "in" and re.fullmatch(r"\(.*\)", operand):
        values = [stored(name, one.strip('"')) for one in operand[1:-1].split(",") if one]
        sql = f"{name} IN ({', '.join('?' * len(values))})"
    else:
        raise Refused(400, "PGRST100", f'"failed to parse filter ({text})" (line 1, column 1)',
                      f'unexpected "{text[:1]}" expecting "not" or operator (eq, gt, ...)')
    return f"NOT ({sql})" if negated else f"({sql})", values


def order(text):
    parts = []
    for term in filter(None, text.split(",")):
        name, *rest = term.split(".")
        if name not in COLUMNS or not set(rest) <= {"asc", "desc", "nullsfirst", "nullslast"}:
            raise Refused(400, "PGRST100", f'"failed to parse order ({text})" (line 1, column 1)')
        parts.append(f"{name} {'DESC' if 'desc' in rest else 'ASC'}")
    return " ORDER BY " + ", ".join(parts) if parts else ""


def wanted_range(query, field):
    """The rows from `lower` to `upper`, or to the end without one: the parameters and the header field together."""
    limit, lower = query.get("limit"), max(0, int(query.get("offset", 0)))
    if limit is not None and int(limit) < 0:
        raise Refused(416, "PGRST103", "Requested range not satisfiable",
                      "Limit should be greater than or equal to zero.")
    upper = None if limit is None else lower + int(limit) - 1
    asked = re.fullmatch(r"(\d+)-(\d*)", field or "")
    if asked:
        first, last = int(asked[1]), int(asked[2]) if asked[2] else None
        if last is not None and first > last:
            raise Refused(416, "PGRST103", "Requested range not satisfiable",
                          "The lower boundary must be lower than or equal to the upper boundary in the Range header.")
        lower = max(lower, first)
        upper = min((end for end in (upper, last) if end is not None), default=None)
    return Range(lower, upper)


def content_range(lower, count, total):
    shown = f"{lower}-{lower + count - 1}" if count and total != 0 else "*"
    return f"{shown}/{'*' if total is None else total}"
