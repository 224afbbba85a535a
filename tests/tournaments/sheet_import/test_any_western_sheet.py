"""Any deal of a Western game can be written on paper, and is read back as the same event.

Planted faults these catch: the numbers of a cell swapped, a mark that is taken for a loss, a first name that finds the
wrong one of two players, hands of partners mixed up.
"""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.events import reading, wire
from scoring.rules.variants import opening, table_from
from tests.builders import paper_writing as paper
from tests.builders.western_histories import NAMES as VARIANTS
from tests.builders.western_histories import western_histories
from tournaments.sheet_import.forms import Played
from tournaments.sheet_import.sheets import open_paper, read_paper

HEADING = {"Club": "Asha's club", "Tournament": "Any", "Table": "1"}
ACTS = {"seat_left": "Left", "penalty_given": "Penalty"}


def on_paper(value: Any, seats: dict[str, str]) -> Any:
    """An event with the seats called 1, 2, 3, … as they are on paper."""
    if isinstance(value, dict):
        return {seats.get(key, key): on_paper(item, seats) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [on_paper(item, seats) for item in value]
    return seats.get(value, value) if isinstance(value, str) else value


def writable(event: wire.Event, options: Any) -> wire.Event:
    """Who had not melded is only asked where the house scores it."""
    sheet: Any = getattr(event, "sheet", None)
    if getattr(sheet, "unmelded", ()) and options.no_meld_flat is None:
        return msgspec.structs.replace(event, sheet=msgspec.structs.replace(sheet, unmelded=()))
    return event


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
@given(data=st.data())
@settings(max_examples=15)
def test_what_is_written_down_is_read_back(name, data):
    history = data.draw(western_histories((name,), changes=False, most=5))
    setup = history.start.setup
    seats = {seat: str(number) for number, seat in enumerate(setup.seats, start=1)}
    columns = paper.columns_for(name, len(seats))
    usable = [column for column in columns if column != "Had not melded" or setup.options.no_meld_flat is not None]
    events = [writable(event, setup.options) for _, event in history.events]
    rows = [row(data.draw, name, event, seats, usable) for event in events]
    draft = open_paper(paper.as_csv(HEADING, len(seats), tuple(usable), rows))
    options = msgspec.to_builtins(setup.options)
    sheet = read_paper(draft, Played(variant=name, options=options))
    table = table_from(opening(name, options=options, stakes=STAKES, seats={seat: seat for seat in seats.values()}))
    read = [reading.read_event(raw, table.rules, table.setup.seats) for line in sheet.lines for raw in line.events]
    assert [stored(event) for event in read] == [on_paper(stored(event), seats) for event in events]


STAKES = {"point_value_minor": 100}


def stored(event: wire.Event) -> dict[str, Any]:
    """An event as JSON, with its kind."""
    return {"kind": event.kind, **msgspec.json.decode(msgspec.json.encode(event))}


def row(draw: Any, name: str, event: wire.Event, seats: dict[str, str], columns: list[str]) -> list[str]:
    """One line of the paper sheet."""
    match event:
        case wire.DealRecorded() | wire.TiebreakRecorded():
            sheet = on_paper(msgspec.to_builtins(event.sheet), seats)
            cells, beside = paper.written(draw, name, sheet, len(seats))
            word = str(event.deal) if isinstance(event, wire.DealRecorded) else f"Tiebreak {event.deal}"
            return [word, *(cells.get(seat, "") for seat in seats.values()), *(beside.get(c, "") for c in columns), ""]
        case wire.TableClosed():
            return ["Time called" if event.time_called else "Close"]
    mark = str(getattr(event, "points", "x"))
    marks = [mark if seat == getattr(event, "seat", None) else "" for seat in seats]
    return [ACTS[event.kind], *marks, *("" for _ in columns), getattr(event, "reason", "")]
