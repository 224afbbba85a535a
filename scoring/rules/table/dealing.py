"""Which deal comes next, who deals it and who takes part: what a scorer needs before entering anything.

Rules: docs/rules/indian.md, section 1 (the deal passes clockwise). A rehearsal generates the next deal, sometimes with
a misread count (docs/how-to/rehearsal.md, sections 3 to 5): always an event that the table admits. Knows nothing of
pages.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec

from scoring.events import reading, wire
from scoring.events.reading import Unreadable
from scoring.events.table import EventLeftOut
from scoring.money.reasons import Reason
from scoring.problems import Defect
from scoring.rules.chance import Chance
from scoring.rules.table.admission import considered, problems_with
from scoring.rules.table.fields import WrittenSheet
from scoring.rules.table.table import Entry, Table, steps
from scoring.rules.table.variant import Wire

# What a finished table pays, as it is announced: prizes, or each seat's change where deals are paid one by one.


class Announcement(msgspec.Struct, frozen=True, kw_only=True):
    """Amounts in minor units. In prize formats entries are not subtracted; in points tables losses are negative."""

    payouts_minor: dict[str, int]
    fee_minor: int
    because: tuple[Reason, ...]


def announce(table: Table) -> Announcement:
    """The payments to announce; empty while the table has no result."""
    payouts = table.payouts() if table.is_finished else ()
    as_changes = table.rules.announces_changes
    amounts: dict[str, int] = {}
    for payout in payouts:
        for seat, award in payout.awards.items():
            amounts[seat] = amounts.get(seat, 0) + award
        for seat, charge in payout.charges.items() if as_changes or payout.is_change else ():
            amounts[seat] = amounts.get(seat, 0) - charge
    return Announcement(
        payouts_minor={seat: amounts[seat] for seat in table.setup.seats if seat in amounts},
        fee_minor=sum(payout.fee for payout in payouts),
        because=tuple(line for payout in payouts for line in payout.because),
    )


# Deals are corrected or voided; unreadable events, and those that leave them out, stay.
NEVER_WITHDRAWN = (wire.DealRecorded, Unreadable, EventLeftOut)
GAME_OVER = frozenset({"table_closed", "table_finished", "has_totals", "tiebreak_not_due", "not_in_this_variant"})


def next_dealer(table: Table) -> str | None:
    """The seat after the last dealer among those still in; the first seat where no dealer was recorded.

    After a deal that the same seat must deal again it is that seat.
    """
    playing = table.in_play
    if not playing:
        return None
    order = table.setup.seats
    last = _last_dealt(table)
    start = 0
    if last is not None and last.dealer in order:
        start = order.index(last.dealer) + (not last.keeps_dealer)
    return next((seat for seat in (*order[start:], *order[:start]) if seat in playing), playing[0])


def has_dealt(table: Table) -> bool:
    """Whether it is on record who dealt last."""
    return _last_dealt(table) is not None


def deals_to_replay(table: Table) -> tuple[int, ...]:
    """Numbers of voided deals that have not been played again."""
    voided = {e.event.deal for e in table.timeline if isinstance(e.event, wire.DealRecorded) and e.is_void}
    standing = {e.event.deal for e in table.timeline if isinstance(e.event, wire.DealRecorded) and not e.is_void}
    return tuple(sorted(voided - standing))


def seats_of_deal(table: Table, deal: int) -> tuple[str, ...]:
    """The seats that were in play when a recorded deal began."""
    deal_entry = table.deal_entry(deal)
    for entry, before, _ in steps(table):
        if deal_entry is not None and entry.version == deal_entry.version:
            return table.rules.in_play(table.setup, before)
    return ()


def acts(table: Table) -> tuple[Entry, ...]:
    """Everything that may be undone: what was recorded between the deals."""
    return tuple(entry for entry in table.timeline if not isinstance(entry.event, NEVER_WITHDRAWN))


def _last_dealt(table: Table) -> WrittenSheet | None:
    """The last sheet with a dealer."""
    for entry in reversed(table.timeline):
        sheet: WrittenSheet | None = getattr(entry.event, "sheet", None)
        if sheet is not None and sheet.dealer is not None and not entry.is_void:
            return sheet
    return None


class Due(StrEnum):
    """What a table plays next."""

    DEAL = "deal_recorded"
    TIEBREAK = "tiebreak_recorded"
    NOTHING = "nothing"


def due(table: Table) -> Due:
    """Checks with the rules whether a plain sheet could follow, so that no page has to know when a game is over."""
    playing = table.in_play
    if not playing:
        return Due.NOTHING
    sheet = table.rules.blank_sheet(playing)
    for kind, event in (
        (Due.DEAL, wire.DealRecorded(deal=table.next_deal, sheet=sheet)),
        (Due.TIEBREAK, wire.TiebreakRecorded(deal=1, sheet=sheet)),
    ):
        if not {problem.code for problem in problems_with(table, event)} & GAME_OVER:
            return kind
    return Due.NOTHING


def seats_that_may(table: Table, raw: Mapping[str, object]) -> tuple[str, ...]:
    """The seats for which an act could be recorded now, checked with the rules seat by seat."""
    return tuple(seat for seat in table.setup.seats if may_record(table, {**raw, "seat": seat}))


def may_record(table: Table, raw: Mapping[str, object]) -> bool:
    """Whether an act could be recorded now."""
    return not problems_with(table, reading.read_event(raw, table.rules, table.setup.seats))


# A generated deal.
MOST_TRIES = 40
SLIPS = (-10, -9, -3, -2, -1, 1, 2, 3, 9, 10)


def next_deal(table: Table, chance: Chance, *, is_last: bool = False) -> Wire:
    """The next deal of a table that is not over, as JSON; an extra deal where that is due."""
    complaints: list[str] = []
    for _ in range(MOST_TRIES):
        sheet = _sheet(table, chance, is_last=is_last)
        for event in (
            {"kind": "deal_recorded", "deal": table.next_deal, **sheet},
            {"kind": "tiebreak_recorded", **sheet},
        ):
            complaints = list(_complaints(table, event))
            if not complaints:
                return event
    raise Defect(f"no deal of {table.rules.title} could be made up for this table: {'; '.join(complaints)}")


def misread(table: Table, event: Mapping[str, Any], chance: Chance) -> Wire | None:
    """The same deal with one count misread, if the table would accept it: `table` is as it was before the deal."""
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


def _complaints(table: Table, raw: Wire) -> Iterator[str]:
    event, problems = considered(table, raw)
    yield from (problem.text() for problem in problems)
    if event is not None and not problems:
        yield from (problem.text() for problem in table.rules.typing_problems(table.setup, event))


def _counts(fields: Sequence[str], event: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """The places of the seats' numbers on a sheet: by themselves, or as the count of how the deal ended."""
    for field in fields:
        for seat, seat_entry in event.get(field, {}).items():
            if not isinstance(seat_entry, Mapping):
                yield (field, seat)
            elif seat_entry.get("count"):
                yield (field, seat, "count")


def _changed(event: Wire, path: tuple[str, ...], slip: int) -> Wire:
    """The event with another number at one place."""
    name, *rest = path
    if rest:
        return {**event, name: _changed(dict(event[name]), tuple(rest), slip)}
    return {**event, name: max(1, event[name] + slip)}
