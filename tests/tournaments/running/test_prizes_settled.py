"""A closed evening pays its prizes once; later changes reverse them and post them again."""

from unittest import mock

import pytest

from scoring.events import wire
from scoring.ledger import ledger_problems, trial_balance
from scoring.models import JournalEntry, Posting
from scoring.problems import EventNotAllowed
from tests.builders.playing import context, loses, show
from tests.builders.prize_evening import Evening
from tournaments.books.commands import Settled
from tournaments.integrity.audit import compare_books
from tournaments.models import EveningSheet, Table, Tournament
from tournaments.running.commands.close import close_tournament, reopen_tournament
from tournaments.running.commands.record import record_in_tournament
from tournaments.running.commands.settle import tournaments_to_settle

pytestmark = pytest.mark.django_db


def test_once_an_evening_is_closed_entries_go_in_and_prizes_by_place_come_out_once():
    evening = Evening().played()
    assert tournaments_to_settle() == []
    close_tournament(evening.tournament.id, context=context())
    assert tournaments_to_settle() == [evening.tournament.id]
    assert [evening.settle().posted for _ in range(2)] == [4, 0]
    assert tournaments_to_settle() == []
    assert JournalEntry.objects.filter(cause__startswith="tournament:").count() == 1
    assert evening.balances() == [18_900 - 10_000, 8_100 - 10_000, -10_000]
    assert {line.kind.value: line.balance_minor for line in trial_balance(evening.club.id)}["club_fee"] == 3_000
    assert compare_books().faults == ()
    assert ledger_problems() == []


def test_a_correction_after_the_prizes_were_paid_pays_them_again():
    evening = Evening().closed()
    evening.settle()
    evening.exchange()
    assert tournaments_to_settle() == [evening.tournament.id]
    settled = evening.settle()
    assert (settled.reversed, settled.posted) == (1, 1)
    assert evening.balances() == [8_900, -10_000, -1_900]
    assert compare_books().faults == ()


def test_an_evening_that_goes_on_takes_its_prizes_back():
    evening = Evening().closed()
    evening.settle()
    reopen_tournament(evening.tournament.id, reason="closed too early", context=context())
    assert evening.balances() == [0, 0, 0]
    assert evening.settle() == Settled()


@pytest.mark.slow
def test_what_is_given_back_after_an_evening_was_opened_again_never_overdraws_its_pool():
    """Planted fault: the prizes left to a worker, so that a free entry came out of a pool that was empty."""
    evening = Evening().paid().closed()
    evening.settle()
    reopen_tournament(evening.tournament.id, reason="closed too early", context=context())
    free = wire.EntryTermsSet(player=evening.players[2], rate="free", reason="asked")
    record_in_tournament(evening.tournament.id, free, context=context())
    pool = Posting.objects.filter(account__kind="prize_pool").values_list("amount_minor", flat=True)
    assert sum(pool) == 20_000
    assert compare_books().faults == ()


def test_a_rehearsal_pays_nobody():
    evening = Evening(is_rehearsal=True).closed()
    assert evening.settle().posted == 0
    assert tournaments_to_settle() == []
    assert not JournalEntry.objects.exists()
    assert compare_books().faults == ()


def corrected(evening):
    return evening.table.correct(1, show, loses(59), loses(80))


def confirmed(evening, deal):
    evening.table.record({"kind": "deal_confirmed", "deal": deal}, actor="user:dita")


def test_closing_and_prizes_wait_for_the_word_of_a_second_official_on_a_corrected_deal():
    evening = Evening(confirmation="second_official")
    evening.table.deal(1, show, loses(60), loses(80))
    evening.table.deal(2, show, loses(30), loses(40))
    evening.table.deal(3, show, loses(20), {"how": "not_in_deal"})
    for deal in (1, 2, 3):
        confirmed(evening, deal)
    evening.table.close()
    corrected(evening)
    with pytest.raises(EventNotAllowed, match="1 deal that nobody else has confirmed"):
        close_tournament(evening.tournament.id, context=context())
    confirmed(evening, 1)
    close_tournament(evening.tournament.id, context=context())
    evening.table.correct(1, show, loses(58), loses(80))
    assert "must be confirmed before prizes are paid" in str(evening.settle().problem)
    assert evening.balances() == [0, 0, 0]
    confirmed(evening, 1)
    assert evening.settle().posted == 4


def test_a_correction_that_overtakes_the_closing_owes_the_prizes_again():
    """Planted fault it catches: asking a tournament that was read before it was closed whether it is closed."""
    evening = Evening().played()
    read_before = Tournament.objects.get(id=evening.tournament.id)
    close_tournament(evening.tournament.id, context=context())
    evening.settle()
    sheet = evening.table.sheet
    assert tournaments_to_settle() == []
    with mock.patch.object(Table, "tournament", read_before):
        corrected(evening)
    assert tournaments_to_settle() == [sheet.table.tournament_id]


@pytest.mark.slow
def test_evenings_that_wait_for_a_director_keep_no_other_from_the_sweep():
    """Planted fault: the oldest came first, also those that have had no answer for years."""
    stuck, fresh = Evening().closed(), Evening().closed()
    EveningSheet.objects.filter(tournament=stuck.tournament).update(settle_problem="a pot is empty", due_position=1)
    assert tournaments_to_settle(limit=1) == [fresh.tournament.id]
    assert tournaments_to_settle() == [fresh.tournament.id, stuck.tournament.id]
