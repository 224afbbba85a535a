"""The fields of a standing, each in one place: its name, type and default, its words, and where it is a column.

The row of a table of standings, the API's shapes, JSON, CSV and workbook, the board's page and paper follow from what
is declared here: CONTRIBUTING.md, "Adding a column to the standings". Knows nothing of any one game, page or storage.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import IntEnum
from typing import Annotated, Literal, TypeVar, cast, get_args

import msgspec
from msgspec.structs import FieldInfo

from scoring.messages import words

S = TypeVar("S", bound=msgspec.Struct)


class Kind(IntEnum):
    """What a field tells. The API and JSON hold the fields in this order.

    A number may decide places, and is added where a player's tables are; a count is always added, an amount is in minor
    units of the currency. What a seat has at its latest table stands for all of them.
    """

    NUMBER = 1
    LATEST = 2
    COUNT = 3
    AMOUNT = 4


class Column(msgspec.Struct, frozen=True):
    """How a field is called, and where it is a column: wherever it has a heading or, in files, a number.

    `title` says it in full. `page` is the heading on a board's page, `beside` the one there beside the number that
    decides, `paper` that on paper. `file` is where it stands in CSV and workbook: columns are never renumbered, for
    spreadsheets count them, and a new one is the last. JSON leaves out what says nothing, unless it is told `always`.
    """

    kind: Kind
    title: str = ""
    page: str = ""
    beside: str = ""
    paper: str = ""
    file: int = 0
    json: Literal["always", "rare", "never"] = "rare"
    # With its sign, where a number says by how much somebody is ahead.
    is_signed: bool = False
    # Nought says something of whoever still plays.
    tells_nought: bool = False

    @property
    def is_number(self) -> bool:
        """One of those of which a game chooses what decides."""
        return self.kind is Kind.NUMBER


class SeatStanding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where one seat stands, by its game. `rank_key` orders seats, the better first; equal keys share a place."""

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
    drops_left: Annotated[
        int | None, Column(Kind.LATEST, words("Drops left"), page=words("Drops"), file=12, tells_nought=True)
    ] = None
    may_rejoin: Annotated[bool, Column(Kind.LATEST, file=15)] = False
    deals_won: Annotated[
        int,
        Column(Kind.COUNT, words("Deals won"), page=words("Won"), paper=words("Deals won"), file=11, json="always"),
    ] = 0
    wrong_shows: Annotated[int, Column(Kind.COUNT, words("Wrong shows"))] = 0
    drops: Annotated[int, Column(Kind.COUNT, words("Drops"))] = 0


class SeatLine(SeatStanding, frozen=True, kw_only=True, omit_defaults=False):
    """One player at one table, as it stands: what the game says of the seat, and what the table does."""

    player: str
    table: int
    round: int
    deals_played: Annotated[int, Column(Kind.COUNT, file=10, json="never")] = 0
    payout_minor: Annotated[int | None, Column(Kind.AMOUNT, file=16, tells_nought=True)] = None
    is_finished: bool = False


def _declared() -> Iterator[tuple[FieldInfo, Column]]:
    for field in msgspec.structs.fields(SeatLine):
        yield from ((field, each) for each in get_args(field.type) if isinstance(each, Column))


# By kind; of one kind, what the table says stands before what the game does.
_IN_ORDER = sorted(_declared(), key=lambda each: (each[1].kind, each[0].name in SeatStanding.__struct_fields__))
FIELDS = tuple(field for field, _ in _IN_ORDER)
OF_A_SEAT = tuple(field for field in FIELDS if field.name in SeatStanding.__struct_fields__)
COLUMNS = {field.name: column for field, column in _IN_ORDER}
# What is added where a player's tables are.
ADDED = tuple(name for name, column in COLUMNS.items() if column.kind is not Kind.LATEST)
# What a game counts of a seat.
COUNTED = tuple(name for name in ADDED if COLUMNS[name].kind is Kind.COUNT and name in SeatStanding.__struct_fields__)


def holding(fields: Iterable[FieldInfo], *, after: str) -> Callable[[type[S]], type[S]]:
    """The same shape with fields that are declared elsewhere, behind one of its own."""

    def held(shape: type[S]) -> type[S]:
        own = msgspec.structs.fields(shape)
        at = 1 + shape.__struct_fields__.index(after)
        told = (*own[:at], *fields, *own[at:])
        wider = msgspec.defstruct(
            shape.__name__,
            [(field.name, field.type) if field.required else (field.name, field.type, field.default) for field in told],
            module=shape.__module__,
            namespace={"__doc__": shape.__doc__},
            frozen=True,
            kw_only=True,
            omit_defaults=True,
        )
        return cast(type[S], wider)

    return held
