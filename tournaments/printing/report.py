"""The printed tournament report for the owner: winners, highlights, every correction, and the money.

Rules: docs/how-to/paper.md, "Tournament report". Built from the log and the books alone, so that printing it again
gives the same.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import msgspec
from django.db.models import Q
from django.utils.translation import gettext, ngettext, npgettext

from scoring.facts import wire
from scoring.facts.table import TABLE_NEEDS_REASON
from scoring.ledger.readings import kind_balances
from scoring.money import AccountKind
from scoring.rules.table.table import Table as PlayedTable
from scoring.sheets.fact_messages import KIND_TITLES
from scoring.sheets.scoresheet import sheet_lines
from scoring.sheets.snapshots import load_table
from tournaments import log
from tournaments.boards import Board, board, tables_of
from tournaments.boards.seats import TableLine
from tournaments.books.queries import BookScope, scope_of
from tournaments.cash.queries import differences_of
from tournaments.models import CashBook, Scoresheet, Tournament
from tournaments.models.people import search_key
from tournaments.models.public_names import Names
from tournaments.people.players import actor_names
from tournaments.printing import amount_text, club_moment, document, round_text, table_text
from tournaments.printing.lists import places_tables
from tournaments.printing.payouts import player_shares, unsettled, when_and_where
from tournaments.rendering.i18n.formatting import listed, number
from tournaments.rendering.i18n.translating import translate
from tournaments.rendering.pdf import Column, Document, Facts, Kind, Paragraph, Part, Row, Signatures, Table

# Highlights of a tournament: the biggest hand, and who won the most deals.


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """One seat's result in one deal."""

    player: str
    table: TableLine
    deal: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Highlights:
    """The biggest hand with every player who had as many points; the most deals won, and by whom."""

    biggest: int = 0
    hands: tuple[Hand, ...] = ()
    deals_won: int = 0
    winners: tuple[str, ...] = ()


def highlights_of(tournament: Tournament) -> Highlights:
    """Return the highlights of all tables of a tournament, in two queries."""
    lines = {line.id: line for line in tables_of(tournament.pk) if not line.is_cancelled}
    states = Scoresheet.objects.filter(table__in=lines).order_by("table__round", "table__number")
    hands: list[Hand] = []
    won: Counter[str] = Counter()
    for table_id, state in states.values_list("table_id", "state"):
        table = load_table(state)
        hands += _hands(table, lines[table_id])
        won.update({table.players[seat]: view.deals_won for seat, view in table.seats().items()})
    biggest, most = max((hand.points for hand in hands), default=0), max(won.values(), default=0)
    return Highlights(
        biggest=biggest,
        hands=tuple(hand for hand in hands if biggest and hand.points == biggest),
        deals_won=most,
        winners=tuple(player for player, deals in won.items() if most and deals == most),
    )


def _hands(table: PlayedTable, line: TableLine) -> Iterator[Hand]:
    """Yield the change of every seat in every deal that counts."""
    before = table.rules.seats(table.setup, table.rules.start(table.setup))
    standing = {seat: getattr(view, table.rules.race) or 0 for seat, view in before.items()}
    for sheet in sheet_lines(table):
        for seat, cell in sheet.cells.items():
            now = getattr(cell, table.rules.race) or 0
            if not sheet.is_void and cell.mark is not None and sheet.deal is not None:
                yield Hand(player=table.players[seat], table=line, deal=sheet.deal, points=abs(now - standing[seat]))
            standing[seat] = now


# A tournament's money for its owner: income, what went to whom, and till differences.

# The sign with which an account is shown: money in a till is a debit.
SIGNS = {AccountKind.CASH: -1, AccountKind.BANK: -1}


def money_rows(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """Yield what players were charged and won, the result of each account of the club, and the till differences."""
    shares = list(player_shares(tournament))
    if not shares:
        return
    yield gettext("Charged to players"), amount_text(sum(each.charged_minor for each in shares), tournament)
    yield gettext("Won by players"), amount_text(sum(each.won_minor for each in shares), tournament)
    titles = _titles()
    for line in kind_balances(scope_of(BookScope(club=tournament.club, tournament=tournament))):
        if line.kind in titles and line.closing_minor and line.currency == tournament.currency:
            yield titles[line.kind], amount_text(SIGNS.get(line.kind, 1) * line.closing_minor, tournament)
    for book in _books_of(tournament):
        text = gettext("Till difference, cash book {number}").format(number=book.number)
        yield text, amount_text(differences_of(book), tournament)


def _titles() -> dict[AccountKind, str]:
    return {
        AccountKind.CLUB_FEE: gettext("House fee"),
        AccountKind.LEVY: gettext("Levy, to be passed on"),
        AccountKind.PRIZE_POOL: gettext("In the prize pool, not paid out yet"),
        AccountKind.SIDE_POT: gettext("Left in side pots"),
        AccountKind.GUARANTEE: gettext("Added by the club (negative), or kept"),
        AccountKind.CASH: gettext("Held in tills"),
        AccountKind.BANK: gettext("Held in the bank"),
        AccountKind.OWNER: gettext("Put in or taken out by the owners"),
        AccountKind.CASH_DIFFERENCE: gettext("Till differences"),
        AccountKind.WRITE_OFF: gettext("Written off"),
    }


def _books_of(tournament: Tournament) -> list[CashBook]:
    """The cash books that were open while the tournament was played."""
    first, last = _span(tournament)
    books = CashBook.objects.filter(club=tournament.club_id, currency=tournament.currency)
    during = Q(opened_at__lte=last) & (Q(closed_at__isnull=True) | Q(closed_at__gte=first))
    return list(books.filter(during).order_by("number"))


def _span(tournament: Tournament) -> tuple[datetime, datetime]:
    """From the first fact of its tables to the last, or until it was closed, if that was later."""
    played = log.spans(club=tournament.club_id, streams=tournament.tables.values("pk"))
    first = min((span.first_recorded for span in played), default=tournament.starts_at)
    last = max((span.last_recorded for span in played), default=tournament.starts_at)
    return first, max(last, tournament.closed_at or last)


# Actions that change earlier entries, each with its reason.
CHANGES = TABLE_NEEDS_REASON - {"deal_disputed"}
MOST_NAMED = 3


def night_report(tournament: Tournament) -> Document:
    """Build the report that a tournament's owner reads on the next day."""
    shown = board(tournament, Names.REAL)
    parts: tuple[Part, ...] = (
        when_and_where(shown),
        Facts(pairs=tuple(_counts(tournament, shown))),
        *(Paragraph(text=line) for line in unsettled(tournament)),
        *places_tables(shown, gettext("Places")),
        Table(
            title=gettext("Money"),
            columns=(Column(gettext("What")), Column(gettext("Amount"), Kind.NUMBER)),
            rows=tuple(Row(row) for row in money_rows(tournament)),
            empty=gettext("No money has moved."),
        ),
        _changes(shown),
        Signatures(who=(gettext("Director"), gettext("Scorer"))),
    )
    return document(tournament, gettext("Tournament report"), parts, fingerprint=shown.fingerprint)


def _counts(tournament: Tournament, shown: Board) -> Iterator[tuple[str, str]]:
    """Winners, number of players, tables and deals, and highlights."""
    winners = [shown.names[row.line.player] for row in shown.rows if row.line.player in shown.table_winners]
    if winners:
        yield npgettext("of a night", "Winner", "Winners", len(winners)), listed(winners)
    tables = [table for table in shown.tables if not table.is_cancelled]
    yield gettext("Players"), number(len(shown.rows))
    yield gettext("Tables"), number(len(tables))
    yield gettext("Deals"), number(sum(table.deals for table in tables))
    yield from _remarkable(highlights_of(tournament), shown)
    yield from _durations(tournament, tables)
    yield gettext("Corrected or cancelled deals"), number(len(shown.changes))


def _remarkable(found: Highlights, shown: Board) -> Iterator[tuple[str, str]]:
    """The biggest hand of a seat in one deal, and who won the most deals. Where many are equal, the first are named."""
    if found.hands:
        text = ngettext("{number} point: {where}", "{number} points: {where}", found.biggest)
        hand = gettext("{name} ({table}, deal {deal})")
        where = [
            hand.format(name=shown.names[each.player], table=_called(each.table), deal=number(each.deal))
            for each in found.hands
        ]
        yield gettext("Biggest hand"), text.format(number=number(found.biggest), where=_first_of(where))
    if found.deals_won:
        names = sorted((shown.names[player] for player in found.winners), key=search_key)
        text = ngettext("{number} deal: {who}", "{number} deals: {who}", found.deals_won)
        yield gettext("Most deals won"), text.format(number=number(found.deals_won), who=_first_of(names))


def _first_of(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    rest = [ngettext("{number} more", "{number} more", more).format(number=number(more))] if more > 0 else []
    return listed([*names[:MOST_NAMED], *rest])


def _durations(tournament: Tournament, tables: list[TableLine]) -> Iterator[tuple[str, str]]:
    """The finished tables that took the shortest and the longest time, by the times of the log."""
    times = _times(tournament, [table.id for table in tables if table.is_finished])
    timed = sorted((minutes, at) for at, table in enumerate(tables) if (minutes := times.get(table.id)) is not None)
    for title, found in ((gettext("Fastest table"), timed[:1]), (gettext("Longest table"), timed[-1:])):
        for minutes, at in found:
            long = ngettext("{number} minute", "{number} minutes", minutes).format(number=number(minutes))
            played = tables[at].deals
            deals = ngettext("{number} deal", "{number} deals", played).format(number=number(played))
            yield title, f"{_called(tables[at])}: {long}, {deals}"


def _times(tournament: Tournament, tables: list[UUID]) -> dict[UUID, int]:
    """Minutes from the first fact of each table to its last deal, in one query."""
    first: dict[UUID, datetime] = {}
    last: dict[UUID, datetime] = {}
    for span in log.spans(club=tournament.club_id, streams=tables):
        first[span.stream_id] = min(span.first_recorded, first.get(span.stream_id, span.first_recorded))
        if span.kind == wire.DealRecorded.kind:
            last[span.stream_id] = span.last_recorded
    return {table: int((last[table] - first[table]).total_seconds() // 60) for table in last}


def _changes(shown: Board) -> Table:
    """Every change to earlier entries, by whom and why, from the log."""
    called = {table.id: _called(table) for table in shown.tables}
    found = log.read_kinds(shown.tournament.club_id, [*called, shown.tournament.pk], CHANGES)
    who = actor_names({event.actor for event in found})
    rows = []
    for event in found:
        when = club_moment(event.recorded_at, shown.tournament)
        where = called.get(event.stream_id, shown.tournament.name)
        what = _what(event.kind, msgspec.json.decode(event.body))
        rows.append(Row((when, where, what, event.note or "", who.get(event.actor, event.actor))))
    beside = (gettext("Table"), gettext("What"), gettext("Reason"), gettext("By"))
    columns = (Column(gettext("When"), Kind.FIRM), *map(Column, beside))
    empty = gettext("Nothing was corrected, cancelled or undone.")
    return Table(title=gettext("Corrections"), columns=columns, rows=tuple(rows), empty=empty)


def _what(kind: str, body: dict[str, object]) -> str:
    """Describe the change, with the number of its deal."""
    text = translate(KIND_TITLES.get(kind, kind.replace("_", " ").capitalize()))
    deal = body.get("deal")
    return f"{text} ({number(deal)})" if isinstance(deal, int) else text


def _called(table: TableLine) -> str:
    name = table_text(table.name, table.number)
    return f"{name}, {round_text(table.round)}" if table.round > 1 else name
