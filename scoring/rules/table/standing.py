"""The fields of a standing, each declared once: its name, type and default, its wording, and where it is a column.

The row of a table of standings, the API's classes, JSON, CSV and workbook, the leaderboard's page and paper follow from
these declarations: CONTRIBUTING.md, "Adding a column to the standings". Knows nothing of any one game, page or storage.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from typing import Annotated, Any, Literal, TypeVar, cast, get_args

import msgspec
from msgspec.structs import FieldInfo

from scoring.messages import words

S = TypeVar("S", bound=msgspec.Struct)


class Kind(IntEnum):
    """What kind of value a field is. The API and JSON have the fields in this order.

    A number may decide places, and is added where a player's tables are; a count is always added, an amount is in minor
    units of the currency. A value of the latest table is used for all of them.
    """

    NUMBER = 1
    LATEST = 2
    COUNT = 3
    AMOUNT = 4


class Column(msgspec.Struct, frozen=True):
    """The titles of a field, and where it is a column: wherever it has a heading or, in files, a number.

    `title` is the full title. `page` is the heading on a leaderboard's page, `beside` the one there beside the deciding
    number, `paper` that on paper. `file` is its column in CSV and workbook: columns are never renumbered, for
    spreadsheets count them, and a new one is the last. JSON omits empty values, unless `always` is set.
    """

    kind: Kind
    title: str = ""
    page: str = ""
    beside: str = ""
    paper: str = ""
    file: int = 0
    json: Literal["always", "rare", "never"] = "rare"
    # With its sign, where a number is by how much a player is ahead.
    is_signed: bool = False
    # Zero is meaningful: of an amount always, of another number while a player still plays.
    tells_nought: bool = False

    @property
    def is_number(self) -> bool:
        """Whether it is one of the numbers of which a game chooses the deciding one."""
        return self.kind is Kind.NUMBER


class SeatStanding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The standing of one seat, by its game. `rank_key` orders seats, the better first; equal keys share a place."""

    rank_key: tuple[int, ...]
    total: Annotated[
        int | None,
        Column(Kind.NUMBER, words("Total"), beside=words("Points lost"), paper=words("Total"), file=7, json="never"),
    ] = None
    chips: Annotated[int | None, Column(Kind.NUMBER, words("Chips"), paper=words("Chips"), file=8)] = None
    net_points: Annotated[
        int | None,
        Column(Kind.NUMBER, words("Net points"), beside=words("Net"), paper=words("Points"), file=9, is_signed=True),
    ] = None
    is_in: Annotated[bool, Column(Kind.LATEST, file=13, json="always")] = True
    out_in_deal: Annotated[int | None, Column(Kind.LATEST, file=14)] = None
    # Of their own will: a player who is eliminated, or out of chips, has not left.
    has_left: Annotated[bool, Column(Kind.LATEST, file=23)] = False
    drops_left: Annotated[
        int | None, Column(Kind.LATEST, words("Drops left"), page=words("Drops left"), file=12, tells_nought=True)
    ] = None
    may_rejoin: Annotated[bool, Column(Kind.LATEST, file=15)] = False
    deals_won: Annotated[
        int,
        Column(Kind.COUNT, words("Deals won"), page=words("Won"), paper=words("Deals won"), file=11, json="always"),
    ] = 0
    wrong_shows: Annotated[int, Column(Kind.COUNT, words("Wrong shows"))] = 0
    drops: Annotated[int, Column(Kind.COUNT, words("Drops"))] = 0


class Standing(SeatStanding, frozen=True, kw_only=True, omit_defaults=False):
    """The standing of one seat with its place: from 1; seats of equal `rank_key` share it, and the next is skipped."""

    place: int


class SeatLine(SeatStanding, frozen=True, kw_only=True, omit_defaults=False):
    """One player at one table, as of now: the game's numbers of the seat, and the table's."""

    player: str
    table: int
    round: int
    deals_played: Annotated[int, Column(Kind.COUNT, file=10, json="never")] = 0
    payout_minor: Annotated[int | None, Column(Kind.AMOUNT, file=16, tells_nought=True)] = None
    is_finished: bool = False


def _declared() -> Iterator[tuple[FieldInfo, Column]]:
    for field in msgspec.structs.fields(SeatLine):
        yield from ((field, column) for column in get_args(field.type) if isinstance(column, Column))


# By kind; within one kind, the table's fields come before the game's.
_IN_ORDER = sorted(_declared(), key=lambda each: (each[1].kind, each[0].name in SeatStanding.__struct_fields__))
FIELDS = tuple(field for field, _ in _IN_ORDER)
OF_A_SEAT = tuple(field for field in FIELDS if field.name in SeatStanding.__struct_fields__)
COLUMNS = {field.name: column for field, column in _IN_ORDER}
# Added up over a player's tables.
ADDED = tuple(name for name, column in COLUMNS.items() if column.kind is not Kind.LATEST)
# The numbers of which a game chooses the deciding one.
NUMBERS = tuple(name for name, column in COLUMNS.items() if column.is_number)
# A game's counters of a seat, over its deals.
COUNTED = tuple(name for name in ADDED if COLUMNS[name].kind is Kind.COUNT and name in SeatStanding.__struct_fields__)


def told(line: SeatLine, name: str) -> Any:
    """A field of a line for readers; None for a count where no deal is known: a table may be entered by its totals."""
    return None if name in COUNTED and not line.deals_played else getattr(line, name)


def _answered(field: FieldInfo) -> Any:
    return field.type | None if field.name in COUNTED else field.type


def holding(fields: Iterable[FieldInfo], *, after: str) -> Callable[[type[S]], type[S]]:
    """The same class with fields that are declared elsewhere, after one of its own; counts may be null."""

    def held(shape: type[S]) -> type[S]:
        own = msgspec.structs.fields(shape)
        at = 1 + shape.__struct_fields__.index(after)
        both = (*own[:at], *fields, *own[at:])
        wider = msgspec.defstruct(
            shape.__name__,
            [
                (field.name, _answered(field)) if field.required else (field.name, _answered(field), field.default)
                for field in both
            ],
            module=shape.__module__,
            namespace={"__doc__": shape.__doc__},
            frozen=True,
            kw_only=True,
            omit_defaults=True,
        )
        return cast(type[S], wider)

    return held
