"""The printed tournament report for the owner: winners, highlights, every correction, and the money.

Rules: docs/how-to/paper.md, "Tournament report". Built from the log and the books alone, so that printing it again
gives the same. Of an erased player the parts about money have the name as long as the books do, the others not.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from uuid import UUID

import msgspec
from django.utils.translation import gettext, ngettext, npgettext, pgettext

from scoring.events import wire
from scoring.events.table import TABLE_NEEDS_REASON
from scoring.ledger.readings import balances_of_kind, kind_balances
from scoring.money import AccountKind
from scoring.rules.table.table import Table as PlayedTable
from scoring.sheets.event_messages import KIND_TITLES
from scoring.sheets.scoresheet import sheet_lines
from scoring.sheets.snapshots import load_table
from scoring.tournament import TournamentState
from scoring.tournament.state import Standing
from scoring.tournament.state.fees import ACCOUNT, entries_of, is_booked
from tournaments import log
from tournaments.boards import Board, board, tables_of
from tournaments.boards.seats import TableLine
from tournaments.books.queries import BookScope, scope_of
from tournaments.cash.payouts import cash_books_of, payouts_of, player_shares
from tournaments.cash.queries import differences_of, roundings_of
from tournaments.models import Player, Scoresheet, Tournament
from tournaments.models.people import search_key
from tournaments.models.public_names import Names
from tournaments.people.players import actor_names
from tournaments.printing import amount_text, club_moment, document, round_text, table_text
from tournaments.printing.lists import places_tables, telling_names
from tournaments.printing.payouts import GONE, paid_out, unsettled, when_and_where
from tournaments.rendering.i18n.formatting import listed, number
from tournaments.rendering.i18n.translating import spoken, stands_in, translate
from tournaments.rendering.pdf import Column, Document, Facts, Kind, Paragraph, Part, Row, Signatures, Table
from tournaments.running.prize_money import prizes_so_far
from tournaments.running.queries.prizes import place_of
from tournaments.running.remembered_names import names_of_players

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
    """The biggest hand with every player who had as many points; the most deals won, and by whom.

    `rejoins` are how often each player rejoined, `splits` who shared the pot of a table. `last_deals` is the version of
    the last deal that counts at each table: none where a table was entered by its totals.
    """

    biggest: int = 0
    hands: tuple[Hand, ...] = ()
    deals_won: int = 0
    winners: tuple[str, ...] = ()
    rejoins: Mapping[str, int] = field(default_factory=dict)
    splits: tuple[tuple[TableLine, tuple[str, ...]], ...] = ()
    last_deals: Mapping[UUID, int] = field(default_factory=dict)


def highlights_of(tournament: Tournament) -> Highlights:
    """Return the highlights of all tables of a tournament, in two queries."""
    lines = {line.id: line for line in tables_of(tournament.pk) if not line.is_cancelled}
    states = Scoresheet.objects.filter(table__in=lines).order_by("table__round", "table__number")
    hands: list[Hand] = []
    won: Counter[str] = Counter()
    rejoins: Counter[str] = Counter()
    splits: list[tuple[TableLine, tuple[str, ...]]] = []
    last_deals: dict[UUID, int] = {}
    for table_id, state in states.values_list("table_id", "state"):
        table = load_table(state)
        hands += _hands(table, lines[table_id])
        won.update({table.players[seat]: view.deals_won for seat, view in table.seats().items()})
        for entry in table.timeline:
            match entry.event:
                case _ if entry.is_void:
                    continue
                case wire.DealRecorded() | wire.TiebreakRecorded():
                    last_deals[table_id] = entry.version
                case wire.Rejoined(seat=seat):
                    rejoins[table.players[seat]] += 1
                case wire.SplitAgreed():
                    splits.append((lines[table_id], tuple(table.players[seat] for seat in table.winners())))
    biggest, most = max((hand.points for hand in hands), default=0), max(won.values(), default=0)
    return Highlights(
        biggest=biggest,
        hands=tuple(hand for hand in hands if biggest and hand.points == biggest),
        deals_won=most,
        winners=tuple(player for player, deals in won.items() if most and deals == most),
        rejoins=rejoins,
        splits=tuple(splits),
        last_deals=last_deals,
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


# A tournament's money for its owner: prizes, entry fees, where the money went, and what is left for the club.


def _prizes(tournament: Tournament, shown: Board) -> Iterator[Table]:
    """Tabulate the prizes by place, each player in a row, with their sum; by current places before the end."""
    state = shown.state
    sheet = prizes_so_far(tournament, state) if state is not None and state.rounds else None
    if sheet is None or not (sheet.won or sheet.pots):
        return
    winners = Player.objects.filter(id__in=[UUID(player) for player in sheet.awards])
    named = {str(player): name for player, name in winners.names_in_books().items()}
    names, amount = telling_names({**shown.names, **named}), partial(amount_text, tournament=tournament)
    rows = [
        (spoken(place_of(prize)), names.get(prize.player, gettext(GONE)), listed(prize.things), prize.amount_minor)
        for prize in sheet.won
    ]
    for pot in sheet.pots:
        rows += [(pot.name, names.get(player, gettext(GONE)), "", won) for player, won in pot.awards.items()]
    has_things = any(prize.things for prize in sheet.won)
    total = (gettext("Sum"), "", "", sum(sheet.awards.values()))
    yield Table(
        title=gettext("Prizes") if tournament.closed_at else gettext("Prizes by the current places"),
        columns=(
            Column(gettext("Place")),
            Column(gettext("Player")),
            Column(gettext("Prize"), Kind.NUMBER),
            *((Column(gettext("Beside money")),) if has_things else ()),
        ),
        rows=tuple(
            Row((*texts, amount(won) if won else "", *((things,) if has_things else ())), is_sum=row is total)
            for row in (*rows, total)
            for *texts, things, won in [row]
        ),
    )


class EntryFees(msgspec.Struct, frozen=True, kw_only=True):
    """What was paid for entries, by where it came from; what is not paid, and what was paid beyond what was due.

    In minor units.
    """

    cash_minor: int
    bank_minor: int
    balances_minor: int
    unpaid_minor: int
    beyond_minor: int

    @property
    def paid_minor(self) -> int:
        return self.cash_minor + self.bank_minor + self.balances_minor


def entry_fees(tournament: Tournament, state: TournamentState | None) -> EntryFees | None:
    """Return the entry fees of a tournament; None where none are in the books."""
    if state is None or not is_booked(state) or state.is_cancelled:
        return None
    due = entries_of(state, tournament.entry_minor, tournament.fee_bp).by_player
    by_place: Counter[str] = Counter()
    unpaid = beyond = 0
    for player, entrant in state.entrants.items():
        by_place.update({place or "desk": paid for place, paid in entrant.paid_by_place.items()})
        unpaid += max(0, due[player].total - entrant.paid_minor)
        beyond += max(0, entrant.paid_minor - due[player].total)
    from_balance, bank = by_place[ACCOUNT], by_place["bank"]
    return EntryFees(
        cash_minor=by_place.total() - from_balance - bank,
        bank_minor=bank,
        balances_minor=from_balance,
        unpaid_minor=unpaid,
        beyond_minor=beyond,
    )


def _entry_fees(tournament: Tournament, state: TournamentState | None) -> Iterator[Table]:
    """Tabulate what was paid for entries and from where, and with what is not paid what was due."""
    fees = entry_fees(tournament, state)
    if fees is None:
        return
    rows = (
        (gettext("Paid in cash"), fees.cash_minor, False),
        (gettext("Paid into the bank"), fees.bank_minor, False),
        (gettext("Paid from balances"), fees.balances_minor, False),
        (gettext("Paid"), fees.paid_minor, True),
        (gettext("Not paid"), fees.unpaid_minor, False),
        (gettext("Paid beyond the entry fee"), -fees.beyond_minor, False),
        (gettext("Due"), fees.paid_minor + fees.unpaid_minor - fees.beyond_minor, True),
    )
    if fees.paid_minor or fees.unpaid_minor:
        yield _amounts(gettext("Entry fees"), [row for row in rows if row[1] or row[2]], tournament)


def _money(tournament: Tournament) -> Iterator[Table]:
    """Tabulate where a tournament's money came from and went to, as booked: both sides have one sum."""
    booked = booked_of(tournament)
    shares = player_shares(tournament)
    if not any(any(share.amounts) for share in shares):
        columns = (Column(gettext("What")), Column(gettext("Amount"), Kind.NUMBER))
        yield Table(title=gettext("Money"), columns=columns, rows=(), empty=gettext("No money has moved."))
        return
    sides = [
        (gettext("Charged to players"), sum(share.charged_minor for share in shares), 0),
        (gettext("Won by players"), 0, sum(share.won_minor for share in shares)),
    ]
    for kind, text in _titles().items():
        closing_minor = booked.get(kind, 0)
        # What the club adds comes in; anything else below nought is taken from what was there before.
        sides += [(text, max(0, -closing_minor), max(0, closing_minor))] if closing_minor else []
    rows = [
        (text, *(amount_text(amount, tournament) if amount else "" for amount in amounts)) for text, *amounts in sides
    ]
    sums = [amount_text(sum(column), tournament) for column in zip(*(amounts for _, *amounts in sides), strict=True)]
    both = (pgettext("money that came in", "In"), pgettext("money that went out", "Out"))
    yield Table(
        title=gettext("Money"),
        columns=(Column(gettext("What")), *(Column(title, Kind.NUMBER) for title in both)),
        rows=(*map(Row, rows), Row((gettext("Sum"), *sums), is_sum=True)),
    )
    yield _result(tournament, booked)
    payouts = payouts_of(tournament, shares)
    yield paid_out(tournament, payouts, {share.player: share.name for share in shares})
    yield _amounts(
        gettext("Balances and tills now"),
        [
            (gettext("To be paid out"), sum(max(0, share.held_minor) for share in shares), False),
            (gettext("Still owed to the club"), sum(max(0, -share.held_minor) for share in shares), False),
            (gettext("Held in all tills"), held_in_tills(tournament), False),
        ],
        tournament,
    )


def booked_of(tournament: Tournament) -> dict[AccountKind, int]:
    """What is booked for a tournament in its currency, in minor units, by kind of account."""
    scope = scope_of(BookScope(club=tournament.club, tournament=tournament))
    return {line.kind: line.closing_minor for line in kind_balances(scope) if line.currency == tournament.currency}


def _titles() -> dict[AccountKind, str]:
    return {
        AccountKind.CLUB_FEE: gettext("House fee"),
        AccountKind.LEVY: gettext("Levy, to be passed on"),
        AccountKind.PRIZE_POOL: gettext("In the prize pool, not paid out yet"),
        AccountKind.SIDE_POT: gettext("Side pots: brought or left"),
        AccountKind.GUARANTEE: gettext("Added or kept by the club"),
    }


def _result(tournament: Tournament, booked: Mapping[AccountKind, int]) -> Table:
    """Tabulate what the club has gained or lost."""
    rows = _result_rows(tournament, booked)
    result = (gettext("Result"), sum(amount for _, amount in rows), True)
    return _amounts(gettext("Result for the club"), [*((*row, False) for row in rows), result], tournament)


def _result_rows(tournament: Tournament, booked: Mapping[AccountKind, int]) -> list[tuple[str, int]]:
    """House fee and additions, and the differences of the tills, each with its amount in minor units."""
    guarantee = booked.get(AccountKind.GUARANTEE, 0)
    rows = [(gettext("House fee"), booked.get(AccountKind.CLUB_FEE, 0))]
    if guarantee:
        rows.append((gettext("Added to the prizes") if guarantee < 0 else gettext("Kept from the prizes"), guarantee))
    books = cash_books_of(tournament)
    roundings = roundings_of(books)
    for book in books:
        text = gettext("Till differences, cash book {number}").format(number=number(book.number))
        rows.append((text, differences_of(book)))
        if rounding := roundings.get(book.number):
            text = gettext("Cash rounding, cash book {number}").format(number=number(book.number))
            rows.append((text, rounding))
    return rows


def held_in_tills(tournament: Tournament) -> int:
    """Return what all tills of the club hold in the tournament's currency, in minor units."""
    return -sum(balances_of_kind(tournament.club_id, tournament.currency, AccountKind.CASH).values())


def _amounts(title: str, lines: Sequence[tuple[str, int, bool]], tournament: Tournament) -> Table:
    """Tabulate texts with amounts in minor units; the third of each says whether it is a sum of those above."""
    return Table(
        title=title,
        columns=(Column(gettext("What")), Column(gettext("Amount"), Kind.NUMBER)),
        rows=tuple(Row((text, amount_text(amount, tournament)), is_sum=is_sum) for text, amount, is_sum in lines),
    )


# Actions that change earlier entries, each with its reason.
CHANGES = TABLE_NEEDS_REASON - {"deal_disputed"}
MOST_NAMED = 3


def tournament_report(tournament: Tournament) -> Document:
    """Build the report that a tournament's owner reads on the next day."""
    current_board = board(tournament, Names.REAL)
    highlights = highlights_of(tournament)
    parts: tuple[Part, ...] = (
        when_and_where(current_board),
        Facts(pairs=tuple(_counts(tournament, current_board, highlights))),
        *(Paragraph(text=line) for line in unsettled(tournament)),
        *places_tables(current_board, gettext("Places")),
        *_prizes(tournament, current_board),
        *_entry_fees(tournament, current_board.state),
        *_money(tournament),
        *_players(current_board, highlights),
        _changes(current_board),
        Signatures(who=(gettext("Director"), gettext("Scorer"))),
    )
    return document(tournament, gettext("Tournament report"), parts, fingerprint=current_board.fingerprint)


class ReportFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The report in five numbers. The result is the club's, in minor units."""

    players: int
    tables: int
    deals: int
    corrected_deals: int
    result_minor: int


def report_figures(tournament: Tournament) -> ReportFigures:
    """Return the figures of the report of a tournament, as the log and the books are now."""
    shown = board(tournament, Names.REAL)
    tables = [table for table in shown.tables if not table.is_cancelled]
    return ReportFigures(
        players=len(shown.rows),
        tables=len(tables),
        deals=sum(table.deals for table in tables),
        corrected_deals=len({(change.table, change.deal) for change in shown.changes if change.deal}),
        result_minor=sum(amount for _, amount in _result_rows(tournament, booked_of(tournament))),
    )


def _counts(tournament: Tournament, shown: Board, highlights: Highlights) -> Iterator[tuple[str, str]]:
    """Winners, number of players, tables and deals, and highlights."""
    winners = [shown.names[row.line.player] for row in shown.rows if row.line.player in shown.table_winners]
    if winners:
        yield npgettext("of a night", "Winner", "Winners", len(winners)), listed(winners)
    tables = [table for table in shown.tables if not table.is_cancelled]
    yield gettext("Players"), number(len(shown.rows))
    yield gettext("Tables"), number(len(tables))
    yield gettext("Deals"), number(sum(table.deals for table in tables))
    if by_totals := sum(table.has_totals for table in tables):
        # Their deals are in no number here: nobody knows how many there were.
        yield gettext("Tables entered by totals"), number(by_totals)
    yield from _remarkable(highlights, shown)
    yield from _durations(shown, tables, highlights.last_deals)
    changed = {(change.table, change.deal) for change in shown.changes if change.deal}
    yield gettext("Corrected or cancelled deals"), number(len(changed))


def _remarkable(found: Highlights, shown: Board) -> Iterator[tuple[str, str]]:
    """The biggest hand of a seat in one deal, and who won the most deals. Where many are equal, the first are named."""
    if found.hands:
        text = ngettext("{number} point: {where}", "{number} points: {where}", found.biggest)
        hand, titles = gettext("{name} ({table}, deal {deal})"), _titles_of_tables(shown)
        where = [
            hand.format(
                name=shown.names[best_hand.player], table=titles[best_hand.table.id], deal=number(best_hand.deal)
            )
            for best_hand in found.hands
        ]
        yield gettext("Biggest hand"), text.format(number=number(found.biggest), where=_first_of(where))
    if found.deals_won:
        names = sorted((shown.names[player] for player in found.winners), key=search_key)
        text = ngettext("{number} deal: {who}", "{number} deals: {who}", found.deals_won)
        rounds = {table.round for table in shown.tables}
        title = gettext("Most deals won, all rounds") if len(rounds) > 1 else gettext("Most deals won")
        yield title, text.format(number=number(found.deals_won), who=_first_of(names))


def _first_of(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    rest = [ngettext("{number} more", "{number} more", more).format(number=number(more))] if more > 0 else []
    return listed([*names[:MOST_NAMED], *rest])


def _durations(shown: Board, tables: list[TableLine], last_deals: Mapping[UUID, int]) -> Iterator[tuple[str, str]]:
    """The finished tables that took the shortest and the longest time, by when their deals were played."""
    finished = {table.id for table in tables if table.is_finished}
    titles = _titles_of_tables(shown)
    times = _minutes(shown.tournament, {table: last for table, last in last_deals.items() if table in finished})
    timed = sorted((minutes, at) for at, table in enumerate(tables) if (minutes := times.get(table.id)) is not None)
    for title, timed_tables in ((gettext("Fastest table"), timed[:1]), (gettext("Longest table"), timed[-1:])):
        for minutes, at in timed_tables:
            long = ngettext("{number} minute", "{number} minutes", minutes).format(number=number(minutes))
            played = tables[at].deals
            deals = ngettext("{number} deal", "{number} deals", played).format(number=number(played))
            yield title, f"{titles[tables[at].id]}: {long}, {deals}"


def _minutes(tournament: Tournament, last_deals: Mapping[UUID, int]) -> dict[UUID, int]:
    """Minutes from the first event of each table to its last deal, given by its version, in one query.

    A deal counts when it was played, not when it was sent, unless that is before its table was opened or still ahead:
    a device with a wrong clock.
    """
    first: dict[UUID, datetime] = {}
    last: dict[UUID, datetime] = {}
    for event in log.find(club=tournament.club_id, streams=[*last_deals]):
        opened = first.setdefault(event.stream_id, min(event.occurred_at, event.recorded_at))
        if event.version == last_deals[event.stream_id]:
            is_plausible = opened <= event.occurred_at <= event.recorded_at
            last[event.stream_id] = event.occurred_at if is_plausible else event.recorded_at
    return {table: int((last[table] - first[table]).total_seconds() // 60) for table in last}


def _players(shown: Board, highlights: Highlights) -> Iterator[Table]:
    """Tabulate who did not come, came late, was replaced or came back, and who shared a pot."""
    entrants = shown.state.entrants.values() if shown.state is not None else ()
    late = entered_late(shown)
    players = {*highlights.rejoins, *late, *(player for _, sharing in highlights.splits for player in sharing)}
    players |= {player for entrant in entrants for player in (entrant.player, entrant.plays_for or entrant.player)}
    named = names_of_players(shown.tournament.club, players)
    names = telling_names({player: remembered_name.name for player, remembered_name in named.items()})
    rows: list[tuple[str, str]] = []
    titles = _titles_of_tables(shown)

    def add(title: str, texts: Iterable[str]) -> None:
        if sorted_texts := sorted(texts, key=search_key):
            rows.append((title, listed(sorted_texts)))

    add(gettext("No-shows"), (names[entrant.player] for entrant in entrants if entrant.standing is Standing.ABSENT))
    add(gettext("Late entries"), (names[player] for player in late))
    add(
        gettext("Substitutes"),
        (stands_in(names[entrant.player], names[entrant.plays_for]) for entrant in entrants if entrant.plays_for),
    )
    add(
        gettext("Re-entries"),
        (_times(names[entrant.player], len(entrant.reentries)) for entrant in entrants if entrant.reentries),
    )
    add(gettext("Rejoins"), (_times(names[player], count) for player, count in highlights.rejoins.items()))
    add(
        gettext("Splits"),
        (
            f"{titles[table.id]}: {listed([names[player] for player in sharing])}"
            for table, sharing in highlights.splits
        ),
    )
    if rows:
        columns = (Column(gettext("What")), Column(gettext("Players")))
        yield Table(title=gettext("Entries and changes"), columns=columns, rows=tuple(map(Row, rows)))


def entered_late(shown: Board) -> list[str]:
    """Who entered after the first round was seated, and plays or has played."""
    state = shown.state
    if state is None or not state.rounds:
        return []
    entered = log.read_kinds(shown.tournament.club_id, [shown.tournament.pk], [wire.PlayerEntered.kind])
    players = [
        msgspec.json.decode(event.body)["player"] for event in entered if event.version > state.rounds[0].version
    ]
    came = {Standing.ENTERED, Standing.LEFT, Standing.SUBSTITUTED}
    return [
        player
        for player in dict.fromkeys(players)
        if player in state.entrants
        and state.entrants[player].standing in came
        and state.entrants[player].plays_for is None
    ]


def _times(name: str, count: int) -> str:
    return name if count == 1 else gettext("{name} ({number} times)").format(name=name, number=number(count))


def changes_of(shown: Board) -> list[log.StoredEvent]:
    """Return every change to earlier entries of a tournament and its tables, from the log."""
    tables = [table.id for table in shown.tables]
    return log.read_kinds(shown.tournament.club_id, [*tables, shown.tournament.pk], CHANGES)


def _changes(shown: Board) -> Table:
    """Every change to earlier entries, by whom and why, from the log."""
    titles_by_table, stored_events = _titles_of_tables(shown), changes_of(shown)
    who = actor_names({event.actor for event in stored_events}, shown.tournament.club_id)
    rows = []
    for event in stored_events:
        when = club_moment(event.recorded_at, shown.tournament)
        where = titles_by_table.get(event.stream_id, shown.tournament.name)
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


def _titles_of_tables(shown: Board) -> dict[UUID, str]:
    """Each table by its name or number, with its round where the tournament has several."""
    has_rounds = any(table.round > 1 for table in shown.tables)
    return {
        table.id: f"{title}, {round_text(table.round)}" if has_rounds else title
        for table in shown.tables
        for title in [table_text(table.name, table.number)]
    }
