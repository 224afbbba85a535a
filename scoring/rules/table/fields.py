"""What a scorer enters for a deal, and what a sheet shows of each seat: types that every game uses.

Rules: docs/decisions/0012-a-game-describes-its-form.md. Pages, paper sheets and messages are made from these. Knows
nothing of any one game.
"""

from typing import Literal, Protocol

import msgspec

from scoring.messages import Message, Words

FieldKind = Literal["outcomes", "seat", "seats", "flag", "number", "choice", "card", "cards", "groups"]


class Choice(msgspec.Struct, frozen=True):
    """One value that a field may have, and its title."""

    value: str
    title: str


class SheetField(msgspec.Struct, frozen=True):
    """One thing to enter. `path` is its place in the event: ("counts",), ("boxes", "AH"), ("hands", 0, "ending").

    `per_seat`: one value for each seat, with the seat as the last step of the path. `group` is the heading under which
    fields are grouped, `note` the current content (chips in a box), `seats` who may be chosen (None: who plays).
    `nobody`: the meaning of choosing no seat, where that is possible; the value is then null. `mark`: on paper a seat
    field may be written as this word in the player's own cell. `is_rare`: collapsed on a page. `judged_as`: the field
    of the game's judge for these cards; they are shown together and ruled on as typed.
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
    """One way in which a deal may end for a seat: its stored name, its title, its letter on a page and on paper.

    `hand` is what is entered with it: cards that are counted (or half of them: `is_half`), or cards that were shown.
    `price` is its fixed cost, `marks` are words for it in a cell of a sheet that is imported.
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


class TotalsForm(msgspec.Struct, frozen=True, kw_only=True):
    """The totals by which a table may be entered: what they are, and what they must add up to (None: to anything).

    `least` is the lowest total that the deals of a table can come to. `has_order`: seats are eliminated, and it is
    asked in which order.
    """

    title: Words
    adds_up_to: int | None = None
    least: int | None = None
    has_order: bool = False


class SeatMark(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The mark of one seat on a sheet. `how` is the stored name, `title` the displayed one, `short` for narrow cells.

    `groups` and `loose` are the seat's cards where they were entered. `is_win`: the seat won the deal by it, and
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
    def text(self) -> str:
        """The mark in words, with its number, or with the cards in its place."""
        if self.count is not None:
            return f"{self.title} {self.count}"
        return " ".join(filter(None, (str(self.title), self.cards)))

    @property
    def cards(self) -> str:
        """The cards as they were entered: groups, and loose cards."""
        return " | ".join([*self.groups, *([f"loose {self.loose}"] if self.loose else [])])


class PlainSheet(msgspec.Struct, frozen=True):
    """A sheet after which the next seat deals."""

    @property
    def keeps_dealer(self) -> bool:
        """Whether the same seat deals again."""
        return False


class WrittenSheet(Protocol):
    """What every game's deal sheet provides."""

    @property
    def dealer(self) -> str | None: ...

    @property
    def keeps_dealer(self) -> bool: ...

    def marks(self) -> dict[str, SeatMark]: ...

    def remarks(self) -> tuple[Message, ...]: ...
