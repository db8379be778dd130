"""Messages of HTTP as fault-proxy reads and writes them. Imported, never run."""

import asyncio


class Broken(Exception):
    """The other side closed, or said what is not HTTP."""


def fields_of(head):
    """The fields of a head, their names in small letters."""
    lines = [line.partition(b":") for line in head.split(b"\r\n")[1:]]
    return {name.strip().lower(): value.strip() for name, _, value in lines}


def is_open_ended(head):
    """Whether the body of an answer ends with its connection (RFC 9112 §6.3)."""
    status = head[9:12]
    has_body = not status.startswith(b"1") and status not in (b"204", b"304")
    return has_body and not fields_of(head).keys() & {b"content-length", b"transfer-encoding"}


async def read_message(reader, of_request):
    """Returns head and body of one message, or None where the connection ended before it."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if of_request and not error.partial:
            return None
        raise Broken from error
    except asyncio.LimitOverrunError as error:
        raise Broken from error
    fields = fields_of(head)
    if b"transfer-encoding" in fields:
        raise Broken("no server that is tried sends chunks, nor does syncd")
    if not of_request and is_open_ended(head):
        return head, await reader.read()
    try:
        return head, await reader.readexactly(int(fields.get(b"content-length", b"0")))
    except asyncio.IncompleteReadError as error:
        raise Broken from error


def own_answer(status, body=b"", *fields):
    lines = [f"HTTP/1.1 {status} Of the proxy".encode(), *fields,
             b"Content-Length: %d" % len(body)]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body
