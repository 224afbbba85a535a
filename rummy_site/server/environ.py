"""A request as granian hands it over (RSGI), as the WSGI application wants it.

The body is not read here.
"""

import sys
from typing import Any, Protocol

Environ = dict[str, Any]
_NO_PREFIX = frozenset({"CONTENT_TYPE", "CONTENT_LENGTH"})


class Headers(Protocol):
    """The header lines of a request, by their names in small letters."""

    def keys(self) -> list[str]: ...
    def get_all(self, key: str) -> list[str]: ...


class Scope(Protocol):
    """What granian knows of a request before its body."""

    proto: str
    http_version: str
    client: str
    server: str
    scheme: str
    method: str
    path: str
    query_string: str
    authority: str | None

    @property
    def headers(self) -> Headers: ...


def environ_of(scope: Scope) -> Environ:
    """Everything but `wsgi.input`."""
    server, _, port = scope.server.rpartition(":")
    environ: Environ = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string.encode().decode("latin-1"),
        "SERVER_NAME": server,
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    _add_headers(environ, scope.headers)
    environ.setdefault("HTTP_HOST", scope.authority or "")
    return environ


def _add_headers(environ: Environ, headers: Headers) -> None:
    """Every header once. One with an underscore would pass for its twin with a hyphen: `x_forwarded_for`."""
    for name in headers.keys():  # noqa: SIM118 (no mapping)
        if "_" in name:
            continue
        key = name.upper().replace("-", "_")
        glue = "; " if key == "COOKIE" else ","
        environ[key if key in _NO_PREFIX else f"HTTP_{key}"] = glue.join(headers.get_all(name))
