"""Properties of every Western form, however it is filled in: a stored sheet shown in the form reads the same again."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoring.events import wire
from scoring.rules.table.entering import NOBODY, YES, event_from, keys_of, typed_from
from scoring.rules.table.fields import SheetField
from scoring.rules.table.table import Table, steps
from tests.builders.scorer_form import at
from tests.builders.western_histories import NAMES, western_histories

CARDS = ("7H", "QS", "AD", "10C KH", "2C2D2S")
HOUSES: dict[str, dict[str, Any]] = {
    "gin": {"oklahoma": True, "big_gin_bonus": 31},
    "rummy_royal": {"sequence_claim": "shared"},
    "romme": {"no_meld_flat": 100, "scoring": "casino"},
}
A_SHARE = settings(max_examples=max(12, settings().max_examples // 6))


def values(field: SheetField, seats: tuple[str, ...]) -> st.SearchStrategy[Any]:
    """Values that may be typed into one input."""
    match field.kind:
        case "seat":
            return st.sampled_from([*seats, *([NOBODY] if field.nobody else [])])
        case "seats":
            return st.lists(st.sampled_from(seats), unique=True)
        case "flag":
            return st.just(YES)
        case "number":
            return st.integers(0, 150).map(str)
        case "choice":
            return st.sampled_from([choice.value for choice in field.choices])
        case "card":
            return st.sampled_from(["7H", "qs", "A", "10"])
        case "groups":
            return st.lists(st.sampled_from(CARDS), min_size=1, max_size=3)
    return st.sampled_from(CARDS)


@st.composite
def fillings(draw: st.DrawFn, fields: tuple[SheetField, ...], seats: tuple[str, ...]) -> dict[str, Any]:
    """A form filled in at random. The hearts of a last deal are dealt all or not at all."""
    is_last = draw(st.integers(0, 5)) == 0
    typed: dict[str, Any] = {}
    for field in fields:
        is_heart = field.path[0] == "last_hearts"
        for key in keys_of(field, seats):
            wanted = is_last if is_heart else field.is_required or draw(st.booleans())
            if wanted:
                typed[key] = draw(values(field, seats))
    return typed


def house(name: str, data: st.DataObject) -> Table:
    """A table of a game, perhaps with options that add a field."""
    seats = 4 if name == "gin" else data.draw(st.integers(2, 4))
    return at(name, seats=seats, **(HOUSES.get(name, {}) if data.draw(st.booleans()) else {})).table


def asked_of(table: Table, game: Any = None) -> tuple[SheetField, ...]:
    return table.rules.entry_form(table.setup, table.game if game is None else game, is_extra=False)


@pytest.mark.parametrize("name", NAMES)
@A_SHARE
@given(st.data())
def test_a_sheet_that_was_read_from_a_form_comes_back_to_it_and_reads_the_same(name: str, data: st.DataObject):
    table = house(name, data)
    fields, seats = asked_of(table), table.setup.seats
    raw, problems = event_from(fields, data.draw(fillings(fields, seats)), seats)
    sheet, _ = table.rules.read_sheet(raw, seats)
    assume(sheet is not None)
    assert sheet is not None
    again, _ = event_from(fields, typed_from(fields, sheet, seats), seats)
    assert problems == ()
    assert table.rules.read_sheet(again, seats) == (sheet, [])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@A_SHARE
@given(st.data())
def test_every_deal_that_was_played_can_be_shown_on_its_form_and_counts_the_same(name: str, data: st.DataObject):
    table = data.draw(western_histories((name,))).table
    for entry, game, _ in steps(table):
        if not isinstance(entry.event, wire.DealEvent):
            continue
        fields, seats = asked_of(table, game), table.setup.seats
        raw, _ = event_from(fields, typed_from(fields, entry.event.sheet, seats), seats)
        sheet, problems = table.rules.read_sheet(raw, seats)
        event = wire.DealRecorded(deal=1, sheet=sheet)
        as_it_was = wire.DealRecorded(deal=1, sheet=entry.event.sheet)
        assert problems == []
        assert table.rules.apply(table.setup, game, event) == table.rules.apply(table.setup, game, as_it_was)
