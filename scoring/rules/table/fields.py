"""What a scorer enters for a deal, and what a written sheet says of each seat: shapes that any game fills in.

Rules: docs/decisions/0012-a-game-describes-its-form.md. Pages, paper sheets and messages are made from these. Knows
nothing of any one game.
"""

from typing import Literal, Protocol

import msgspec

from scoring.messages import Message, Words

FieldKind = Literal["outcomes", "seat", "seats", "flag", "number", "choice", "card", "cards", "groups"]


class Choice(msgspec.Struct, frozen=True):
    """One word that a field may hold, and how it is read out."""

    value: str
    title: str


class SheetField(msgspec.Struct, frozen=True):
    """One thing to enter. `path` is where it stands in the event: ("counts",), ("boxes", "AH"), ("hands", 0, "ending").

    `per_seat`: one value for each seat, with the seat as the last step of the path. `group` is the heading under which
    fields stand together, `note` what stands there now (chips in a box), `seats` who may be chosen (None: who plays).
    `nobody`: what it means that no seat is named, where that can be; it is then said with a null.
    `mark`: on paper a seat field may stand as this word in the player's own cell. `is_rare`: folded away on a page.
    `judged_as`: the field of the game's judge that these cards answer; they stand together and are ruled on as typed.
    """

    path: tuple[str | int, ...]
    title: str
    kind: FieldKind
    per_seat: bool = False
    is_required: bool = False
    is_rare: bool = False
    judged_as: str = ""
    group: Words = ""
    help: Words = ""
    note: Words = ""
    mark: str = ""
    nobody: str = ""
    choices: tuple[Choice, ...] = ()
    seats: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        """The path as one word: `hands.0.knocker`."""
        return ".".join(map(str, self.path))


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which a deal may end for a seat: its stored word, its name, its letter on a page and on paper.

    `hand` is what is written beside it: cards that are counted (or half of them: `is_half`), or cards that were shown.
    `price` is what it costs by itself, `marks` are words that stand for it in a cell of a sheet that is imported.
    """

    how: str
    title: str
    letter: str
    price: int | None = None
    hand: Literal["", "counted", "shown"] = ""
    marks: tuple[str, ...] = ()
    is_half: bool = False
    is_common: bool = False
    is_offered: bool = True


class SeatMark(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a sheet says of one seat. `how` is the stored word, `title` the same read out, `short` for a narrow cell.

    `groups` and `loose` are the seat's cards where they were written down. `is_win`: the seat won the deal by it, and
    `by_default` because all others were out of it. A seat that sits out has no part in the deal (`takes_part`).
    """

    how: str
    title: Words
    short: Words
    count: int | None = None
    groups: tuple[str, ...] = ()
    loose: str = ""
    is_win: bool = False
    by_default: bool = False
    takes_part: bool = True

    @property
    def said(self) -> str:
        """The mark in words, with its number, or with the cards that stand for it."""
        if self.count is not None:
            return f"{self.title} {self.count}"
        return " ".join(filter(None, (str(self.title), self.cards)))

    @property
    def cards(self) -> str:
        """The cards as they were written down: groups, and what lay loose."""
        return " | ".join([*self.groups, *([f"loose {self.loose}"] if self.loose else [])])


class PlainSheet(msgspec.Struct, frozen=True):
    """A sheet after which the next seat deals."""

    @property
    def keeps_dealer(self) -> bool:
        """The same seat deals again."""
        return False


class WrittenSheet(Protocol):
    """What every game's deal sheet can say of itself."""

    @property
    def dealer(self) -> str | None: ...

    @property
    def keeps_dealer(self) -> bool: ...

    def marks(self) -> dict[str, SeatMark]: ...

    def remarks(self) -> tuple[Message, ...]: ...
