"""Rows of a leaderboard or of one table's standings, as they are printed.

Which columns there are follows from the numbers a variant keeps; no variant is named here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, gettext_noop, ngettext, pgettext

from scoring.money.formatting import Notation, money
from scoring.rules.table.standing import ADDED, COLUMNS, COUNTED, SeatLine
from scoring.rules.table.table import Status
from scoring.rules.table.variant import AnySetup, AnyVariant
from scoring.sheets.leaderboard import BoardRow
from tournaments.boards import Board
from tournaments.boards.seats import TableLine
from tournaments.models import Tournament
from tournaments.printing import game_said, notation_of
from tournaments.rendering.i18n.formatting import decimal
from tournaments.rendering.i18n.translating import translate
from tournaments.tables.queries.sheets import SheetPage
from tournaments.web.public.base.words import number_said, number_title, place_said, plain

BAR_WIDTH = 60
# As many as the boards of a large night have in all languages; a deal changes four of them.
MOST_LINES = 4096
# Where the place stands in a line that is kept: one deal can move everybody by one.
PLACE = "\ue000"
register = template.Library()
COMPARED_TITLES = {"average": gettext_noop("Average per deal"), "rank_points": gettext_noop("Points for places")}


class Beside(NamedTuple):
    """A field of a standing that is a column of its own: its heading, and what that is short for."""

    name: str
    heading: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What a list of standings shows beside place, name and status."""

    main: str
    main_title: str
    second: str
    second_title: str
    beside: tuple[Beside, ...]
    notation: Notation
    has_drops: bool
    has_money: bool
    low_is_good: bool
    has_rounds: bool = False
    finish: int | None = None

    @property
    def direction(self) -> str:
        """Which number decides, and which way it is good."""
        is_ahead = self.second and COLUMNS[self.second].is_signed
        title = self.second_title if is_ahead else self.main_title
        said = gettext("{title}: the fewest lead") if self.low_is_good else gettext("{title}: the most lead")
        return said.format(title=title)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRow:
    """One printed row. `bar` is how far the main number is on its way to the finish line, of BAR_WIDTH.

    `beside` has the numbers of the other columns under their headings, which a narrow screen shows with each number.
    """

    key: str
    place: str
    name: str
    main: str
    second: str
    beside: tuple[tuple[str, str], ...]
    status: str
    tone: str
    money: str
    where: str
    address: str
    bar: int | None
    decided: str = ""
    player: str = ""
    page: str = ""
    waits: str = ""
    game: str = ""


# A line as HTML, which most changes of a board leave as it is.


@register.simple_tag(takes_context=True)
def standing_line(context: Context, row: StandingRow) -> SafeString:
    """A row of standings; with its table where the list has a column for that."""
    words = (context["columns"], context.get("suffix", ""), bool(context.get("with_tables")))
    line = _standing_line(get_language(), replace(row, place=PLACE), *words)
    return mark_safe(line.replace(PLACE, escape(row.place), 1))  # noqa: S308 - our own template, and an escaped number


@lru_cache(MOST_LINES)
def _standing_line(language: str, row: StandingRow, columns: Columns, suffix: str, with_tables: bool) -> str:  # noqa: FBT001
    context = {"row": row, "columns": columns, "suffix": suffix, "with_tables": with_tables, "bar_width": BAR_WIDTH}
    return render_to_string("pages/standings_row.html", context)


@register.simple_tag(takes_context=True)
def table_line(context: Context, table: TableLine, suffix: str) -> str:
    """A table in the list of a board."""
    is_corrected = table.id in context["corrected"]
    return _table_line(get_language(), table, suffix, context["columns"].has_rounds, is_corrected)


@lru_cache(MOST_LINES)
def _table_line(language: str, table: TableLine, suffix: str, has_rounds: bool, is_corrected: bool) -> str:  # noqa: FBT001
    context = {"table": table, "suffix": suffix, "has_rounds": has_rounds, "is_corrected": is_corrected}
    return render_to_string("pages/tournament_table.html", context)


def board_columns(board: Board) -> Columns:
    """The columns of a tournament's leaderboard."""
    terms = board.terms
    others = _stages_of_other_games(board)
    own = [row.line for row in board.rows if row.stage not in others]
    columns = _columns(board.tournament, own, terms.rules, terms.setup)
    columns = replace(columns, has_money=any(row.line.payout_minor for row in board.rows))
    if board.compares == "score":
        return columns
    low_is_good = columns.low_is_good and board.compares == "average"
    return replace(columns, main_title=gettext(COMPARED_TITLES[board.compares]), low_is_good=low_is_good, finish=None)


def _stages_of_other_games(board: Board) -> Mapping[int, str]:
    """Stages whose numbers are not of the game that is played now, with the name of theirs."""
    return {stage: game_said(board.tournament, board.plan, stage) for stage in board.stages_in_other_units}


def board_rows(board: Board, columns: Columns) -> list[StandingRow]:
    """Everybody on the board, best first. Nobody has a place before the first deal."""
    has_begun = any(table.deals for table in board.tables)
    # Who is out at a table that was broken up is out: only the others play on elsewhere.
    moves = board.evening.moves if board.evening else ()
    broken_up = {(move.round, number) for move in moves for number in move.instead_of}
    cancelled = {(table.round, table.number) for table in board.tables if table.is_cancelled} - broken_up
    waiting = {(table.round, table.number): said for table in board.tables if (said := waits_said(table))}
    others, beside = _stages_of_other_games(board), replace(columns, main="", second="", finish=None)
    rows = [
        _row(
            row,
            beside if row.stage in others else columns,
            name=board.seat_called(row.line.player),
            place=place_said(row.place, is_tied=row.is_tied) if has_begun else "–",
            status=_status(
                row.line,
                is_winner=row.line.player in board.table_winners,
                is_cancelled=(row.line.round, row.line.table) in cancelled,
            ),
        )
        for row in board.rows
    ]
    rows = [replace(said, game=others.get(row.stage, "")) for row, said in zip(board.rows, rows, strict=True)]
    if not waiting:
        return rows
    at = [(row.line.round, row.line.table) for row in board.rows]
    return [replace(row, waits=waiting.get(where, "")) for row, where in zip(rows, at, strict=True)]


def waits_said(table: TableLine) -> str:
    """Why the numbers of a table are not the last word: a deal is disputed, or nobody else has read it."""
    if table.is_cancelled or not (table.has_dispute or table.unconfirmed):
        return ""
    if table.has_dispute:
        return gettext("disputed")
    said = ngettext("{number} deal unconfirmed", "{number} deals unconfirmed", table.unconfirmed)
    return said.format(number=plain(table.unconfirmed))


def sheet_rows(page: SheetPage, lines: dict[str, SeatLine], columns: Columns) -> list[StandingRow]:
    """The seats of one table, best first, in seat order where they are level."""
    shared = list(page.places.values())
    winners = page.table.winners()
    rows = [BoardRow(place=place, is_tied=shared.count(place) > 1, line=lines[s]) for s, place in page.places.items()]
    has_begun = page.table.deals > 0
    seats = dict(zip((row.line.player for row in rows), page.places, strict=True))
    return [
        _row(
            row,
            columns,
            name=page.names[seats[row.line.player]],
            place=place_said(row.place, is_tied=row.is_tied) if has_begun else "–",
            status=_status(
                row.line,
                is_winner=seats[row.line.player] in winners,
                is_cancelled=page.table.status is Status.CANCELLED,
            ),
        )
        for row in sorted(rows, key=lambda row: row.place)
    ]


def sheet_columns(page: SheetPage, lines: dict[str, SeatLine]) -> Columns:
    """The columns of one table's standings."""
    return _columns(page.row.tournament, list(lines.values()), page.table.rules, page.table.setup)


def _columns(tournament: Tournament, lines: Sequence[SeatLine], rules: AnyVariant, setup: AnySetup) -> Columns:
    main = rules.race
    second = _second(main, lines)
    return Columns(
        main=main,
        main_title=number_title(main),
        second=second,
        second_title=gettext(COLUMNS[second].beside) if second else "",
        beside=tuple(_beside(lines)),
        notation=notation_of(tournament),
        has_drops=any(line.drops_left is not None for line in lines),
        has_money=any(line.payout_minor for line in lines),
        low_is_good=rules.low_is_good(setup),
        has_rounds=any(line.round > 1 for line in lines),
        finish=rules.finish_line(setup),
    )


def _beside(lines: Sequence[SeatLine]) -> Iterator[Beside]:
    """Counts, and of the others what anybody at these tables has, in the order of the file."""
    for name, column in sorted(COLUMNS.items(), key=lambda each: each[1].file or len(COLUMNS) ** 2):
        if column.page and (name in COUNTED or any(getattr(line, name) is not None for line in lines)):
            yield Beside(name, gettext(column.page), gettext(column.title))


def _cell(line: SeatLine, name: str) -> str:
    """What only a seat at play has, nobody has who is out."""
    return number_said(name, getattr(line, name)) if line.is_in or name in ADDED else ""


def _second(main: str, lines: Sequence[SeatLine]) -> str:
    """The number beside the main one: points where another one decides, or by how much everybody is ahead."""
    if main != "total" and any(line.total is not None for line in lines):
        return "total"
    says_more = any(line.net_points not in (None, 0, getattr(line, main)) for line in lines)
    return "net_points" if main != "net_points" and says_more else ""


def _row(row: BoardRow, columns: Columns, *, name: str, place: str, status: tuple[str, str]) -> StandingRow:
    line = row.line
    number: int | None = getattr(line, columns.main) if columns.main else None
    said = number_said(columns.main, number) if columns.main else ""
    if row.score not in ("", str(number)):
        said, number = decimal(row.score), None
    return StandingRow(
        key=line.player[:8],
        place=place,
        name=name,
        main=said,
        second=number_said(columns.second, getattr(line, columns.second)) if columns.second else "",
        beside=tuple((each.heading, _cell(line, each.name)) for each in columns.beside),
        status=status[0],
        tone=status[1],
        money="" if line.payout_minor is None else money(line.payout_minor, *columns.notation),
        where=f"{line.round}.{line.table}" if columns.has_rounds else str(line.table),
        address=f"r{line.round}/table-{line.table}/",
        bar=_bar(number, columns.finish),
        decided=translate(row.decided),
        player=line.player,
    )


def _bar(number: int | None, finish: int | None) -> int | None:
    if number is None or not finish:
        return None
    return max(0, min(BAR_WIDTH, round(number * BAR_WIDTH / finish)))


def _status(line: SeatLine, *, is_winner: bool, is_cancelled: bool) -> tuple[str, str]:
    """Where a seat stands in words, and the tone in which it is printed."""
    if is_cancelled:
        return gettext("Cancelled"), "off"
    if is_winner:
        return gettext("Winner"), "win"
    if line.may_rejoin:
        said = gettext("Out in deal {deal}, may rejoin")
        return said.format(deal=plain(line.out_in_deal or 0)), "maybe"
    if not line.is_in:
        return (_out(line.out_in_deal) if line.out_in_deal else pgettext("a player", "Left")), "out"
    return (gettext("Finished"), "off") if line.is_finished else (pgettext("a player", "In"), "in")


def _out(deal: int) -> str:
    return gettext("Out in deal {deal}").format(deal=plain(deal))
