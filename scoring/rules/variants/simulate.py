"""The next deal of any table as a scorer would write it, and how a scorer might have misread it.

Rules: docs/rehearsal.md, sections 3 to 5. What comes out is always a fact that the table admits. Knows nothing of
tournaments or storage.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.problems import Defect
from scoring.rules.chance import Chance
from scoring.rules.table.admission import considered
from scoring.rules.table.dealing import next_dealer
from scoring.rules.table.table import Table
from scoring.rules.variants.indian.simulation import indian_sheet
from scoring.rules.variants.western.simulation import western_sheet

Wire = dict[str, Any]
INDIAN = ("points", "deals", "pool")
MOST_TRIES = 40
SLIPS = (-10, -9, -3, -2, -1, 1, 2, 3, 9, 10)


def next_deal(table: Table, chance: Chance, *, is_last: bool = False) -> Wire:
    """The next deal of a table that is not over, as it goes over the wire; an extra deal where that is due."""
    found: list[str] = []
    for _ in range(MOST_TRIES):
        sheet = _sheet(table, chance, is_last=is_last)
        for event in (
            {"kind": "deal_recorded", "deal": table.next_deal, **sheet},
            {"kind": "tiebreak_recorded", **sheet},
        ):
            found = list(_complaints(table, event))
            if not found:
                return event
    raise Defect(f"no deal of {table.rules.title} could be made up for this table: {'; '.join(found)}")


def misread(table: Table, event: Mapping[str, Any], chance: Chance) -> Wire | None:
    """The same deal with one count misread, if the table would take it: `table` is as it was before the deal."""
    places = list(_counts(event))
    if not places:
        return None
    path, slip = chance.one_of(places), chance.one_of(SLIPS)
    wrong = _changed(dict(event), path, slip)
    return None if list(_complaints(table, wrong)) else wrong


def _sheet(table: Table, chance: Chance, *, is_last: bool) -> Wire:
    if table.rules.name not in INDIAN:
        return western_sheet(table, chance, is_last=is_last)
    seats, dealer = table.in_play, next_dealer(table)
    first = (seats.index(dealer) + 1) % len(seats) if dealer in seats else 0
    sheet = indian_sheet((*seats[first:], *seats[:first]), table.seats(), table.setup.options, chance)
    return {**sheet, **({"dealer": dealer} if dealer else {})}


def _complaints(table: Table, event: Wire) -> Iterator[str]:
    fact, problems = considered(table, event)
    yield from (problem.detail for problem in problems)
    if fact is not None and not problems:
        yield from (problem.detail for problem in table.rules.typing_problems(table.setup, fact))


def _counts(event: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Where numbers stand on a sheet that can be misread."""
    for seat, outcome in event.get("outcomes", {}).items():
        if outcome.get("count"):
            yield ("outcomes", seat, "count")
    for field in ("counts", "in_hand", "melded", "cards_left"):
        yield from ((field, seat) for seat in event.get(field, {}))


def _changed(event: Wire, path: tuple[str, ...], slip: int) -> Wire:
    """The event with another number at one place."""
    name, *rest = path
    if rest:
        return {**event, name: _changed(dict(event[name]), tuple(rest), slip)}
    return {**event, name: max(1, event[name] + slip)}
