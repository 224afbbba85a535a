"""Two nights that name one jackpot: only one of them can award it, whatever both read at the start."""

import pytest

from scoring.events import wire
from scoring.ledger import balances_of_kind, ledger_problems
from scoring.money import AccountKind
from tests.builders.playing import context
from tests.builders.prize_evening import PLAN, Evening
from tests.builders.racing import at_once
from tests.builders.side_pots import JACKPOT, settled
from tests.builders.there import there
from tournaments.books.queries import Settlement, tournament_settlement
from tournaments.integrity.audit import compare_books
from tournaments.running.commands.close import close_tournament, reopen_tournament
from tournaments.running.commands.create import make_plan
from tournaments.running.commands.record import record_in_tournament, tournament_state

pytestmark = pytest.mark.django_db


def awarded(club) -> Evening:
    """A night on which Asha wins the jackpot, with 30.00 in it from an earlier night and 30.00 of this one."""
    evening = Evening(club, side_pots=[JACKPOT | {"carried_minor": 3_000}]).played()
    won = wire.SidePotWon(pot="Jackpot", players=(evening.players[0],), reason="four queens")
    record_in_tournament(evening.tournament.id, won, context=context())
    close_tournament(evening.tournament.id, context=context())
    return evening


def both() -> tuple[Evening, Evening]:
    """Two nights that were open at the same time; the first is settled."""
    club = settled().club
    first, second = awarded(club), awarded(club)
    assert first.settle().problem is None
    return first, second


def jackpot(evening: Evening) -> int:
    return balances_of_kind(evening.club.id, "INR", AccountKind.SIDE_POT).get("Jackpot", 0)


def on_balance(evening: Evening) -> list[int]:
    held = balances_of_kind(evening.club.id, "INR", AccountKind.PLAYER)
    return [held.get(player, 0) for player in evening.players]


def state(evening: Evening) -> Settlement:
    evening.tournament.refresh_from_db()
    found = there(tournament_settlement(evening.tournament))
    return found.state


def test_the_second_night_that_gives_a_jackpot_away_fails_and_waits_for_its_director():
    _, second = both()
    settled_once = second.settle()
    said = "side pot Jackpot holds 0.00 INR without this tournament, and 60.00 INR was awarded from it here"
    assert said in str(settled_once.problem)
    # Asking again changes nothing, and the books are in order.
    assert second.settle() == settled_once
    assert state(second) is Settlement.FAILED
    assert (jackpot(second), on_balance(second)) == (0, [0, 0, 0])
    assert (compare_books().faults, ledger_problems()) == ((), [])


@pytest.mark.slow
def test_a_director_who_stores_the_plan_again_pays_what_this_night_brought():
    _, second = both()
    second.settle()
    reopen_tournament(second.tournament.id, reason="the jackpot was won elsewhere", context=context())
    make_plan(second.tournament.id, PLAN | {"side_pots": [JACKPOT]}, context=context(), reason="nothing was carried")
    plan = there(tournament_state(second.tournament).plan)
    assert plan.side_pots[0].carried_minor == 0
    close_tournament(second.tournament.id, context=context())
    assert second.settle().problem is None
    assert on_balance(second) == [18_900 + 3_000 - 11_000, 8_100 - 11_000, -11_000]
    assert (state(second), jackpot(second)) == (Settlement.SETTLED, 0)
    assert (compare_books().faults, ledger_problems()) == ((), [])


@pytest.mark.slow
def test_a_director_who_takes_the_winner_back_leaves_what_was_paid_in_for_the_next_night():
    _, second = both()
    reopen_tournament(second.tournament.id, reason="the jackpot was won elsewhere", context=context())
    nobody = wire.SidePotWinUndone(pot="Jackpot", reason="won on the other night")
    record_in_tournament(second.tournament.id, nobody, context=context())
    close_tournament(second.tournament.id, context=context())
    assert second.settle().problem is None
    assert jackpot(second) == 3_000


def test_a_night_whose_jackpot_was_given_away_since_cannot_be_changed_to_have_given_it_away_too():
    earlier = settled()
    later = awarded(earlier.club)
    assert later.settle().problem is None
    reopen_tournament(earlier.tournament.id, reason="Bo had four queens", context=context())
    won = wire.SidePotWon(pot="Jackpot", players=(earlier.players[1],), reason="four queens")
    record_in_tournament(earlier.tournament.id, won, context=context())
    close_tournament(earlier.tournament.id, context=context())
    assert "side pot Jackpot holds -30.00 INR without this tournament" in str(earlier.settle().problem)
    assert (jackpot(later), compare_books().faults, ledger_problems()) == (0, (), [])


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_workers_do_not_give_one_jackpot_away_on_two_nights():
    """Planted fault it catches: the pot read without a lock, so that each worker finds the money still there."""
    club = settled().club
    first, second = awarded(club), awarded(club)
    done = at_once([first.settle, second.settle])
    assert sorted(bool(each.problem) for each in done) == [False, True]
    assert (jackpot(first), compare_books().faults, ledger_problems()) == (0, (), [])
