"""Tables of the Western presets played to their end with sheets of their own: the first seat in play always wins."""

from collections.abc import Callable
from typing import Any

from scoring.rules.table.admission import considered
from scoring.rules.table.table import Table, fold
from scoring.rules.variants import PRESETS, opening, table_from
from scoring.rules.variants.indian.outcomes import DealSheet

Wire = dict[str, Any]
WESTERN = [name for name, (rules, _) in PRESETS.items() if rules.sheet_type is not DealSheet]
SEATS = {"gin": 2, "gin_partnership": 4, "gin_partnership_flat": 4}
MOST_DEALS = 60
ROYAL_DEALS = 3


def played_western(preset: str, **stakes: object) -> Table:
    """A table of a preset, played until nothing is left to be played for."""
    rules, chosen = PRESETS[preset]
    seats = SEATS.get(preset, SEATS.get(rules.name, 3))
    players = {str(seat): f"player-{seat}" for seat in range(1, seats + 1)}
    table = table_from(opening(rules.name, options=chosen.options, stakes=stakes, seats=players))
    while not table.rules.is_finished(table.setup, table.game):
        assert table.version < MOST_DEALS
        # Where the chips that are left are divided, closing the table ends it.
        is_over = getattr(table.setup.options, "divides_equally", False) and table.next_deal == ROYAL_DEALS
        deal = {"kind": "deal_recorded", "deal": table.next_deal}
        raw = {"kind": "table_closed"} if is_over else {**deal, **_SHEETS[rules.name](table)}
        event, problems = considered(table, raw)
        assert event is not None, problems
        assert not problems
        table = fold(table, [(table.version + 1, event)])
        if is_over:
            break
    return table


def _seats(table: Table) -> tuple[str, list[str]]:
    """The winner, and the others."""
    first, *others = table.in_play or table.setup.seats
    return first, others


def _counted(table: Table) -> Wire:
    first, others = _seats(table)
    return {"out": first, "counts": {seat: 20 + 7 * place for place, seat in enumerate(others)}}


def _romme(table: Table) -> Wire:
    is_casino = getattr(table.setup.options, "scoring", "") == "casino"
    return {**_counted(table), **({"laid": 60} if is_casino else {})}


def _rummy500(table: Table) -> Wire:
    first, others = _seats(table)
    melded = {first: 90, **dict.fromkeys(others, 30)}
    return {"out": first, "melded": melded, "in_hand": dict.fromkeys(others, 15)}


def _gin(table: Table) -> Wire:
    first, others = _seats(table)
    seats = [first, *others]
    turned = {"upcard": "10H"} if getattr(table.setup.options, "oklahoma", False) else {}
    numbers = {"knocker_deadwood": 2, "defender_deadwood": 32}
    pairs = zip(seats[::2], seats[1::2], strict=True)
    return {"hands": [{"knocker": knocker, "defender": defender, **numbers} for knocker, defender in pairs], **turned}


def _royal(table: Table) -> Wire:
    first, others = _seats(table)
    if table.next_deal == ROYAL_DEALS:
        return {"last_hearts": dict.fromkeys(table.setup.options.cards, first)}
    cards = table.setup.options.cards
    box = "AH" if "AH" in cards else cards[1]
    return {"dealer": first, "out": first, "boxes": {box: first}, "cards_left": dict.fromkeys(others, 3)}


_SHEETS: dict[str, Callable[[Table], Wire]] = {
    "rum": _counted,
    "block": _counted,
    "romme": _romme,
    "rummy500": _rummy500,
    "gin": _gin,
    "rummy_royal": _royal,
}
