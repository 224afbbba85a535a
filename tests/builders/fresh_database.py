"""A database of its own on the engine of the run, for tests that migrate it themselves."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from django.db import connection


@contextmanager
def fresh_database(folder: Path) -> Iterator[dict[str, str]]:
    """The environment of a site whose database is empty, without tables. SQLite's is `folder / "rummy.sqlite3"`."""
    environment = {**os.environ, "VAR_DIR": str(folder / "var"), "DJANGO_SETTINGS_MODULE": "rummy_site.settings"}
    if connection.vendor == "sqlite":
        yield {**environment, "DATABASE_URL": f"sqlite:///{folder}/rummy.sqlite3"}
        return
    with new_database("fresh") as address:
        yield {**environment, "DATABASE_URL": address}


@contextmanager
def new_database(kind: str, template: str = "template1") -> Iterator[str]:
    """The address of a new database on the PostgreSQL of the run: a copy of `template`, which nobody is connected to.

    The connection that makes it is to neither: other processes of the run copy the run's own database at any time.
    """
    address, _, query = os.environ["DATABASE_URL"].partition("?")
    name = f"{kind}_{uuid4().hex[:8]}"
    with psycopg.connect(**{**_parameters(), "dbname": "postgres"}) as server:
        server.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        try:
            yield f"{address.rpartition('/')[0]}/{name}?{query}"
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def connected(environment: dict[str, str]) -> "psycopg.Connection[tuple[Any, ...]]":
    """A connection to such a database on PostgreSQL, each statement of which is a transaction."""
    name = environment["DATABASE_URL"].partition("?")[0].rpartition("/")[2]
    return psycopg.connect(**{**_parameters(), "dbname": name})


def _parameters() -> dict[str, Any]:
    parameters: dict[str, Any] = {**connection.get_connection_params(), "autocommit": True}
    for ours in ("prepare_threshold", "context", "cursor_factory"):
        parameters.pop(ours, None)
    return parameters
