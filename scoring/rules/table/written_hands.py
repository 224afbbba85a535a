"""Hands that were written down as cards, for a sheet that shows them as card faces.

Rules: docs/events.md, "Reading a sheet". Knows nothing of any one game: groups are named by one that judges them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.messages import Words, say
from scoring.rules.cards import parse_cards
from scoring.rules.hands.judging import GroupShown
from scoring.rules.hands.words import Face, faces
from scoring.rules.table.fields import SeatMark, WrittenSheet
from scoring.rules.table.questions import GroupRuled


@dataclass(frozen=True, slots=True, kw_only=True)
class HandShown:
    """One seat's cards in one deal. `points` is what they cost, where the sheet or the rules say so."""

    seat: str
    title: Words
    points: int | None
    groups: Sequence[GroupShown | GroupRuled]
    loose: Sequence[Face]


def in_cards(sheet: WrittenSheet) -> Mapping[str, SeatMark]:
    """The marks of the seats whose cards stand on the sheet."""
    return {seat: mark for seat, mark in sheet.marks().items() if mark.groups or mark.loose}


def as_written(sheet: WrittenSheet) -> tuple[HandShown, ...]:
    """Every seat's cards as they were written."""
    return tuple(_as_written(seat, mark) for seat, mark in in_cards(sheet).items())


def _as_written(seat: str, mark: SeatMark) -> HandShown:
    groups = [
        GroupShown(title=say("Group {number}", number=number), kind="", faces=faces(parse_cards(group, "groups"), None))
        for number, group in enumerate(mark.groups, start=1)
    ]
    loose = faces(parse_cards(mark.loose, "loose"), None)
    return HandShown(seat=seat, title=mark.title, points=mark.count, groups=groups, loose=loose)
