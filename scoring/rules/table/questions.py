"""A question that cards answer by themselves: what a game asks for, and how it rules. No table is needed for it.

Rules: docs/how-to/judge.md, "Other games". Knows nothing of any one game, nor of where it is asked.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal

from scoring.messages import Message, Seat, say, say_many
from scoring.options import O
from scoring.problems import Problem
from scoring.rules.cards import Card, CardValues, parse_cards
from scoring.rules.hands.words import Face, faces

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
class GroupRuled:
    """Some of the cards: where they lie, what they are, or why they are nothing."""

    title: Message
    kind: Message | str
    faces: Sequence[Face]
    why: Message | str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRuling:
    """What is said of the cards. `number` is the score or count that they come to."""

    tone: Literal["good", "bad", "waiting", "count"]
    title: Message
    number: int | None = None
    reasons: Sequence[Message] = ()
    groups: Sequence[GroupRuled] = ()
    loose: Sequence[Face] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardJudge(Generic[O]):
    """What a game asks for, by which of its options it rules, and the ruling."""

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
    """Cards as they stand on a sheet, for the judge: a field that is no list is one text."""
    lists = {name: [text] if isinstance(text, str) else text for name, text in texts.items()}
    return {name: tuple(parse_cards(text, name) for text in found if text) for name, found in lists.items()}


def meld_problems(
    melds: Sequence[str], fault: Callable[[Cards], Message | str], *, seat: str, field: str
) -> list[Problem]:
    """What is wrong with melds as they stand on a sheet, by what a game says of each."""
    found = {meld: fault(parse_cards(meld, field)) for meld in melds}
    return [
        Problem(
            code="not_a_meld",
            seat=seat,
            field=field,
            detail=say("{seat}: {cards} is not a meld: {why}", seat=Seat(seat), cards=meld, why=why),
        )
        for meld, why in found.items()
        if why
    ]


def priced(cards: Sequence[Card], values: CardValues) -> list[Face]:
    """Cards with what each of them costs in a hand."""
    return [replace(face, points=values.of(card)) for face, card in zip(faces(cards, None), cards, strict=True)]


def points_said(points: int) -> Message:
    """A number of points."""
    return say_many("{count} point", "{count} points", count=points)


def group_said(number: int) -> Message:
    """A group by its number."""
    return say("Group {number}", number=number)
