"""Holding what every write of a club needs from another connection: the database's write lock, or the club's row."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.db import connection

from tournaments.models import Club


@contextmanager
def held_lock(club: Club) -> Iterator[None]:
    """For as long as the block lasts, by a connection of its own; nothing is written."""
    holder = _sqlite_holder() if connection.vendor == "sqlite" else _postgresql_holder(club)
    try:
        yield
    finally:
        holder.rollback()
        holder.close()


@contextmanager
def held_for(club: Club, seconds: float) -> Iterator[threading.Event]:
    """Held from now on for this time, independent of the block; the event is set when it is over."""
    is_over = threading.Event()
    with held_lock(club):
        holder = threading.Thread(target=lambda: is_over.wait(seconds))
        holder.start()
        yield is_over
        holder.join()
    is_over.set()


def _sqlite_holder() -> sqlite3.Connection:
    holder = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    return holder


def _postgresql_holder(club: Club) -> psycopg.Connection[tuple[object, ...]]:
    holder = psycopg.connect(**connection.get_connection_params() | {"cursor_factory": None, "context": None})
    holder.execute("SELECT 1 FROM tournaments_clubhead WHERE club_id = %s FOR UPDATE", [club.pk])
    return holder
