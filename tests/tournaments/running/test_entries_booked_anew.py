"""Evenings settled before entries had causes of their own are booked again by their next settlement."""

import importlib
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from scoring import ledger
from scoring.events import wire
from scoring.money import plan_entries
from scoring.money.payouts import Payout
from tests.builders.playing import NOW, context
from tests.builders.prize_evening import Evening
from tournaments.integrity.audit import compare_books
from tournaments.models import EveningSheet
from tournaments.running.commands.close import close_tournament, reopen_tournament
from tournaments.running.commands.record import record_all_in_tournament
from tournaments.running.commands.settle import tournaments_to_settle

pytestmark = pytest.mark.django_db
MIGRATION = importlib.import_module("tournaments.migrations.0012_entries_in_the_books")


def owe_anew() -> None:
    """What the migration does, in the transaction of a test, which has deferred foreign keys to check."""
    connection.check_constraints()
    MIGRATION.owe_anew(apps, SimpleNamespace(connection=connection))


def booked_as_before(evening: Evening) -> None:
    """The prizes as one entry between players, at the event that closed the evening; no entry of a player's own."""
    asha, bo, cy = evening.players
    sheet = EveningSheet.objects.get()
    charges, awards = dict.fromkeys((asha, bo, cy), 10_000), {asha: 18_900, bo: 8_100}
    payout = Payout(slot="prizes", charges=charges, awards=awards, fee=3_000)
    plan = plan_entries([payout], players={player: player for player in charges}, currency="INR")
    cause = f"tournament:{evening.tournament.id}"
    ledger.settle(evening.club.id, cause, version=sheet.due_position, entries=plan, now=NOW)
    EveningSheet.objects.update(settled_position=sheet.due_position)


@pytest.mark.slow
@pytest.mark.postgres
def test_an_evening_settled_in_the_old_way_is_booked_in_the_new_one():
    evening = Evening().closed()
    booked_as_before(evening)
    assert compare_books().faults != ()
    owe_anew()
    assert tournaments_to_settle() == [evening.tournament.id]
    settled = evening.settle()
    assert (settled.reversed, settled.posted) == (1, 4)
    assert evening.balances() == [8_900, -1_900, -10_000]
    assert compare_books().faults == ()


@pytest.mark.slow
def test_what_happens_after_it_was_booked_again_is_settled_as_ever():
    """Planted fault it catches: a version of its own for booking again, which the club's next event then has too."""
    evening = Evening().closed()
    booked_as_before(evening)
    owe_anew()
    evening.settle()
    reopen_tournament(evening.tournament.id, reason="too early", context=context())
    evening.settle()
    assert evening.balances() == [0, 0, 0]
    paid = [wire.EntryPaid(player=player, amount_minor=10_000) for player in evening.players]
    record_all_in_tournament(evening.tournament.id, paid, context=context())
    close_tournament(evening.tournament.id, context=context())
    evening.settle()
    assert evening.balances() == [18_900, 8_100, 0]
    assert compare_books().faults == ()
