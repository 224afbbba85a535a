"""What may still be lost at a table, what is won, and what the books must show, from the first deal to the end."""

import dataclasses

import msgspec
import pytest

from scoring.events.wire import DealRecorded, PenaltyGiven
from scoring.money.payouts import MOST_SCORE, MOST_SUM
from scoring.rules.table.admission import considered, limit_problems
from scoring.rules.table.table import Status, Table, fold
from scoring.rules.variants.indian.outcomes import DealSheet, Outcome, OutcomeKind
from tests.builders.rules import (
    CANCELLED,
    CLOSED,
    corrected,
    deal,
    deals,
    first_drop,
    loses_with,
    points,
    pool,
    rejoins,
    show,
    withdrawn,
)

MOVED_ON = {"kind": "table_moved_on"}
STILL_IN = {"asha": 500, "bo": 500}


def decided(entry=500, **more):
    """Asha has won a pool of two."""
    return pool(entry=entry, **more).where(bo=70).after(show("asha"), loses_with("bo", 40))


def test_an_entry_is_at_stake_until_the_pot_is_paid_and_the_winner_is_not_paid_before_the_closing():
    playing = pool(entry=500).where(bo=70)
    assert playing.table.at_stake() == STILL_IN
    assert playing.table.won_so_far() == playing.table.won_in_books() == {"asha": 0, "bo": 0}
    won = decided(fee_bp=1_000)
    assert won.table.at_stake() == {"asha": 500, "bo": 0}
    assert won.table.won_so_far() == {"asha": 400, "bo": -500}
    assert won.table.won_in_books() == {"asha": 0, "bo": 0}
    closed = won.told(CLOSED)
    assert closed.table.at_stake() == {"asha": 0, "bo": 0}
    assert closed.table.won_in_books() == closed.table.won_so_far() == {"asha": 400, "bo": -500}


def test_at_a_table_that_was_given_up_nothing_is_won():
    given_up = pool(entry=500).where(bo=70).told(CANCELLED)
    assert given_up.table.at_stake() == given_up.table.won_so_far() == {"asha": 0, "bo": 0}
    lost = points(value=10).after(show("asha"), loses_with("bo", 40))
    assert lost.table.won_so_far() == lost.table.won_in_books() == {"asha": 400, "bo": -400}
    assert lost.told(CANCELLED).table.won_so_far() == {"asha": 0, "bo": 0}
    assert lost.told(CANCELLED).table.payouts() == ()


@pytest.mark.parametrize("end", [CANCELLED, {**CLOSED, "time_called": True}])
def test_nobody_comes_back_to_a_table_that_is_over(end):
    table = pool(seats=3).where(bo=70).after(show("asha"), loses_with("bo", 40), first_drop("cy"))
    assert {seat: view.may_rejoin for seat, view in table.table.seats().items()} == {
        "asha": False,
        "bo": True,
        "cy": False,
    }
    assert not any(view.may_rejoin for view in table.told(end).table.seats().values())


def test_a_second_entry_that_contradicts_is_at_stake_until_it_is_taken_back():
    table = pool(seats=3, entry=500).where(bo=70).after(show("asha"), loses_with("bo", 40), first_drop("cy"))
    assert table.table.at_stake() == {"asha": 500, "bo": 500, "cy": 500}
    back = table.told(rejoins("bo"))
    assert back.table.at_stake() == {"asha": 500, "bo": 1_000, "cy": 500}
    fixed = back.told(corrected(2, show("asha"), loses_with("bo", 4), first_drop("cy")))
    assert [code for _, code, _ in fixed.conflicts()] == ["rejoin_too_late"]
    assert fixed.table.at_stake() == {"asha": 500, "bo": 1_000, "cy": 500}
    assert fixed.table.payouts() == ()
    assert fixed.told(withdrawn(4)).table.at_stake() == {"asha": 500, "bo": 500, "cy": 500}


def test_a_table_says_whether_its_players_went_on_elsewhere():
    table = deals()
    assert not table.table.has_moved_on
    played = table.after(show("asha"), loses_with("bo", 12))
    assert not played.table.has_moved_on
    assert played.told(MOVED_ON).table.has_moved_on
    assert played.told(MOVED_ON).table.status is Status.CANCELLED
    assert not played.told(CANCELLED).table.has_moved_on


def test_what_can_be_kept_of_a_score_is_bounded_seat_by_seat():
    table = pool().table
    scores = DealSheet(outcomes={"asha": Outcome(how=OutcomeKind.SHOW), "bo": Outcome(how=OutcomeKind.LOSS, count=80)})
    table = fold(table, [(2, DealRecorded(deal=1, sheet=scores))])
    assert limit_problems(table) == []
    most = fold(table, [(3, PenaltyGiven(seat="bo", points=MOST_SCORE - 80, reason=""))])
    assert limit_problems(most) == []
    beyond = fold(table, [(3, PenaltyGiven(seat="bo", points=MOST_SCORE - 79, reason=""))])
    assert [(problem.code, problem.seat, problem.field, problem.text()) for problem in limit_problems(beyond)] == [
        (
            "out_of_range",
            "bo",
            "total",
            f"total comes to {MOST_SCORE + 1}: the maximum is {MOST_SCORE}",
        )
    ]


def with_entry(table: Table, entry: int) -> Table:
    """The same table as if that had been its entry."""
    stakes = msgspec.structs.replace(table.setup.stakes, entry_minor=entry)
    return dataclasses.replace(table, setup=msgspec.structs.replace(table.setup, stakes=stakes))


@pytest.mark.parametrize("evening", [pool().where(bo=70), decided(), decided().told(CLOSED)])
def test_what_can_be_kept_of_a_pot_is_bounded_while_it_is_played_for_and_when_it_is_won(evening):
    assert limit_problems(with_entry(evening.table, MOST_SUM // 2)) == []
    beyond = limit_problems(with_entry(evening.table, MOST_SUM // 2 + 1))
    assert [(problem.field, problem.seat) for problem in beyond] == [("stakes", None)]


def test_nothing_follows_at_a_table_that_is_over_but_a_word_on_a_corrected_deal():
    table = decided().told(CLOSED)
    dispute = {"kind": "deal_disputed", "deal": 1, "seat": "bo", "reason": "I held 24"}
    settle = {"kind": "dispute_settled", "deal": 1, "reason": "counted"}
    confirm = {"kind": "deal_confirmed", "deal": 1, "seat": "bo"}
    for raw in (dispute, settle):
        (problem,) = considered(table.table, raw)[1]
        assert (problem.code, problem.text()) == ("table_closed", "the table is closed; only corrections can follow")
    # A confirmation may follow; where deals count at once it is not needed.
    (problem,) = considered(table.table, confirm)[1]
    assert (problem.code, problem.text()) == ("deal_confirmed", "deal 1 is already confirmed")
    given_up = pool().where(bo=70).told(CANCELLED)
    (problem,) = considered(given_up.table, confirm)[1]
    assert (problem.code, problem.text()) == (
        "table_closed",
        "the table is cancelled; only corrections can follow",
    )


def test_what_follows_from_an_outcome_that_cannot_be_read_is_not_told_beside_it():
    _, problems = pool(seats=3).considered(deal(1, ("asha", {"how": "won"}), first_drop("bo"), first_drop("cy")))
    assert [(problem.code, problem.seat) for problem in problems] == [("unknown_how", "asha")]
    _, problems = pool(seats=3).considered(
        deal(1, first_drop("asha"), first_drop("bo"), first_drop("cy"), dealer="zoe")
    )
    assert [(problem.code, problem.seat) for problem in problems] == [("unknown_seat", "zoe")]
    _, problems = pool(seats=3).considered(
        deal(1, first_drop("asha"), first_drop("bo"), first_drop("cy"), ended="rained_off")
    )
    assert [(problem.code, problem.field) for problem in problems] == [
        ("not_a_choice", "ended"),
        ("no_winner", "how"),
    ]
