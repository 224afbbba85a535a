"""A guard counts as present if it is as created: same events, same rows, same table, enabled in every session.

Planted faults: with guards compared by name and function alone, all the weakened ones of PostgreSQL passed.
"""

import re
from collections.abc import Iterator
from io import StringIO
from types import ModuleType
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.utils.timezone import now

from rummy_site.operations.doctor import LOOKS, Level
from scoring.ledger import triggers as book_guards
from scoring.models import SettledCause
from scoring.storage.guards import Guards
from scoring.storage.postgresql import SESSION
from tests.builders.ledger import deal, settled
from tests.builders.log_writers import START, an_event, new_club, open_table
from tests.builders.tampering import undone
from tournaments import log
from tournaments.log import triggers as log_guards

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
only_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="only SQLite replaces rows")
only_postgresql = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite cannot switch one off")
ROOMS: dict[str, ModuleType] = {"books": book_guards, "log": log_guards}


def run(statement: str) -> None:
    """One statement, as the owner of the database would run it."""
    with connection.cursor() as cursor:
        cursor.execute(statement)


def wanted(room: ModuleType) -> dict[str, str]:
    """The guards of an application on the current database."""
    guards: Guards = room.LOG if room is log_guards else room.BOOKS
    return dict(guards.wanted(connection))


def triggers() -> Iterator[tuple[ModuleType, str, str]]:
    """Every trigger of both applications: the application, its name, its definition."""
    for room in ROOMS.values():
        for name, definition in wanted(room).items():
            if " TRIGGER " in definition:
                yield room, name, definition


def table_of(definition: str) -> str:
    """The table of a trigger."""
    (table, *_) = re.findall(r"\sON\s+(\w+)", definition)
    return str(table)


def drop(name: str, definition: str) -> None:
    """Drop a trigger."""
    run(f"DROP TRIGGER {name}{f' ON {table_of(definition)}' if connection.vendor == 'postgresql' else ''}")


def harmless(definition: str) -> Iterator[str]:
    """Triggers of the same name, on the same table, that refuse less or nothing."""
    if connection.vendor == "sqlite":
        yield re.sub(r"\bBEGIN\b.*", "BEGIN\n  SELECT 1;\nEND", definition, flags=re.DOTALL)
        if "\nWHEN " not in definition and " WHEN " not in definition:
            yield definition.replace("BEGIN", "WHEN (false)\nBEGIN", 1)
        return
    # One event less, the event that harms least, or for no row at all.
    yield from (
        definition.replace(one, "", 1) for one in ("DELETE OR ", " OR UPDATE", " OR TRUNCATE") if one in definition
    )
    yield definition.replace(" EXECUTE FUNCTION", " WHEN (false) EXECUTE FUNCTION")
    if "CONSTRAINT" not in definition and "REFERENCING" not in definition:
        yield re.sub(r"BEFORE .*? ON", "BEFORE TRUNCATE ON", definition).replace("FOR EACH ROW", "FOR EACH STATEMENT")
        yield definition.replace(" BEFORE ", " AFTER ")


def test_every_guard_stands_and_nothing_else_has_a_say():
    for room in ROOMS.values():
        assert room.missing(connection) == []
        assert room.strangers(connection) == {}


def test_a_guard_made_again_as_a_harmless_one_of_its_name_is_named_and_made_again():
    tried = 0
    for room, name, definition in list(triggers()):
        for instead in harmless(definition):
            if instead == definition:
                continue
            with undone():
                drop(name, definition)
                try:
                    with transaction.atomic():
                        run(instead)
                except Exception:  # noqa: BLE001, S112 - the database refuses some of them: no trigger can be so
                    continue
                assert room.missing(connection) == [name], instead
                room.restore(connection)
                assert room.missing(connection) == []
                tried += 1
    assert tried >= len(list(triggers()))


def test_a_guard_that_was_dropped_is_named_and_made_again():
    for room, name, definition in list(triggers()):
        with undone():
            drop(name, definition)
            assert room.missing(connection) == [name]
            room.restore(connection)
            assert room.missing(connection) == []


@only_postgresql
@pytest.mark.parametrize("state", ["DISABLE", "ENABLE", "ENABLE REPLICA"])
def test_a_guard_that_sleeps_in_some_session_is_named_and_woken(state: str):
    """One that is merely enabled does not fire where session_replication_role is replica."""
    for room, name, definition in list(triggers()):
        with undone():
            run(f"ALTER TABLE {table_of(definition)} {state} TRIGGER {name}")
            assert room.missing(connection) == [name]
            room.restore(connection)
            assert room.missing(connection) == []


@only_postgresql
def test_a_hollow_function_is_named_and_made_again():
    for room in ROOMS.values():
        for name in [name for name, definition in wanted(room).items() if definition.startswith("CREATE OR REPLACE")]:
            with undone():
                head, _, tail = wanted(room)[name].partition("AS $function$")
                run(f"{head} SECURITY DEFINER\nAS $function${tail}")
                assert room.missing(connection) == [name]
                room.restore(connection)
                assert room.missing(connection) == []


@only_postgresql
def test_a_session_that_plays_the_replica_is_named_and_the_guards_refuse_it_all_the_same():
    settled(1, deal(1, asha=-600, bo=600))
    connection.check_constraints()
    with undone():
        run("SET LOCAL session_replication_role = replica")
        assert SESSION in book_guards.strangers(connection)
        with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
            run("UPDATE scoring_posting SET amount_minor = amount_minor + 1")


@only_postgresql
def test_references_that_are_switched_off_and_rules_are_named():
    with undone():
        run("ALTER TABLE scoring_posting DISABLE TRIGGER ALL")
        assert "references of scoring_posting" in book_guards.strangers(connection)
    with undone():
        run("CREATE RULE quiet AS ON UPDATE TO tournaments_event DO INSTEAD NOTHING")
        assert "rule quiet on tournaments_event" in log_guards.strangers(connection)


def test_a_trigger_that_is_none_of_ours_is_named():
    """It could change values as they are written."""
    with undone():
        if connection.vendor == "sqlite":
            run("CREATE TRIGGER ours_not AFTER INSERT ON scoring_posting BEGIN SELECT 1; END")
        else:
            run(
                "CREATE TRIGGER ours_not BEFORE TRUNCATE ON scoring_posting"
                " FOR EACH STATEMENT EXECUTE FUNCTION scoring_refuse_change()"
            )
        assert list(book_guards.strangers(connection)) == ["trigger ours_not"]


def test_prove_and_the_doctor_name_the_guard_that_differs():
    names = [next(name for each, name, _ in triggers() if each is room) for room in ROOMS.values()]
    for room, name, definition in list(triggers()):
        if name in names and room.missing(connection) == []:
            drop(name, definition)
    said = [said for level, said in LOOKS["guards"](now()) if level is Level.BAD]
    assert sorted(line.split()[2] for line in said) == sorted(names)
    out = StringIO()
    with pytest.raises(CommandError, match="check_ledger, guards"):
        call_command("prove", stdout=out, stderr=out)
    assert all(f"the guard {name} does not stand as it was made" in out.getvalue() for name in names)


def test_guards_stand_on_every_table_that_proves_something():
    guarded = {table_of(definition) for _, _, definition in triggers()}
    assert guarded == {
        *("scoring_account", "scoring_journalentry", "scoring_posting", "scoring_settledcause"),
        *("tournaments_clubhead", "tournaments_stream", "tournaments_event", "tournaments_eventnote"),
        "tournaments_seal",
    }


# --- What the cause of a posting may not be changed to -------------------------------------------------------


def test_a_cause_is_never_settled_back_renamed_or_removed():
    settled(3, deal(1, asha=-600, bo=600))
    for deed in (
        "UPDATE scoring_settledcause SET version = version - 1",
        "UPDATE scoring_settledcause SET cause = 'table:another'",
        "UPDATE scoring_settledcause SET id = id + 1",
        "DELETE FROM scoring_settledcause",
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            run(deed)
        assert SettledCause.objects.get().version == 3, deed


# --- SQLite: which values a column takes, and what REPLACE deletes ------------------------------------------


@only_sqlite
def test_a_posting_of_no_whole_number_is_refused():
    """Two halves that sum to zero were an entry, and every sum over the account a float."""
    settled(1, deal(1, asha=-600, bo=600))
    for value in ("5.5", "'five'", "x'35'", "1e300"):
        with pytest.raises(IntegrityError), transaction.atomic():
            run(
                "INSERT INTO scoring_posting (club, entry_id, account_id, amount_minor, purpose)"
                f" SELECT club, hex(randomblob(16)), id, {value}, 'cash' FROM scoring_account LIMIT 1"
            )


@pytest.fixture
def loose(transactional_db: None) -> Iterator[None]:
    """A connection with foreign keys off, as anyone could open it; no trigger fires for rows that REPLACE deletes."""
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite replaces rows")
    night()
    with connection.constraint_checks_disabled():
        run("PRAGMA recursive_triggers = OFF")
        assert rows_of("pragma_foreign_keys") == [(0,)]
        yield


def test_no_row_is_replaced_over_any_of_its_keys_with_references_off(loose: None):
    """Planted fault: an account with a new id and an old owner replaced the old one, and left its postings alone."""
    for table, keys in KEYS.items():
        before = rows_of(table)
        for same in keys:
            names = [*(["rowid"] if same == ("rowid",) else []), *columns_of(table)]
            values = ", ".join(name if name in same else fresh(name) for name in names)
            with pytest.raises(IntegrityError, match="stands already"), transaction.atomic():
                run(f"INSERT OR REPLACE INTO {table} ({', '.join(names)}) SELECT {values} FROM {table} LIMIT 1")
            assert rows_of(table) == before


def test_no_row_is_moved_onto_another_with_references_off(loose: None):
    """UPDATE OR REPLACE deletes the row with the same key, by its hidden rowid too."""
    for table in KEYS:
        before = rows_of(table)
        for name in ("rowid", "oid", "_rowid_"):
            with pytest.raises(IntegrityError), transaction.atomic():
                run(
                    f"UPDATE OR REPLACE {table} SET {name} = (SELECT max(rowid) FROM {table}) "
                    f" WHERE rowid = (SELECT min(rowid) FROM {table})"
                )
        assert rows_of(table) == before


HIDDEN = ("rowid",)
KEYS: dict[str, list[tuple[str, ...]]] = {
    "scoring_account": [HIDDEN, ("id",), ("club", "kind", "owner", "currency")],
    "scoring_journalentry": [HIDDEN, ("id",), ("club", "reference")],
    "scoring_posting": [("id",)],
    "scoring_settledcause": [("id",), ("club", "cause")],
    "tournaments_clubhead": [HIDDEN, ("club_id",)],
    "tournaments_stream": [HIDDEN, ("id",)],
    "tournaments_event": [HIDDEN, ("id",), ("club_id", "position"), ("stream_id", "version"), ("club_id", "key")],
    "tournaments_eventnote": [HIDDEN, ("event_id",)],
    "tournaments_seal": [HIDDEN, ("id",), ("club_id", "from_position")],
}


def night() -> None:
    """At least two rows in every guarded table."""
    for version in (1, 2):
        settled(version, deal(version, asha=-600, bo=600), cause=f"table:{version}")
        table = open_table(new_club())
        table.writes(1, an_event(note="Bo was late"))
        log.seal_club(table.club.id, START)


def fresh(column: str) -> str:
    """A value that no row has."""
    if column in {"id", "club"} or column.endswith("_id"):
        return f"CASE WHEN typeof({column}) = 'text' THEN lower(hex(randomblob(16))) END"
    return "'another'" if column in {"reference", "cause", "owner", "key"} else column


def columns_of(table: str) -> list[str]:
    """The columns of a table, in order."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} LIMIT 1")
        return [column[0] for column in cursor.description]


def rows_of(table: str) -> list[Any]:
    """All rows of a table."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} ORDER BY 1")
        return list(cursor.fetchall())
