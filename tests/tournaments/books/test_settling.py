"""Settling: exactly once, however often it is requested; a correction reverses and posts again.

Planted faults these catch: forgetting the lock on the score sheet (two sets of entries), raising `due_version`
outside the append's transaction (a crash loses the obligation), settling while events contradict each other.
"""

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from scoring import ledger
from scoring.ledger import ledger_problems, trial_balance
from scoring.messages import Message
from scoring.models import JournalEntry, Posting
from scoring.money import plan_entries
from scoring.problems import Defect
from scoring.sheets.snapshots import load_table
from tests.builders.playing import (
    NOW,
    Playing,
    context,
    finished_pool,
    first_drop,
    loses,
    new_table,
    new_tournament,
    show,
)
from tests.builders.racing import at_once
from tests.builders.tampering import undone
from tests.flushing.management.commands.flush import lifted
from tournaments.books.commands import CONFLICT, note_failure, settle_table, tables_to_settle
from tournaments.books.queries import Settlement, settlement_state
from tournaments.integrity.audit import compare_books
from tournaments.integrity.rebuild import rebuild
from tournaments.models import Scoresheet
from tournaments.running.commands.close import close_tournament
from tournaments.running.commands.settle import tournaments_to_settle
from tournaments.tasks import settle_owed

pytestmark = pytest.mark.django_db


def balances(table) -> dict[str, int]:
    """What every player of a table holds, by name."""
    names = dict(table.row.seats.values_list("player_id", "player__name"))
    held: dict[str, int] = dict.fromkeys(names.values(), 0)
    for posting in Posting.objects.filter(account__kind="player").select_related("account"):
        for player, name in names.items():
            if posting.account.owner == str(player):
                held[name] += posting.amount_minor
    return held


def points_table() -> Playing:
    """A table that pays after every deal, with one deal."""
    table = new_table(new_tournament(preset="points", point_value_minor=200))
    table.deal(1, show, loses(20), first_drop, loses(10))
    return table


# A correction of the first deal that contradicts the second, in which Bo has a part.
BO_HAD_LEFT = (show, {"how": "left_after_draw"}, first_drop, loses(10))


def closed_pool(*, is_settled: bool = True) -> Playing:
    table = finished_pool()
    table.close()
    if is_settled:
        settle_table(table.row.id, now=NOW)
    return table


def test_closing_a_pool_pays_the_pot_less_the_fee_once():
    table = finished_pool()
    assert tables_to_settle() == []
    assert settle_table(table.row.id, now=NOW).posted == 0
    table.close()
    assert [settle_table(table.row.id, now=NOW).posted for _ in range(2)] == [1, 0]
    assert JournalEntry.objects.count() == 1
    assert balances(table) == {"Asha": 352_000 - 100_000, "Bo": -100_000, "Cy": -100_000, "Dev": -100_000}
    assert {line.kind: line.balance_minor for line in trial_balance(table.row.tournament.club_id)} == {
        "club_fee": 48_000,
        "player": -48_000,
    }


def test_points_pay_after_every_deal():
    table = new_table(new_tournament(preset="points", point_value_minor=200, fee_bp=1_000))
    table.deal(1, show, loses(20), first_drop, loses(10))
    assert tables_to_settle() == [table.row.id]
    settle_table(table.row.id, now=NOW)
    assert balances(table) == {"Asha": 9_000, "Bo": -4_000, "Cy": -4_000, "Dev": -2_000}


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_settling_by_many_at_once_posts_once():
    table = closed_pool(is_settled=False)
    at_once([lambda: settle_table(table.row.id, now=NOW)] * 6)
    assert JournalEntry.objects.count() == 1
    assert ledger_problems() == []
    assert compare_books().faults == ()


def test_a_correction_after_settlement_reverses_and_posts_again():
    table = closed_pool()
    table.correct(2, loses(60), show, loses(70), loses(80))
    # Asha and Bo are both in now, so the table was closed too early: the books stay until a director resolves that.
    assert tables_to_settle() == []
    assert settle_table(table.row.id, now=NOW).reversed == 0
    table.correct(1, loses(80), show, loses(70), loses(80))
    assert tables_to_settle() == [table.row.id]
    settled = settle_table(table.row.id, now=NOW)
    assert (settled.posted, settled.reversed) == (1, 1)
    assert balances(table)["Bo"] == 252_000
    assert balances(table)["Asha"] == -100_000
    assert compare_books().faults == ()


def test_a_void_after_settlement_takes_the_money_back():
    table = points_table()
    settle_table(table.row.id, now=NOW)
    table.record({"kind": "deal_voided", "deal": 1, "reason": "fourteen cards"})
    settle_table(table.row.id, now=NOW)
    assert set(balances(table).values()) == {0}
    assert ledger_problems() == []


def test_a_table_given_up_over_a_contradiction_gives_the_money_back():
    """Planted fault it catches: events of a cancelled table still waiting for a director to resolve them."""
    table = points_table()
    table.deal(2, show, loses(20), first_drop, loses(10))
    settle_table(table.row.id, now=NOW)
    table.correct(1, *BO_HAD_LEFT)
    assert tables_to_settle() == []
    table.record({"kind": "table_cancelled", "reason": "nobody knows what was played"})
    assert tables_to_settle() == [table.row.id]
    settle_table(table.row.id, now=NOW)
    assert set(balances(table).values()) == {0}
    assert compare_books().faults == ()
    close_tournament(table.row.tournament_id, context=context())


def test_a_failure_that_is_told_late_does_not_stand_against_a_settled_table():
    """Planted fault it catches: a worker that failed records it after another one has settled the table."""
    table = closed_pool()
    note_failure(table.row.id, Message("OperationalError: database is locked"))
    assert [state.state for state in settlement_state(table.row.tournament_id)] == [Settlement.SETTLED]


def test_a_settlement_that_fails_says_why_in_its_answer_and_at_its_table(monkeypatch):
    """Planted faults: a failure that only its caller learns of; one that counts twice; one too long for its column."""
    table = closed_pool(is_settled=False)

    def fails(*_: Any, **__: Any) -> None:
        raise Defect("x" * 600)

    monkeypatch.setattr("scoring.ledger.settling.post", fails)
    for times in (1, 2):
        assert str(settle_table(table.row.id, now=NOW).problem) == "x" * 500
        row = Scoresheet.objects.get(table=table.row)
        assert (str(row.why_not_settled), row.settle_attempts) == ("x" * 500, times)


def test_a_table_in_dispute_that_is_asked_for_says_why_it_waits_and_one_that_is_settled_has_been_tried_once():
    table = points_table()
    settle_table(table.row.id, now=NOW)
    assert Scoresheet.objects.get(table=table.row).settle_attempts == 1
    table.deal(2, show, loses(20), first_drop, loses(10))
    table.correct(1, *BO_HAD_LEFT)
    assert settle_table(table.row.id, now=NOW).problem == CONFLICT
    assert Scoresheet.objects.get(table=table.row).why_not_settled == CONFLICT


def test_nothing_new_is_owed_while_events_contradict_each_other():
    """Planted fault: each event of a table in dispute asks for a settlement that cannot be made."""
    table = points_table()
    table.deal(2, show, loses(20), first_drop, loses(10))
    table.correct(1, *BO_HAD_LEFT)
    due = Scoresheet.objects.get(table=table.row).due_version
    table.deal(3, show, {"how": "not_in_deal"}, first_drop, loses(10))
    assert Scoresheet.objects.get(table=table.row).due_version == due


def test_a_table_that_fails_again_and_again_keeps_no_other_waiting():
    failing, fresh = finished_pool(), finished_pool()
    failing.close()
    fresh.record({"kind": "table_closed"}, now=NOW + timedelta(hours=1))
    note_failure(failing.row.id, Message("Defect: it does not balance"))
    assert tables_to_settle(limit=1) == [fresh.row.id]


def test_a_settlement_that_is_torn_leaves_nothing_behind(monkeypatch):
    table = closed_pool(is_settled=False)

    class Killed(BaseException):
        pass

    def torn(*args, **kwargs):
        raise Killed

    monkeypatch.setattr("scoring.ledger.settling.post", torn)
    with pytest.raises(Killed):
        settle_table(table.row.id, now=NOW)
    monkeypatch.undo()
    assert tables_to_settle() == [table.row.id]
    assert settle_table(table.row.id, now=NOW).posted == 1


def checked() -> str:
    said = StringIO()
    call_command("check_ledger", stdout=said)
    return said.getvalue()


@pytest.mark.slow
def test_check_ledger_says_that_the_books_are_in_order_and_what_waits():
    settled, waiting = finished_pool(), finished_pool()
    settled.close()
    settle_table(settled.row.id, now=NOW)
    waiting.close()
    assert checked() == "The books are in order: 2 tables held against the log. 1 wait for settlement.\n"


def test_check_ledger_finds_a_closed_table_that_was_never_paid_and_entries_of_one_that_the_log_does_not_know():
    table = closed_pool(is_settled=False)
    with undone():
        Scoresheet.objects.update(settled_version=table.seen)
        with pytest.raises(CommandError, match="7 faults"):
            checked()
    settle_payouts(table, cause="table:00000000-0000-0000-0000-000000000000")
    said = StringIO()
    with pytest.raises(CommandError, match="1 faults"):
        call_command("check_ledger", stdout=said)
    assert "knows no such table" in said.getvalue()


def change_two_charges() -> None:
    with lifted(connection):
        for posting, amount in zip(Posting.objects.filter(purpose="charge")[:2], (5, -5), strict=True):
            Posting.objects.filter(id=posting.id).update(amount_minor=posting.amount_minor + amount)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_check_ledger_names_each_amount_that_was_changed():
    closed_pool()
    change_two_charges()
    said = StringIO()
    with pytest.raises(CommandError, match="3 faults"):
        call_command("check_ledger", stdout=said)
    assert "charge of player" in said.getvalue()
    assert "is not what was booked" in said.getvalue()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("since", [None, {"kind": "fact_withdrawn", "version": 0, "reason": "too early"}])
def test_a_row_that_says_it_waits_hides_no_changed_amount(since: dict[str, Any] | None):
    """Planted fault: a table that owes money is skipped until a worker has settled it."""
    table = closed_pool()
    if since:
        table.record({**since, "version": table.seen})
    else:
        Scoresheet.objects.update(due_version=F("version"), settled_version=0)
    books = compare_books()
    assert (books.waiting, [fault for fault in books.faults if "charge" in fault]) == (1, [])
    change_two_charges()
    assert sum("charge of player" in fault for fault in compare_books().faults) == 2


def test_a_table_that_was_never_settled_has_no_entries_whatever_its_row_says():
    table = closed_pool(is_settled=False)
    assert compare_books().faults == ()
    settle_payouts(table, cause=f"table:{table.row.id}")
    assert compare_books().faults != ()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_row_that_somebody_holds_keeps_no_other_table_from_being_settled():
    """Planted fault: the round ends at the first lock that is not released, in each round at the same one."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one lock, and who holds it holds every table")
    held, free = finished_pool(), finished_pool()
    for table in (held, free):
        table.close()
    Scoresheet.objects.filter(table=free.row).update(settle_attempts=1)
    holder = psycopg.connect(**connection.get_connection_params() | {"cursor_factory": None, "context": None})
    holder.execute("SELECT 1 FROM tournaments_scoresheet WHERE table_id = %s FOR UPDATE", [held.row.id])
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '200ms'")
    try:
        assert list(settle_owed()) == [held.row.id, free.row.id]
        assert tables_to_settle() == [held.row.id]
    finally:
        holder.rollback()
        holder.close()
    list(settle_owed())
    assert tables_to_settle() == []


def test_rebuild_brings_back_an_obligation_that_was_lost_and_owes_what_a_lost_row_may_have_owed():
    """The closing was undone and then the row lost: the books still pay what the log no longer does."""
    table = closed_pool(is_settled=False)
    Scoresheet.objects.update(due_version=0)
    rebuild()
    assert tables_to_settle() == [table.row.id]
    settle_table(table.row.id, now=NOW)
    table.record({"kind": "fact_withdrawn", "version": table.seen, "reason": "too early"})
    Scoresheet.objects.all().delete()
    rebuild()
    settle_table(table.row.id, now=NOW)
    assert set(balances(table).values()) == {0}
    assert compare_books().faults == ()


def settle_payouts(table: Playing, *, cause: str) -> None:
    """Post what a table pays under a cause of its own, without its row."""
    players = {str(number): str(player) for number, player in table.row.seats.values_list("number", "player_id")}
    entries = plan_entries(load_table(table.sheet.state).payouts(), players=players, currency="INR")
    ledger.settle(table.row.tournament.club_id, cause, version=1, entries=entries, now=NOW)


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL's plan depends on how many rows it has counted")
@pytest.mark.parametrize(
    ("sweep", "index"),
    [(tables_to_settle, "scoresheet_settlement_due"), (tournaments_to_settle, "evening_settlement_due")],
)
def test_a_sweep_looks_at_what_is_owed_and_not_at_every_night_there_was(sweep: Callable[[], list[UUID]], index: str):
    """Planted fault: every evening was read twice a minute, with its whole state."""
    with CaptureQueriesContext(connection) as asked:
        sweep()
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {asked.captured_queries[0]['sql']}")
        assert index in str(cursor.fetchall())
