"""Any deal of a Western game can be written on paper, and is read back as the same event.

Planted faults these catch: the numbers of a cell swapped, a mark that is taken for a loss, a first name that finds the
wrong one of two players, hands of partners mixed up.
"""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.facts import reading, wire
from scoring.rules.variants import opening, table_from
from tests.builders import paper_writing as paper
from tests.builders.western_histories import NAMES as VARIANTS
from tests.builders.western_histories import western_histories
from tournaments.sheet_import.forms import Played
from tournaments.sheet_import.sheets import open_paper, read_paper

HEADING = {"Club": "Asha's club", "Tournament": "Any", "Table": "1"}
ACTS = {"seat_left": "Left", "penalty_given": "Penalty"}


def on_paper(value: Any, seats: dict[str, str]) -> Any:
    """A fact with the seats called 1, 2, 3, … as they are on paper."""
    if isinstance(value, dict):
        return {seats.get(key, key): on_paper(item, seats) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [on_paper(item, seats) for item in value]
    return seats.get(value, value) if isinstance(value, str) else value


def writable(fact: wire.Fact, options: Any) -> wire.Fact:
    """Who had not melded is only asked where the house scores it."""
    sheet: Any = getattr(fact, "sheet", None)
    if getattr(sheet, "unmelded", ()) and options.no_meld_flat is None:
        return msgspec.structs.replace(fact, sheet=msgspec.structs.replace(sheet, unmelded=()))
    return fact


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
    facts = [writable(fact, setup.options) for _, fact in history.facts]
    rows = [row(data.draw, name, fact, seats, usable) for fact in facts]
    draft = open_paper(paper.as_csv(HEADING, len(seats), tuple(usable), rows))
    options = msgspec.to_builtins(setup.options)
    sheet = read_paper(draft, Played(variant=name, options=options))
    table = table_from(opening(name, options=options, stakes=STAKES, seats={seat: seat for seat in seats.values()}))
    read = [reading.read_fact(event, table.rules, table.setup.seats) for line in sheet.lines for event in line.events]
    assert [stored(fact) for fact in read] == [on_paper(stored(fact), seats) for fact in facts]


STAKES = {"point_value_minor": 100}


def stored(fact: wire.Fact) -> dict[str, Any]:
    """A fact as JSON, with its kind."""
    return {"kind": fact.kind, **msgspec.json.decode(msgspec.json.encode(fact))}


def row(draw: Any, name: str, fact: wire.Fact, seats: dict[str, str], columns: list[str]) -> list[str]:
    """One line of the paper sheet."""
    match fact:
        case wire.DealRecorded() | wire.TiebreakRecorded():
            sheet = on_paper(msgspec.to_builtins(fact.sheet), seats)
            cells, beside = paper.written(draw, name, sheet, len(seats))
            word = str(fact.deal) if isinstance(fact, wire.DealRecorded) else f"Tiebreak {fact.deal}"
            return [word, *(cells.get(seat, "") for seat in seats.values()), *(beside.get(c, "") for c in columns), ""]
        case wire.TableClosed():
            return ["Time called" if fact.time_called else "Close"]
    mark = str(getattr(fact, "points", "x"))
    marks = [mark if seat == getattr(fact, "seat", None) else "" for seat in seats]
    return [ACTS[fact.kind], *marks, *("" for _ in columns), getattr(fact, "reason", "")]
