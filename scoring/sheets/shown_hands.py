"""The hands that were written down as cards, deal by deal, for a sheet that shows them as card faces.

Rules: docs/events.md, "Reading a sheet". Works for every game; groups have names where a game names them.
Knows nothing of pages.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.facts import wire
from scoring.rules.cards import parse_cards, parse_wild
from scoring.rules.hands.judging import GroupShown, group_shown
from scoring.rules.hands.words import Face, faces
from scoring.rules.table.fields import SeatMark, WrittenSheet
from scoring.rules.table.table import Table
from scoring.rules.variants.indian.outcomes import COUNTED, DealOptions, DealSheet, hand_points


@dataclass(frozen=True, slots=True, kw_only=True)
class HandShown:
    """One seat's cards in one deal. `points` is what they cost, where the sheet or the rules say so."""

    seat: str
    title: str
    points: int | None
    groups: list[GroupShown]
    loose: list[Face]


def hands_shown(table: Table) -> Mapping[int, tuple[HandShown, ...]]:
    """The hands of each deal by the version that stands on the sheet. Deals without cards are left out."""
    written = {
        entry.version: _hands(table, entry.fact.sheet)
        for entry in table.timeline
        if isinstance(entry.fact, wire.DealFact)
    }
    return {version: hands for version, hands in written.items() if hands}


def _hands(table: Table, sheet: WrittenSheet) -> tuple[HandShown, ...]:
    """Every seat whose cards stand on the sheet."""
    options = table.setup.options
    in_cards = {seat: mark for seat, mark in sheet.marks().items() if mark.groups or mark.loose}
    if isinstance(sheet, DealSheet) and isinstance(options, DealOptions):
        return tuple(_judged(seat, mark, sheet, options) for seat, mark in in_cards.items())
    return tuple(_plain(seat, mark) for seat, mark in in_cards.items())


def _judged(seat: str, mark: SeatMark, sheet: DealSheet, options: DealOptions) -> HandShown:
    """A hand of Indian rummy under the wild card of its deal."""
    wild = parse_wild(sheet.wild, printed_as_wild=options.printed_as_wild)
    groups = [parse_cards(group, "groups") for group in mark.groups]
    outcome = sheet.outcomes[seat]
    return HandShown(
        seat=seat,
        title=mark.title,
        points=hand_points(outcome, options, sheet.wild) if outcome.how in COUNTED else None,
        groups=[group_shown(number, cards, wild, options) for number, cards in enumerate(groups, start=1)],
        loose=faces(parse_cards(mark.loose, "loose"), wild),
    )


def _plain(seat: str, mark: SeatMark) -> HandShown:
    """The cards of any other game, as they were written."""
    groups = [
        GroupShown(title=f"Group {number}", kind="", faces=faces(parse_cards(group, "groups"), None))
        for number, group in enumerate(mark.groups, start=1)
    ]
    loose = faces(parse_cards(mark.loose, "loose"), None)
    return HandShown(seat=seat, title=mark.title, points=mark.count, groups=groups, loose=loose)
