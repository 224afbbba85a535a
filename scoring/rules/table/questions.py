"""Judging cards without a table: a game's form and rulings; and the hands on a sheet.

Rules: docs/how-to/judge.md, "Other games"; docs/events.md, "Reading a sheet". Knows nothing of any one game, nor of
where it is used.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal

from scoring.messages import Message, Seat, Words, say, say_many
from scoring.options import O
from scoring.problems import Problem
from scoring.rules.cards import Card, CardValues, parse_cards
from scoring.rules.hands import too_many_copies
from scoring.rules.hands.judging import GroupRuled
from scoring.rules.hands.words import Face, faces
from scoring.rules.table.fields import SeatMark, WrittenSheet

Cards = tuple[Card, ...]
Asked = Mapping[str, tuple[Cards, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardField:
    """Cards to enter: of one hand, or group by group (`is_many`)."""

    name: str
    title: str
    help: str = ""
    is_many: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRuling:
    """The ruling on the cards. `number` is their score or count."""

    tone: Literal["good", "bad", "waiting", "count"]
    title: Message
    number: int | None = None
    reasons: Sequence[Message] = ()
    groups: Sequence[GroupRuled] = ()
    loose: Sequence[Face] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardJudge(Generic[O]):
    """A game's form for cards, the options that matter to it, and its ruling."""

    lead: str
    fields: tuple[CardField, ...]
    options: tuple[str, ...]
    example: Mapping[str, tuple[str, ...]]
    rule: Callable[[O, Asked], CardRuling]


WAITING = CardRuling(tone="waiting", title=say("Waiting for cards"))


def one(asked: Asked, name: str) -> Cards:
    """The cards of a field that is no list."""
    return next(iter(asked.get(name, ())), ())


def as_asked(**texts: Sequence[str] | str) -> Asked:
    """Cards from a sheet in the form that the judge reads: a field that is no list is one text."""
    lists = {name: [text] if isinstance(text, str) else text for name, text in texts.items()}
    return {name: tuple(parse_cards(text, name) for text in field_texts if text) for name, field_texts in lists.items()}


def meld_problems(
    melds: Sequence[str], fault: Callable[[Cards], Message | str], *, seat: str, field: str
) -> list[Problem]:
    """Problems with melds from a sheet, by the game's check of each."""
    fault_by_meld = {meld: fault(parse_cards(meld, field)) for meld in melds}
    problems: list[Problem] = []
    for meld, why in fault_by_meld.items():
        if why:
            detail = say("{seat}: {cards} is not a meld: {why}", seat=Seat(seat), cards=meld, why=why)
            problems.append(Problem("not_a_meld", detail, field=field))
    return problems


def beyond_packs(asked: Asked, *, packs: int, jokers: int) -> CardRuling | None:
    """The ruling on cards of which there are more than in the packs; None where there are none."""
    cards = [card for groups in asked.values() for group in groups for card in group]
    reasons = too_many_copies(cards, packs=packs, jokers=jokers)
    return CardRuling(tone="bad", title=say("Too many copies of a card"), reasons=reasons) if reasons else None


def priced(cards: Sequence[Card], values: CardValues) -> list[Face]:
    """Cards with the cost of each of them in a hand."""
    return [replace(face, points=values.of(card)) for face, card in zip(faces(cards, None), cards, strict=True)]


def points_message(points: int) -> Message:
    """A number of points."""
    return say_many("{count} point", "{count} points", count=points)


def group_message(number: int) -> Message:
    """A group by its number."""
    return say("Group {number}", number=number)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandShown:
    """One seat's cards in one deal. `points` is their cost, where the sheet or the rules give it."""

    seat: str
    title: Words
    points: int | None
    groups: Sequence[GroupRuled]
    loose: Sequence[Face]


def in_cards(sheet: WrittenSheet) -> Mapping[str, SeatMark]:
    """The marks of the seats whose cards are on the sheet."""
    return {seat: mark for seat, mark in sheet.marks().items() if mark.groups or mark.loose}


def as_written(sheet: WrittenSheet) -> tuple[HandShown, ...]:
    """Every seat's cards as they were entered."""
    return tuple(_as_written(seat, mark) for seat, mark in in_cards(sheet).items())


def _as_written(seat: str, mark: SeatMark) -> HandShown:
    groups = [
        GroupRuled(title=say("Group {number}", number=number), kind="", faces=faces(parse_cards(group, "groups"), None))
        for number, group in enumerate(mark.groups, start=1)
    ]
    loose = faces(parse_cards(mark.loose, "loose"), None)
    return HandShown(seat=seat, title=mark.title, points=mark.count, groups=groups, loose=loose)
