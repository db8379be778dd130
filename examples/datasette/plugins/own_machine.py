"""Answers only requests to this machine by its own names, and gives Datasette's cookies the port in their names.

A page on the web can let its own name lead to 127.0.0.1, and then read what is there as if it were its own: such a request
names another host. Browsers send a cookie to every port of a host, so two programs with the same names would take
each other's.
"""

from http.cookies import SimpleCookie

from datasette import hookimpl

OWN = ("127.0.0.1", "localhost", "[::1]")
PREFIX = "ds_"


def renamed(header, change):
    """The cookies of a request's header, each under the name that `change` gives it; None leaves it out."""
    cookies = ((change(name), held.coded_value) for name, held in SimpleCookie(header.decode("latin-1")).items())
    return "; ".join(f"{name}={value}" for name, value in cookies if name).encode("latin-1")


@hookimpl
def asgi_wrapper(datasette):
    def wrapped(app):
        async def guarded(scope, receive, send):
            if scope["type"] != "http":
                return await app(scope, receive, send)
            port = scope["server"][1]
            hosts = [value.decode("latin-1").lower() for name, value in scope["headers"] if name == b"host"]
            if len(hosts) != 1 or hosts[0] not in [f"{name}:{port}" for name in OWN]:
                await send({"type": "http.response.start", "status": 421, "headers": [(b"content-type", b"text/plain")]})
                return await send({"type": "http.response.body", "body": b"Open the address that was printed.\n"})
            own = f"_{port}"

            def inward(name):
                if not name.startswith(PREFIX):
                    return name
                return name.removesuffix(own) if name.endswith(own) else None

            async def outward(message):
                if message["type"] == "http.response.start":
                    message = {**message, "headers": [
                        (name, value.replace(b"=", own.encode() + b"=", 1))
                        if name == b"set-cookie" and value.startswith(PREFIX.encode()) else (name, value)
                        for name, value in message["headers"]]}
                await send(message)

            headers = [(name, renamed(value, inward) if name == b"cookie" else value) for name, value in scope["headers"]]
            return await app({**scope, "headers": headers}, receive, outward)

        return guarded

    return wrapped
