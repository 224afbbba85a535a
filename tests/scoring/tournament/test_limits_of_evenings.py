"""Amounts that an evening accepts and promises stay within one limit; and whether anyone has paid."""

import msgspec
import pytest

from scoring.events import wire
from scoring.money.payouts import MOST_MINOR, MOST_SUM
from scoring.tournament import TournamentState
from scoring.tournament.state.fees import any_money_in, charge_so_far, is_booked, limit_problems
from tests.builders.plans import Night

STAGES = [{"smallest_table": 2, "rounds": 2, "per_table": 1}, {"smallest_table": 2}]


def promising(stage: int = 1, of: str = "each_table", **more: object) -> Night:
    prizes = [{"stage": stage, "of": of, "amounts_minor": [MOST_MINOR] * 20}] * bool(stage)
    return Night({"stages": STAGES, "stage_prizes": prizes, **more})


def said(
    before: TournamentState, after: TournamentState, entry: int = 0
) -> list[tuple[str, str | None, str | None, str]]:
    return [(e.code, e.seat, e.field, e.text()) for e in limit_problems(before, after, entry, "INR")]


def total(night: Night, entry: int = 0) -> int:
    """The sums: an entry that makes them one unit too large is refused with their total."""
    room = MOST_SUM + 1
    for each in limit_problems(TournamentState(), night.state, room, "JPY"):
        found = each.text().partition("come to ")[2].partition(" JPY,")[0]
        return int(found) - room * len(night.players)
    raise AssertionError("nothing was beyond the limit")


@pytest.mark.parametrize(("rounds", "tables"), [(0, 1), (1, 2), (2, 4)])
def test_the_amounts_of_each_table_are_promised_once_for_every_table(rounds: int, tables: int) -> None:
    night = promising()
    for _ in range(rounds):
        night.play({"asha": 1, "bo": 2}, {"cy": 3, "dev": 4})
    assert total(night) == tables * 20 * MOST_MINOR


def test_the_amounts_of_a_stage_are_promised_once() -> None:
    night = promising(of="stage").play({"asha": 1, "bo": 2}, {"cy": 3, "dev": 4})
    assert total(night) == 20 * MOST_MINOR


def test_everything_promised_counts() -> None:
    pots = [{"name": "High hand", "carried_minor": 7, "contribution_minor": 1}]
    night = promising(stage=0, guaranteed_minor=30, fixed_minor=[100, 50], side_pots=pots)
    assert total(night) == 7 + 30 + 150 + len(night.players)


def test_the_most_that_can_be_kept_is_taken_and_one_unit_more_is_refused() -> None:
    night = Night({"stages": STAGES, "guaranteed_minor": 5}, ("asha",))
    before = Night({"stages": STAGES}, ()).state
    assert said(before, night.state, MOST_SUM - 5) == []
    detail = (
        "entries, side pots and prizes come to 10000000000000.01 INR, most of it by entry_minor: "
        "the maximum is 10000000000000.00 INR"
    )
    assert said(before, night.state, MOST_SUM - 4) == [("out_of_range", None, "entry_minor", detail)]


def test_what_was_beyond_the_limit_before_may_go_on_as_long_as_nothing_is_added() -> None:
    before = Night({"stages": STAGES})
    entry = MOST_SUM
    arrived = before.state, before.then(wire.CheckedIn(player="asha")).state
    assert said(*arrived, entry) == []
    assert [each[:3] for each in said(before.state, before.then(wire.PlayerEntered(player="eve")).state, entry)] == [
        ("out_of_range", None, "entry_minor")
    ]


def paying(night: Night, amount: int) -> TournamentState:
    entrants = night.state.entrants
    asha = msgspec.structs.replace(entrants["asha"], paid_minor=amount)
    return msgspec.structs.replace(night.state, entrants={**entrants, "asha": asha})


def test_a_player_pays_no_more_than_can_be_kept() -> None:
    night = Night({"stages": STAGES})
    detail = "amount_minor comes to 10000000000000.01 INR: the maximum is 10000000000000.00 INR"
    assert said(night.state, paying(night, MOST_SUM)) == []
    assert said(night.state, paying(night, MOST_SUM + 1)) == [("out_of_range", "asha", "amount_minor", detail)]
    # A player who has paid too much already may stay so, and be refunded.
    assert said(paying(night, MOST_SUM + 1), paying(night, MOST_SUM + 1)) == []


def test_money_is_in_as_soon_as_one_has_paid_anywhere() -> None:
    night = Night({"stages": STAGES})
    assert not any_money_in(night.state)
    assert any_money_in(night.then(wire.EntryPaid(player="bo", amount_minor=1)).state)
    night.then(wire.EntryRefunded(player="bo", amount_minor=1, place="bank", reason="ill"))
    assert any_money_in(night.state)


def test_what_is_owed_is_in_the_pool_as_far_as_it_is_paid() -> None:
    night = Night({"stages": STAGES}).then(wire.EntryPaid(player="bo", amount_minor=700))
    bo = night.state.entrants["bo"]
    assert [charge_so_far(night.state, bo, entry) for entry in (699, 700, 701)] == [699, 700, 700]
    given_up = msgspec.structs.replace(night.state, is_cancelled=True)
    assert charge_so_far(given_up, bo, 700) == 0


def test_a_rehearsal_and_an_evening_without_a_plan_are_in_no_books() -> None:
    assert is_booked(Night({"stages": STAGES}).state)
    rehearsal = Night({"stages": STAGES, "is_rehearsal": True}).then(wire.EntryPaid(player="bo", amount_minor=700))
    assert not is_booked(rehearsal.state)
    assert charge_so_far(rehearsal.state, rehearsal.state.entrants["bo"], 700) == 0
    assert not is_booked(TournamentState())
