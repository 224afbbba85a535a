"""An entry that was paid and became a balance is not spent again when the entry is restored."""

from unittest import mock

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.events import cash as events
from scoring.events import wire
from scoring.problems import EventNotAllowed, KeyReused, OptionsRejected
from tests.builders.playing import context, new_club, new_tournament
from tests.builders.tills import ENTRY, NOW, TILL, Door
from tests.builders.untranslated import left_in_english
from tournaments.cash.commands import open_book, write_in_book
from tournaments.entries.commands.check_in import take_or_give
from tournaments.entries.commands.substitutes import undo_substitution
from tournaments.people.players import add_players
from tournaments.running.commands.close import cancel_tournament, close_tournament, reopen_tournament
from tournaments.running.commands.create import TournamentDraft, change_tournament, make_plan
from tournaments.running.commands.record import record_all_in_tournament, record_in_tournament
from tournaments.running.commands.settle import settle_tournament

pytestmark = pytest.mark.django_db


def test_who_took_the_entry_money_home_enters_again_only_with_the_money(db: None) -> None:
    door = Door()
    book = door.opens_a_book()
    door.does("pay", door.asha)
    door.does("withdraw", door.asha)
    takes_home(door, door.asha)
    with pytest.raises(EventNotAllowed, match=r"Asha has 0.00 INR .* not 100.00"):
        door.does("enter", door.asha)
    assert door.has(door.asha) == 0
    brought = events.MoneyReceived(player=door.asha, amount_minor=ENTRY, place=TILL)
    write_in_book(book, brought, context=door.context())
    door.does("enter", door.asha)
    assert (door.has(door.asha), door.holds(TILL)) == (0, ENTRY)


def test_a_free_entry_whose_money_is_gone_does_not_cost_the_full_fee_again(db: None) -> None:
    door = Door()
    door.opens_a_book()
    door.does("pay", door.bo)
    free = wire.EntryTermsSet(player=door.bo, rate="free", reason="a guest")
    record_in_tournament(door.tournament.id, free, context=door.context())
    takes_home(door, door.bo)
    with pytest.raises(EventNotAllowed, match=r"Bo has 0\.00 INR"):
        record_in_tournament(
            door.tournament.id, wire.EntryTermsSet(player=door.bo, rate="full"), context=door.context()
        )


def test_an_amount_whose_first_answer_was_lost_is_taken_once_and_no_other_under_its_key(db: None) -> None:
    door = Door()
    door.opens_a_book()
    asked, paid = door.context(), wire.EntryPaid(player=door.asha, amount_minor=ENTRY)
    for is_again in (False, True):
        assert take_or_give(door.tournament.id, paid, seen_minor=0, context=asked).is_replay is is_again
    more = wire.EntryPaid(player=door.asha, amount_minor=ENTRY + 1)
    with pytest.raises(KeyReused):
        take_or_give(door.tournament.id, more, seen_minor=ENTRY, context=asked)
    assert door.holds(TILL) == ENTRY


def test_before_there_is_a_plan_no_balance_pays_for_an_entry(db: None) -> None:
    club = new_club()
    tournament = new_tournament(club, entry_minor=ENTRY)
    asha = str(add_players(club, ("Asha",))[0].id)
    brought = events.MoneyReceived(player=asha, amount_minor=ENTRY, place="bank")
    write_in_book(open_book(club.id, "INR", context=context()), brought, context=context())
    record_in_tournament(tournament.id, wire.PlayerEntered(player=asha), context=context())
    paid = wire.EntryPaid(player=asha, amount_minor=ENTRY, place="account")
    with pytest.raises(EventNotAllowed, match="make a plan first: then the balance can pay the entry fee"):
        record_in_tournament(tournament.id, paid, context=context())


@pytest.mark.slow
def test_balances_are_asked_for_once_however_many_of_one_action_spend_theirs(db: None) -> None:
    """Planted fault: each entry paid from a balance checks the same balance alone."""
    door = Door()
    book = door.opens_a_book()
    people = [str(player.id) for player in add_players(door.club, [f"Player {number}" for number in range(12)])]
    for player in people:
        brought = events.MoneyReceived(player=player, amount_minor=ENTRY, place="bank")
        write_in_book(book, brought, context=door.context())

    def asked_for(players: list[str]) -> int:
        with CaptureQueriesContext(connection) as asked:
            entered = [wire.PlayerEntered(player=player) for player in players]
            paid = [wire.EntryPaid(player=player, amount_minor=ENTRY, place="account") for player in players]
            record_all_in_tournament(door.tournament.id, [*entered, *paid], context=door.context())
        return len([query for query in asked.captured_queries if "SAVEPOINT" not in query["sql"]])

    few, many = people[:2], people[2:]
    assert asked_for(many) == asked_for(few)
    assert [door.has(player) for player in people] == [0] * len(people)


def takes_home(door: Door, player: str, amount_minor: int = ENTRY) -> None:
    gone = events.MoneyPaidOut(player=player, amount_minor=amount_minor, place=TILL)
    write_in_book(door.opens_a_book(), gone, context=door.context())


def given_up(door: Door) -> None:
    """Asha and Bo have paid; then the tournament is abandoned."""
    door.opens_a_book()
    door.does("pay", door.asha)
    door.does("pay", door.bo)
    cancel_tournament(door.tournament.id, reason="no light", context=door.context())


def test_a_tournament_that_was_given_up_goes_on_when_the_money_is_there_again(db: None) -> None:
    """Planted fault: it is restored, and the player who took the entry home owes it without having done anything."""
    door = Door()
    given_up(door)
    settle_tournament(door.tournament.id, now=NOW)
    takes_home(door, door.asha)
    with pytest.raises(EventNotAllowed) as refused:
        reopen_tournament(door.tournament.id, reason="the light is back", context=door.context())
    [problem] = refused.value.problems
    assert problem.text() == (
        "Asha was refunded 100.00 INR of the entry fee, 0.00 INR available: take a payment or allow credit"
    )
    assert left_in_english([problem.message]) == set()
    brought = events.MoneyReceived(player=door.asha, amount_minor=ENTRY, place=TILL)
    write_in_book(door.opens_a_book(), brought, context=door.context())
    reopen_tournament(door.tournament.id, reason="the light is back", context=door.context())
    settle_tournament(door.tournament.id, now=NOW)
    assert (door.has(door.asha), door.has(door.bo)) == (0, 0)


def test_it_goes_on_at_once_while_no_worker_has_given_anything_back(db: None) -> None:
    """Planted fault: compared with the evening, not with the books."""
    door = Door()
    given_up(door)
    reopen_tournament(door.tournament.id, reason="the light is back", context=door.context())
    settle_tournament(door.tournament.id, now=NOW)
    assert (door.has(door.asha), door.has(door.bo)) == (0, 0)


def test_an_evening_at_which_nothing_was_played_is_not_reopened_on_money_that_went_home(db: None) -> None:
    """An earlier version closed such a tournament."""
    door = Door()
    door.opens_a_book()
    door.does("pay", door.asha)
    with mock.patch("tournaments.running.commands.close.closing_problems", return_value=[]):
        close_tournament(door.tournament.id, context=door.context())
    settle_tournament(door.tournament.id, now=NOW)
    takes_home(door, door.asha)
    with pytest.raises(EventNotAllowed, match=r"Asha was refunded 100\.00 INR of the entry fee"):
        reopen_tournament(door.tournament.id, reason="they play after all", context=door.context())


def test_a_substitute_who_took_the_entry_home_is_not_put_back_on_the_standby_list_for_it(db: None) -> None:
    """Planted fault: only the player whose place it was is checked."""
    door = Door()
    door.opens_a_book()
    cy = str(add_players(door.club, ["Cy"])[0].id)
    record_in_tournament(door.tournament.id, wire.PlayerEntered(player=cy, is_standby=True), context=door.context())
    door.does("pay", cy)
    ill = wire.PlayerSubstituted(player=door.asha, by=cy, reason="ill")
    record_in_tournament(door.tournament.id, ill, context=door.context())
    takes_home(door, cy)
    with pytest.raises(EventNotAllowed, match=r"Cy was refunded 100\.00 INR of the entry fee"):
        undo_substitution(door.tournament.id, door.asha, reason="well again", context=door.context())
    assert door.has(cy) == 0


def paid_too_much() -> Door:
    """Asha has paid 50.00 more than the entry, and taken it home."""
    door = Door()
    door.opens_a_book()
    door.does("pay", door.asha)
    more = wire.EntryPaid(player=door.asha, amount_minor=5_000, place=TILL)
    record_in_tournament(door.tournament.id, more, context=door.context())
    takes_home(door, door.asha, 5_000)
    return door


@pytest.mark.slow
def test_a_plan_that_costs_more_takes_nothing_that_was_paid_too_much_and_went_home(db: None) -> None:
    door = paid_too_much()
    jackpot = {"name": "Jackpot", "contribution_minor": 3_000}
    with pytest.raises(EventNotAllowed, match=r"Asha was refunded 30\.00 INR of the entry fee, 0\.00 INR available"):
        make_plan(
            door.tournament.id, {"stages": [{"smallest_table": 2}], "side_pots": [jackpot]}, context=door.context()
        )


def test_an_entry_that_becomes_dearer_takes_nothing_that_was_paid_too_much_and_went_home(db: None) -> None:
    door = paid_too_much()
    row = door.tournament
    draft = TournamentDraft(name=row.name, preset=row.preset, starts_at=row.starts_at, entry_minor=ENTRY + 5_000)
    with pytest.raises(OptionsRejected, match=r"Asha was refunded 50\.00 INR of the entry fee"):
        change_tournament(row, draft, context=door.context())
    settle_tournament(row.id, now=NOW)
    assert door.has(door.asha) == 0
