"""Triggers and rules that none of this code made, on tables that have no guards of ours.

Log, books and what pages show name those on their own tables. Elsewhere one could still change what is read before it
is recorded, or write to other tables.
"""

from django.db.backends.base.base import BaseDatabaseWrapper

from scoring import storage
from scoring.ledger.triggers import BOOKS
from tournaments.log.triggers import LOG
from tournaments.projections.shown import SHOWN

GUARDS = (LOG, BOOKS, SHOWN)
NAMED_HERE = ("trigger ", "rule ")


def strangers_elsewhere(connection: BaseDatabaseWrapper) -> list[str]:
    """What stands on tables without guards and is none of this code, a sentence each."""
    ours = {table for guards in GUARDS for table in guards.tables}
    own_names = {name for guards in GUARDS for name in guards.wanted(connection)}
    with connection.cursor() as cursor:
        others = set(connection.introspection.table_names(cursor)) - ours
        strangers = storage.of(connection).strange_triggers(cursor, others, own_names)
    return [
        f"{name} {wrong}: find out who put it there" for name, wrong in strangers.items() if name.startswith(NAMED_HERE)
    ]
