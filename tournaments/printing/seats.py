"""Who sits where, on paper: lists for the wall from A to Z and by table, and a card for each table.

Rules: docs/how-to/paper.md, "Seating lists" and "Table cards". Players of one name are told apart as on the pages.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from django.utils.translation import gettext, ngettext

from tournaments.boards.boards import Board
from tournaments.models import Tournament
from tournaments.models.people import name_key
from tournaments.models.public_names import telling_name
from tournaments.printing.score_sheets import DOT, PaperSheet
from tournaments.printing.words import document, game_said, moment_said, round_said, table_said
from tournaments.rendering.i18n.formatting import listed, number
from tournaments.rendering.pdf import Card, Column, Document, Facts, Kind, Part, Row, Table, Words


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCode:
    """What opens a table without a login: the address of its QR code, and the same by hand until when."""

    address: str
    page: str
    code: str
    until: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seated:
    name: str
    table: str
    seat: int


def seating_lists(shown: Board, round_number: int) -> list[Document]:
    """A round from A to Z, and by table: two lists that hang side by side."""
    seated, names = _seated(shown, round_number), telling_names(shown.names)
    title = round_said(round_number)
    head = _head(shown, seated, round_number)
    waits = _sitting_out(shown, round_number, names)
    found = ((gettext("{round}, A to Z"), _by_name(seated)), (gettext("{round}, by table"), _by_table(seated)))
    return [
        document(shown.tournament, said.format(round=title), (head, table, *waits), fingerprint=shown.fingerprint)
        for said, table in found
    ]


def table_cards(tournament: Tournament, sheets: Sequence[PaperSheet], codes: Mapping[UUID, CardCode]) -> list[Card]:
    """A card for each table, with the code that opens it."""
    return [_card(tournament, each, codes[each.sheet.table_id]) for each in sheets]


def telling_names(names: Mapping[str, str]) -> dict[str, str]:
    """Names by player, with some letters of the id behind those that several bear."""
    times = Counter(map(name_key, names.values()))
    return {
        player: telling_name(name, UUID(player)) if times[name_key(name)] > 1 else name
        for player, name in names.items()
    }


def _seated(shown: Board, round_number: int) -> list[_Seated]:
    """Every seat of a round, in the order of tables and numbers."""
    names = telling_names(shown.names)
    return [
        _Seated(name=names[each.line.player], table=table_said(each.table.name, each.table.number), seat=each.number)
        for each in shown.seats
        if each.table.round == round_number and not each.table.is_cancelled
    ]


def _head(shown: Board, seated: Sequence[_Seated], round_number: int) -> Facts:
    tables = len({each.table for each in seated})
    said = ngettext("{number} player", "{number} players", len(seated)).format(number=number(len(seated)))
    at = ngettext("{number} table", "{number} tables", tables).format(number=number(tables))
    begins = [(gettext("Begins"), moment_said(shown.tournament.starts_at, shown.tournament))]
    return Facts(
        pairs=(
            *(begins if round_number == 1 else []),
            (gettext("Game"), game_said(shown.tournament)),
            (gettext("Seated"), f"{said}{DOT}{at}"),
        )
    )


def _by_name(seated: Sequence[_Seated]) -> Table:
    ordered = sorted(seated, key=lambda each: (name_key(each.name), each.table, each.seat))
    return Table(
        columns=(
            Column(title=gettext("Player")),
            Column(title=gettext("Table"), kind=Kind.FIRM),
            Column(title=gettext("Seat"), kind=Kind.NUMBER),
        ),
        rows=tuple(Row(cells=(each.name, each.table, number(each.seat))) for each in ordered),
        empty=gettext("Nobody has been seated."),
        is_large=True,
    )


def _by_table(seated: Sequence[_Seated]) -> Table:
    rows = [
        Row(cells=("" if at else table, number(each.seat), each.name))
        for table, held in groupby(seated, key=lambda each: each.table)
        for at, each in enumerate(held)
    ]
    return Table(
        columns=(
            Column(title=gettext("Table"), kind=Kind.FIRM),
            Column(title=gettext("Seat"), kind=Kind.NUMBER),
            Column(title=gettext("Player")),
        ),
        rows=tuple(rows),
        empty=gettext("Nobody has been seated."),
        is_large=True,
    )


def _sitting_out(shown: Board, round_number: int, names: Mapping[str, str]) -> tuple[Part, ...]:
    """Whoever waits for the next round reads it too."""
    seated = shown.evening.round_of(round_number) if shown.evening is not None else None
    waiting = sorted(names[player] for player in seated.sitting_out if player in names) if seated else []
    return (Words(text=gettext("Sits out: {names}.").format(names=listed(waiting))),) if waiting else ()


def _card(tournament: Tournament, paper: PaperSheet, code: CardCode) -> Card:
    row = paper.sheet.table
    return Card(
        house=f"{tournament.club.name}{DOT}{tournament.name}",
        title=table_said(row.name, row.number),
        below=round_said(row.round),
        names=tuple(f"{seat} {paper.names.get(seat, '')}" for seat in paper.table.setup.seats),
        address=code.address,
        steps=(
            gettext("Scan the code with one phone at this table. No login."),
            gettext("After each deal enter who showed, who dropped and the others' hand points."),
            gettext("Read the totals out before you save."),
        ),
        typed=(gettext("Without a camera: {page} and this code: {code}").format(page=code.page, code=code.code),),
        foot=gettext("Opens only this table, until {until} or until it closes. Return it to the director.").format(
            until=code.until
        ),
    )
