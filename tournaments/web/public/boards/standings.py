"""Formats rows of a leaderboard or of one table's standings.

The columns depend on the numbers that a variant keeps; no variant is named here.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from django import template
from django.core.cache import caches
from django.template import Context
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext, pgettext

from scoring.money.formatting import Notation, money
from scoring.rules.table.standing import ADDED, COLUMNS, COUNTED, SeatLine, told
from scoring.rules.table.table import Status
from scoring.rules.table.variant import AnySetup, AnyVariant
from scoring.sheets.leaderboard import BoardRow
from tournaments.boards import Board
from tournaments.boards.seats import TableLine
from tournaments.models import Tournament
from tournaments.printing import COMPARED_TITLES, notation_of, stage_title, taken_over
from tournaments.release import tag_digest
from tournaments.rendering.i18n import formatting
from tournaments.rendering.i18n.formatting import has_decimals, place_text
from tournaments.rendering.i18n.translating import translate
from tournaments.tables.queries.sheets import SheetPage
from tournaments.web.public.base.words import number_text, number_title, plain

BAR_WIDTH = 60
# Cached lines of one list in one language: the tables of two large tournaments; a deal changes four of them.
MOST_LINES = 1024
# The separator after each rendered line.
PARTING = "<!---->"
# The placeholder for the place in a cached line: one deal can move every player by one.
PLACE = "\ue000"
MOST_CACHED = 4096
register = template.Library()


class StandingColumn(NamedTuple):
    """A standing's field that has a column of its own: its heading, and the heading in full."""

    name: str
    heading: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The columns of a list of standings besides place, name and status.

    `taken_over` says over which tables the numbers and amounts are taken; empty where there is one table a player.
    `before` is the heading of the score of the stage before. A column in which one score has decimals has them in all:
    `has_decimals` the main one, `before_has_decimals` that of the stage before.
    """

    main: str
    main_title: str
    second: str
    second_title: str
    beside: tuple[StandingColumn, ...]
    notation: Notation
    has_drops: bool
    has_money: bool
    low_is_good: bool
    has_rounds: bool = False
    finish: int | None = None
    has_prizes: bool = False
    has_net: bool = False
    taken_over: str = ""
    before: str = ""
    has_decimals: bool = False
    before_has_decimals: bool = False

    @property
    def direction(self) -> str:
        """Which number decides, and whether a high or a low one is good."""
        is_ahead = self.second and COLUMNS[self.second].is_signed
        title = self.second_title if is_ahead else self.main_title
        text = gettext("{title}: the fewest lead") if self.low_is_good else gettext("{title}: the most lead")
        return text.format(title=title)


# What all lines of a list share: its columns, the suffix of their addresses, and whether there is a column for tables.
Words = tuple[Columns, str, bool]


class StandingRow(NamedTuple):
    """One formatted row. `bar` is the progress of the main number to the finish line, of BAR_WIDTH.

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
    before: str = ""
    prize: str = ""
    net: str = ""


# Cached lines as HTML, most of which stay the same when a board changes. The missing ones are made by one rendering of
# their template: one rendering per line took twice as long where all of them had changed.


@register.simple_tag(takes_context=True)
def standing_lines(context: Context, rows: Sequence[StandingRow]) -> SafeString:
    """Render rows of standings; with their tables where the list has a column for that."""
    words: Words = (context["columns"], context.get("suffix") or "", bool(context.get("with_tables")))
    lines = _lines("pages/standings_rows.html", words, [row._replace(place=PLACE) for row in rows])
    placed = (line.replace(PLACE, escape(row.place), 1) for row, line in zip(rows, lines, strict=True))
    return mark_safe("".join(placed))  # noqa: S308 - our own template, and escaped numbers


@register.simple_tag(takes_context=True)
def table_lines(context: Context, tables: Sequence[tuple[TableLine, str]]) -> SafeString:
    """Render the tables in the list of a board, each with the suffix of its address."""
    corrected = context["corrected"]
    marked_tables = [(table, suffix, table.id in corrected) for table, suffix in tables]
    lines = _lines("pages/tournament_tables.html", (context["columns"], "", False), marked_tables)
    return mark_safe("".join(lines))  # noqa: S308 - our own template


def _lines(template: str, words: Words, things: Sequence[Hashable]) -> list[str]:
    """Return each thing as HTML; lines of a list are cached by their content.

    Texts are escaped and hold no tag, so none contains the separator.
    """
    objects, key = caches["objects"], f"lines/{tag_digest(template, get_language(), words)}"
    known: dict[Hashable, str] = objects.get(key, {})
    lines = [known.get(key) for key in things]
    missing = list(dict.fromkeys(key for key, line in zip(things, lines, strict=True) if line is None))
    if not missing:
        return [line or "" for line in lines]
    columns, suffix, with_tables = words
    context = {"things": missing, "columns": columns, "suffix": suffix, "with_tables": with_tables}
    texts = render_to_string(template, context | {"bar_width": BAR_WIDTH}).split(PARTING)
    new_lines = dict(zip(missing, (text.strip() for text in texts[:-1]), strict=True))
    objects.set(key, new_lines if len(known) + len(new_lines) > MOST_LINES else known | new_lines)
    return [new_lines[key] if line is None else line for key, line in zip(things, lines, strict=True)]


class Group(NamedTuple):
    """The rows of one stage with its own columns; `title` names it where there are several."""

    title: str
    columns: Columns
    rows: list[StandingRow]


def board_groups(board: Board) -> list[Group]:
    """Return all players of a leaderboard stage by stage, the latest first; in one group without a plan."""
    groups = []
    for stage in board.stages or (board.stage,):
        columns = board_columns(board, stage)
        title = stage_title(board.plan, stage) if len(board.stages) > 1 else ""
        groups.append(Group(title, columns, board_rows(board, columns, board.rows_in(stage))))
    return groups


def board_columns(board: Board, stage: int) -> Columns:
    """Return the columns of a stage's rows; of all rows without a plan."""
    terms, compares, rows = board.terms_of(stage), board.compares_in(stage), board.rows_in(stage)
    columns = _columns(board.tournament, [row.line for row in rows], terms.rules, terms.setup)
    columns = replace(
        columns,
        has_rounds=any(row.line.round > 1 for row in board.rows),
        has_money=any(row.line.payout_minor for row in board.rows),
        has_prizes=any(row.prize_minor for row in board.rows),
        # Where no prize pool took or paid anything, the payouts of the tables are all there is.
        has_net=any(row.net_minor not in (None, row.line.payout_minor or 0) for row in board.rows),
        before=gettext("Stage {number}").format(number=plain(stage - 1)) if any(row.before for row in rows) else "",
        has_decimals=has_decimals(row.score for row in rows),
        before_has_decimals=has_decimals(row.before for row in rows),
    )
    over = [text] if (text := taken_over(board, stage)) else []
    if over and (columns.has_money or columns.has_prizes or columns.has_net):
        over.append(gettext("Amounts are for the whole tournament."))
    columns = replace(columns, taken_over=" ".join(over))
    if compares == "score":
        return columns
    low_is_good = columns.low_is_good and compares == "average"
    return replace(columns, main_title=gettext(COMPARED_TITLES[compares]), low_is_good=low_is_good, finish=None)


def board_rows(board: Board, columns: Columns, wanted: Sequence[BoardRow]) -> list[StandingRow]:
    """Return some players of one stage, in its columns. Places are empty before the first deal."""
    has_begun = any(table.has_begun for table in board.tables)
    # A player eliminated at a table that was broken up stays eliminated: only the others play on elsewhere.
    moves = board.state.moves if board.state else ()
    broken_up = {(move.round, number) for move in moves for number in move.instead_of}
    cancelled = {(table.round, table.number) for table in board.tables if table.is_cancelled} - broken_up
    waiting = {(table.round, table.number): text for table in board.tables if (text := waits_text(table))}
    rows: list[StandingRow] = []
    for row in wanted:
        line = row.line
        where = (line.round, line.table)
        printed = _row(
            row,
            columns,
            name=board.seat_called(line.player),
            has_begun=has_begun,
            status=(line.player in board.table_winners, where in cancelled),
        )
        waits = waiting.get(where, "")
        rows.append(printed._replace(waits=waits) if waits else printed)
    return rows


def waits_text(table: TableLine) -> str:
    """Describe why the numbers of a table are not final: a deal is disputed or unconfirmed."""
    if table.is_cancelled or not (table.has_dispute or table.unconfirmed):
        return ""
    if table.has_dispute:
        return gettext("disputed")
    text = ngettext("{number} deal unconfirmed", "{number} deals unconfirmed", table.unconfirmed)
    return text.format(number=plain(table.unconfirmed))


def sheet_rows(page: SheetPage, lines: dict[str, SeatLine], columns: Columns) -> list[StandingRow]:
    """Return the seats of one table, best first, in seat order where they are tied."""
    places = {seat: standing.place for seat, standing in page.standings.items()}
    shared = list(places.values())
    winners = page.table.winners()
    rows = [BoardRow(place=place, is_tied=shared.count(place) > 1, line=lines[s]) for s, place in places.items()]
    has_begun = page.table.has_begun
    seats = dict(zip((row.line.player for row in rows), places, strict=True))
    return [
        _row(
            row,
            columns,
            name=page.names[seats[row.line.player]],
            has_begun=has_begun,
            status=(seats[row.line.player] in winners, page.table.status is Status.CANCELLED),
        )
        for row in sorted(rows, key=lambda row: row.place)
    ]


def sheet_columns(page: SheetPage, lines: dict[str, SeatLine]) -> Columns:
    """Return the columns of one table's standings."""
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


def _beside(lines: Sequence[SeatLine]) -> Iterator[StandingColumn]:
    """Yield the counts, and the other numbers that any seat at these tables has, in the order of the file."""
    for name, column in sorted(COLUMNS.items(), key=lambda each: each[1].file or len(COLUMNS) ** 2):
        if column.page and (name in COUNTED or any(getattr(line, name) is not None for line in lines)):
            yield StandingColumn(name, gettext(column.page), gettext(column.title))


def _cell(line: SeatLine, name: str) -> str:
    """Format a number; those that only an active seat has are empty for eliminated players."""
    if name in COUNTED and told(line, name) is None:
        return "–"
    return number_text(name, getattr(line, name)) if line.is_in or name in ADDED else ""


def _second(main: str, lines: Sequence[SeatLine]) -> str:
    """Return the second number: points where another one decides, or the lead."""
    if main != "total" and any(line.total is not None for line in lines):
        return "total"
    says_more = any(line.net_points not in (None, 0, getattr(line, main)) for line in lines)
    return "net_points" if main != "net_points" and says_more else ""


def _row(row: BoardRow, columns: Columns, *, name: str, has_begun: bool, status: tuple[bool, bool]) -> StandingRow:
    """Build a row with its name; before the first deal it has no place. `status`: is winner, is cancelled."""
    language, place = get_language(), (row.place, row.is_tied) if has_begun else None
    printed = _standing_row(language, row.line, row.score, columns, status)
    decided = translate(row.decided) if row.decided else ""
    return printed._replace(
        place=_place_text(language, place),
        name=name,
        decided=decided,
        before=formatting.number_text(row.before, decimals=columns.before_has_decimals) if row.before else "",
        prize=money(row.prize_minor, *columns.notation) if row.prize_minor else "",
        net="" if row.net_minor is None else money(row.net_minor, *columns.notation),
    )


@lru_cache(MOST_CACHED)
def _place_text(language: str, place: tuple[int, bool] | None) -> str:
    return "–" if place is None else place_text(place[0], is_tied=place[1])


@lru_cache(MOST_CACHED)
def _standing_row(
    language: str, line: SeatLine, score: str, columns: Columns, status: tuple[bool, bool]
) -> StandingRow:
    """Build the row of a line, cached by the process: everything but the place, the name and the tie."""
    number: int | None = getattr(line, columns.main)
    main = number_text(columns.main, number)
    if score and (columns.has_decimals or score != str(number)):
        main, number = formatting.number_text(score, decimals=columns.has_decimals), None
    is_winner, is_cancelled = status
    word, tone = _status(line, is_winner=is_winner, is_cancelled=is_cancelled)
    return StandingRow(
        key=line.player[:8],
        place="",
        name="",
        main=main,
        second=number_text(columns.second, getattr(line, columns.second)) if columns.second else "",
        beside=tuple((column.heading, _cell(line, column.name)) for column in columns.beside),
        status=word,
        tone=tone,
        money="" if line.payout_minor is None else money(line.payout_minor, *columns.notation),
        where=f"{line.round}.{line.table}" if columns.has_rounds else str(line.table),
        address=f"r{line.round}/table-{line.table}/",
        bar=_bar(number, columns.finish),
        player=line.player,
    )


def _bar(number: int | None, finish: int | None) -> int | None:
    if number is None or not finish:
        return None
    return max(0, min(BAR_WIDTH, round(number * BAR_WIDTH / finish)))


def _status(line: SeatLine, *, is_winner: bool, is_cancelled: bool) -> tuple[str, str]:
    """Describe the status of a seat in words, and its tone."""
    if line.has_left and not is_winner:
        return pgettext("a player", "Left"), "out"
    if is_cancelled:
        return gettext("Cancelled"), "off"
    if is_winner:
        return gettext("Winner"), "win"
    if line.may_rejoin:
        # Perhaps by a penalty before the first deal, or at a table entered by its totals: in no deal.
        text = gettext("Out in deal {deal}, may rejoin") if line.out_in_deal else gettext("Out, may rejoin")
        return text.format(deal=plain(line.out_in_deal or 0)), "maybe"
    if not line.is_in:
        return _out(line.out_in_deal), "out"
    return (gettext("Finished"), "off") if line.is_finished else (pgettext("a player", "In"), "in")


def _out(deal: int | None) -> str:
    """A table entered by its totals does not tell in which deal a player was eliminated."""
    return gettext("Out in deal {deal}").format(deal=plain(deal)) if deal else pgettext("eliminated", "Out")
