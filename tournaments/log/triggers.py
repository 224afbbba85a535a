"""Database triggers that keep the log append-only, whichever program writes.

On PostgreSQL there is also the function that stores an event. They are restored after each migration, because SQLite
loses a table's triggers when Django rebuilds it; `missing` returns those that are not as defined, and `strangers` other
triggers on these tables. No code here disables them for a running service.

On PostgreSQL errors have the class of integrity errors, as on SQLite. Definitions are written as it prints them, so
that they can be compared as text. Why a function and not one long statement:
docs/decisions/0004-append-in-one-statement.md (its plans are kept by the session, behind any connection pooler).

On SQLite OR REPLACE deletes conflicting rows without firing a delete trigger, and with foreign keys off nothing else
stops it; so an insert over any key of an existing row is refused, including the hidden rowid, and no row can be moved
onto another.
"""

from collections.abc import Iterator

from scoring.ledger.triggers.definitions import (
    BEYOND,
    Guards,
    OnPostgresql,
    OnSqlite,
    trigger_functions,
    within_bounds,
)
from tournaments.models.log import OF_LOG

_REFUSED = {
    "tournaments_event": ("DELETE", "UPDATE"),
    "tournaments_seal": ("DELETE", "UPDATE"),
    "tournaments_stream": ("DELETE",),
    "tournaments_clubhead": ("DELETE",),
    # A note may be erased, but not replaced.
    "tournaments_eventnote": ("UPDATE",),
}

# Heads move with every append, so only their identity is guarded, not their position: a check of each row would cost
# a tenth of an append, and a head set back only violates the unique keys of the existing events.
_STAYS = {"tournaments_stream": "id, club_id, kind", "tournaments_clubhead": "club_id"}

# --- PostgreSQL ---------------------------------------------------------------------------------------------

_REFUSE = """
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME,
    MESSAGE = format('%s is append-only (%s refused)', TG_TABLE_NAME, TG_OP);
END
"""

# Always the head before the stream: a constant order of locks cannot deadlock.
_APPEND = """
DECLARE
  next_position bigint;
  next_hash bytea;
  next_id uuid;
BEGIN
  UPDATE tournaments_clubhead SET position = position + 1 WHERE club_id = in_club
  RETURNING position INTO next_position;
  UPDATE tournaments_stream
  SET version = version + 1, head_hash = sha256(head_hash || int8send(next_position) || in_content)
  WHERE id = in_stream AND club_id = in_club AND version = in_expected
  RETURNING head_hash INTO next_hash;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  next_id := encode(int8send(next_position) || substring(next_hash FROM 1 FOR 8), 'hex')::uuid;
  INSERT INTO tournaments_event (id, club_id, position, stream_id, version, kind, schema, recipe, body, actor,
    device, recorded_at, occurred_at, key, request_digest, note_digest, hash)
  VALUES (next_id, in_club, next_position, in_stream,
    in_expected + 1, in_kind, in_schema, in_recipe, in_body, in_actor, in_device, in_recorded, in_occurred,
    in_key, in_request_digest, in_note_digest, next_hash);
  IF in_note <> '' THEN
    INSERT INTO tournaments_eventnote (event_id, club_id, position, salt, text)
    VALUES (next_id, in_club, next_position, in_salt, in_note);
  END IF;
  stored_position := next_position;
  stored_hash := next_hash;
  RETURN NEXT;
END
"""

# A session keeps its query plans. A plan made while there were few heads would keep scanning that whole table,
# including its dead rows after an import: 10 ms an append instead of 0.3, until the next ANALYZE.
_APPEND_TAKES = (
    "in_club uuid, in_stream uuid, in_expected integer, in_content bytea, in_kind text, in_schema integer,"
    " in_recipe integer, in_body text, in_actor text, in_device text, in_recorded timestamp with time zone,"
    " in_occurred timestamp with time zone, in_key uuid, in_request_digest bytea, in_note_digest bytea, in_salt bytea,"
    " in_note text"
)

_FUNCTIONS = {
    **trigger_functions({"tournaments_refuse_change": _REFUSE, "tournaments_refuse_beyond": BEYOND}),
    "tournaments_append": (
        f"CREATE OR REPLACE FUNCTION tournaments_append({_APPEND_TAKES})\n"
        " RETURNS TABLE(stored_position bigint, stored_hash bytea)\n LANGUAGE plpgsql\n"
        f" SET enable_seqscan TO 'off'\nAS $function${_APPEND}$function$\n"
    ),
}

_TRIGGERS = {
    **{
        f"{table}_append_only": (
            f"CREATE TRIGGER {table}_append_only BEFORE {' OR '.join((*operations, 'TRUNCATE'))} ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION tournaments_refuse_change()"
        )
        for table, operations in _REFUSED.items()
    },
    **{
        f"{table}_stays": (
            f"CREATE TRIGGER {table}_stays BEFORE UPDATE OF {columns} ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION tournaments_refuse_change()"
        )
        for table, columns in _STAYS.items()
    },
    **within_bounds(OF_LOG, "tournaments_refuse_beyond"),
}

# --- SQLite -------------------------------------------------------------------------------------------------

# For an insert without a rowid NEW.rowid is -1 here, which no row has.
_STANDS = {
    "tournaments_event": "id = NEW.id OR (club_id = NEW.club_id AND position = NEW.position)"
    " OR (stream_id = NEW.stream_id AND version = NEW.version) OR (club_id = NEW.club_id AND key = NEW.key)",
    "tournaments_seal": "id = NEW.id OR (club_id = NEW.club_id AND from_position = NEW.from_position)",
    "tournaments_stream": "id = NEW.id",
    "tournaments_clubhead": "club_id = NEW.club_id",
    "tournaments_eventnote": "event_id = NEW.event_id",
}


def _wanted() -> Iterator[tuple[str, str]]:
    for table, operations in _REFUSED.items():
        for operation in operations:
            yield _trigger(
                f"{table}_no_{operation.lower()}", f"BEFORE {operation} ON {table}", f"{table} is append-only"
            )
    for table, columns in _STAYS.items():
        fixed_columns = f"{columns}, rowid, oid, _rowid_"
        yield _trigger(
            f"{table}_stays", f"BEFORE UPDATE OF {fixed_columns} ON {table}", f"{table} keeps its {fixed_columns}"
        )
    for table, same in _STANDS.items():
        stands = f"EXISTS (SELECT 1 FROM {table} WHERE {same} OR rowid = NEW.rowid)"  # noqa: S608 - constants of this file
        yield _trigger(
            f"{table}_no_replace",
            f"BEFORE INSERT ON {table} WHEN {stands}",
            f"a row of {table} with this key stands already",
        )
    for table, bounds in OF_LOG.items():
        operation = f"BEFORE INSERT ON {table} WHEN {bounds.on_sqlite()}"
        yield _trigger(f"{table}_within_bounds", operation, f"a value of {table} is beyond its bound")


def _trigger(name: str, operation: str, why: str) -> tuple[str, str]:
    return name, f"CREATE TRIGGER {name} {operation}\nBEGIN\n  SELECT RAISE(ABORT, '{why}');\nEND"


LOG = Guards(
    vendors={
        "postgresql": OnPostgresql(functions=_FUNCTIONS, triggers=_TRIGGERS),
        "sqlite": OnSqlite(wanted=dict(_wanted())),
    },
    tables=frozenset(_REFUSED),
    noun="log",
    unguarded="log is not guarded",
    proof="verify_log --full",
    check="tournaments.W001",
)
missing, strangers, faults, restore = LOG.missing, LOG.strangers, LOG.faults, LOG.restore
connect = LOG.stand_through_migrations
