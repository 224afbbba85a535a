"""Properties of a table of every game, tested for each game by name."""

from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from scoring.events import wire
from scoring.options import describe_options
from scoring.rules.table.admission import considered
from scoring.rules.table.dealing import announce
from scoring.rules.table.table import Table, fold
from scoring.rules.variants import VARIANTS, opening, table_from
from scoring.rules.variants.indian.outcomes import DealSheet
from tests.builders.all_games import GAMES, another_sheet, of
from tests.builders.any_table import standing
from tests.builders.rules import Evening, corrected, goes_home, leaves, loses_with, pool, show, sit
from tests.builders.rules import deal as dealt
from tests.builders.western import replayed

# A game's share of the examples that a property over all games would have had.
A_SHARE = settings(max_examples=max(12, settings().max_examples // 6))


def opened_again(start: Table, *, seats: Any = None, **options: Any) -> Table:
    """The same table opened with its seats in another order, or with other options."""
    had = msgspec.to_builtins(start.setup.options) | options
    stakes = msgspec.structs.asdict(start.setup.stakes)
    players = {seat: start.players[seat] for seat in seats or start.setup.seats}
    return table_from(opening(start.rules.name, options=had, stakes=stakes, seats=players))


def test_the_games_are_all_that_are_played_here():
    assert set(GAMES) == set(VARIANTS)


@pytest.mark.parametrize("name", [name for name in GAMES if name != "gin"])
def test_a_player_who_goes_home_has_left_and_nobody_else(name: str):
    """In gin, where nobody plays on without an opponent, nobody can leave a table."""
    table = sit(name, ("asha", "bo", "cy", "dev"), {"point_value_minor": 100}, {}).told(goes_home("cy"))
    assert {seat: view.has_left for seat, view in table.table.seats().items()} == {
        "asha": False,
        "bo": False,
        "cy": True,
        "dev": False,
    }


def test_a_player_who_gives_up_in_a_deal_has_left_but_not_one_who_is_eliminated():
    """Planted fault: everybody who is out of a pool is shown as gone home, or nobody is."""
    table = pool(seats=4, limit=101, wrong_show=80).told(
        dealt(1, show("asha"), loses_with("bo", 80), loses_with("cy", 10), loses_with("dev", 5)),
        dealt(2, show("asha"), loses_with("bo", 80), leaves("cy"), loses_with("dev", 5)),
    )
    left = {seat: (view.is_in, view.has_left) for seat, view in table.table.seats().items()}
    assert left == {"asha": (True, False), "bo": (False, False), "cy": (False, True), "dev": (True, False)}
    righted = table.told(corrected(2, show("asha"), loses_with("bo", 80), loses_with("cy", 9), loses_with("dev", 5)))
    assert not any(view.has_left for view in righted.table.seats().values())


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@A_SHARE
@given(st.data())
def test_a_correction_and_then_its_reversal_leave_what_was(name: str, data: st.DataObject):
    history = data.draw(of(name, changes=True))
    table = history.table
    played = [entry.event for entry in table.timeline if not entry.is_void]
    recorded = [event for event in played if isinstance(event, wire.DealRecorded)]
    assume(recorded)
    right = data.draw(st.sampled_from(recorded))
    sheet = another_sheet(data.draw, history.start)
    wrong, _ = considered(table, {"kind": "deal_corrected", "deal": right.deal, "reason": "misread", **sheet})
    assume(wrong is not None)
    assert wrong is not None
    back = wire.DealCorrected(deal=right.deal, sheet=right.sheet, reason="it was right")
    reversed_ = fold(table, [(table.version + 1, wrong), (table.version + 2, back)])
    assert standing(reversed_) == standing(table)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@A_SHARE
@given(st.data())
def test_the_command_line_answers_what_the_table_says(name: str, data: st.DataObject):
    history = data.draw(of(name, changes=True))
    table, said = history.table, announce(history.table)
    answer = replayed(Evening(history.start, table, history.raws), name)
    lines = {seat: (line["total"], line["chips"]) for seat, line in answer["seats"].items()}
    assert lines == {seat: (view.total, view.chips) for seat, view in table.seats().items()}
    assert (answer["finished"], answer["deals"], answer["winners"]) == (
        table.is_finished,
        table.deals,
        list(table.winners()),
    )
    assert (answer["payouts_minor"], answer["fee_minor"]) == (said.payouts_minor, said.fee_minor)


def orders(seats: tuple[str, ...], name: str) -> SearchStrategy[Any]:
    """Other seat orders that the game does not distinguish: at some tables it matters who faces or follows whom."""
    if name == "gin":
        pairs = [seats[place : place + 2] for place in range(0, len(seats), 2)]
        turned = st.sampled_from([pairs, [pair[::-1] for pair in pairs]])
        return turned.flatmap(st.permutations).map(lambda found: [seat for pair in found for seat in pair])
    if name == "rummy_royal":
        return st.integers(0, len(seats) - 1).map(lambda first: [*seats[first:], *seats[:first]])
    return st.permutations(seats)


def leaves_odd_units(event: Any) -> bool:
    """Whether several share what a deal is worth: then the seat that comes first gets the leftover unit."""
    if getattr(event, "sheet", None) is None:
        return False
    if isinstance(event.sheet, DealSheet):
        return event.sheet.ended != "played_out"
    counts = sorted((getattr(event.sheet, "counts", None) or {}).values())
    return getattr(event.sheet, "out", "") is None and len(counts) > 1 and counts[0] == counts[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@A_SHARE
@given(st.data())
def test_seats_in_another_order_stand_where_they_stood(name: str, data: st.DataObject):
    history = data.draw(of(name))
    assume(not any(leaves_odd_units(event) for _, event in history.events))
    order = data.draw(orders(history.start.setup.seats, name))
    table = fold(opened_again(history.start, seats=order), history.events)
    assert table.seats() == history.table.seats()
    assert set(table.winners()) == set(history.table.winners())


def for_play_alone(name: str) -> list[dict[str, Any]]:
    """The options of a game that only describe how the house plays."""
    return [option for option in describe_options(VARIANTS[name].options_type) if option.get("plays_only")]


def other_value(option: dict[str, Any]) -> Any:
    if option["type"] == "boolean":
        return not option["default"]
    return option["choices"][-1] if "choices" in option else option["max"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in GAMES if for_play_alone(name)])
@A_SHARE
@given(st.data())
def test_options_that_tell_how_the_house_plays_change_no_number(name: str, data: st.DataObject):
    history = data.draw(of(name, changes=True))
    other = {option["name"]: other_value(option) for option in for_play_alone(name)}
    assert standing(fold(opened_again(history.start, **other), history.events)) == standing(history.table)
