"""The guards as SQLite triggers.

OR REPLACE deletes what is in its way without firing a delete trigger, and with references off nobody else minds; so an
insert over any key of a row that stands is refused, the hidden rowid among them, and no row is moved onto another.
"""

from collections.abc import Iterator

from scoring.ledger.triggers.definitions import OnSqlite
from tournaments.models.log import OF_LOG

_REFUSED = {
    "tournaments_event": ("UPDATE", "DELETE"),
    "tournaments_seal": ("UPDATE", "DELETE"),
    "tournaments_stream": ("DELETE",),
    "tournaments_clubhead": ("DELETE",),
    # A note may be erased; another text may not take its place.
    "tournaments_eventnote": ("UPDATE",),
}

# What a head is, not where it stands: one set back only meets the unique keys of the events that stand.
_ROWID = "rowid, oid, _rowid_"
_STAYS = {"tournaments_stream": f"id, club_id, kind, {_ROWID}", "tournaments_clubhead": f"club_id, {_ROWID}"}

# An insert that names no rowid brings -1 here, which no row has.
_STANDS = {
    "tournaments_event": "id = NEW.id OR (club_id = NEW.club_id AND position = NEW.position)"
    " OR (stream_id = NEW.stream_id AND version = NEW.version) OR (club_id = NEW.club_id AND key = NEW.key)",
    "tournaments_seal": "id = NEW.id OR (club_id = NEW.club_id AND from_position = NEW.from_position)",
    "tournaments_stream": "id = NEW.id",
    "tournaments_clubhead": "club_id = NEW.club_id",
    "tournaments_eventnote": "event_id = NEW.event_id",
}


def _wanted() -> Iterator[tuple[str, str]]:
    for table, deeds in _REFUSED.items():
        for deed in deeds:
            yield _trigger(f"{table}_no_{deed.lower()}", f"BEFORE {deed} ON {table}", f"{table} is append-only")
    for table, columns in _STAYS.items():
        deed = f"BEFORE UPDATE OF {columns} ON {table}"
        yield _trigger(f"{table}_stays", deed, f"{table} keeps its {columns}")
    for table, same in _STANDS.items():
        stands = f"EXISTS (SELECT 1 FROM {table} WHERE {same} OR rowid = NEW.rowid)"  # noqa: S608 - constants of this file
        yield _trigger(
            f"{table}_no_replace",
            f"BEFORE INSERT ON {table} WHEN {stands}",
            f"a row of {table} with this key stands already",
        )
    for table, bounds in OF_LOG.items():
        deed = f"BEFORE INSERT ON {table} WHEN {bounds.on_sqlite()}"
        yield _trigger(f"{table}_within_bounds", deed, f"a value of {table} is beyond its bound")


def _trigger(name: str, deed: str, why: str) -> tuple[str, str]:
    return name, f"CREATE TRIGGER {name} {deed}\nBEGIN\n  SELECT RAISE(ABORT, '{why}');\nEND"


GUARDS = OnSqlite(wanted=dict(_wanted()))
