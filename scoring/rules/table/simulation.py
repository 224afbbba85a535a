"""The next deal of any table as a scorer would write it, and how a scorer might have misread it.

Rules: docs/how-to/rehearsal.md, sections 3 to 5. What comes out is always a fact that the table admits. Knows nothing
of tournaments or storage.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.problems import Defect
from scoring.rules.chance import Chance
from scoring.rules.table.admission import considered
from scoring.rules.table.dealing import next_dealer
from scoring.rules.table.table import Table
from scoring.rules.table.variant import Wire

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
    places = list(_counts(table.rules.misread, event))
    if not places:
        return None
    path, slip = chance.one_of(places), chance.one_of(SLIPS)
    wrong = _changed(dict(event), path, slip)
    return None if list(_complaints(table, wrong)) else wrong


def _sheet(table: Table, chance: Chance, *, is_last: bool) -> Wire:
    dealer = next_dealer(table)
    if dealer is None:
        raise Defect("nobody plays at this table any more")
    return table.rules.simulate(table.setup, table.game, dealer=dealer, chance=chance, is_last=is_last)


def _complaints(table: Table, event: Wire) -> Iterator[str]:
    fact, problems = considered(table, event)
    yield from (problem.said() for problem in problems)
    if fact is not None and not problems:
        yield from (problem.said() for problem in table.rules.typing_problems(table.setup, fact))


def _counts(fields: Sequence[str], event: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """Where numbers of seats stand on a sheet: by themselves, or as the count of how the deal ended."""
    for field in fields:
        for seat, written in event.get(field, {}).items():
            if not isinstance(written, Mapping):
                yield (field, seat)
            elif written.get("count"):
                yield (field, seat, "count")


def _changed(event: Wire, path: tuple[str, ...], slip: int) -> Wire:
    """The event with another number at one place."""
    name, *rest = path
    if rest:
        return {**event, name: _changed(dict(event[name]), tuple(rest), slip)}
    return {**event, name: max(1, event[name] + slip)}
