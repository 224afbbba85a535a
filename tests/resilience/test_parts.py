"""Log and postings partitioned: the same rows, keys and guards, and a query for one club reads one partition.

Planted faults: a guard on the table but on none of its partitions; a partition searched for another club's stream.
"""

import re
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from scoring.ledger.readings import balances
from scoring.ledger.triggers import BOOKS
from scoring.models import Posting
from scoring.money import AccountKind, AccountRef
from scoring.problems import Defect
from scoring.storage.postgresql import DIVISIBLE, divide, parts_of, standing_keys
from tests.builders.playing import context, loses, new_table, new_tournament, show
from tests.builders.prize_evening import Evening
from tournaments import log
from tournaments.integrity.rebuild import rebuild, rebuild_differences
from tournaments.log import seals
from tournaments.log.triggers import LOG
from tournaments.models import Club, Standing
from tournaments.models.log import Event
from tournaments.running.commands.close import reopen_tournament

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.slow(long=True),
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no tables in parts"),
]
# The command leaves them unpartitioned, because they are small.
BOARDS = {f"tournaments_{name}": "club_id" for name in ("scoresheet", "standing", "eveningsheet")}
PARTS = 8


@pytest.fixture
def club() -> Club:
    """A club with a night that was closed and paid."""
    evening = Evening().closed()
    evening.settle()
    reopen_tournament(evening.tournament.id, reason="a note beside the log", context=context())
    return evening.club


@pytest.fixture
def divided(club: Club) -> Club:
    """The same with log and postings partitioned, whatever they were before, and no check of a reference waiting."""
    if not parts():
        call_command("partition", parts=PARTS, stdout=StringIO())
    run("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
    return club


def parts() -> dict[str, str]:
    with connection.cursor() as cursor:
        return parts_of(cursor, DIVISIBLE)


def rows(table: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3")
        return list(cursor.fetchall())


def keys(table: str) -> dict[str, str]:
    with connection.cursor() as cursor:
        return standing_keys(cursor, table)


def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def refused(statement: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        run(f"{statement}; SET CONSTRAINTS ALL IMMEDIATE")


def test_tables_in_parts_have_the_rows_and_keys_that_they_had(club: Club):
    if parts():
        pytest.skip("they are in parts from the beginning")
    before = {table: (rows(table), keys(table)) for table in DIVISIBLE}
    said = StringIO()
    call_command("partition", parts=PARTS, stdout=said)
    assert {table: (rows(table), keys(table)) for table in DIVISIBLE} == before
    assert all(before[table][0] for table in DIVISIBLE)
    assert len(parts()) == PARTS * len(DIVISIBLE)
    assert f"tournaments_event: {len(before['tournaments_event'][0])} rows in {PARTS} parts" in said.getvalue()


def test_boards_in_parts_follow_the_log_as_whole_ones_do(club: Club):
    """Planted fault: a board that is unique by its table alone, which PostgreSQL cannot partition by the club."""
    with connection.cursor() as cursor:
        divide(cursor, PARTS, BOARDS)
    new_table(new_tournament(club, name="Sunday"), names=("Di", "Eve")).deal(1, show, loses(60))
    assert rebuild_differences() == []
    Standing.objects.update(total=1)
    rebuild()
    assert rebuild_differences() == []


def test_what_is_in_parts_is_not_divided_again(divided: Club):
    with pytest.raises(CommandError, match="in parts already"):
        call_command("partition", parts=PARTS)


def test_a_row_that_came_out_as_another_undoes_all_of_it(club: Club, monkeypatch: pytest.MonkeyPatch):
    if parts():
        pytest.skip("they are in parts from the beginning")
    digests = iter([(2, 17), (2, 18)])
    monkeypatch.setattr("scoring.storage.postgresql._digest", lambda *_: next(digests))
    before = keys("tournaments_event")
    with pytest.raises(Defect, match="is not what it was"), transaction.atomic(), connection.cursor() as cursor:
        divide(cursor, PARTS)
    assert parts() == {}
    assert keys("tournaments_event") == before


def test_events_and_money_are_written_and_proven_in_parts(divided: Club):
    evening = Evening().closed()
    evening.settle()
    call_command("prove", stdout=StringIO())
    assert Event.objects.filter(club=evening.club).exists()
    assert Posting.objects.filter(club=evening.club.id).exists()


def test_each_part_refuses_what_the_whole_refuses(divided: Club):
    filled = {part: table for part, table in parts().items() if rows(part)}
    assert set(filled.values()) == set(DIVISIBLE)
    columns = "club, entry_id, account_id, amount_minor, purpose"
    for part in parts():
        refused(f"TRUNCATE {part} CASCADE")
    for part, table in filled.items():
        refused(f"TRUNCATE {table} CASCADE")
        if table != "tournaments_eventnote":
            refused(f"DELETE FROM {part}")
        if table == "tournaments_event":
            refused(f"UPDATE {part} SET body = '{{}}'")
            refused(f"INSERT INTO {part} SELECT * FROM {part} LIMIT 1")
        if table == "scoring_posting":
            refused(f"INSERT INTO {part} ({columns}) SELECT {columns} FROM {part} LIMIT 1")


def test_a_guard_that_is_down_on_one_part_is_named_and_put_back(divided: Club):
    for guards in (LOG, BOOKS):
        for part, table in parts().items():
            if table not in guards.tables or not part.endswith("_0"):
                continue
            for name in on_table(guards, table):
                run(f"ALTER TABLE {part} DISABLE TRIGGER {name}")
                assert guards.missing(connection) == [name]
                guards.restore(connection)
                assert guards.missing(connection) == []


def on_table(guards: Any, table: str) -> list[str]:
    wanted = guards.wanted(connection)
    return [name for name, definition in wanted.items() if re.search(rf" ON {table} ", definition)]


def test_a_strange_trigger_on_one_part_is_named(divided: Club):
    part = next(part for part, table in parts().items() if table == "tournaments_event")
    run(f"CREATE TRIGGER ours_not BEFORE INSERT ON {part} FOR EACH ROW EXECUTE FUNCTION tournaments_refuse_change()")
    assert list(LOG.strangers(connection)) == ["trigger ours_not"]


READINGS: dict[str, Callable[[Club, log.StoredEvent], object]] = {
    "a stream": lambda club, event: log.read(club.id, event.stream_id),
    "streams": lambda club, event: log.read_many(club.id, [event.stream_id, club.id]),
    "some kinds": lambda club, event: log.read_kinds(club.id, [event.stream_id], [event.kind]),
    "headers": lambda club, event: list(log.find(club=club.id, streams=[event.stream_id])),
    "spans": lambda club, event: log.spans(club=club.id, streams=[event.stream_id]),
    "a key": lambda club, event: log.first_answer(club.id, str(event.key), event.request_digest.hex()),
    "a club": lambda club, event: log.read_club(club.id),
    "a fingerprint": lambda club, event: seals.table_fingerprint(club.id, event.stream_id, 1),
    "balances": lambda club, event: balances(club.id, "INR", [AccountRef(kind=AccountKind.PLAYER, owner="1")]),
}


def test_a_query_that_names_a_club_reads_one_partition(divided: Club):
    event = log.read_club(divided.id, limit=1)[0]
    asked: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append((sql, params))
        return execute(sql, params, many, context)

    for reading in READINGS.values():
        with connection.execute_wrapper(note):
            reading(divided, event)
    assert all(len(looked_into) <= 1 for looked_into in _looked_into(asked))


def test_a_query_that_names_no_club_reads_all_partitions(divided: Club):
    sql, params = Event.objects.filter(stream_id=divided.id).query.sql_with_params()
    assert [len(looked_into) for looked_into in _looked_into([(sql, params)])] == [len(parts()) // len(DIVISIBLE), 0, 0]


def _looked_into(asked: list[tuple[str, Any]]) -> Iterator[set[str]]:
    """For each query and table the partitions that its plan names."""
    for sql, params in asked:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN {sql}", params)
            plan = "\n".join(line for (line,) in cursor.fetchall())
        for table in DIVISIBLE:
            yield set(re.findall(rf"\b{table}_\d+\b", plan)) & parts().keys()
